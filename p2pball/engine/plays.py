"""How runners move: the advances and outs of every outcome (B5 to B10)."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import Protocol

from p2pball.engine.chart import FIELDERS
from p2pball.engine.events import Advance, Outcome, Play
from p2pball.engine.state import State
from p2pball.engine.terms import Side


class Dice(Protocol):
    """The chances of one round: a stream for each purpose (fair-play 4)."""

    def below(self, purpose: str, n: int) -> int:
        """The next number of the purpose's stream, 0 to n - 1."""
        ...


Bases = tuple[int, int, int]
_ONE_OUT = frozenset((Outcome.STRIKEOUT, Outcome.FLY_OUT, Outcome.POP_OUT, Outcome.GROUND_OUT))
_HITS = {Outcome.SINGLE: 1, Outcome.DOUBLE: 2, Outcome.TRIPLE: 3, Outcome.HOME_RUN: 4}


def die(dice: Dice, purpose: str) -> int:
    """One roll of a die, 1 to 6 (fair-play 4)."""
    return dice.below(purpose, 6) + 1


def hit(slot: int, bases: Bases, n: int) -> tuple[Advance, ...]:
    """Everybody advances exactly n bases, the lead runner first (B6)."""
    runners = [Advance(bases[base - 1], base, min(base + n, 4)) for base in (3, 2, 1) if bases[base - 1]]
    return (*runners, Advance(slot, 0, n))


def walk(slot: int, bases: Bases) -> tuple[Advance, ...]:
    """The batter takes first; only runners with every base behind them filled move (B7)."""
    gap = bases.index(0) if 0 in bases else 3
    forced = (Advance(bases[base - 1], base, base + 1) for base in range(gap, 0, -1))
    return (*forced, Advance(slot, 0, 1))


def wild_pitch(bases: Bases) -> tuple[Advance, ...]:
    """Runners on the bases advance one (B10)."""
    return tuple(Advance(bases[base - 1], base, base + 1) for base in (3, 2, 1) if bases[base - 1])


def make_play(state: State, outcome: Outcome, dice: Dice | None, *, joker: bool = False) -> Play:
    """The play that an outcome makes of this state, the fielder drawn where one is named and dice are given."""
    named = FIELDERS.get(outcome)
    fielder = named[dice.below("fielder", len(named))] if named and dice else 0
    batting = state.batting
    slot = state.slots[batting]
    if outcome in _ONE_OUT:
        return _one_out(outcome, batting, slot, fielder)
    return _play(outcome, batting, slot, fielder, state.bases, state.outs < 2, joker)


@cache
def _one_out(outcome: Outcome, side: Side, slot: int, fielder: int) -> Play:
    """One of the 252 plays in which the batter is out and nobody moves (B8)."""
    return Play(outcome, side, slot, fielder, (), (0,))


@lru_cache(maxsize=1 << 14)
def _play(
    outcome: Outcome, side: Side, slot: int, fielder: int, bases: Bases, two_can_be_out: bool, joker: bool
) -> Play:
    """A play from all that it depends on; the same few come again and again in every game."""
    advances: tuple[Advance, ...] = ()
    outs: tuple[int, ...] = ()
    if outcome in _HITS:
        advances = hit(slot, bases, _HITS[outcome])
    elif outcome is Outcome.WALK:
        advances = walk(slot, bases)
    elif outcome is Outcome.WILD_PITCH:
        advances = wild_pitch(bases)
    elif outcome is Outcome.DOUBLE_PLAY and two_can_be_out and any(bases):
        lowest = next(base for base in (1, 2, 3) if bases[base - 1])
        outs = (lowest, 0)  # B9
    else:
        outs = (0,)  # B9 with nobody on or two out
    return Play(outcome, side, slot, fielder, advances, outs, joker)


def moved(bases: Bases, play: Play) -> Bases:
    """The bases after a play's outs and advances, which name the lead runner first."""
    after = [0, *bases, 0]
    for base in play.outs:
        after[base] = 0
    for advance in play.advances:
        after[advance.start] = 0
        after[advance.end] = advance.slot
    return (after[1], after[2], after[3])
