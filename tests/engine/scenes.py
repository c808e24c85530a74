"""Small scenes for the rule tests: a position line, what is chosen and rolled, and the line that comes of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeVar

from p2pball.engine.cards import BY_NAME
from p2pball.engine.chart import CHART
from p2pball.engine.events import Event, Outcome
from p2pball.engine.ledger import NO_CHANCE, Transition, apply
from p2pball.engine.moves import HOLD, PASS, PINCH, PLAY_CARD, STEALS, Choice, Pitch
from p2pball.engine.position import parse, position
from p2pball.engine.state import State
from p2pball.engine.terms import Rules, Seat, Side, Terms
from tests.engine.playing import fresh_deck

DICE_PURPOSES = ("outcome", "contact", "steal", "pickoff")
WORDS: dict[str, Choice] = {"hold": HOLD, "pinch": PINCH, "steal2": STEALS[2], "steal3": STEALS[3]}
NOBODY = BY_NAME["2S"]
"""A character that does nothing."""


def at(line: str, *, pitch: Pitch | None = None, **terms: object) -> State:
    """A state that has this position: the host is at home, runners are the men before the batter in the order."""
    seen = parse(line)
    agreed = Terms(seen.rules, **{"innings": seen.rules.default_innings, **terms})  # type: ignore[arg-type]
    slot, bases = seen.slots[seen.batting], [0, 0, 0]
    for base in range(3):
        if seen.bases[base]:
            slot = (slot - 2) % 9 + 1
            bases[base] = slot
    in_cards = seen.rules is Rules.CARDS
    return State(
        agreed,
        phase=seen.phase,
        inning=seen.inning,
        batting=seen.batting,
        runs=seen.runs,
        outs=seen.outs,
        bases=(bases[0], bases[1], bases[2]),
        slots=seen.slots,
        pitch=pitch,
        balls=seen.balls,
        strikes=seen.strikes,
        pitcher=_character(seen.pitcher) if in_cards else -1,
        batter=_character(seen.batter) if in_cards else -1,
        pinch_used=seen.pinch_used,
        pinch_up=seen.pinch_up,
        decks=(fresh_deck(seen.hands[0]), fresh_deck(seen.hands[1])) if in_cards else State(agreed).decks,
    )


def _character(name: str) -> int:
    return NOBODY if name == "-" else BY_NAME[name + "S"]


class Script:
    """Dice that show what the scene says, in its order: faces for dice, else the number drawn.

    Fielders and characters that the scene leaves open are 0 and a card that does nothing; any
    other draw that is not in the scene fails it.
    """

    def __init__(self, **streams: list[int]) -> None:
        self.left = {name.replace("_", "-"): list(values) for name, values in streams.items()}
        self.drawn: list[str] = []

    def below(self, purpose: str, n: int) -> int:
        """The next scripted number."""
        self.drawn.append(purpose)
        open_ones = {"fielder": 0, "batter-character": NOBODY, "pitcher-character": NOBODY}
        if not self.left.get(purpose) and purpose in open_ones:
            return open_ones[purpose]
        value = self.left[purpose].pop(0) - (purpose in DICE_PURPOSES)
        assert 0 <= value < n
        return value


Kind = TypeVar("Kind")


@dataclass(frozen=True)
class Scene:
    """What came of it."""

    state: State
    events: tuple[Event, ...]
    drawn: tuple[str, ...]

    @property
    def line(self) -> str:
        """The position line afterwards."""
        return str(position(self.state))

    def drew(self, purpose: str) -> int:
        """How often a purpose was drawn."""
        return self.drawn.count(purpose)

    def the(self, kind: type[Kind]) -> Kind:
        """The first event of a kind."""
        return next(event for event in self.events if isinstance(event, kind))

    def names(self) -> list[str]:
        """The events by name."""
        return [type(event).__name__ for event in self.events]


def _scene(after: Transition, script: Script) -> Scene:
    assert not any(script.left.values()), f"not drawn: {script.left}"
    return Scene(after.state, after.events, tuple(script.drawn))


def batting_seat(state: State) -> Seat:
    """The seat at bat."""
    return state.seat(state.batting)


def moved(state: State, word: str) -> Scene:
    """The batting seat's open move: hold, pinch, steal2 or steal3."""
    return _scene(apply(state, {batting_seat(state): WORDS[word]}, NO_CHANCE), Script())


def settled(state: State, **streams: list[int]) -> Scene:
    """A sealed round in which both pass."""
    script = Script(**streams)
    return _scene(apply(state, {Seat.HOST: PASS, Seat.GUEST: PASS}, script), script)


def pitched(state: State, thrown: str, swung: str, **streams: list[int]) -> Scene:
    """A card from each side, the pitcher's first."""
    seat, script = batting_seat(state), Script(**streams)
    choices = {seat.other: PLAY_CARD[BY_NAME[thrown]], seat: PLAY_CARD[BY_NAME[swung]]}
    return _scene(apply(state, choices, script), script)


def rolled(line: str, outcome: str, **terms: object) -> Scene:
    """A dice roll that comes to an outcome, from a line that ends in @roll."""
    wanted = Outcome(outcome)
    pitch, total = next((p, t) for p, column in CHART.items() for t, o in column.items() if o is wanted)
    first = max(1, total - 6)
    return settled(at(line, pitch=pitch, **terms), outcome=[first, total - first])


def batted(state: State, outcome: str, **streams: list[int]) -> Scene:
    """A ball in play of the cards game that comes to an outcome; the characters must be plain."""
    faces = {"1B": [1, 2], "2B": [1, 4], "3B": [1, 5], "HR": [1, 6], "FO": [6, 1]}[outcome]
    return pitched(state, "7H", "9H", contact=faces, **streams)


HOME, VISITORS = Side.HOME, Side.VISITORS
