"""The full screen as text: frames of exactly the screen's lines, golden ones on disk, and scenes out of real games."""

from __future__ import annotations

import io
import os
from collections.abc import Callable
from pathlib import Path

from rich.console import Console
from textual.app import ComposeResult

from p2pball.engine.events import DiceRolled, Event, HalfBegan
from p2pball.engine.ledger import awaited
from p2pball.engine.moves import CardSet, Choice, Open, Sealed
from p2pball.engine.state import State
from p2pball.engine.terms import Seat, Terms
from p2pball.engine.view import View
from p2pball.scorebook.cells import width
from p2pball.scorebook.game import Game
from p2pball.scorebook.teams import DEFAULT_TEAMS, Teams
from p2pball.scorebook.winchance import home_chance, leverage
from p2pball.ui.curve import chance_for, chance_words
from p2pball.ui.tui import keymap
from p2pball.ui.tui.app import FullScreen
from p2pball.ui.tui.field import Field
from p2pball.ui.tui.glyphs import Glyphs
from p2pball.ui.tui.ink import Line
from p2pball.ui.tui.logbook import entries
from p2pball.ui.tui.look import Look
from p2pball.ui.tui.prompts import question
from p2pball.ui.tui.scene import Odds, Scene
from p2pball.ui.tui.screens.base import Keyed
from tests.engine.playing import playthrough
from tests.scorebook.games import picker

FRAMES = Path(__file__).parent / "frames"
STILL = Look(animation=False, offline=True)
HAND = (3, 19, 34, 49, 11, 13)
"""4♠ 7♥ 9♦ J♣ Q♠ A♥, as in the mock-up."""


def frame(app: FullScreen) -> list[str]:
    """The screen as lines of text, every one as wide as the screen: what a terminal would show."""
    size = app.size
    console = Console(width=size.width, height=size.height, file=io.StringIO(), force_terminal=True, record=True)
    drawn = app.screen._compositor.render_update(full=True, screen_stack=app._background_screens)
    assert drawn is not None
    console.print(drawn)
    lines = console.export_text().split("\n")[: size.height]
    assert len(lines) == size.height
    for line in lines:
        assert width(line) <= size.width, line
    return [line.rstrip() for line in lines]


def plain_text(row: Line) -> str:
    """The text of a line."""
    return "".join(ink.text for ink in row)


def golden(name: str, lines: list[str]) -> None:
    """Compare with the frame on disk; P2PBALL_GOLDEN=1 writes it anew, to be looked at before it is kept."""
    path = FRAMES / f"{name}.txt"
    text = "\n".join(lines) + "\n"
    if os.environ.get("P2PBALL_GOLDEN") == "1":
        path.write_text(text, encoding="utf-8")
    assert path.exists(), f"there is no frame {name}"
    assert text == path.read_text(encoding="utf-8"), f"the screen differs from {path}"


class OneField(Keyed):
    """A screen with nothing but a field and a scene on it."""

    def __init__(self, scene: Scene, glyphs: Glyphs) -> None:
        super().__init__()
        self.scene, self._glyphs = scene, glyphs

    def compose(self) -> ComposeResult:
        yield Field(self._glyphs)

    def draw(self, *names: str) -> None:
        self.query_one(Field).draw(self.scene)

    @property
    def keys(self) -> tuple[keymap.Key, ...]:
        return ()


async def drawn(scene: Scene, size: tuple[int, int], glyphs: Glyphs) -> list[str]:
    """A scene on a field of a size."""
    app = FullScreen(None, STILL)
    async with app.run_test(size=size) as pilot:
        await app.push_screen(OneField(scene, glyphs))
        await pilot.pause()
        frames = [frame(app)]
        while frames[-3:] != 3 * frames[-1:]:  # on a slow machine parts are laid out one after the other
            assert len(frames) < 200, "the screen never comes to rest"
            await pilot.pause(0.02)
            frames.append(frame(app))
        return frames[-1]


def reached(terms: Terms, seed: str, when: Callable[[State], bool], teams: Teams = DEFAULT_TEAMS) -> Game:
    """A random game up to the first state at rest of this kind; the same for the same seed."""
    events: list[Event] = []
    for step in playthrough(terms, seed, picker(seed)):
        events += step.after.events
        if when(step.after.state):
            return Game.of(terms, teams, events)
    raise AssertionError(f"no such state in the game of seed {seed!r}")


def seen(game: Game, seat: Seat, *, clock: int | None = None, hints: bool = True) -> Scene:
    """A game as a seat sees it, its choice due if one is, all six cards of the mock-up in hand at the most."""
    state = game.state
    hand = HAND[: state.decks[state.side(seat)].left] if state.in_cards else ()
    moves = _moves(state, seat, hand)
    view = View(state, seat, hand)
    rolls = [m.event for m in game.moments if isinstance(m.event, DiceRolled | HalfBegan)]
    words, chance = chance_words(game.terms.rules), chance_for(game.terms.rules)
    odds = Odds(0.74, 2.4, words)
    if not state.in_cards or game.over:  # the estimate for cards follows what was trained, and a screen should not
        odds = Odds(home_chance(state, chance), leverage(state, chance), words)
    return Scene(
        book=game,
        state=state,
        seat=seat,
        hand=hand,
        asked=bool(moves),
        prompt=question(view) if moves else "Your rival is choosing.",
        moves=keymap.move_keys(view, moves, hints=hints),
        words=keymap.word_keys(talks=True),
        rival_left=state.decks[state.side(seat.other)].left,
        rival_locked=bool(moves) and state.in_cards,
        link="link ok 42 ms",
        way="direct",
        odds=odds,
        chain="a41f" + "0" * 58 + "9c",
        clock=clock,
        log=entries(game.moments[-60:], seat),
        dice=rolls[-1] if rolls and isinstance(rolls[-1], DiceRolled) else None,
    )


def _moves(state: State, seat: Seat, hand: tuple[int, ...]) -> tuple[Choice, ...]:
    match awaited(state):
        case Open(mover, moves) if mover is seat:
            return tuple(moves)
        case Sealed() as sealed if isinstance(sealed.moves(seat), CardSet):
            return View(state, seat, hand).moves()
        case Sealed() as sealed:
            return tuple(sealed.moves(seat))
        case _:
            return ()
