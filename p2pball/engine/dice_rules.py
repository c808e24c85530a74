"""The dice game: pick a pitch, roll (rules section 2)."""

from __future__ import annotations

from functools import cache

from p2pball.engine.chart import CHART
from p2pball.engine.events import DiceRolled, Event
from p2pball.engine.moves import PITCHES, Pitch
from p2pball.engine.plays import Dice, make_play
from p2pball.engine.state import State


def roll(state: State, dice: Dice) -> list[Event]:
    """Both dice, and the play that their sum makes of the chosen pitch (D2 to D4)."""
    chosen = state.pitch
    pitch = chosen or PITCHES[dice.below("pitch", len(PITCHES))]
    rolled = _rolled(pitch, chosen is None, dice.below("outcome", 6), dice.below("outcome", 6))
    return [rolled, make_play(state, rolled.outcome, dice)]


@cache
def _rolled(pitch: Pitch, at_random: bool, first: int, second: int) -> DiceRolled:
    """One of the 432 rolls there are, by what the dice show above 1."""
    return DiceRolled(pitch, at_random, first + 1, second + 1, CHART[pitch][first + second + 2])
