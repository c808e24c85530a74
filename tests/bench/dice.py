"""Bench `dice`: jointly made rolls of every purpose, one side's nonce constant and not, tested for bias and for memory.

Every roll is the first of its round's stream, as the rules draw it (both dice of `outcome` and
`contact`), so that it is the seeds that are tested and not one long stream. Bars hold at 1 % over
all the tests together: each is held to its share (Bonferroni).
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from p2pball.protocol.encoding import H
from p2pball.protocol.streams import Stream
from p2pball.protocol.values import commitment, round_seed
from tests.bench import Figure

ROLLS = 1_000_000
LEVEL = 0.01
GAME, CHAIN, PASS = H("game", "bench"), H("chain", "bench"), {"pass": True}

PURPOSES: dict[str, Callable[[Stream], int]] = {
    "home": lambda s: s.below(2),
    "pitch": lambda s: s.below(6),
    "outcome": lambda s: s.below(6) * 6 + s.below(6),
    "contact": lambda s: s.below(6) * 6 + s.below(6),
    "pitcher-character": lambda s: s.below(54),
    "batter-character": lambda s: s.below(54),
    "pickoff": lambda s: s.below(6),
    "steal": lambda s: s.below(6),
    "fielder": lambda s: s.below(3) * 5 + s.below(5),
}
FACES = {
    "home": 2,
    "pitch": 6,
    "outcome": 36,
    "contact": 36,
    "pitcher-character": 54,
    "batter-character": 54,
    "pickoff": 6,
    "steal": 6,
    "fielder": 15,
}


def chance(statistic: float, freedom: int) -> float:
    """The chance of a chi-squared statistic as large or larger (Wilson and Hilferty's approximation above 2)."""
    if freedom == 1:
        return math.erfc(math.sqrt(statistic / 2))
    if freedom == 2:
        return math.exp(-statistic / 2)
    z = ((statistic / freedom) ** (1 / 3) - (1 - 2 / (9 * freedom))) / math.sqrt(2 / (9 * freedom))
    return 0.5 * math.erfc(z / math.sqrt(2))


def rolls(count: int, constant: str) -> dict[str, NDArray[np.int64]]:
    """So many rolls of each purpose; `constant` is the seat whose nonce never changes, or none."""
    made = {purpose: np.empty(count, dtype=np.int64) for purpose in PURPOSES}
    fixed = hashlib.sha256(b"constant").digest()
    for n in range(count):
        host = fixed if constant == "host" else hashlib.sha256(b"host" + n.to_bytes(8, "big")).digest()
        guest = fixed if constant == "guest" else hashlib.sha256(b"guest" + n.to_bytes(8, "big")).digest()
        locked = (commitment(host, GAME, n, "host", CHAIN, PASS), commitment(guest, GAME, n, "guest", CHAIN, PASS))
        seed = round_seed(GAME, n, CHAIN, locked, (host, guest))
        for purpose, draw in PURPOSES.items():
            made[purpose][n] = draw(Stream(seed, purpose))
    return made


def tests(made: NDArray[np.int64], faces: int) -> dict[str, float]:
    """Chances of what was rolled under fair dice: of the faces, and of each roll after the one before."""
    seen = np.bincount(made, minlength=faces)
    expected = len(made) / faces
    pairs = np.bincount(made[:-1] * faces + made[1:], minlength=faces * faces)
    # each roll is in two pairs: the pairs' statistic less the faces' has faces * (faces - 1) degrees of freedom
    spread = float(((seen - expected) ** 2 / expected).sum())
    serial = float(((pairs - expected / faces) ** 2 / (expected / faces)).sum()) - spread
    return {"chi-squared": chance(spread, faces - 1), "serial": chance(serial, faces * (faces - 1))}


def run(count: int = ROLLS) -> list[Figure]:
    """Test `count` rolls of each purpose, a third of them with each way of making nonces."""
    ways = ("", "host", "guest")
    share = LEVEL / (2 * len(PURPOSES) * len(ways))
    figures = []
    for constant in ways:
        for purpose, made in rolls(-(-count // len(ways)), constant).items():
            for name, p in tests(made, FACES[purpose]).items():
                label = f"{purpose}, {constant or 'no'} nonce constant: {name}"
                figures.append(Figure(label, p, "chance", at_least=share, detail={"rolls": len(made)}))
    return figures
