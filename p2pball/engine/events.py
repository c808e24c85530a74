"""What happened, in the past tense: the closed union that is told, scored and exported."""

from __future__ import annotations

from enum import Enum
from typing import TypeAlias

from p2pball.engine.moves import Pitch
from p2pball.engine.terms import Seat, Side
from p2pball.frozen import frozen


class Outcome(Enum):
    """What a plate appearance or a wild pitch comes to (D4, C6)."""

    __hash__ = object.__hash__  # members are singletons; Enum hashes their names, in Python

    SINGLE = "1B"
    DOUBLE = "2B"
    TRIPLE = "3B"
    HOME_RUN = "HR"
    WALK = "BB"
    STRIKEOUT = "K"
    FLY_OUT = "FO"
    POP_OUT = "PO"
    GROUND_OUT = "GO"
    DOUBLE_PLAY = "DP"
    WILD_PITCH = "WP"


class Call(Enum):
    """What one matchup of cards comes to (C4)."""

    __hash__ = object.__hash__  # members are singletons; Enum hashes their names, in Python

    STRIKE = "strike"
    FOUL = "foul"
    IN_PLAY = "in play"
    BALL = "ball"


@frozen
class Advance:
    """A runner moved: batting slot 1 to 9, base 0 (the plate) to 3, then 1 to 4 (home)."""

    slot: int
    start: int
    end: int


@frozen
class GameBegan:
    """Round 0 settled who is the home team (B12); `tossed` when it was the coin."""

    home: Seat
    tossed: bool


@frozen
class HandsDealt:
    """Both teams hold six new cards (C2)."""


@frozen
class HalfBegan:
    """A half began; `pitcher` is the character card drawn (0 to 51), None in dice (C7)."""

    inning: int
    side: Side
    """The side that bats."""
    pitcher: int | None


@frozen
class BatterCameUp:
    """A plate appearance began; `character` is the card drawn (0 to 53, jokers from 52), None in dice."""

    side: Side
    slot: int
    character: int | None


@frozen
class PitchChosen:
    """The pitching side chose openly; None is random (D1)."""

    pitch: Pitch | None


@frozen
class DiceRolled:
    """The batting side's two dice, and the pitch whose column they were read in (D2, D3)."""

    pitch: Pitch
    at_random: bool
    first: int
    second: int
    outcome: Outcome


@frozen
class WindowHeld:
    """The batting side let its window pass; `king` for the King's window (C13)."""

    king: bool


@frozen
class PinchHitterSent:
    """The pinch hitter took the plate in this batting slot (C11)."""

    side: Side
    slot: int


@frozen
class RunnerSent:
    """A runner was sent to `base`, 2 or 3; `king` when by the King's window (C12, C13)."""

    slot: int
    base: int
    king: bool


@frozen
class StealSettled:
    """The try was settled: dice are None when not rolled; `need` is the lowest safe `roll` (C10, C12, C13).

    Out by pickoff when `pickoff` is 5 or 6; then `roll` is None.
    """

    slot: int
    base: int
    pickoff: int | None
    roll: int | None
    need: int
    safe: bool


@frozen
class CardsPlayed:
    """Both cards of a pitch were turned up; values are rank plus bonuses (C4)."""

    pitcher_card: int
    batter_card: int
    pitcher_value: int
    batter_value: int
    call: Call


@frozen
class ContactRolled:
    """The dice of a ball in play; totals are dice plus bonuses (C6)."""

    pitcher_die: int
    batter_die: int
    pitcher_total: int
    batter_total: int


@frozen
class Play:
    """A plate appearance ended or a wild pitch was thrown, and who moved (B6 to B10).

    `fielder` is the position 1 to 9 named in the play, 0 when none is; `outs` are the
    bases whose man was put out, 0 for the batter; `joker` marks the walk of C7.
    """

    outcome: Outcome
    side: Side
    slot: int
    fielder: int
    advances: tuple[Advance, ...]
    outs: tuple[int, ...]
    joker: bool = False

    @property
    def runs(self) -> int:
        """Runs that scored on the play."""
        return len([advance for advance in self.advances if advance.end == 4])


@frozen
class GameEnded:
    """The game is over; `winner` is None after a draw (B2, B3)."""

    winner: Side | None


Event: TypeAlias = (
    GameBegan
    | HandsDealt
    | HalfBegan
    | BatterCameUp
    | PitchChosen
    | DiceRolled
    | WindowHeld
    | PinchHitterSent
    | RunnerSent
    | StealSettled
    | CardsPlayed
    | ContactRolled
    | Play
    | GameEnded
)
