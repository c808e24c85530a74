"""The app around a work: what it raises is handed on, and what it waits for and asks is shown (facts 2 and 3)."""

from __future__ import annotations

import asyncio

import pytest

from p2pball.engine.terms import Rules, Seat, Terms
from p2pball.errors import P2PBallError
from p2pball.net.memory import memory_pair
from p2pball.scorebook.teams import KETTLE_POINT
from p2pball.session import Ended, TermsRefused, answer
from p2pball.ui.display import Display
from p2pball.ui.tui.app import FullScreen
from p2pball.ui.tui.screens.dialogs import TermsDialog
from p2pball.ui.tui.screens.lobby import Waiting
from tests.duet import hello, secrets
from tests.session.table import Lines, Player
from tests.ui.playing import options, ready, shown, solo, until
from tests.ui.stagecraft import STILL, frame, golden

pytestmark = pytest.mark.usefixtures("home")


class Sad(P2PBallError):
    """It went wrong in a way that can be told."""


@pytest.mark.parametrize("error", [Sad("The relay is down."), RuntimeError("a bug")])
async def test_an_error_in_the_work_ends_the_app_and_is_handed_on(error: Exception) -> None:
    async def work(display: Display) -> Ended:
        await asyncio.sleep(0)
        raise error

    app = FullScreen(work, STILL)
    async with app.run_test() as pilot:
        await until(pilot, lambda: app.fault is not None)
    assert app.fault is error
    assert app.return_code == 1


async def test_an_error_of_a_task_within_the_work_does_too() -> None:
    """A bare task would swallow it and the game would hang."""
    wanted = options(Rules.DICE)

    class Bad(Player):
        def show(self, transitions: object) -> None:
            raise Sad("no more")

    from p2pball.ui.solo import new_solo, play_solo

    folder, near, far = new_solo(wanted, far_name="Bob")

    async def work(display: Display) -> Ended:
        with folder:
            return await play_solo(folder, (near, far), wanted, (display, Bad()), ("Bob", KETTLE_POINT))

    app = FullScreen(work, STILL)
    async with app.run_test() as pilot:
        await until(pilot, lambda: app.fault is not None)
    assert isinstance(app.fault, Sad)


async def test_an_error_of_the_screen_is_kept_and_no_traceback_is_printed(capfd: pytest.CaptureFixture[str]) -> None:
    app = solo(options(Rules.DICE))

    async def crash() -> None:
        async with app.run_test() as pilot:
            game = await ready(app, pilot)
            game.call_next(lambda: 1 // 0)
            await until(pilot, lambda: app.fault is not None)

    with pytest.raises(ZeroDivisionError):
        await crash()
    assert isinstance(app.fault, ZeroDivisionError)
    assert app.return_code == 1
    assert "Traceback" not in capfd.readouterr().err


async def test_the_code_stands_large_and_the_line_to_type_below() -> None:
    async def work(display: Display) -> Ended:
        display.room("4821-crisp-wolf", "192.168.1.5:8765", "p2pball join 4821-crisp-wolf@192.168.1.5:8765")
        display.notice("Waiting for\nyour partner.")
        await asyncio.Event().wait()
        return Ended.LEFT

    for size in [(80, 24), (60, 20), (40, 12)]:
        app = FullScreen(work, STILL)
        async with app.run_test(size=size) as pilot:
            await until(pilot, lambda app=app: isinstance(app.screen, Waiting))
            await pilot.pause(0.1)
            golden(f"waiting-{size[0]}x{size[1]}", frame(app))
            await pilot.press("q")
            await until(pilot, lambda app=app: not app.is_running or app._exit)
        assert app.ended is None


@pytest.mark.parametrize("takes", [True, False])
async def test_terms_are_shown_and_taken_or_not(takes: bool) -> None:
    """Through the guest's own part of the lobby: a hostile host's names arrive harmless."""
    terms = Terms(Rules.CARDS, innings=1, clock=20)
    host = secrets("host")
    here, there = memory_pair()
    body = hello(Seat.HOST, host, terms) | {"name": "Eve [red]"}
    from p2pball.ballgame import Ballgame

    proposing = Ballgame.propose(host, body)

    async def work(display: Display) -> Ended:
        own = secrets("guest")
        await answer(
            here,
            own,
            host.key,
            display,
            lambda _terms: hello(Seat.GUEST, own, terms),
            Lines(),
        )
        return Ended.LEFT

    await there.send(proposing.drain().lines[0].frame)
    app = FullScreen(work, STILL)
    async with app.run_test(size=(80, 24)) as pilot:
        said = await shown(app, TermsDialog, pilot)
        assert "Eve [red] hosts with Riverbend (RBN)" in said
        assert "cards, 1 inning, up to 3 extra" in said
        assert "20 seconds a choice" in said
        await pilot.press("enter" if takes else "n")
        await until(pilot, lambda: app.ended is not None or app.fault is not None)
    assert isinstance(app.fault, TermsRefused) is not takes
    frames = [await asyncio.wait_for(there.receive(), 30)]
    assert (b'type\\":\\"hello' in frames[0]) is takes
