"""What a seat can choose, how a choice is written, and what the engine waits for."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from enum import Enum
from typing import Any, NamedTuple, TypeAlias, assert_never

from p2pball.engine.cards import BY_NAME, DECK, NAMES
from p2pball.engine.terms import Seat
from p2pball.errors import P2PBallError
from p2pball.frozen import frozen


class IllegalMove(P2PBallError):
    """That choice is not among the legal ones now."""


class Pitch(Enum):
    """The six pitches, in the chart's order (D1, D4)."""

    __hash__ = object.__hash__  # members are singletons; Enum hashes their names, in Python

    FASTBALL = "fastball"
    CURVEBALL = "curveball"
    SLIDER = "slider"
    CHANGEUP = "changeup"
    KNUCKLEBALL = "knuckleball"
    SCREWBALL = "screwball"


PITCHES: tuple[Pitch, ...] = tuple(Pitch)


@frozen
class Pass:
    """Nothing to choose in a sealed round."""


@frozen
class ChoosePitch:
    """The pitching side's pitch; None lets the dice pick one (D1, D2)."""

    pitch: Pitch | None


@frozen
class Hold:
    """The batting side lets its window pass (C14)."""


@frozen
class PinchHit:
    """The batting side sends in its pinch hitter (C11)."""


@frozen
class StealBase:
    """The batting side sends the runner behind `base`, 2 or 3 (C12, C13)."""

    base: int


@frozen
class PlayCard:
    """A card from the hand, by number (C2)."""

    card: int


Choice: TypeAlias = Pass | ChoosePitch | Hold | PinchHit | StealBase | PlayCard

PASS = Pass()
HOLD = Hold()
PINCH = PinchHit()
STEALS: dict[int, StealBase] = {2: StealBase(2), 3: StealBase(3)}
PLAY_CARD: tuple[PlayCard, ...] = tuple(PlayCard(card) for card in range(DECK))
PITCH_CHOICES: tuple[ChoosePitch, ...] = (*(ChoosePitch(pitch) for pitch in PITCHES), ChoosePitch(None))
EVERY_CHOICE: tuple[Choice, ...] = (PASS, HOLD, PINCH, *STEALS.values(), *PITCH_CHOICES, *PLAY_CARD)
"""Every choice that there is in either game."""


def choice_to_json(choice: Choice) -> dict[str, Any]:
    """The JSON object of a choice, as it stands in messages (D5, C14)."""
    match choice:
        case PlayCard(card):
            return {"card": NAMES[card]}
        case Pass():
            return {"pass": True}
        case ChoosePitch(pitch):
            return {"pitch": pitch.value if pitch else "random"}
        case Hold():
            return {"hold": True}
        case PinchHit():
            return {"pinch": True}
        case StealBase(base):
            return {"steal": base}
        case _:
            assert_never(choice)


_CHOICES: dict[tuple[str, type, Any], Choice] = {
    (name, type(value), value): choice for choice in EVERY_CHOICE for name, value in choice_to_json(choice).items()
}
"""By its one field, its value's type and value: to Python {"hold": 1} equals {"hold": true}."""


def choice_from_json(data: Any) -> Choice:
    """The choice that a JSON value spells exactly; raises IllegalMove for anything else."""
    try:
        ((name, value),) = data.items()
        return _CHOICES[name, type(value), value]
    except (AttributeError, KeyError, TypeError, ValueError):
        raise IllegalMove("this is not a choice of the game") from None


def card_from_name(name: str) -> int:
    """The number of a card named as in C3; raises IllegalMove for another name."""
    try:
        return BY_NAME[name]
    except KeyError:
        raise IllegalMove(f"{name!r} is not a card") from None


class CardSet(int, Collection[Choice]):
    """The choices to play any one card of a bit mask: the mask itself, seen as a collection."""

    __slots__ = ()

    @property
    def mask(self) -> int:
        """Bit i for card i."""
        return int(self)

    def __contains__(self, choice: object) -> bool:
        return isinstance(choice, PlayCard) and choice.card >= 0 and self >> choice.card & 1 > 0

    def __iter__(self) -> Iterator[Choice]:
        return (PLAY_CARD[card] for card in range(DECK) if self >> card & 1)

    def __len__(self) -> int:
        return self.bit_count()


@frozen
class Result:
    """How a game ended; `winner` is None after a draw (B2)."""

    winner: Seat | None
    visitors: int
    home: int

    def to_json(self) -> dict[str, Any]:
        """The `result` of a final (fair-play 3)."""
        winner = self.winner.value if self.winner else "draw"
        return {"winner": winner, "home": self.home, "visitors": self.visitors}


@frozen
class Open:
    """One seat is to make a public choice."""

    seat: Seat
    moves: Collection[Choice]


class Sealed(NamedTuple):
    """Both seats are to lock a choice; the moves are those legal in the public state."""

    host: Collection[Choice]
    guest: Collection[Choice]

    def moves(self, seat: Seat) -> Collection[Choice]:
        """The moves of one seat."""
        return self.host if seat is Seat.HOST else self.guest


@frozen
class Over:
    """The game is over."""

    result: Result


Awaited: TypeAlias = Open | Sealed | Over
