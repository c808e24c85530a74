"""Every pair of networks, with and without TURN, then rough lines: a one-inning dice game by `p2pball` itself each.

Needs root, coturn and nftables. The full form is the matrix of connection 1 in both directions and twenty-four rough
lines; a smaller number takes cases spread over both. `python -m tests.net.lab.table` writes docs/connecting.md's table.
"""

from __future__ import annotations

import asyncio
import itertools

from tests.campaign import Tally
from tests.net.lab.networks import Kind
from tests.net.lab.play import Case, play

ROUGH_PAIRS = (
    (Kind.PORT_RESTRICTED, Kind.PORT_RESTRICTED),
    (Kind.SYMMETRIC, Kind.SYMMETRIC),
    (Kind.PORT_RESTRICTED, Kind.UDP_BLOCKED),
)
ROUGH_LINES = (
    {"loss": 0.05},
    {"loss": 0.2},
    {"delay": 0.06},
    {"delay": 0.6},
    {"outage": 5.0},
    {"outage": 25.0},
    {"outage": 60.0},
    {"moves": True},
)
MATRIX = [Case(*pair, turn) for pair in itertools.product(Kind, Kind) for turn in (False, True)]
ROUGH = [Case(*pair, True, **line) for pair in ROUGH_PAIRS for line in ROUGH_LINES]  # type: ignore[arg-type]
CASES = len(MATRIX) + len(ROUGH)
SHORT = (
    Case(Kind.FULL_CONE, Kind.PORT_RESTRICTED, False),
    Case(Kind.SYMMETRIC, Kind.PORT_RESTRICTED, True),
    Case(Kind.OPEN, Kind.UDP_BLOCKED, True),
)
"""What the tests run: one case of each way."""


def chosen(cases: int) -> list[Case]:
    """So many cases, spread over all of them."""
    everything = MATRIX + ROUGH
    step = max(1.0, len(everything) / max(cases, 1))
    return [everything[int(n * step)] for n in range(min(cases, len(everything)))]


def run(cases: int, seed: int) -> Tally:
    """Play the cases one after the other; the seed changes nothing, since networks are not drawn."""
    del seed
    tally = Tally()
    for case in chosen(cases):
        result = asyncio.run(play(case))
        tally.rows.append(result.row())
        if result.wrong:
            tally.fail(f"{case}: {result.wrong}")
        else:
            tally.hold()
        print(
            f"nat: {case}: {' then '.join(result.ways) or 'no way'} {result.wrong and 'WRONG ' + result.wrong}",
            flush=True,
        )
    return tally
