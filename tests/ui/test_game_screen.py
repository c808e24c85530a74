"""The game screen under fingers: every key of the moment, hints, words, chat and the mouse."""

from __future__ import annotations

from dataclasses import replace

import pytest
from textual.events import Key
from textual.widgets import Input

from p2pball.engine.state import Phase
from p2pball.engine.terms import Rules
from p2pball.protocol.messages import Message
from p2pball.scorebook.teams import KETTLE_POINT
from p2pball.session import Ended
from p2pball.ui.display import Display
from p2pball.ui.solo import new_solo, play_solo
from p2pball.ui.tui.app import FullScreen
from p2pball.ui.tui.field import Field
from p2pball.ui.tui.panel import Panel
from p2pball.ui.tui.screens.dialogs import Chat
from p2pball.ui.tui.screens.sheets import BoxSheet, HelpSheet, LogSheet
from tests.session.table import Player
from tests.ui.playing import asked, options, play_through, ready, solo, until
from tests.ui.stagecraft import STILL, frame

pytestmark = pytest.mark.usefixtures("home")


async def test_a_card_key_alone_holds_and_plays_that_card() -> None:
    app = solo(options(Rules.CARDS, home="guest"))  # the visitors bat first
    async with app.run_test() as pilot:
        game = (await ready(app, pilot)).stage.ballgame
        assert game
        assert game.game.state.phase is Phase.WINDOW
        third = game.view.hand[2]
        await pilot.press("3")
        await until(pilot, lambda: len([line for line in game.game.exchange.lines[8:] if line.type == "reveal"]) == 2)
        lines = [line for line in game.game.exchange.lines if line.seat == "host"]
        assert [line.body["move"] for line in lines if line.type == "move"] == [{"hold": True}]
        played = [line.body["action"] for line in lines if line.type == "reveal" and "card" in line.body["action"]]
        assert len(played) == 1
        assert third not in game.view.hand


async def test_pinch_hitter_and_random_pitch_by_their_letters() -> None:
    app = solo(options(Rules.CARDS, home="guest"))
    async with app.run_test() as pilot:
        stage = (await ready(app, pilot)).stage
        await pilot.press("P")  # a capital is the same key
        assert stage.ballgame
        await until(pilot, lambda: stage.ballgame is not None and stage.ballgame.game.state.pinch_up)
        assert "pinch hits for" in "\n".join(frame(app))
    app = solo(options(Rules.DICE))
    async with app.run_test() as pilot:
        stage = (await ready(app, pilot)).stage
        await pilot.press("r")
        await until(pilot, lambda: any("leave the pitch to the dice" in entry.text for entry in stage.log))


async def test_a_steal_by_its_letter() -> None:
    app = solo(options(Rules.CARDS, 9))
    async with app.run_test() as pilot:
        stage = (await ready(app, pilot)).stage
        game = stage.ballgame
        assert game

        class Stolen(Exception):
            """Somebody was sent."""

        async def send() -> None:
            if "s" in {key.key for key in stage.move_keys}:
                rounds = len(game.game.exchange.lines)
                await pilot.press("s")
                await until(pilot, lambda: len(game.game.exchange.lines) > rounds)
                moves = [line.body["move"] for line in game.game.exchange.lines[rounds:] if line.type == "move"]
                assert moves[0] in ({"steal": 2}, {"steal": 3})
                assert any(" goes for " in entry.text for entry in stage.log)
                raise Stolen

        with pytest.raises(Stolen):
            await play_through(app, pilot, send)


async def test_every_key_of_the_moment_stands_on_the_screen_and_in_the_help() -> None:
    app = solo(options(Rules.CARDS, home="guest"))
    async with app.run_test(size=(80, 24)) as pilot:
        game = await ready(app, pilot)
        await pilot.pause()
        keys, shown = game.keys, "\n".join(frame(app))
        assert {"1", "6", "p", "h", "?", "q"} <= {key.key for key in keys}
        assert all(f"[{key.cap}]" in shown for key in keys), shown
        await pilot.press("?")
        await until(pilot, lambda: isinstance(app.screen, HelpSheet))
        await pilot.pause()
        told = "\n".join(frame(app))
        assert "1-6" in told
        assert all(f"  {key.cap}  " in told for key in keys if not key.key.isdigit()), told
        assert "chain    the same digits for both" in told


async def test_the_words_and_the_way_back() -> None:
    app = solo(options(Rules.CARDS))
    async with app.run_test(size=(80, 24)) as pilot:
        game = await ready(app, pilot)
        await pilot.press("1")
        await until(pilot, lambda: asked(app))
        for key, page, words in (
            ("?", HelpSheet, "play the card above that number"),
            ("b", BoxSheet, "AB  R  H RBI BB SO"),
            ("l", LogSheet, "Top 1"),
        ):
            await pilot.press(key)
            await until(pilot, lambda page=page: isinstance(app.screen, page))
            await pilot.pause()
            assert words in "\n".join(frame(app))
            await pilot.press("escape")
            await until(pilot, lambda: app.screen is game)
        await pilot.press("?")
        await pilot.pause()
        said = "\n".join(frame(app))
        assert "+1 or +2 in play" in said, "the rule card"
        assert "what an all-star would do here" in said, "the keys of the moment"
        assert "send in the pinch hitter" not in said, "no key that does nothing now"


