"""What an all-star would do, for a player who asks; offline only."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from typing import assert_never

from p2pball.computer.levels import Level
from p2pball.computer.player import choose
from p2pball.engine.moves import Choice, ChoosePitch, Hold, Pass, PinchHit, PlayCard, StealBase
from p2pball.engine.view import View
from p2pball.scorebook.phrases import ordinal, rank_word
from p2pball.ui.seats import Dice

Hint = Callable[[View], str]


def all_star_hint(view: View) -> str:
    """The all-star's choice in this view as advice; a level that mixes its play may say another the next time."""
    return f"An all-star would {_advice(choose(view, Level.ALL_STAR, Dice(secrets.token_bytes(16))), view)}."


def _advice(choice: Choice, view: View) -> str:
    match choice:
        case PlayCard(card):
            return f"play the {rank_word(card)} ([{view.hand.index(card) + 1}])"
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
