"""The panel beside the log: character cards, pinch hitters and steals in one game, the dice in the other."""

from __future__ import annotations

from p2pball.engine.card_rules import PICKOFF_NEEDS, STEAL_NEEDS, is_king, steals
from p2pball.engine.cards import RANKS, rank
from p2pball.engine.events import DiceRolled
from p2pball.engine.moves import StealBase
from p2pball.engine.state import Phase
from p2pball.engine.terms import Side
from p2pball.scorebook.phrases import OUTCOMES, ordinal
from p2pball.ui.tui.glyphs import Glyphs
from p2pball.ui.tui.ink import Ink, Line, Lines, Tone, dim, fitted, line, strong
from p2pball.ui.tui.outside import words
from p2pball.ui.tui.scene import Scene

_FACES = {1: "Ace", 11: "Jack", 12: "Queen", 13: "King"}
_HELPS = {1: "+1 card+roll", 11: "+1 hit rolls", 12: "+1 card"}


def side(scene: Scene, room: int, glyphs: Glyphs, tumbling: tuple[int, int] | None = None) -> Lines:
    """The rows of the panel; `tumbling` are dice that have not come to rest yet."""
    if not scene.state.inning:
        return ()
    if scene.state.in_cards:
        return cards(scene, room)
    return dice(scene, room, glyphs, tumbling)


def cards(scene: Scene, room: int) -> Lines:
    """Both character cards, both pinch hitters, and the steal that is open (C7 to C13)."""
    state = scene.state
    head = "Pinch  " if scene.side is None and not state.pinch_up else "Pinch hitter  "
    rows: list[Line] = [*characters(scene), line(" ", dim(head), _pinch(scene))]
    king = 1 if state.phase is Phase.KING else 0
    for choice in steals(state.bases):
        assert isinstance(choice, StealBase)
        runner = words(scene.lineup.name(state.batting, state.bases[choice.base - 2]), 10)
        low = STEAL_NEEDS[choice.base] + king
        rows.append(line(" ", dim("Steal  "), f"{runner} to {ordinal(choice.base)} on {_span(low)}"))
    return tuple(fitted(row, room) for row in rows)


def characters(scene: Scene, *, brief: bool = False) -> tuple[Line, Line]:
    """The character cards of batter and pitcher; in brief for a panel of 28 cells."""
    heads = ("Batter   ", "Pitcher  ") if brief else ("Batter card   ", "Pitcher card  ")
    state = scene.state
    return (
        line(" ", dim(heads[0]), *_character(state.batter, pitching=False)),
        line(" ", dim(heads[1]), *_character(state.pitcher, pitching=True)),
    )


def rolled(dice: DiceRolled) -> Line:
    """A roll in a line."""
    return line(
        " ", dim("Roll  "), f"{dice.first}+{dice.second} = {dice.first + dice.second}: {OUTCOMES[dice.outcome]}"
    )


def _character(card: int, *, pitching: bool) -> tuple[Ink, ...]:
    if card < 0:
        return (dim("none drawn"),)
    face = rank(card)
    if is_king(card):
        helps = f"pickoff {_span(PICKOFF_NEEDS)}" if pitching else "steal on JQK"
    else:
        helps = _HELPS.get(face, "no help")
    name = _FACES.get(face, RANKS[face - 1].replace("T", "10"))
    return strong(f"{name:<5}"), Ink(f" {helps}")


def _pinch(scene: Scene) -> Ink:
    state = scene.state
    if state.pinch_up:
        return Ink("batting, +2 and +2", Tone.KEY)
    if scene.side is None:
        return Ink("  ".join(f"{scene.lineup.team(s).code} {'used' if state.pinch_used[s] else 'ready'}" for s in Side))
    mine, theirs = (("used" if state.pinch_used[s] else "ready") for s in (scene.side, scene.side.other))
    return Ink(f"{mine:<5}  rival {theirs}")


def _span(low: int) -> str:
    return "6" if low == 6 else f"{low}-6"


def dice(scene: Scene, room: int, glyphs: Glyphs, tumbling: tuple[int, int] | None) -> Lines:
    """The last roll, as two dice and what it came to."""
    rolled = scene.dice
    if tumbling is None and rolled is None:
        return (fitted(line(" ", dim("No roll yet in this half.")), room),)
    first, second = tumbling or (rolled.first, rolled.second)  # type: ignore[union-attr]  # one of the two is there
    a, b, c, d = glyphs.corners
    edge = glyphs.across * 3
    top, low = f"{a}{edge}{b}", f"{c}{edge}{d}"
    faces = (f"{glyphs.upright} {n} {glyphs.upright}" for n in (first, second))
    what: str = ""
    if tumbling is None and rolled is not None:
        what = f"{first + second}: {OUTCOMES[rolled.outcome]}"
    pitch = f"{rolled.pitch.value}{', random' if rolled.at_random else ''}" if rolled else ""
    rows = (
        line(" ", dim("Last roll  "), pitch if tumbling is None else "..."),
        line("  ", Ink(f"{top} {top}", Tone.RULE)),
        line("  ", strong(" ".join(faces)), "  ", strong(what)),
        line("  ", Ink(f"{low} {low}", Tone.RULE)),
    )
    return tuple(fitted(row, room) for row in rows)
