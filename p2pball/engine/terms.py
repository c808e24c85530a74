"""What a game is played for: the terms both players agree on before round 0."""

from __future__ import annotations

from enum import Enum, IntEnum
from typing import Any

from p2pball.errors import P2PBallError
from p2pball.frozen import frozen

RULES_VERSION = 1


class TermsError(P2PBallError):
    """The terms of a game are out of range."""


class Rules(Enum):
    """The two games."""

    __hash__ = object.__hash__  # members are singletons; Enum hashes their names, in Python

    DICE = "dice"
    CARDS = "cards"

    @property
    def default_innings(self) -> int:
        """Innings of a game when nobody says otherwise (B1)."""
        return 9 if self is Rules.DICE else 3


class Seat(Enum):
    """Who sits where on the connection; fixed for the game."""

    __hash__ = object.__hash__  # members are singletons; Enum hashes their names, in Python

    HOST = "host"
    GUEST = "guest"

    @property
    def other(self) -> Seat:
        """The seat across."""
        return _ACROSS[self]


class Side(IntEnum):
    """A team; also the index into every (visitors, home) pair."""

    VISITORS = 0
    HOME = 1

    @property
    def other(self) -> Side:
        """The opposing team."""
        return _OTHER[self]


_ACROSS = {Seat.HOST: Seat.GUEST, Seat.GUEST: Seat.HOST}
_OTHER = {Side.VISITORS: Side.HOME, Side.HOME: Side.VISITORS}


@frozen
class Terms:
    """Terms of one game (B1 to B3, B12); `clock` is seconds per choice, 0 for none.

    Raises TermsError when a number is out of its range.
    """

    rules: Rules = Rules.DICE
    innings: int = 9
    extra_innings: int = 3
    walk_off: bool = True
    home: str = "coin"
    clock: int = 0

    def __post_init__(self) -> None:
        for name, value, low, high in (
            ("innings", self.innings, 1, 9),
            ("extra innings", self.extra_innings, 0, 3),
            ("clock", self.clock, 0, 600),
        ):
            if not low <= value <= high:
                raise TermsError(f"{name} must be {low} to {high}, not {value}")
        if self.home not in ("host", "guest", "coin"):
            raise TermsError(f"home must be host, guest or coin, not {self.home!r}")

    def to_json(self) -> dict[str, Any]:
        """The `terms` object of a hello (fair-play 3)."""
        return {
            "rules": self.rules.value,
            "rules_version": RULES_VERSION,
            "innings": self.innings,
            "extra_innings": self.extra_innings,
            "walk_off": self.walk_off,
            "home": self.home,
            "clock": self.clock,
        }

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Terms:
        """Terms from the `terms` object of a hello whose shape has been checked."""
        return cls(
            rules=Rules(data["rules"]),
            innings=data["innings"],
            extra_innings=data["extra_innings"],
            walk_off=data["walk_off"],
            home=data["home"],
            clock=data["clock"],
        )
