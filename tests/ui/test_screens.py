"""The screens around a game: title, forms, lists, waiting, terms, curtain, the lost connection, and failures."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from textual.widgets import Input

from p2pball.clubhouse.errors import BadSettings
from p2pball.clubhouse.games import find_game, list_games, record_in
from p2pball.clubhouse.settings import load, settings_file
from p2pball.engine.cards import NAMES
from p2pball.engine.terms import Rules, Seat, Terms
from p2pball.errors import P2PBallError
from p2pball.net.link import Link
from p2pball.net.memory import memory_pair
from p2pball.scorebook.teams import KETTLE_POINT
from p2pball.session import Ended, Session, TermsRefused, answer, close, play_out
from p2pball.ui.archive import find
from p2pball.ui.display import Display
from p2pball.ui.evening import two_people
from p2pball.ui.hotseat import hotseat
from p2pball.ui.tui.app import FullScreen
from p2pball.ui.tui.cinema import Cinema
from p2pball.ui.tui.glyphs import ASCII, UNICODE
from p2pball.ui.tui.home import Home
from p2pball.ui.tui.hotseat import HotStage
from p2pball.ui.tui.look import Look
from p2pball.ui.tui.panel import Panel
from p2pball.ui.tui.screens.dialogs import Ask, Chat, Dialog, Lost, Notice, Quit, TermsDialog
from p2pball.ui.tui.screens.form import Form
from p2pball.ui.tui.screens.game import GameScreen
from p2pball.ui.tui.screens.lobby import Curtain, Waiting
from p2pball.ui.tui.screens.pick import Pick
from p2pball.ui.tui.screens.replay import ReplayScreen
from p2pball.ui.tui.screens.sheets import TextSheet
from p2pball.ui.tui.screens.title import Title
from p2pball.verify import Verdict
from tests.duet import hello, secrets
from tests.session.table import Cut, Lines, Player, Table
from tests.ui.playing import Fingers, asked, only_report, options, play_through, ready, solo, until
from tests.ui.stagecraft import STILL, frame, golden, plain_text

pytestmark = pytest.mark.usefixtures("home")
RECORDS = Path(__file__).parents[1] / "records"


def title() -> Home:
    settings = load()
    return Home(settings, replace(STILL, theme=Look.of(settings).theme), lambda game: [f"a game on paper: {game}"])


async def shown(app: FullScreen, kind: type[object], pilot: Fingers) -> str:
    """The text of the screen once it is of this kind."""
    await until(pilot, lambda: isinstance(app.screen, kind))
    await pilot.pause()
    return "\n".join(frame(app))


# -- the title -----------------------------------------------------------------------------


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


LONG = ("The host proposes a game of cards over three innings, and the home team is a coin's to choose.",) * 6


@pytest.mark.parametrize("box", [Quit, Lost, Chat, lambda: Notice("Look", *LONG), lambda: TermsDialog(LONG)])
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


@pytest.mark.parametrize("box", [Quit, Lost, Chat])
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


# -- failures (facts 2 and 3) --------------------------------------------------------------


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


# -- waiting and terms ---------------------------------------------------------------------


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


class Enough(Exception):
    """Enough turns have been looked at."""


# -- two at one keyboard -------------------------------------------------------------------


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


# -- the lost connection -------------------------------------------------------------------


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


async def test_a_lost_connection_is_waited_for_and_the_game_goes_on() -> None:
    app, _ = await lost_game("again")
    assert app.ended is Ended.FINISHED


async def test_a_lost_connection_can_be_left_and_saved() -> None:
    app, _ = await lost_game("s")
    assert app.ended is Ended.LEFT
    assert "The game is saved: p2pball resume game" in app.farewell


async def test_a_game_can_be_resigned_without_a_connection() -> None:
    await lost_game("r")


# -- replay --------------------------------------------------------------------------------


async def test_a_replay_goes_both_ways() -> None:
    app = Cinema(STILL, find(str(RECORDS / "cards-three-innings.p2pball")), pace=0.05, spoilers=True)
    async with app.run_test(size=(80, 24)) as pilot:
        assert "0 of " in await shown(app, ReplayScreen, pilot)
        await pilot.press("enter", "n", "right")
        await pilot.pause()
        third = frame(app)
        assert " 3 of " in third[22]
        await pilot.press("enter", "b")
        await pilot.pause()
        assert frame(app) == third
        await pilot.press("h")
        await pilot.pause()
        half = frame(app)
        assert "Bot 1" in half[0]
        await pilot.press("s")
        await pilot.pause()
        assert frame(app)[0][:14] != half[0][:14], "somebody has scored"
        for key, words in (("x", "AB  R  H RBI"), ("l", "Ellis: strike"), ("?", "on to the next run")):
            await pilot.press(key)
            await pilot.pause()
            assert words in "\n".join(frame(app))
            assert "The dice game" not in "\n".join(frame(app)), "the rules of another game"
            await pilot.press("escape")
            await shown(app, ReplayScreen, pilot)
        await pilot.press("plus", "p")
        await until(pilot, lambda: " won " in frame(app)[22] or "A draw" in frame(app)[22], 60)
        assert "chain " in frame(app)[23]
        await pilot.press("q")
    assert app.fault is None


async def test_a_replay_without_spoilers_says_nothing_of_what_comes() -> None:
    found = find(str(RECORDS / "cards-three-innings.p2pball"))
    app = Cinema(STILL, found, pace=1.0, spoilers=False)
    chain = found.record.report.game.exchange.chain.hex()
    async with app.run_test(size=(80, 24)) as pilot:
        said = await shown(app, ReplayScreen, pilot)
        assert " of " not in frame(app)[22]
        assert chain[:4] not in said


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


def test_a_level_that_nobody_knows_is_told_before_the_title() -> None:
    with pytest.raises(BadSettings, match="level is one of rookie, regular, all-star"):
        Home(load(level="coach"), STILL, lambda game: [game])


def test_every_card_has_a_face_in_both_sets() -> None:
    for glyphs in (UNICODE, ASCII):
        assert len({glyphs.card(card) for card in range(len(NAMES))}) == len(NAMES)
