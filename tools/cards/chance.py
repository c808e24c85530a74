"""The win chance of every cards position before a plate appearance, from the average one.

The dice game's sweep does it: here nobody chooses, and every cell has the same plays.
"""

from __future__ import annotations

import zlib
from pathlib import Path

import numpy as np

from p2pball.computer.dice_table import pack
from p2pball.computer.steps import CELLS, PLAYS, STEPS
from tools.solve_dice import Steps, solve_all, table

TABLE = Path(__file__).resolve().parent.parent.parent / "p2pball" / "computer" / "data" / "cards_chance.bin"


def steps(line: np.ndarray) -> Steps:
    """The results of a plate appearance with these chances of the plays, from every cell."""
    return [[[(float(line[n]), STEPS[c][n]) for n in range(len(PLAYS))]] for c in range(CELLS)]


def chances(line: np.ndarray) -> bytes:
    """The packed table for an average line of plays."""
    return pack(table(solve_all(steps=steps(line))))


def write(line: np.ndarray) -> None:
    """Write the table that the package ships."""
    TABLE.write_bytes(zlib.compress(chances(line), 9))
