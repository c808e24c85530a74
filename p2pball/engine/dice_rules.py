"""The dice game: pick a pitch, roll (rules section 2)."""

from __future__ import annotations

from p2pball.engine.chart import CHART
from p2pball.engine.events import DiceRolled, Event
from p2pball.engine.moves import PITCHES
from p2pball.engine.plays import Dice, die, make_play
from p2pball.engine.state import State


def roll(state: State, dice: Dice) -> tuple[Event, ...]:
    """Both dice, and the play that their sum makes of the chosen pitch (D2 to D4)."""
    chosen = state.pitch
    pitch = chosen or PITCHES[dice.below("pitch", len(PITCHES))]
    first, second = die(dice, "outcome"), die(dice, "outcome")
    outcome = CHART[pitch][first + second]
    rolled = DiceRolled(pitch, chosen is None, first, second, outcome)
    return rolled, make_play(state, outcome, dice)
