"""The cards game as arrays, read off the engine: matchups, contact and how runners move."""

from __future__ import annotations

from itertools import product

import numpy as np

from p2pball.engine import card_rules
from p2pball.engine.events import Call, Outcome
from tools.solve_dice import step

RANKS = 13
STRIKE, FOUL, IN_PLAY, BALL = range(4)
CALLS = {Call.STRIKE: STRIKE, Call.FOUL: FOUL, Call.IN_PLAY: IN_PLAY, Call.BALL: BALL}

SHIFTS = 5
"""What the batter's card bonuses less the pitcher's can be, -1 to 3, at index shift + 1 (C9, C11)."""
ROLLS = (4, 2)
"""What a roll's bonuses can be, 0 to 3 for the batter (with the pinch hitter) and 0 or 1 for the pitcher."""

CALL = np.array(
    [
        [[CALLS[card_rules.call(b + shift - p)] for b in range(RANKS)] for p in range(RANKS)]
        for shift in range(-1, SHIFTS - 1)
    ],
    dtype=np.int8,
)
"""The call by shift, pitcher's rank and batter's rank (C4)."""

CALL_IS = np.stack([(CALL == call) for call in range(4)], axis=1).astype(np.float32)
"""One-hot CALL: shift, call, pitcher's rank, batter's rank."""

PLAYS = (
    Outcome.STRIKEOUT,
    Outcome.WALK,
    Outcome.FLY_OUT,
    Outcome.SINGLE,
    Outcome.DOUBLE,
    Outcome.TRIPLE,
    Outcome.HOME_RUN,
)
"""What a plate appearance can come to; by this order everywhere here."""
K, BB, FO = range(3)


def _contact(batter: int, pitcher: int) -> list[float]:
    odds = [0.0] * len(PLAYS)
    for p, b in product(range(1, 7), repeat=2):
        odds[PLAYS.index(card_rules.contact(p + pitcher, b + batter))] += 1 / 36
    return odds


CONTACT = np.array([[_contact(b, p) for p in range(ROLLS[1])] for b in range(ROLLS[0])], dtype=np.float64)
"""Chance of each play of a ball in play, by the batter's and the pitcher's roll bonuses (C6)."""

OUT = 24
"""The cell after the third out; 0 to 23 are outs and bases as in the dice table."""


def _steps() -> tuple[np.ndarray, np.ndarray]:
    runs, cells = np.zeros((24, len(PLAYS)), np.int8), np.zeros((24, len(PLAYS)), np.int8)
    for outs, mask in product(range(3), range(8)):
        for number, play in enumerate(PLAYS):
            went = step(outs, (bool(mask & 1), bool(mask & 2), bool(mask & 4)), play)
            runs[outs * 8 + mask, number] = went.runs
            cells[outs * 8 + mask, number] = OUT if went.cell < 0 else went.cell
    return runs, cells


SCORED, NEXT = _steps()
"""Runs scored and the next cell, by cell and play."""


def run_expectancy(plays: np.ndarray) -> np.ndarray:
    """Runs still to come in the half by cell (OUT last, zero), when every batter does `plays`."""
    matrix, gain = np.eye(25), np.zeros(25)
    for c in range(24):
        for number, odds in enumerate(plays):
            gain[c] += odds * SCORED[c, number]
            matrix[c, NEXT[c, number]] -= odds
    return np.linalg.solve(matrix, gain)
