"""Pages around the field, at every size and in both sets of glyphs: nothing that matters is cut or hidden."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest

from p2pball.clubhouse.settings import load
from p2pball.engine.events import DiceRolled, Outcome
from p2pball.engine.moves import PITCHES
from p2pball.engine.terms import Rules, Seat
from p2pball.session import Ended
from p2pball.ui.display import Display
from p2pball.ui.helptext import CARDS as CARD_RULES
from p2pball.ui.helptext import DICE as DICE_RULES
from p2pball.ui.solo import against_computer
from p2pball.ui.tui.app import FullScreen
from p2pball.ui.tui.glyphs import UNICODE
from p2pball.ui.tui.home import Home
from p2pball.ui.tui.keymap import REPLAY_KEYS, Act, Key
from p2pball.ui.tui.logbook import Entry, log_lines
from p2pball.ui.tui.screens.base import Keyed
from p2pball.ui.tui.screens.final import Final
from p2pball.ui.tui.screens.form import Form
from p2pball.ui.tui.screens.game import GameScreen
from p2pball.ui.tui.screens.lobby import Waiting
from p2pball.ui.tui.screens.sheets import HelpSheet
from p2pball.ui.tui.screens.title import Title
from p2pball.ui.tui.views import side
from p2pball.ui.tui.views.status import prompt
from tests.ui.playing import Fingers, options, play_through, ready, solo, until
from tests.ui.situations import DICE, SHORT, at_start
from tests.ui.stagecraft import STILL, frame, plain_text, reached, seen

pytestmark = pytest.mark.usefixtures("home")
PLAIN = replace(STILL, ascii=True)
SIZES = [(80, 24), (60, 20), (40, 12)]
ARROWS = {Act.UP, Act.DOWN, Act.PAGE_UP, Act.PAGE_DOWN, Act.LEFT, Act.RIGHT}


async def pages(pilot: Fingers, app: FullScreen, *pressed: str) -> list[tuple[Keyed, str]]:
    """Each page that a key opens from the screen there is, and what it shows; escape leads back every time."""
    below, found = app.screen, []
    for key in pressed:
        await pilot.press(key)
        await until(pilot, lambda: app.screen is not below)
        await pilot.pause()
        assert isinstance(app.screen, Keyed)
        found.append((app.screen, "\n".join(frame(app))))
        await pilot.press("escape")
        await until(pilot, lambda: app.screen is below)
    return found


def listed(key: Key, text: str) -> bool:
    """Whether a key stands on a page; the arrows have their own sign, and Enter does what is marked."""
    return key.does in ARROWS or f"[{key.cap}]" in text


@pytest.mark.parametrize("size", SIZES)
async def test_every_key_of_a_page_stands_on_it(size: tuple[int, int]) -> None:
    app = Home(load(), STILL, lambda game: [game])
    async with app.run_test(size=size) as pilot:
        await until(pilot, lambda: isinstance(app.screen, Title))
        await pilot.pause()
        shown = "\n".join(frame(app))
        title = app.screen
        assert isinstance(title, Title)
        assert all(listed(key, shown) for key in title.keys if key.key != "enter"), shown
        for page, text in await pages(pilot, app, "p", "h", "r", "g", "s", "question_mark"):
            missing = [key.cap for key in page.keys if not listed(key, text)]
            assert not missing, f"{missing} of {type(page).__name__}:\n{text}"


@pytest.mark.parametrize("size", SIZES)
async def test_ascii_pages_are_ascii(size: tuple[int, int]) -> None:
    app = Home(load(), PLAIN, lambda game: [game])
    async with app.run_test(size=size) as pilot:
        await until(pilot, lambda: isinstance(app.screen, Title))
        await pilot.pause()
        assert "\n".join(frame(app)).isascii()
        for page, text in await pages(pilot, app, "p", "h", "j", "r", "g", "s", "question_mark"):
            assert text.isascii(), f"{type(page).__name__}:\n{text}"
    game = solo(options(Rules.CARDS), PLAIN)
    async with game.run_test(size=size) as pilot:
        await ready(game, pilot)
        for page, text in await pages(pilot, game, "question_mark", "b", "l", "q"):
            assert text.isascii(), f"{type(page).__name__}:\n{text}"
        await play_through(game, pilot)
        await pilot.pause()
        assert "\n".join(frame(game)).isascii()


async def test_the_end_of_a_game_is_seen_at_a_glance() -> None:
    app = solo(options(Rules.DICE, 3))
    async with app.run_test(size=(80, 24)) as pilot:
        await play_through(app, pilot)
        await pilot.pause()
        shown = "\n".join(frame(app))
        for words in ("R  H  E LOB", "RBN 100%", "KTP 100%", "Play of the game, worth", "Record: ", "Again: "):
            assert words in shown, shown
        await pilot.press("end")
        await pilot.pause()
        assert "IP  H  R ER BB  K" in "\n".join(frame(app)), "the box below"


async def test_the_path_of_a_record_is_broken_between_folders() -> None:
    final = Final(
        "The end", None, [], Path("/home/somebody/with/a/long/name/.local/share/p2pball/games/k7qm/record.p2pball")
    )
    app = FullScreen(None, STILL)
    async with app.run_test(size=(80, 24)) as pilot:
        await app.push_screen(final)
        await pilot.pause()
        rows = [row.strip() for row in frame(app)]
        assert "record.p2pball" in rows
        assert "Record: /home/somebody/with/a/long/name/.local/share/p2pball/games/k7qm/" in rows


def test_a_log_that_has_scrolled_begins_with_a_whole_sentence() -> None:
    long = Entry("Top of the 1st. Kettle Point 0, Riverbend 0.", head="Top 1")
    log = (long, Entry("Nash walks.", head="Top 1"), Entry("Ortiz flies out to left.", head="Top 1"))
    assert [plain_text(row) for row in log_lines(log, 40, 3)] == [
        " Top 1  Nash walks.",
        "        Ortiz flies out to left.",
    ]
    assert len(log_lines(log, 40, 4)) == 4, "what has room stands there whole"
    assert plain_text(log_lines((long,), 40, 1)[0]) == " Top 1   Riverbend 0.", "the end of it is better than nothing"


def test_keys_that_have_no_room_beside_a_sentence_are_not_cut() -> None:
    scene = replace(seen(reached(DICE, "1", at_start), Seat.HOST), asked=True, moves=REPLAY_KEYS[1:2])
    said = "The host (Bartholomew Featherston) won at 10-9: the guest (Ann) resigned."
    assert plain_text(prompt(replace(scene, prompt=said), 80, UNICODE)).rstrip() == f" ▶ {said}"
    said = "The host (Bartholomew) won at 10-9: the guest (Ann) resigned."
    assert plain_text(prompt(replace(scene, prompt=said), 80, UNICODE)).rstrip() == f" ▶ {said}  [B]ack"


async def test_no_rematch_leads_back_to_the_end_of_the_game() -> None:
    async def work(display: Display) -> Ended:
        ended = await against_computer(options(Rules.DICE), display, rematches=False)
        if await display.again():
            display.notice("No rematch: your rival has left.")
        return ended

    app = FullScreen(work, STILL)
    async with app.run_test(size=(80, 24)) as pilot:
        final = await play_through(app, pilot)
        await until(pilot, lambda: final.offers_rematch)
        await pilot.press("r")
        await until(pilot, lambda: app.ended is not None)
        assert app.screen is final
        await pilot.pause()
        shown = "\n".join(frame(app))
        assert "No rematch: your rival has left." in shown
        assert "[R]ematch" not in shown
        await pilot.press("q")
    assert app.ended is Ended.FINISHED
    assert app.fault is None
    assert any("record.p2pball" in text for text in app.farewell)


async def test_news_for_a_low_screen_leaves_the_keys_on_it() -> None:
    app = FullScreen(None, STILL)
    async with app.run_test(size=(40, 12)) as pilot:
        page = Waiting("", lambda: None)
        await app.push_screen(page)
        page.open("4821-crisp-wolf", "p2pball join 4821-crisp-wolf@192.168.1.5:8765")
        for n in range(9):
            page.report(f"Report {n} of a long wait, with more words than a line can hold.")
        await pilot.pause()
        shown = "\n".join(frame(app))
        assert "[Q] give up" in shown
        assert "Report 8" in shown
        assert "4821-crisp-wolf@192.168.1.5:8765" in shown


def test_an_onlooker_sees_whose_pinch_hitter_is_ready() -> None:
    scene = replace(seen(reached(SHORT, "1", at_start), Seat.HOST), seat=None)
    rows = [plain_text(row) for row in side.side(scene, 33, UNICODE)]
    assert " Pinch  KTP ready  RBN ready" in rows[2]


@pytest.mark.parametrize("pitch", PITCHES)
def test_the_last_roll_is_told_whole(pitch: object) -> None:
    scene = seen(reached(DICE, "1", at_start), Seat.HOST)
    for n, outcome in enumerate(Outcome):
        roll = DiceRolled(pitch, True, n % 6 + 1, 6, outcome)  # type: ignore[arg-type]
        rows = [plain_text(row) for row in side.side(replace(scene, dice=roll), 33, UNICODE)]
        assert ", random" in rows[0]
        assert outcome.value
        told = plain_text(side.rolled(roll))
        assert len(told) <= 29, told


@pytest.mark.parametrize("rules", Rules)
async def test_no_rule_of_the_help_is_broken_at_80_columns(rules: Rules) -> None:
    rows = [plain_text(row) for row in HelpSheet((), rules).lines(79)]
    texts = CARD_RULES if rules is Rules.CARDS else DICE_RULES
    assert [row.strip() for row in rows[-len(texts) :]] == [text.strip() for text in texts]


@pytest.mark.parametrize("next_is", ["a form", "a game"])
async def test_a_game_that_was_left_disturbs_nothing_when_its_work_ends(next_is: str) -> None:
    """The link and the relay of a game close behind the title, and take their time."""
    begun, gone, done = asyncio.Event(), asyncio.Event(), asyncio.Event()

    async def slow(display: Display) -> Ended:
        begun.set()
        try:
            await gone.wait()
        finally:
            done.set()
        return Ended.LEFT

    app = Home(replace(load(), name="Ann"), STILL, lambda game: [game])
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: isinstance(app.screen, Title))
        app.start(slow, offline=False)
        await until(pilot, lambda: isinstance(app.screen, Waiting) and begun.is_set())
        app.leave()
        await until(pilot, lambda: isinstance(app.screen, Title))
        if next_is == "a form":
            await pilot.press("p")
            await until(pilot, lambda: isinstance(app.screen, Form))
            gone.set()
        else:
            app.start(lambda display: against_computer(options(Rules.DICE), display, rematches=False), offline=True)
            await until(pilot, lambda: isinstance(app.screen, GameScreen))
        shown = app.screen
        await asyncio.wait_for(done.wait(), 30)
        for _ in range(5):
            await pilot.pause()
        assert app.screen is shown
