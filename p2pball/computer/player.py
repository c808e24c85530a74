"""One function that plays either game at any level from a seat's own view."""

from __future__ import annotations

from typing import assert_never

from p2pball.computer import cards_play, dice_play, rookie
from p2pball.computer.levels import Level
from p2pball.computer.stream import Stream
from p2pball.engine.moves import Choice
from p2pball.engine.view import View


def choose(view: View, level: Level, stream: Stream) -> Choice:
    """A level's choice, always one of view.moves(); ValueError when the seat is not to move."""
    moves = view.moves()
    if not moves:
        raise ValueError("this seat is not to move")
    if len(moves) == 1:
        return moves[0]
    match level:
        case Level.ROOKIE:
            return rookie.choose(view, stream)
        case Level.REGULAR:
            return cards_play.regular(view, stream) if view.state.in_cards else dice_play.regular(view.state)
        case Level.ALL_STAR:
            return cards_play.all_star(view, stream) if view.state.in_cards else dice_play.all_star(view.state)
        case _:
            assert_never(level)


def advice(view: View, stream: Stream) -> tuple[tuple[Choice, float], ...]:
    """What the all-star would do in a view: choices and how often it makes each, the commonest first.

    The stream draws the hands that it imagines in the cards game. Empty when the seat is not to move.
    """
    moves = view.moves()
    if len(moves) < 2:
        return tuple((move, 1.0) for move in moves)
    if not view.state.in_cards:
        return ((dice_play.all_star(view.state), 1.0),)
    return tuple(sorted(cards_play.odds(view, stream), key=lambda pair: -pair[1]))
