"""The solved dice game as shipped: the best pitch and the win chance of every position."""

from __future__ import annotations

import pkgutil
import zlib
from array import array
from functools import cache
from typing import NamedTuple

from p2pball.computer.steps import CELLS, cell
from p2pball.engine.moves import PITCHES, Pitch
from p2pball.engine.state import State
from p2pball.engine.terms import Terms

CLIP = 20
"""A lead of this many runs or more counts as this many."""
SPAN = 2 * CLIP + 1
HALF = CELLS * SPAN
INNING = 2 * HALF
LAST_INNINGS = 4
"""Innings after which a lead wins: with 0 to 3 more to come, at index 0 to 3."""
EARLIER_INNINGS = 8
"""Innings before the last one, at most (B1)."""
INNINGS = LAST_INNINGS * (1 + EARLIER_INNINGS)
UNIT = 10_000
"""Win chances are whole ten-thousandths."""


def inning_index(terms: Terms, inning: int) -> int:
    """Which solved inning an inning of a game is, 0 to INNINGS - 1.

    By what is left to play: an inning is as good as any other with as many to come. The
    walk-off changes nothing: it ends what is decided (B3).
    """
    if inning >= terms.innings:
        return terms.innings + terms.extra_innings - inning
    return LAST_INNINGS + EARLIER_INNINGS * terms.extra_innings + terms.innings - inning - 1


def reference(index: int) -> int:
    """The inning that an inning's chances are written as differences from, -1 for none; always an earlier index."""
    if index < LAST_INNINGS:
        return index - 1
    extra, back = divmod(index - LAST_INNINGS, EARLIER_INNINGS)
    if extra:
        return index - EARLIER_INNINGS
    return index - 1 if back else 0


class DiceTable(NamedTuple):
    """Best pitches as indices and the batting side's chances in ten-thousandths, by place()."""

    pitches: bytes
    chances: array[int]


def place(index: int, batting: int, cell_number: int, lead: int) -> int:
    """Where a position stands in the table; `lead` is the batting side's."""
    clipped = max(-CLIP, min(CLIP, lead)) + CLIP
    return index * INNING + batting * HALF + cell_number * SPAN + clipped


def pack(table: DiceTable) -> bytes:
    """The table as bytes, before compression: the pitches, then the low and the high bytes of the differences."""
    low, high = bytearray(), bytearray()
    for index in range(INNINGS):
        start, before = index * INNING, reference(index)
        for at in range(start, start + INNING):
            base = table.chances[at - start + before * INNING] if before >= 0 else 0
            change = (table.chances[at] - base) % 0x10000
            low.append(change & 0xFF)
            high.append(change >> 8)
    return table.pitches + bytes(low) + bytes(high)


def unpack(data: bytes) -> DiceTable:
    """The table that pack() made these bytes of."""
    count = INNINGS * INNING
    pitches, low, high = data[:count], data[count : 2 * count], data[2 * count :]
    chances = array("H")
    for index in range(INNINGS):
        here, before = slice(index * INNING, (index + 1) * INNING), reference(index)
        base = chances[before * INNING : (before + 1) * INNING] if before >= 0 else bytes(INNING)
        rows = zip(base, low[here], high[here], strict=True)
        chances.extend([(start + small + (large << 8)) & 0xFFFF for start, small, large in rows])
    return DiceTable(pitches, chances)


@cache
def shipped() -> DiceTable:
    """The table that stands in the package (tools/solve_dice.py makes it)."""
    data = pkgutil.get_data("p2pball.computer", "data/dice.bin")
    assert data is not None
    return unpack(zlib.decompress(data))


def _place(state: State) -> int:
    batting = state.batting
    lead = state.runs[batting] - state.runs[batting.other]
    at = cell(state.outs, state.bases)
    return place(inning_index(state.terms, state.inning), batting, at, lead)


def best_pitch(state: State) -> Pitch:
    """The pitch that gives the batting side of a state the smallest chance to win, a draw counting half."""
    return PITCHES[shipped().pitches[_place(state)]]


def batting_chance(state: State) -> int:
    """The batting side's chance to win in ten-thousandths, a draw counting half, before a pitch is chosen."""
    return shipped().chances[_place(state)]


def blind_pitch(outs: int, bases: tuple[int, int, int]) -> Pitch:
    """The pitch for an out and base situation whatever the score: the best one in a long game that is tied."""
    return PITCHES[shipped().pitches[place(INNINGS - 1, 0, cell(outs, bases), 0)]]
