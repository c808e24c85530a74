"""The cards game as arrays, read off the engine: matchups, contact and how runners move."""

from __future__ import annotations

import numpy as np

from p2pball.computer import steps
from p2pball.computer.steps import FLY_OUT, STEPS, STRIKEOUT, WALK
from p2pball.engine import card_rules
from p2pball.engine.events import Call

RANKS = 13
STRIKE, FOUL, IN_PLAY, BALL = range(4)
CALLS = {Call.STRIKE: STRIKE, Call.FOUL: FOUL, Call.IN_PLAY: IN_PLAY, Call.BALL: BALL}

SHIFTS = 5
"""What the batter's card bonuses less the pitcher's can be, -1 to 3, at index shift + 1 (C9, C11)."""

CALL = np.array(
    [
        [[CALLS[card_rules.call(b + shift - p)] for b in range(RANKS)] for p in range(RANKS)]
        for shift in range(-1, SHIFTS - 1)
    ],
    dtype=np.int8,
)
"""The call by shift, pitcher's rank and batter's rank (C4)."""

CALL_IS = np.stack([(call == CALL) for call in range(4)], axis=1).astype(np.float32)
"""One-hot CALL: shift, call, pitcher's rank, batter's rank."""

K, BB, FO = STRIKEOUT, WALK, FLY_OUT
CONTACT = np.array(steps.CONTACT)
"""Chance of each play of a ball in play, by the batter's and the pitcher's roll bonuses (C6)."""

SCORED = np.array([[went.runs for went in row] for row in STEPS], np.int8)
NEXT = np.array([[went.cell for went in row] for row in STEPS], np.int8)
"""Runs scored and the next cell, by cell and play."""


def run_expectancy(plays: np.ndarray) -> np.ndarray:
    """Runs still to come in the half by cell (OUT last, zero), when every batter does `plays`."""
    matrix, gain = np.eye(25), np.zeros(25)
    for c in range(24):
        for number, odds in enumerate(plays):
            gain[c] += odds * SCORED[c, number]
            matrix[c, NEXT[c, number]] -= odds
    return np.linalg.solve(matrix, gain)
