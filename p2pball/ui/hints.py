"""What an all-star would do, for a player who asks; offline only."""

from __future__ import annotations

from typing import assert_never

from p2pball.computer.player import advice
from p2pball.engine.moves import Choice, ChoosePitch, Hold, Pass, PinchHit, PlayCard, StealBase
from p2pball.engine.view import View
from p2pball.scorebook.phrases import ordinal, rank_word
from p2pball.ui.seats import Dice

SELDOM = 0.005
"""Choices made less often than this are not worth a word."""


def all_star_hint(view: View) -> str:
    """The all-star's commonest choice in this view as advice, and how often it makes each when it mixes its play."""
    same = Dice(repr((view.state, view.hand)).encode())  # whoever asks once more hears the same
    told = [pair for pair in advice(view, same) if pair[1] >= SELDOM]
    first, share = told[0]
    if len(told) == 1:
        return f"An all-star would {_advice(first, view)}."
    others = ", ".join(f"{_key(choice, view)} {often:.0%}" for choice, often in told[1:])
    return f"An all-star would {_advice(first, view)} {share:.0%} of the time, {others}."


def _key(choice: Choice, view: View) -> str:
    """A card that is played less often, by its key alone: only cards are mixed."""
    assert isinstance(choice, PlayCard)
    return f"[{view.hand.index(choice.card) + 1}]"


def _advice(choice: Choice, view: View) -> str:
    match choice:
        case PlayCard(card):
            return f"play the {rank_word(card)} {_key(choice, view)}"
        case ChoosePitch(pitch):
            return f"throw a {pitch.value}" if pitch else "leave the pitch to the dice"
        case Hold():
            return "hold the runners and play on"
        case PinchHit():
            return "send in the pinch hitter"
        case StealBase(base):
            return f"steal {ordinal(base)}"
        case Pass():
            return "roll: there is nothing to choose"
        case _:
            assert_never(choice)
