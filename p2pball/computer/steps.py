"""Outs and bases as one number, and where every play leads from each: read off the engine."""

from __future__ import annotations

from itertools import product
from typing import NamedTuple

from p2pball.engine import card_rules
from p2pball.engine.events import Outcome
from p2pball.engine.ledger import begin
from p2pball.engine.plays import make_play, moved
from p2pball.engine.terms import Terms

CELLS = 24
"""Outs and bases; see cell()."""
OUT = CELLS
"""After the third out."""

PLAYS = (
    Outcome.STRIKEOUT,
    Outcome.WALK,
    Outcome.FLY_OUT,
    Outcome.SINGLE,
    Outcome.DOUBLE,
    Outcome.TRIPLE,
    Outcome.HOME_RUN,
)
"""What a plate appearance of cards can come to."""
STRIKEOUT, WALK, FLY_OUT = range(3)


class Step(NamedTuple):
    """Where a play leads: runs scored and the next cell, or OUT."""

    runs: int
    cell: int


def cell(outs: int, bases: tuple[int, int, int]) -> int:
    """The number of an out and base situation, 0 to 23; a base counts as filled when it is not 0."""
    return outs * 8 + (bases[0] > 0) + 2 * (bases[1] > 0) + 4 * (bases[2] > 0)


def step(outs: int, filled: int, outcome: Outcome) -> Step:
    """What the engine makes of an outcome; `filled` are the bases as bits, first base lowest."""
    marked = (2 * (filled & 1), 3 * (filled >> 1 & 1), 4 * (filled >> 2))
    state = begin(Terms()).but(outs=outs, bases=marked)
    play = make_play(state, outcome, None)
    after = outs + len(play.outs)
    return Step(play.runs, OUT if after >= 3 else cell(after, moved(marked, play)))


STEPS: tuple[tuple[Step, ...], ...] = tuple(
    tuple(step(outs, filled, play) for play in PLAYS) for outs, filled in product(range(3), range(8))
)
"""By cell and play."""


def _contact(batter: int, pitcher: int) -> tuple[float, ...]:
    ways = [0] * len(PLAYS)
    for p, b in product(range(1, 7), repeat=2):
        ways[PLAYS.index(card_rules.contact(p + pitcher, b + batter))] += 1
    return tuple(way / 36 for way in ways)


CONTACT = tuple(tuple(_contact(batter, pitcher) for pitcher in range(2)) for batter in range(4))
"""Chance of each play of a ball in play, by the batter's roll bonuses (0 to 3) and the pitcher's (C6, C8, C11)."""
