"""A lost connection: waited for, left, or the game resigned."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest

from p2pball.engine.terms import Rules, Seat, Terms
from p2pball.net.link import Link
from p2pball.net.memory import memory_pair
from p2pball.session import Ended, Session, close, play_out
from p2pball.ui.display import Display
from p2pball.ui.tui.app import FullScreen
from p2pball.ui.tui.screens.dialogs import Lost
from p2pball.ui.tui.screens.final import Final
from p2pball.ui.tui.screens.game import GameScreen
from tests.session.table import Cut, Table
from tests.session.test_series import Endless
from tests.ui.playing import asked, play_through, shown, until
from tests.ui.stagecraft import STILL

pytestmark = pytest.mark.usefixtures("home")


class Meetings:
    """A partner who is met again when told so; `tries` counts the attempts of this side."""

    def __init__(self, table: Table) -> None:
        self.table, self.tries = table, 0
        self.there = asyncio.Event()
        self.far: asyncio.Task[Ended] | None = None

    def pair(self, frames: int) -> Link:
        here, there = memory_pair()
        self.far = asyncio.ensure_future(self.table.sessions[Seat.GUEST].run(there, resume=self.tries > 0))
        return Cut(here, frames)


async def lost_game(app_then: str) -> tuple[FullScreen, Meetings]:
    table = Table(Terms(Rules.DICE, 1, home="host"))
    meetings = Meetings(table)

    async def work(display: Display) -> Ended:
        session = Session(table.duet.games[Seat.HOST], table.journals[Seat.HOST], display)
        display.seated(session.ballgame, session)

        async def meet() -> Link:
            while True:
                meetings.tries += 1
                attempt = asyncio.ensure_future(meetings.there.wait())
                display.meeting(attempt.cancel)
                try:
                    await attempt
                except asyncio.CancelledError:
                    task = asyncio.current_task()
                    if task and task.cancelling():
                        raise
                    continue
                return meetings.pair(10_000)

        ended, link = await play_out(session, display, meet, meetings.pair(12))
        display.over(ended, Path("/nowhere/game/record.p2pball"), session.why)
        if link:
            await close(link)
        return ended

    app = FullScreen(work, replace(STILL, offline=False))
    async with app.run_test(size=(80, 24)) as pilot:
        for _ in range(200):
            if isinstance(app.screen, Lost):
                break
            if asked(app):
                assert isinstance(app.screen, GameScreen)
                await pilot.press(app.screen.stage.move_keys[0].key)
            await asyncio.sleep(0.01)
        said = await shown(app, Lost, pilot)
        assert "No connection to your rival" in said
        assert "link lost" in said, "the game below says so too"
        if app_then == "again":
            await pilot.press("t")
            await until(pilot, lambda: meetings.tries == 2)
            await shown(app, Lost, pilot)
            meetings.there.set()
            await until(pilot, lambda: isinstance(app.screen, GameScreen))
            await play_through(app, pilot)
            await pilot.press("q")
        else:
            await pilot.press(app_then)
            if app_then == "r":
                await until(pilot, lambda: isinstance(app.screen, GameScreen | Lost))
                assert any(line.type == "resign" for line in table.duet.games[Seat.HOST].game.exchange.lines)
            else:
                await until(pilot, lambda: app.ended is not None)
    if meetings.far:
        meetings.far.cancel()
        await asyncio.gather(meetings.far, return_exceptions=True)
    return app, meetings


async def test_a_rival_who_lacks_the_end_can_be_left() -> None:
    table = Table(Terms(Rules.DICE, 1, home="host"))
    here, there = memory_pair()

    async def work(display: Display) -> Ended:
        session = Session(table.duet.games[Seat.HOST], table.journals[Seat.HOST], display)
        display.seated(session.ballgame, session)

        async def meet() -> Link:
            display.meeting(lambda: None)
            return await asyncio.Event().wait()  # type: ignore[return-value]  # never

        ended, link = await play_out(session, display, meet, here)
        assert link is None
        display.over(ended, Path("/nowhere/game/record.p2pball"), session.why)
        return ended

    rival = asyncio.ensure_future(table.sessions[Seat.GUEST].run(Endless(there)))
    app = FullScreen(work, replace(STILL, offline=False))
    async with app.run_test(size=(80, 24)) as pilot:
        for _ in range(6000):
            if isinstance(app.screen, Lost):
                break
            if asked(app):
                assert isinstance(app.screen, GameScreen)
                await pilot.press(app.screen.stage.move_keys[0].key)
            await asyncio.sleep(0.01)
        said = await shown(app, Lost, pilot)
        assert "The game has ended, and is saved." in said
        assert "resign" not in said
        await pilot.press("s")
        await shown(app, Final, pilot)
        await pilot.press("q")
    assert app.ended is Ended.FINISHED
    assert await rival is Ended.LOST


async def test_a_lost_connection_is_waited_for_and_the_game_goes_on() -> None:
    app, _ = await lost_game("again")
    assert app.ended is Ended.FINISHED


async def test_a_lost_connection_can_be_left_and_saved() -> None:
    app, _ = await lost_game("s")
    assert app.ended is Ended.LEFT
    assert "The game is saved: p2pball resume game" in app.farewell


async def test_a_game_can_be_resigned_without_a_connection() -> None:
    await lost_game("r")
