"""Whole games under fingers: played out, played again, left and gone on with, resigned, watched."""

from __future__ import annotations

from pathlib import Path

import pytest

from p2pball.clubhouse.games import list_games
from p2pball.clubhouse.settings import Settings
from p2pball.engine.terms import Rules, Seat
from p2pball.session import Ended
from p2pball.ui.display import Display
from p2pball.ui.evening import go_on
from p2pball.ui.hints import all_star_hint
from p2pball.ui.tui.app import FullScreen
from p2pball.ui.tui.panel import Panel
from p2pball.ui.tui.screens.dialogs import Quit
from p2pball.ui.tui.screens.final import Final
from p2pball.ui.tui.screens.game import GameScreen
from p2pball.verify import Verdict
from tests.ui.playing import asked, only_report, options, play_through, ready, solo, until
from tests.ui.stagecraft import STILL, frame

pytestmark = pytest.mark.usefixtures("home")


@pytest.mark.parametrize(("rules", "innings"), [(Rules.CARDS, 3), (Rules.DICE, 9)])
async def test_a_whole_game(rules: Rules, innings: int, home: Path) -> None:
    app = solo(options(rules, innings))
    async with app.run_test(size=(80, 24)) as pilot:
        sizes = iter([(80, 24), (60, 20), (40, 12), (30, 8), (120, 40)] * 1000)
        turns = 0

        async def look_on() -> None:
            nonlocal turns
            turns += 1
            if not turns % 20:
                await pilot.resize_terminal(*next(sizes))

        final = await play_through(app, pilot, look_on)
        await pilot.resize_terminal(80, 24)
        await pilot.pause()
        shown = "\n".join(frame(app))
        (info,) = list_games()
        assert "wins," in shown or "A draw" in shown
        assert "R  H  E LOB" in shown
        await pilot.press("end")
        await pilot.pause()
        said = "\n".join("".join(ink.text for ink in row) for row in final.query_one("#page", Panel).lines)
        assert "100%" in said, "the win-chance curve"
        assert "Play of the game" in said
        assert f"{info.id}/record.p2pball" in "".join(said.split()), (
            "where the record is, over as many lines as it takes"
        )
        await pilot.press("q")
    assert app.ended is Ended.FINISHED
    assert app.fault is None
    assert only_report().verdict is Verdict.COMPLETE
    assert any(str(home) in line for line in app.farewell)


async def test_a_rematch_swaps_the_home_team(home: Path) -> None:
    app = solo(options(Rules.DICE, seed=None))
    async with app.run_test() as pilot:
        await play_through(app, pilot)
        await pilot.press("r")
        await until(pilot, lambda: asked(app))
        screen = app.screen
        assert isinstance(screen, GameScreen)
        assert screen.stage.ballgame
        assert screen.stage.ballgame.game.state.home is Seat.GUEST
        assert len(list_games()) == 2


async def test_leave_and_save_then_go_on(home: Path) -> None:
    app = solo(options(Rules.CARDS))
    async with app.run_test() as pilot:
        await ready(app, pilot)
        await pilot.press("1")
        await until(pilot, lambda: asked(app))
        await pilot.press("q")
        await until(pilot, lambda: isinstance(app.screen, Quit))
        assert "Save and leave" in "".join(frame(app)).replace("[S]ave", "Save")
        await pilot.press("escape")
        await ready(app, pilot)
        await pilot.press("q", "s")
        await until(pilot, lambda: app.ended is not None)
    assert app.ended is Ended.LEFT
    (info,) = list_games()
    assert f"The game is saved: p2pball resume {info.id}" in app.farewell
    assert only_report().verdict is Verdict.SUSPENDED

    async def work(display: Display) -> Ended:
        return await go_on(info.id, Settings(), display)

    again = FullScreen(work, STILL, hint=all_star_hint)
    async with again.run_test() as pilot:
        game = await ready(again, pilot)
        assert any("Top of the 1st" in entry.text for entry in game.stage.log), "the log is there again"
        await play_through(again, pilot)
    assert only_report().verdict is Verdict.COMPLETE


async def test_resigning_ends_the_game() -> None:
    app = solo(options(Rules.CARDS))
    async with app.run_test(size=(80, 24)) as pilot:
        await ready(app, pilot)
        await pilot.press("q", "r")
        await until(pilot, lambda: isinstance(app.screen, Final))
        await pilot.pause()
        assert "Computer, regular wins, for Ann resigned" in frame(app)[0]
        await pilot.press("q")
    assert app.ended is Ended.FINISHED
    assert only_report().verdict is Verdict.COMPLETE


async def test_nobody_is_asked_when_another_plays_the_seat() -> None:
    from p2pball.computer.levels import Level
    from p2pball.ui.seats import Computer
    from p2pball.ui.seats import Seat as Watched

    wanted = options(Rules.DICE)

    async def work(display: Display) -> Ended:
        return await play_watched(display)

    async def play_watched(display: Display) -> Ended:
        from p2pball.ui.solo import against_computer

        return await against_computer(wanted, Watched(display, Computer(Level.ROOKIE, 0.0)), rematches=True)

    app = FullScreen(work, STILL, plays=False)
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: isinstance(app.screen, Final), 60)
        await pilot.pause()
        assert "[R]ematch" not in frame(app)[23]
        await pilot.press("q")
    assert app.ended is Ended.FINISHED
