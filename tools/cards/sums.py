"""What sweeps of play find: how counts go on, and how often each rank is played."""

from __future__ import annotations

import numpy as np

from tools.cards.rules import RANKS, SHIFTS
from tools.cards.solver import COUNTS, Pitches, Side
from tools.cards.table import Counts

PRIOR_CALLS = np.array([45, 46, 23, 55]) / 169
PRIOR_PLAYS = 20.0
"""How many plays the shares known before count for beside those seen."""


class Sums:
    """Running sums over pitches, by the role of the side watched."""

    def __init__(self) -> None:
        self.calls = np.zeros((2, SHIFTS, COUNTS, 4))
        self.plays = np.zeros((2, 7, COUNTS, RANKS))

    def add_calls(self, role: int, pitches: Pitches, side: Side, rows: np.ndarray) -> None:
        """Take in the chances of the calls of some rows."""
        chances = np.einsum("cmr,mr->mc", side.calls, side.share)
        np.add.at(self.calls[role], (pitches.shift[rows] + 1, pitches.count[rows]), chances[rows])

    def add_plays(self, role: int, k: int, pitches: Pitches, ranks: np.ndarray, rows: np.ndarray) -> None:
        """Take in the ranks played from hands of k in some rows."""
        np.add.at(self.plays[role, k], (pitches.count[rows], ranks[rows]), 1)

    def counts(self) -> Counts:
        """How counts go on."""
        calls = self.calls + PRIOR_CALLS
        return Counts.of(calls / calls.sum(-1, keepdims=True))

    def share(self, before: np.ndarray) -> np.ndarray:
        """How often each rank is played, helped by what was known before where little was seen."""
        total = self.plays + PRIOR_PLAYS * before
        return np.asarray(total / total.sum(-1, keepdims=True))
