"""What training learns: how a count ends, what a hand is worth, and the scale of it all."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from p2pball.computer.steps import PLAYS
from tools.cards.field import Field
from tools.cards.rules import (
    BALL,
    BB,
    CONTACT,
    FO,
    FOUL,
    IN_PLAY,
    NEXT,
    RANKS,
    SCORED,
    SHIFTS,
    STRIKE,
    K,
    run_expectancy,
)
from tools.cards.solver import COUNTS, Futures, Pitches, no_futures

STAKE = 0.55
"""What a walk is worth above a strikeout on average, in runs: a fixed yardstick."""


class Counts(NamedTuple):
    """How often each call follows, by shift and count; and so how a count ends."""

    calls: np.ndarray
    """Learner's role, shift, count, call."""
    ends: np.ndarray
    """Learner's role, shift, count, (strikeout, walk, in play)."""

    @classmethod
    def of(cls, calls: np.ndarray) -> Counts:
        """From call chances alone."""
        ends = np.zeros((2, SHIFTS, COUNTS, 3))
        for count in range(COUNTS - 1, -1, -1):
            balls, strikes = divmod(count, 3)
            c = calls[:, :, count]
            struck = np.array([1.0, 0, 0]) if strikes == 2 else ends[:, :, count + 1]
            walked = np.array([0, 1.0, 0]) if balls == 3 else ends[:, :, count + 3]
            total = c[..., STRIKE, None] * struck + c[..., BALL, None] * walked
            total[..., 2] += c[..., IN_PLAY]
            if strikes == 2:
                total /= (1 - c[..., FOUL])[..., None]
            else:
                total += c[..., FOUL, None] * struck
            ends[:, :, count] = total
        return cls(calls, ends)


def average_line(counts: Counts) -> np.ndarray:
    """The plays of an average plate appearance, characters and jokers included (C7 to C9)."""
    line = np.zeros(len(PLAYS))
    faces = {"A": (1, 1), "J": (0, 1), "Q": (1, 0), "-": (0, 0)}
    odds = {"A": 1, "J": 1, "Q": 1, "-": 10}
    for p, (pitcher_card, pitcher_roll) in faces.items():
        for b, (batter_card, batter_roll) in faces.items():
            share = odds[p] / 13 * odds[b] / 13
            out, walk, hit = counts.ends[:, batter_card - pitcher_card + 1, 0].mean(0)
            line += share * hit * CONTACT[batter_roll, pitcher_roll]
            line[K] += share * out
            line[BB] += share * walk
    joker = 2 / 54
    line *= 1 - joker
    line[BB] += joker
    return line


class Table(NamedTuple):
    """All that a strong player knows of the cards game."""

    counts: Counts
    futures: Futures
    share: np.ndarray
    """How often a rank is played: role, cards in the hand, count, rank."""
    runs: np.ndarray
    """Run expectancy by cell, OUT last."""
    stake: float
    """The average stake of a plate appearance in runs."""

    @classmethod
    def blank(cls) -> Table:
        """What random play knows."""
        calls = np.tile(np.array([45, 46, 23, 55]) / 169, (SHIFTS, COUNTS, 1))
        return cls.of(Counts.of(np.stack([calls, calls])), no_futures(), np.full((2, 7, COUNTS, RANKS), 1 / RANKS))

    @classmethod
    def of(cls, counts: Counts, futures: Futures, share: np.ndarray) -> Table:
        """With the run expectancy that follows from the counts."""
        runs = run_expectancy(average_line(counts))
        return cls(counts, futures, share, runs, STAKE)

    def pitches(self, field: Field) -> tuple[Pitches, Pitches]:
        """The situations of a field, worths in runs, as they are for a learner in either role."""
        cell = field.cell
        gain = SCORED[cell] + self.runs[NEXT[cell]]
        hit = (field.contact * gain).sum(1)
        ends = np.stack([gain[:, K], gain[:, BB], hit], 1)
        return self._situations(field, ends, 0), self._situations(field, ends, 1)

    def _situations(self, field: Field, ends: np.ndarray, role: int) -> Pitches:
        """From what a strikeout, a walk and a ball in play are worth (row, end)."""
        shift, count = field.shift, field.count
        balls, strikes = count // 3, count % 3
        worth = np.einsum("mce,me->mc", self.counts.ends[role][shift + 1], ends)
        at = np.arange(field.rows)
        call = np.empty((field.rows, 4), np.float32)
        call[:, STRIKE] = np.where(strikes == 2, ends[:, 0], worth[at, np.minimum(count + 1, COUNTS - 1)])
        call[:, FOUL] = np.where(strikes == 2, worth[at, count], call[:, STRIKE])
        call[:, BALL] = np.where(balls == 3, ends[:, 1], worth[at, np.minimum(count + 3, COUNTS - 1)])
        call[:, IN_PLAY] = ends[:, 2]
        two_out = field.cell >= 16
        third = np.where(two_out, field.contact[:, FO], 0.0)
        return Pitches(shift, count, call, ends[:, 1] - ends[:, 0], np.ones(field.rows), third, two_out)
