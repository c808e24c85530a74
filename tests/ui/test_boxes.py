"""Boxes, sheets and the curtain on low and narrow screens: all their words and all their keys."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

import pytest
from textual.widgets import Input

from p2pball.ui.tui.app import FullScreen
from p2pball.ui.tui.screens.dialogs import Chat, Dialog, Lost, Notice, Quit, TermsDialog
from p2pball.ui.tui.screens.lobby import Curtain
from p2pball.ui.tui.screens.sheets import TextSheet
from tests.ui.playing import shown
from tests.ui.stagecraft import STILL, plain_text

pytestmark = pytest.mark.usefixtures("home")
LONG = ("The host proposes a game of cards over three innings, and the home team is a coin's to choose.",) * 6
LOST, UNHEARD = partial(Lost, ended=False), partial(Lost, ended=True)


@pytest.mark.parametrize("box", [Quit, LOST, UNHEARD, Chat, lambda: Notice("Look", *LONG), lambda: TermsDialog(LONG)])
async def test_a_box_on_a_low_screen_shows_all_its_keys_and_all_its_words(box: Callable[[], Dialog]) -> None:
    app, asks = FullScreen(None, STILL), box()
    async with app.run_test(size=(40, 12)) as pilot:
        await app.push_screen(asks)
        said = await shown(app, type(asks), pilot)
        for key in asks.keys:
            assert f"[{key.cap}]" in said
        texts = [plain_text(row) for row in asks.rows(33) if row]
        for _ in texts:
            said += await shown(app, type(asks), pilot)
            await pilot.press("down")
        assert all(text in said for text in texts)
        await pilot.resize_terminal(80, 24)
        said = await shown(app, type(asks), pilot)
        assert all(key.cap in said for key in asks.keys)
    assert app.fault is None


@pytest.mark.parametrize("box", [Quit, LOST, UNHEARD, Chat])
async def test_nothing_of_the_screen_below_stands_beside_a_box(box: Callable[[], Dialog]) -> None:
    app, asks = FullScreen(None, STILL), box()
    async with app.run_test(size=(80, 24)) as pilot:
        await app.push_screen(TextSheet("Below", ["x" * 76] * 24))
        await app.push_screen(asks)
        rows = (await shown(app, type(asks), pilot)).split("\n")
        edges = [at for at, row in enumerate(rows) if "╭" in row or "╰" in row]
        for row in rows[edges[0] : edges[1] + 1]:
            assert row.strip()[0] in "╭│╰", rows
            assert row.strip()[-1] in "╮│╯", rows
        assert "x" * 76 in rows[edges[0] - 1], "above and below it still stands"


async def test_a_line_to_type_in_has_a_cursor_without_colours() -> None:
    app = FullScreen(None, replace(STILL, colourless=True))
    async with app.run_test(size=(80, 24)) as pilot:
        await app.push_screen(Chat())
        await shown(app, Chat, pilot)
        assert app.screen.query_one(Input).get_component_rich_style("input--cursor").reverse


async def test_a_sheet_on_a_narrow_screen_tells_its_title_and_its_sentences_whole() -> None:
    table = f"Name{' ' * 40}AB  R"
    app = FullScreen(None, STILL)
    async with app.run_test(size=(40, 24)) as pilot:
        await app.push_screen(TextSheet("The one who wins " * 4 + "is Ada", [f"  {LONG[0]}", table]))
        told = await shown(app, TextSheet, pilot)
        lines = told.split("\n")
        assert " ".join(told.split()).startswith("The one who wins The one who wins The one who wins")
        assert "is Ada" in told
        assert LONG[0] in " ".join(told.split())
        assert sum(row.startswith(" Name") for row in lines) == 1
        assert lines[2].startswith("─")
        await pilot.resize_terminal(120, 24)
        told = await shown(app, TextSheet, pilot)
        assert told.split("\n")[1].startswith("─")
        assert f" {table}" in told


async def test_the_curtain_says_all_of_it_on_a_narrow_screen() -> None:
    app = FullScreen(None, STILL)
    async with app.run_test(size=(40, 12)) as pilot:
        await app.push_screen(Curtain("W" * 24))
        told = " ".join((await shown(app, Curtain, pilot)).split())
        assert f"{'W' * 24}, it is your turn." in told
        assert "Press Enter when only you can see the screen." in told
