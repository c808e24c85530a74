"""Looks: themes that can be read, glyphs that can be told apart, and where both are chosen."""

from __future__ import annotations

from dataclasses import replace

import pytest

from p2pball.clubhouse.errors import BadSettings
from p2pball.clubhouse.settings import load
from p2pball.engine.cards import NAMES
from p2pball.engine.terms import Rules
from p2pball.ui.tui import themes
from p2pball.ui.tui.app import FullScreen
from p2pball.ui.tui.glyphs import ASCII, UNICODE
from p2pball.ui.tui.look import Look
from tests.ui.playing import options, ready, solo
from tests.ui.stagecraft import STILL

pytestmark = pytest.mark.usefixtures("home")


async def test_a_theme_a_press_and_every_one_can_be_read() -> None:
    app = solo(options(Rules.CARDS))
    async with app.run_test() as pilot:
        await ready(app, pilot)
        seen = []
        for _ in themes.THEMES:
            seen.append(app.theme)
            await pilot.press("t")
            await pilot.pause()
        assert sorted(seen) == sorted(themes.THEMES)
        assert app.theme == seen[0]
        await pilot.press("t")
        await pilot.pause()
        assert load().theme == app.theme == seen[1], "it is kept for the next game"


class Counting(FullScreen):
    """Counts how often all styles are parsed anew."""

    parsed = 0

    def refresh_css(self, animate: bool = True) -> None:
        self.parsed += 1
        super().refresh_css(animate)


@pytest.mark.parametrize("name", themes.THEMES)
async def test_the_first_frame_wears_its_theme_and_no_style_is_parsed_twice_for_it(name: str) -> None:
    app = Counting(None, replace(STILL, theme=name))
    async with app.run_test() as pilot:
        await pilot.pause()
        assert app.parsed == 0
        assert app.screen.styles.background.hex.lower() == themes.THEMES[name].background
        assert ("dark" in app.pseudo_classes) is themes.THEMES[name].dark
        app.next_theme()
        await pilot.pause()
        assert app.parsed == 1
        assert app.screen.styles.background.hex.lower() == themes.THEMES[app.theme].background


def _luminance(colour: str) -> float:
    channels = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    r, g, b = (c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in channels)
    return 0.2126 * r + 0.7152 * g + 0.0722 * b


@pytest.mark.parametrize("name", themes.THEMES)
def test_the_contrast_of_a_theme(name: str) -> None:
    """At least 4.5 to 1, 7 to 1 in high contrast (the web's guidelines have no better number)."""
    theme = themes.THEMES[name]
    assert theme.background
    dark, least = _luminance(theme.background), 7.0 if name == "contrast" else 4.5
    texts = (theme.foreground, theme.primary, theme.secondary, theme.accent, theme.success, theme.error)
    for colour in (*texts, theme.variables["dim"]):
        assert colour
        high, low = sorted((_luminance(colour), dark), reverse=True)
        assert (high + 0.05) / (low + 0.05) >= least, f"{colour} in {name}"


def test_looks_come_from_settings_and_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert Look.of(load()).theme == "dark"
    assert Look.of(load(ascii=True)).ascii
    monkeypatch.setenv("P2PBALL_ANIMATION", "0")
    monkeypatch.setenv("NO_COLOR", "1")
    look = Look.of(load())
    assert look.colourless
    assert not look.animation
    with pytest.raises(BadSettings, match="theme is one of dark, light, contrast, colorblind"):
        Look.of(load(theme="pink"))


def test_every_card_has_a_face_in_both_sets() -> None:
    for glyphs in (UNICODE, ASCII):
        assert len({glyphs.card(card) for card in range(len(NAMES))}) == len(NAMES)
