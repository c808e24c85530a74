"""The game screen under fingers: every key, whole games of both kinds, and what must never happen meanwhile."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from textual.events import Key
from textual.widgets import Input

from p2pball.clubhouse.games import list_games
from p2pball.clubhouse.settings import Settings, load
from p2pball.engine.moves import HOLD, PINCH, PlayCard
from p2pball.engine.state import Phase
from p2pball.engine.terms import Rules, Seat
from p2pball.protocol.messages import Message
from p2pball.scorebook.teams import KETTLE_POINT
from p2pball.session import Ended
from p2pball.ui.display import Display
from p2pball.ui.evening import go_on
from p2pball.ui.hints import all_star_hint
from p2pball.ui.solo import new_solo, play_solo
from p2pball.ui.tui import motion, themes
from p2pball.ui.tui.app import FullScreen
from p2pball.ui.tui.field import Field
from p2pball.ui.tui.panel import Panel
from p2pball.ui.tui.screens.dialogs import Chat, Quit
from p2pball.ui.tui.screens.final import Final
from p2pball.ui.tui.screens.game import GameScreen
from p2pball.ui.tui.screens.sheets import BoxSheet, HelpSheet, LogSheet
from p2pball.verify import Verdict
from tests.session.table import Player
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


async def test_an_animation_never_delays_a_key() -> None:
    app = solo(options(Rules.DICE), replace(STILL, animation=True))
    async with app.run_test(size=(80, 24)) as pilot:
        game = await ready(app, pilot)
        await pilot.press("1")
        await until(pilot, lambda: bool(game._frames) and asked(app))
        assert game.stage.ballgame
        lines = len(game.stage.ballgame.game.exchange.lines)
        before = "\n".join(frame(app))
        assert "Your pitch?" in before
        await pilot.press("2")
        await until(pilot, lambda: len(game.stage.ballgame.game.exchange.lines) > lines)  # type: ignore[union-attr]
        chosen = [e.text for e in game.stage.log if "You throw" in e.text]
        assert len(chosen) == 2
        await until(pilot, lambda: not game._frames)
        await pilot.pause()
        assert any("Rolls:" in line for line in frame(app)), "at rest the log says it all"


def test_a_motion_is_short_and_ends_where_the_play_did() -> None:
    from tests.ui.stagecraft import reached
    from tests.ui.test_frames import CARDS, over

    game = reached(CARDS, "0", over)
    for moments in game.rounds():
        frames = motion.frames(moments)
        assert len(frames) * motion.SECONDS <= 1.2
        if frames and frames[-1].running:
            ends = {a.slot: 3 * a.end for m in moments if hasattr(m.event, "advances") for a in m.event.advances}
            assert {slot: ends[slot] for slot in frames[-1].running} == dict(frames[-1].running)


async def test_only_what_changed_is_drawn() -> None:
    """Fact 6: a tick of the clock draws the prompt line, a heartbeat the status line, and no other row."""
    app = solo(options(Rules.CARDS, clock=60))
    async with app.run_test(size=(80, 24)) as pilot:
        game = await ready(app, pilot)
        await pilot.pause(0.3)
        field, prompt, status = game.query_one(Field), 22, 0
        before = field.drawn.copy()
        shown = frame(app)[prompt]
        await until(pilot, lambda: field.drawn[prompt] > before[prompt], 5)
        after = field.drawn.copy()
        assert set(after - before) == {prompt}
        assert frame(app)[prompt] != shown
        game.stage.link("direct", 0.042, 0.0)
        await pilot.pause(0.1)
        assert set(field.drawn - after) - {prompt} == {status}


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


def test_holding_is_what_a_card_key_says_in_a_window() -> None:
    from p2pball.engine.view import View
    from p2pball.ui.tui.keymap import move_keys
    from tests.ui.stagecraft import HAND, reached
    from tests.ui.test_frames import CARDS, loaded_cards

    state = reached(CARDS, "72", loaded_cards).state
    keys = move_keys(View(state, Seat.HOST, HAND), (HOLD, PINCH), hints=False)
    assert [key.key for key in keys] == ["1", "2", "3", "4", "5", "6", "p"]
    assert keys[0].does.choice is HOLD  # type: ignore[union-attr]
    assert isinstance(keys[0].does.then, PlayCard)  # type: ignore[union-attr]


def test_no_two_keys_are_the_same() -> None:
    """One registry: on every screen a key means one thing."""
    from p2pball.ui.tui import keymap

    groups = {
        name: keys
        for name, keys in vars(keymap).items()
        if isinstance(keys, tuple) and keys and all(isinstance(key, keymap.Key) for key in keys)
    }
    assert {"LOG_KEYS", "QUIT_KEYS", "LOST_KEYS", "TITLE_KEYS", "REPLAY_KEYS"} <= groups.keys()
    for name, keys in groups.items():
        pressed = [key for one in keys for key in (one.key, *one.also)]
        assert len(pressed) == len(set(pressed)), name
