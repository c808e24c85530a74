"""The public state of a game: one frozen value that both clients hold."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Any, NamedTuple

from p2pball.engine.cards import FULL_DECK, HAND
from p2pball.engine.moves import Pitch
from p2pball.engine.terms import Rules, Seat, Side, Terms


class Phase(Enum):
    """What is awaited (the values that begin with @ stand in the position line) or due next."""

    __hash__ = object.__hash__  # members are singletons; Enum hashes their names, in Python

    START = "start"
    CHOOSE = "@choose"
    ROLL = "@roll"
    WINDOW = "@window"
    STEAL2 = "@steal2"
    STEAL3 = "@steal3"
    PITCH = "@pitch"
    KING = "@king"
    KING2 = "@king2"
    KING3 = "@king3"
    OVER = "over"
    # Never at rest: the facts of the same round or move lead out of each of these.
    HALF_DUE = "half due"
    BATTER_DUE = "batter due"
    CONTACT = "contact"
    COUNT_FULL = "count full"


make_tuple = tuple.__new__
"""What makes a NamedTuple without the call in Python that its constructor is."""


class Deck(NamedTuple):
    """One team's 52 cards as the public knows them (C2, fair-play 5).

    `unseen` are those not turned up since the last shuffle, as a bit mask: any of them may be
    in the hand; `left` is how many it holds.
    """

    unseen: int = FULL_DECK
    left: int = 0

    def dealt(self) -> Deck:
        """The deck once six new cards are dealt from those not dealt yet (C2)."""
        unseen = self.unseen
        return make_tuple(Deck, (unseen if unseen.bit_count() >= HAND else FULL_DECK, HAND))


Pair = tuple[int, int]

_blank, _CARDS = object.__new__, Rules.CARDS


@dataclass(frozen=True)
class State:
    """The whole public state; pairs are (visitors, home), bases hold batting slots 1 to 9 or 0."""

    terms: Terms
    phase: Phase = Phase.START
    home: Seat = Seat.HOST
    """Meaningless before round 0."""
    inning: int = 0
    batting: Side = Side.VISITORS
    runs: Pair = (0, 0)
    outs: int = 0
    bases: tuple[int, int, int] = (0, 0, 0)
    slots: Pair = (1, 1)
    pitch: Pitch | None = None
    balls: int = 0
    strikes: int = 0
    pitcher: int = -1
    """Character card of the pitcher, -1 in dice."""
    batter: int = -1
    """Character card of the batter, -1 in dice."""
    pinch_used: tuple[bool, bool] = (False, False)
    pinch_up: bool = False
    decks: tuple[Deck, Deck] = (Deck(), Deck())

    def copy(self) -> State:
        """An equal state; only who made it may still book into it (bookkeeping), before anybody else has it."""
        new = _blank(State)
        _set_fields(
            new, {**self.__dict__}
        )  # unlike copy(), never a key-sharing dict, whose look-ups take twice as long
        return new

    def but(self, **changes: Any) -> State:
        """This state with some fields changed: what dataclasses.replace does, at a tenth of the cost."""
        new = self.copy()
        new.__dict__.update(changes)
        return new

    @property
    def in_cards(self) -> bool:
        """Whether this is the cards game."""
        return self.terms.rules is _CARDS

    @property
    def slot(self) -> int:
        """The batting slot at the plate, 1 to 9."""
        return self.slots[self.batting]

    def seat(self, side: Side) -> Seat:
        """The seat that plays a side."""
        return self.home if side else self.home.other

    def side(self, seat: Seat) -> Side:
        """The side that a seat plays."""
        return Side.HOME if seat is self.home else Side.VISITORS


_set_fields = State.__dict__["__dict__"].__set__
"""Gives a blank state its fields at once, which its frozen attributes do not allow one by one."""
