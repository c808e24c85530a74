"""What training finds, summed up round by round, and the table that comes of it."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np

from tools.cards.field import Field
from tools.cards.hands import SIZES, features
from tools.cards.rules import RANKS, SHIFTS
from tools.cards.solver import COUNTS, Futures, Hands, Pitches, Solved, worths
from tools.cards.table import Counts, Table

RIDGE = 1.0
TRUST = 40.0
"""How often a hand must be seen to count as much as the smooth guess at its worth."""
PRIOR_CALLS = np.array([45, 46, 23, 55]) / 169


class Sums:
    """Running sums of what the sweeps found."""

    def __init__(self) -> None:
        self.worth = [np.zeros((2, 2, COUNTS, size)) for size in SIZES[:6]]
        self.seen = [np.zeros((2, COUNTS, size)) for size in SIZES[:6]]
        self.calls = np.zeros((2, SHIFTS, COUNTS, 4))
        self.share = np.zeros((2, 7, COUNTS, RANKS))
        self.times = np.zeros((2, 7, COUNTS))

    def forget(self) -> None:
        """Halve everything."""
        for found in (*self.worth, *self.seen, self.calls, self.share, self.times):
            np.multiply(found, 0.5, out=found)

    def add(self, role: int, pitches: Pitches, hands: Hands, solved: Solved) -> None:
        """Take in one role of solved pitches; the hand that is really held stands first and does not count."""
        side, k = solved.sides[role], len(hands.ranks)
        np.add.at(self.calls[role], (pitches.shift + 1, pitches.count), np.einsum("cmr,mr->mc", side.calls, side.share))
        np.add.at(self.share[role, k], pitches.count, side.share)
        np.add.at(self.times[role, k], pitches.count, 1)
        if k == len(SIZES) - 1:
            return
        worth = worths(pitches, hands, solved, role)
        cells = (pitches.count[:, None] * SIZES[k] + worth.number)[:, 1:].ravel()
        weight = hands.weight[:, 1:].ravel()
        for part, values in enumerate((worth.here, worth.later)):
            found = np.bincount(cells, values[:, 1:].ravel() * weight, COUNTS * SIZES[k])
            self.worth[k][part, role] += found.reshape(COUNTS, -1)
        self.seen[k][role] += np.bincount(cells, weight, COUNTS * SIZES[k]).reshape(COUNTS, -1)

    def table(self) -> Table:
        """What is known by now."""
        here, later = ([np.zeros((2, COUNTS, 1), np.float32)] for _ in range(2))
        for k in range(1, 6):
            for part, found in enumerate((here, later)):
                found.append(_smooth(k, self.worth[k][part], self.seen[k]))
        calls = self.calls + PRIOR_CALLS
        share = (self.share + 0.02 / RANKS) / (self.times + 0.02)[..., None]
        return Table.of(Counts.of(calls / calls.sum(-1, keepdims=True)), Futures(here, later), share)


def _smooth(k: int, worth: np.ndarray, seen: np.ndarray) -> np.ndarray:
    """Mean worths by role, count and hand; a hand seen seldom is helped by what its cards and pairs are worth."""
    eye, mean = _features(k), np.zeros(worth.shape, np.float32)
    for at in np.ndindex(worth.shape[:2]):
        total, times = worth[at], seen[at]
        gram = eye.T @ (eye * times[:, None]) + RIDGE * np.eye(eye.shape[1])
        guess = eye @ np.linalg.solve(gram, eye.T @ total)
        mean[at] = (total + TRUST * guess) / (times + TRUST)
    return mean


@cache
def _features(k: int) -> np.ndarray:
    return features(k)


class Work(NamedTuple):
    """One learner's field and sums."""

    field: Field
    sums: Sums
