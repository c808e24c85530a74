"""Two at one keyboard: hands that the other does not see, and the curtain between them."""

from __future__ import annotations

import asyncio

import pytest

from p2pball.clubhouse.games import find_game, list_games, record_in
from p2pball.engine.terms import Rules
from p2pball.session import Ended
from p2pball.ui.display import Display
from p2pball.ui.evening import two_people
from p2pball.ui.hotseat import hotseat
from p2pball.ui.tui.app import FullScreen
from p2pball.ui.tui.hotseat import HotStage
from p2pball.ui.tui.screens.game import GameScreen
from p2pball.ui.tui.screens.lobby import Curtain
from p2pball.verify import Verdict
from tests.ui.playing import asked, only_report, options, play_through, ready, shown, until
from tests.ui.stagecraft import STILL, frame

pytestmark = pytest.mark.usefixtures("home")


class Enough(Exception):
    """Enough turns have been looked at."""


async def test_two_at_one_keyboard_never_see_each_others_hands() -> None:
    wanted = options(Rules.CARDS)

    async def work(display: Display) -> Ended:
        return await two_people(wanted, "Bob", hotseat(display))

    app = FullScreen(work, STILL)
    hands: set[str] = set()
    turns = 0
    async with app.run_test(size=(80, 24)) as pilot:

        async def look_on() -> None:
            await pilot.pause()
            lines = frame(app)
            if isinstance(app.screen, Curtain):
                assert not any("┌─────┐" in line for line in lines)
                assert any("it is your turn." in line for line in lines)
                return
            assert isinstance(app.screen, GameScreen)
            stage = app.screen.stage
            assert isinstance(stage, HotStage)
            assert stage.ballgame
            assert lines[22].startswith(f" ▶ {stage.name}: ")
            cards = [app.glyphs.card(card) for card in stage.ballgame.view.hand]
            faces = "".join(lines[18].split("│")).split()
            assert "".join(faces) == "".join(cards)
            hands.add(stage.name)
            nonlocal turns
            turns += 1
            if turns == 12:
                raise Enough

        with pytest.raises(Enough):
            await play_through(app, pilot, look_on)
    assert hands == {"Ann", "Bob"}
    assert only_report().verdict is Verdict.SUSPENDED


async def test_either_of_the_two_may_leave() -> None:
    async def work(display: Display) -> Ended:
        return await two_people(options(Rules.DICE), "Bob", hotseat(display))

    app = FullScreen(work, STILL)
    async with app.run_test() as pilot:
        game = await ready(app, pilot)
        seats = set()
        for _ in range(2):
            await until(pilot, lambda: asked(app))
            seats.add(game.stage)
            if len(seats) == 2:
                break
            await pilot.press(game.stage.move_keys[0].key)
            await until(pilot, lambda: game.stage not in seats or len(seats) == 2)
        await pilot.press("q", "s")
        await until(pilot, lambda: app.ended is not None)
    assert app.ended is Ended.LEFT


async def test_the_clock_waits_for_the_curtain() -> None:
    """What one of the two takes is never counted against the other."""

    async def work(display: Display) -> Ended:
        return await two_people(options(Rules.CARDS, clock=4), "Bob", hotseat(display))

    app = FullScreen(work, STILL)
    async with app.run_test() as pilot:
        await shown(app, Curtain, pilot)
        drawn = app.screen
        await asyncio.sleep(4.5)
        assert app.screen is drawn, "a clock has taken the curtain away"
        (info,) = list_games()
        lines = record_in(find_game(info.id)).read_bytes()
        assert b'"commit"' not in lines, "a clock has chosen"
        await pilot.press("enter")
        game = await ready(app, pilot)
        assert game.stage.clock_runs
