"""Solve the dice game exactly and write the table that the computer plays by: `python -m tools.solve_dice`.

Backward induction (rules section 2): only the pitching side decides, and within a half every
result but a wild pitch with the bases empty moves on for good, so one sweep in a fixed order
gives every value exactly. The work takes seconds, so there is nothing to resume: run it again
and the same bytes come out.
"""

from __future__ import annotations

import sys
import zlib
from array import array
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from p2pball.computer.dice_table import (
    CLIP,
    EARLIER_INNINGS,
    INNINGS,
    LAST_INNINGS,
    SPAN,
    UNIT,
    DiceTable,
    pack,
)
from p2pball.computer.steps import CELLS, OUT, Step, step
from p2pball.engine.chart_odds import ODDS
from p2pball.engine.events import Outcome
from p2pball.engine.moves import PITCHES

TABLE = Path(__file__).resolve().parent.parent / "p2pball" / "computer" / "data" / "dice.bin"
Policy = Callable[[int, int], int]
"""Pitch by cell and by the batting side's lead."""
NO_MATTER = -1
CLOSE = 1e-12
"""Chances this near each other are the same: of pitches as good as each other the first is taken."""


class Half(NamedTuple):
    """A solved half by cell and lead: the batting side's chance, and the best pitch, NO_MATTER when all are as good."""

    chance: list[list[float]]
    pitch: list[list[int]]


Steps = list[list[list[tuple[float, Step]]]]
"""Chance and step of every result, by cell and by the pitch that is chosen."""


def _steps() -> Steps:
    table = []
    for outs in range(3):
        for filled in range(8):
            leads = {outcome: step(outs, filled, outcome) for outcome in Outcome}
            table.append([[(float(ODDS[p][o]), leads[o]) for o in Outcome if ODDS[p][o]] for p in PITCHES])
    return table


STEPS = _steps()
ORDER = sorted(range(CELLS), key=lambda c: (c // 8, (c % 8).bit_count(), c % 8), reverse=True)
"""Cells so that every step but the self-loop leads to an earlier one, or to more runs."""


def solve_half(ended: Callable[[int], float], last: bool, policy: Policy | None = None, steps: Steps = STEPS) -> Half:
    """The batting side's chance in one half, for a pitching side that plays a policy, or perfectly.

    `ended` is the batting side's chance after the third out, by its lead; `last` says that a lead
    has won, at once or at the end of the half (B3). A lead of CLIP has won everywhere.
    """
    chance = [[1.0] * SPAN for _ in range(CELLS)]
    pitch = [[NO_MATTER] * SPAN for _ in range(CELLS)]
    for lead in range(0 if last else CLIP - 1, -CLIP - 1, -1):
        at = lead + CLIP
        over = ended(lead)
        for c in ORDER:
            values = [
                _value(ways, c, at, over, chance)
                for number, ways in enumerate(steps[c])
                if policy is None or number == policy(c, lead)
            ]
            chance[c][at] = best = min(values)
            if max(values) > best + CLOSE:
                pitch[c][at] = next(number for number, value in enumerate(values) if value <= best + CLOSE)
    return Half(chance, pitch)


def _value(ways: list[tuple[float, Step]], c: int, at: int, over: float, chance: list[list[float]]) -> float:
    """What one pitch comes to; the result that leaves all as it was is divided out."""
    total, stay = 0.0, 0.0
    for odds, (runs, then) in ways:
        if then == c and not runs:
            stay += odds
        else:
            total += odds * (over if then == OUT else chance[then][min(at + runs, SPAN - 1)])
    return total / (1.0 - stay)


class Inning(NamedTuple):
    """Both solved halves of an inning."""

    top: Half
    bottom: Half


Pair = tuple[Policy | None, Policy | None]
PERFECT: Pair = (None, None)


def solve_inning(
    following: Callable[[int], float], last: bool, policies: Pair = PERFECT, steps: Steps = STEPS
) -> Inning:
    """An inning after which a home lead is worth `following(lead)` to the home side.

    `policies` are the pitching sides': home's in the top, the visitors' in the bottom.
    """
    bottom = solve_half(following, last, policies[1], steps)

    def begun(lead: int) -> float:
        """The visitors' chance after the top, by their lead."""
        return 0.0 if last and lead < 0 else 1.0 - bottom.chance[0][CLIP - lead]

    return Inning(solve_half(begun, False, policies[0], steps), bottom)


def solve_last(more: Inning | None, policies: Pair = PERFECT, steps: Steps = STEPS) -> Inning:
    """An inning after which a lead wins; a tie goes to `more`, or is a draw (B2)."""
    tied = 1.0 - more.top.chance[0][CLIP] if more else 0.5
    return solve_inning(lambda lead: float(lead > 0) if lead else tied, True, policies, steps)


def solve_earlier(more: Inning, policies: Pair = PERFECT, steps: Steps = STEPS) -> Inning:
    """An inning that `more` follows whatever the score."""
    return solve_inning(lambda lead: 1.0 - more.top.chance[0][CLIP - lead], False, policies, steps)


def solve_all(policies: Pair = PERFECT, steps: Steps = STEPS) -> list[Inning]:
    """Every inning in the order of dice_table.inning_index()."""
    solved: list[Inning] = []
    for _ in range(LAST_INNINGS):
        solved.append(solve_last(solved[-1] if solved else None, policies, steps))
    for extra in range(LAST_INNINGS):
        more = solved[extra]
        for _ in range(EARLIER_INNINGS):
            more = solve_earlier(more, policies, steps)
            solved.append(more)
    assert len(solved) == INNINGS
    return solved


def table(solved: list[Inning]) -> DiceTable:
    """The shipped form; where no pitch is better the one for the same cell in a long tied game stands."""
    blind = [max(row[CLIP], 0) for row in solved[-1].top.pitch]
    halves = [half for inning in solved for half in inning]
    pitches = bytes(
        blind[c] if number == NO_MATTER else number for half in halves for c in range(CELLS) for number in half.pitch[c]
    )
    chances = array("H", (round(value * UNIT) for half in halves for row in half.chance for value in row))
    return DiceTable(pitches, chances)


def main() -> None:
    """Solve and write."""
    data = zlib.compress(pack(table(solve_all())), 9)
    TABLE.write_bytes(data)
    print(f"{TABLE.name}: {len(data)} bytes", file=sys.stderr)


if __name__ == "__main__":
    main()