async def test_scoring_plays_only() -> None:
    app = solo(options(Rules.DICE, 3))
    async with app.run_test(size=(80, 24)) as pilot:
        await play_through(app, pilot)
        await pilot.press("l")
        await pilot.pause()
        sheet = app.screen
        assert isinstance(sheet, LogSheet)
        everything = len(sheet.query_one("#page", Panel).lines)
        await pilot.press("!")
        await pilot.pause()
        rows = ["".join(ink.text for ink in row) for row in sheet.query_one("#page", Panel).lines]
        assert len(rows) < everything
        assert sum("scores" in row or "homers" in row for row in rows)
        assert not any("strikes out" in row for row in rows)
        await pilot.press("!")
        assert len(sheet.query_one("#page", Panel).lines) == everything


async def test_a_hint_tells_and_chooses_nothing() -> None:
    app = solo(options(Rules.CARDS))
    async with app.run_test(size=(80, 24)) as pilot:
        stage = (await ready(app, pilot)).stage
        assert stage.ballgame
        lines = len(stage.ballgame.game.exchange.lines)
        await pilot.press("h")
        await pilot.pause()
        assert "An all-star would play the" in "\n".join(frame(app))
        assert len(stage.ballgame.game.exchange.lines) == lines
        told = len(stage.log)
        await pilot.press("h", "h")
        await pilot.pause()
        assert len(stage.log) == told, "the same hint once more says nothing new"


async def test_hints_are_not_for_games_against_people() -> None:
    app = FullScreen(solo(options(Rules.CARDS))._work, STILL)
    async with app.run_test() as pilot:
        game = await ready(app, pilot)
        assert "h" not in {key.key for key in game.keys}


async def test_mouse_presses_what_it_points_at() -> None:
    app = solo(options(Rules.CARDS))
    async with app.run_test(size=(80, 24)) as pilot:
        game = await ready(app, pilot)
        assert game.stage.ballgame
        second = game.stage.ballgame.view.hand[1]
        face = frame(app).index(next(row for row in frame(app) if "[2]" in row)) - 2
        await pilot.click(Field, offset=(16, face))  # the second card
        await until(pilot, lambda: second not in game.stage.ballgame.view.hand)  # type: ignore[union-attr]
        await ready(app, pilot)
        column = frame(app)[23].index("[B]ox")
        await pilot.click(Field, offset=(column + 1, 23))
        await until(pilot, lambda: isinstance(app.screen, BoxSheet))


class Talker(Player):
    """A far player with something to say."""

    async def accepts(self, hello: Message) -> bool:
        return True


async def test_chat_both_ways_and_nothing_of_it_is_parsed() -> None:
    wanted = options(Rules.DICE)
    far = Talker(thinks=0.01)
    folder, near_purse, far_purse = new_solo(wanted, far_name="Bob")

    async def work(display: Display) -> Ended:
        with folder:
            return await play_solo(folder, (near_purse, far_purse), wanted, (display, far), ("Bob", KETTLE_POINT))

    app = FullScreen(work, replace(STILL, offline=False))
    async with app.run_test(size=(80, 24)) as pilot:
        game = await ready(app, pilot)
        await pilot.press("c")
        await until(pilot, lambda: isinstance(app.screen, Chat))
        await pilot.press(*"q [b]", "enter")  # typed, not a key of the game
        await until(pilot, lambda: far.heard == ["q [b]"])
        assert app.screen is game
        assert far.controls
        far.controls.say("\x1b[31m[red]hello[/red]\u202e [@click=app.quit]x[/]")
        await until(pilot, lambda: any("hello" in entry.text for entry in game.stage.log))
        await pilot.pause()
        shown = "\n".join(frame(app))
        assert "Bob: [red]hello[/red]" in shown
        assert "\x1b" not in shown
        assert "\u202e" not in shown
        await pilot.press("c")
        await pilot.pause()
        assert isinstance(app.screen.focused, Input)
        await pilot.press("escape")
        await until(pilot, lambda: app.screen is game)
        for key, text in (("c", "c"), ("a", "a"), ("space", " "), ("b", "b"), ("full_stop", "."), ("enter", "\r")):
            app.post_message(Key(key, text))  # faster than the line to type in opens
        await until(pilot, lambda: far.heard == ["q [b]", "a b."])
        game._say("\U0001f600 one\ttwo \x07\u202e")
        game._say("\x07")
        await until(pilot, lambda: far.heard == ["q [b]", "a b.", "\U0001f600 one two"])
        name = options(Rules.DICE).name
        assert [entry.text for entry in game.stage.log if entry.text.startswith(f"{name}:")] == [
            f"{name}: q [b]",
            f"{name}: a b.",
            f"{name}: \U0001f600 one two",
        ], "the sender reads what the rival reads"
