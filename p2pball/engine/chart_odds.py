"""The chances on the chart, exact; apart from it, for a game is played by the chart and advised by these (D4)."""

from __future__ import annotations

from fractions import Fraction

from p2pball.engine.chart import CHART, WAYS
from p2pball.engine.events import Outcome
from p2pball.engine.moves import PITCHES, Pitch

ODDS: dict[Pitch, dict[Outcome, Fraction]] = {
    pitch: {outcome: Fraction(sum(WAYS[t] for t, o in CHART[pitch].items() if o is outcome), 36) for outcome in Outcome}
    for pitch in PITCHES
}
"""Chance of each outcome by pitch (D4)."""
