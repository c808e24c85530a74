"""What training found about the cards game, as shipped: hands' worths, how counts end, and habits."""

from __future__ import annotations

import base64
import json
import pkgutil
import sys
import zlib
from array import array
from collections.abc import Sequence
from functools import cache
from math import comb
from typing import Any, NamedTuple

RANKS = 13
COUNTS = 12
"""A count is balls * 3 + strikes."""
BATTER, PITCHER = 0, 1
FUTURE_UNIT = 1000
"""Worths of hands are written in this many parts of a stake."""
STAKE = 0.55
"""What a walk is worth above a strikeout on average, in runs: the yardstick of a hand's worth."""

SIZES = tuple(comb(RANKS + k - 1, k) for k in range(6))
"""How many different hands of k ranks there are, which is where the numbers of hands end."""

CHOOSE = tuple(tuple(comb(n, k) for k in range(7)) for n in range(RANKS + 6))


def numbers_without(ranks: tuple[int, ...]) -> list[int]:
    """For each card of a rising hand of ranks 0 to 12, the number of the hand that is left without it."""
    k = len(ranks)
    after = [0] * (k + 1)
    for at in range(k - 1, 0, -1):
        after[at] = after[at + 1] + CHOOSE[ranks[at] + at - 1][at]
    numbers, before = [], 0
    for at, rank in enumerate(ranks):
        numbers.append(before + after[at + 1])
        before += CHOOSE[rank + at][at + 1]
    return numbers


Hands = list[list[Sequence[float]]]
"""Worths by role, count and hand number."""


class Knowledge(NamedTuple):
    """One trained table: how to meet one kind of opponent.

    `futures` are what a hand that is left is worth to its holder, in FUTURE_UNITs of a stake, by the
    hand's size. `ends` are the chances that a count ends in a strikeout, a walk and a ball in play,
    by role, shift + 1 and count; `share` how often that kind plays a rank, by role, hand size and
    count; `runs` the run expectancy by cell, the third out last.
    """

    futures: list[Hands]
    ends: list[list[list[list[float]]]]
    share: list[list[list[list[float]]]]
    runs: list[float]


class Trained(NamedTuple):
    """The tables by kind of opponent, as tools/cards/train.py writes them.

    An equal; one that plays cards in any order; one that minds the count alone.
    """

    equal: Knowledge
    loose: Knowledge
    minded: Knowledge


@cache
def trained() -> Trained:
    """The tables that stand in the package."""
    data = pkgutil.get_data("p2pball.computer", "data/cards.json")
    assert data is not None
    tables = json.loads(data)
    return Trained(*(_knowledge(tables[kind]) for kind in Trained._fields))


def _knowledge(table: dict[str, Any]) -> Knowledge:
    planes = zlib.decompress(base64.b64decode(table["futures"]))
    half = len(planes) // 2
    mixed = bytearray(len(planes))
    mixed[0::2], mixed[1::2] = planes[:half], planes[half:]
    whole = array("h", bytes(mixed))
    if sys.byteorder == "big":
        whole.byteswap()
    at = 0
    futures: list[Hands] = [[[array("h", [0])] * COUNTS] * 2]  # nothing is left: nothing to be worth
    for k in range(1, 6):
        roles: Hands = []
        for _ in range(2):
            roles.append([whole[at + c * SIZES[k] : at + (c + 1) * SIZES[k]] for c in range(COUNTS)])
            at += COUNTS * SIZES[k]
        futures.append(roles)
    return Knowledge(futures, table["ends"], table["share"], table["runs"])
