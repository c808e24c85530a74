"""The title and what hangs on it: forms, settings, lists, games begun and gone on with, and what goes wrong there."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from p2pball.clubhouse.errors import BadSettings
from p2pball.clubhouse.games import list_games
from p2pball.clubhouse.settings import load, settings_file
from p2pball.engine.terms import Rules
from p2pball.ui.tui.glyphs import ASCII
from p2pball.ui.tui.home import Home
from p2pball.ui.tui.look import Look
from p2pball.ui.tui.panel import Panel
from p2pball.ui.tui.screens.dialogs import Ask, Notice
from p2pball.ui.tui.screens.form import Form
from p2pball.ui.tui.screens.pick import Pick
from p2pball.ui.tui.screens.replay import ReplayScreen
from p2pball.ui.tui.screens.sheets import TextSheet
from p2pball.ui.tui.screens.title import Title
from p2pball.verify import Verdict
from tests.ui.playing import only_report, play_through, ready, shown
from tests.ui.stagecraft import STILL, frame, golden

pytestmark = pytest.mark.usefixtures("home")


def title() -> Home:
    settings = load()
    return Home(settings, replace(STILL, theme=Look.of(settings).theme), lambda game: [f"a game on paper: {game}"])


async def test_the_title_and_its_keys() -> None:
    app = title()
    async with app.run_test(size=(80, 24)) as pilot:
        await shown(app, Title, pilot)
        golden("title-80x24", frame(app))
        for key, kind in (("p", Form), ("h", Form), ("j", Ask), ("r", Pick), ("g", Pick), ("s", Form)):
            await pilot.press(key)
            await shown(app, kind, pilot)
            await pilot.press("escape")
            await shown(app, Title, pilot)
        await pilot.press("down", "down", "enter")
        assert "Join a game" in await shown(app, Ask, pilot)
        await pilot.press("escape")
        await shown(app, Title, pilot)
        await pilot.press("q")
    assert app.fault is None


async def test_a_name_is_asked_once_and_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("P2PBALL_NAME")
    app = title()
    async with app.run_test(size=(80, 24)) as pilot:
        assert "Your name" in await shown(app, Ask, pilot)
        await pilot.press(*"Zoe", "enter")
        await shown(app, Title, pilot)
    assert load().name == "Zoe"
    again = title()
    async with again.run_test(size=(80, 24)) as pilot:
        await shown(again, Title, pilot)


async def test_a_game_from_the_title_and_back_and_on() -> None:
    app = title()
    async with app.run_test(size=(80, 24)) as pilot:
        await shown(app, Title, pilot)
        await pilot.press("p", "right", "down", "right", "enter")  # cards, one inning
        game = await ready(app, pilot)
        assert game.stage.ballgame
        terms = game.stage.ballgame.game.state.terms
        assert (terms.rules, terms.innings) == (Rules.CARDS, 1)
        await pilot.press("q", "s")
        await shown(app, Title, pilot)
        await pilot.press("r")
        assert "open" in await shown(app, Pick, pilot)
        await pilot.press("enter")
        await ready(app, pilot)
        final = await play_through(app, pilot)
        assert "wins" in final._title or "draw" in final._title
        await pilot.press("q")
        await shown(app, Title, pilot)
        await pilot.press("g")
        listed = await shown(app, Pick, pilot)
        assert list_games()[0].id in listed
        await pilot.press("enter")
        assert "a game on paper" in await shown(app, TextSheet, pilot)
        await pilot.press("escape")
        await shown(app, Pick, pilot)
        await pilot.press("w")
        await shown(app, ReplayScreen, pilot)
        await pilot.press("q", "escape")
        await shown(app, Title, pilot)
    assert only_report().verdict is Verdict.COMPLETE


async def test_settings_are_kept_in_the_file_beside_what_stands_there() -> None:
    settings_file().write_text('# mine\nrelay = "example.org"\ntheme = "light"\n')
    app = title()
    async with app.run_test(size=(80, 24)) as pilot:
        await shown(app, Title, pilot)
        await pilot.press("s")
        await shown(app, Form, pilot)
        await pilot.press("down", "right", "down", "right", "down", "right", "enter")
        await shown(app, Title, pilot)
        assert app.glyphs is ASCII
        assert app.theme == "contrast"
        assert all(line.isascii() for line in frame(app))
    assert settings_file().read_text().startswith('# mine\nrelay = "example.org"\n')
    kept = load()
    assert (kept.theme, kept.ascii, kept.animation, kept.relay) == ("contrast", True, False, "example.org")


@pytest.mark.parametrize("name", ["Ada", "日本語カード"])
@pytest.mark.parametrize("columns", [80, 40, 20, 10])
async def test_the_columns_of_a_form_stand_whatever_the_name_and_the_width(
    name: str, columns: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("P2PBALL_NAME", name)
    app = title()
    async with app.run_test(size=(columns, 24)) as pilot:
        await shown(app, Title, pilot)
        await pilot.press("s")
        told = await shown(app, Form, pilot)
        lines = app.screen.query_one("#page", Panel).lines
        rows = [row for row in lines if any(ink.key for ink in row if ink.key.startswith("line"))]
        assert len(rows) == 5, told
        assert len({row[0].text for row in rows}) == 1, told  # blanks before the pointer
    assert app.fault is None


async def test_a_code_that_is_none_is_told_and_nothing_is_sent() -> None:
    app = title()
    async with app.run_test(size=(80, 24)) as pilot:
        await shown(app, Title, pilot)
        await pilot.press("j", *"foo", "enter")
        assert "no game code" in await shown(app, Notice, pilot)
        await pilot.press("escape", "j", *"4821-crisp-wolf", "enter")
        assert "At which relay?" in await shown(app, Notice, pilot)


async def test_what_goes_wrong_before_a_game_is_told_on_the_title(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("P2PBALL_TEAM", "missing.toml")
    (home / "history.sqlite").write_bytes(100 * b"no database")
    app = title()
    async with app.run_test(size=(80, 24)) as pilot:
        for key in ("p", "h"):
            await shown(app, Title, pilot)
            await pilot.press(key)
            await shown(app, Form, pilot)
            await pilot.press("enter")
            assert "The team file missing.toml cannot be read" in await shown(app, Notice, pilot)
            await pilot.press("escape")
        await shown(app, Title, pilot)
        await pilot.press("j")
        await shown(app, Ask, pilot)
        await pilot.press(*"4821-crisp-wolf@localhost", "enter")
        assert "The team file missing.toml cannot be read" in await shown(app, Notice, pilot)
        await pilot.press("escape")
        await shown(app, Title, pilot)
        await pilot.press("g")
        said = (await shown(app, Notice, pilot)).replace("│", " ")
        assert "p2pball games --rebuild" in " ".join(said.split())
    assert app.fault is None


async def test_a_server_that_is_none_is_told_on_the_title(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("P2PBALL_STUN", "stun.example.org")
    app = title()
    app.look = replace(app.look, offline=False)
    async with app.run_test(size=(80, 24)) as pilot:
        await shown(app, Title, pilot)
        await pilot.press("h")
        await shown(app, Form, pilot)
        await pilot.press("enter")
        assert "stun:HOST:PORT" in await shown(app, Notice, pilot)
        await pilot.press("escape")
        await shown(app, Title, pilot)
        await pilot.press("j", *"4821-crisp-wolf@127.0.0.1:9", "enter")
        assert "stun:HOST:PORT" in await shown(app, Notice, pilot)
        await pilot.press("escape")
        await shown(app, Title, pilot)
    assert app.fault is None


async def test_what_goes_wrong_in_a_game_is_told_on_the_title() -> None:
    app = title()
    async with app.run_test(size=(80, 24)) as pilot:
        await shown(app, Title, pilot)
        await pilot.press("j", *"4821-crisp-wolf@127.0.0.1:9", "enter")  # nobody listens there
        assert "did not work" in await shown(app, Notice, pilot)
        await pilot.press("escape")
        await shown(app, Title, pilot)
    assert app.fault is None


def test_a_level_that_nobody_knows_is_told_before_the_title() -> None:
    with pytest.raises(BadSettings, match="level is one of rookie, regular, all-star"):
        Home(load(level="coach"), STILL, lambda game: [game])
