"""The dice game's chart and the fielders named in a play: the only odds of that game (D4, 5)."""

from __future__ import annotations

from p2pball.engine.events import Outcome
from p2pball.engine.moves import Pitch

_COLUMNS = {
    Pitch.FASTBALL: "FO 2B HR 1B K FO K PO GO DP BB",
    Pitch.CURVEBALL: "WP PO K BB 1B GO FO K DP HR 2B",
    Pitch.SLIDER: "K 2B K GO 1B BB K K FO PO HR",
    Pitch.CHANGEUP: "3B BB 1B FO 2B GO K FO PO K HR",
    Pitch.KNUCKLEBALL: "GO FO K K GO WP BB PO 1B 2B HR",
    Pitch.SCREWBALL: "FO DP GO DP 1B GO BB 1B 2B K PO",
}

CHART: dict[Pitch, dict[int, Outcome]] = {
    pitch: {total: Outcome(name) for total, name in enumerate(column.split(), start=2)}
    for pitch, column in _COLUMNS.items()
}
"""Outcome by pitch and sum of two dice, 2 to 12 (D4)."""

WAYS: dict[int, int] = {total: 6 - abs(total - 7) for total in range(2, 13)}
"""How many of 36 rolls of two dice make a sum."""

_OUTFIELD = (7, 8, 9)

FIELDERS: dict[Outcome, tuple[int, ...]] = {
    Outcome.SINGLE: _OUTFIELD,
    Outcome.DOUBLE: _OUTFIELD,
    Outcome.TRIPLE: _OUTFIELD,
    Outcome.HOME_RUN: _OUTFIELD,
    Outcome.FLY_OUT: _OUTFIELD,
    Outcome.POP_OUT: (2, 3, 4, 5, 6),
    Outcome.GROUND_OUT: (1, 3, 4, 5, 6),
}
"""Which fielders a play can name, drawn from stream `fielder` (rules 5)."""
