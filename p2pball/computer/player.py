"""One function that plays either game at any level from a seat's own view.

What plays a game at the higher levels is loaded when that game is played: it comes with large tables.
"""

from __future__ import annotations

from p2pball.computer import rookie
from p2pball.computer.levels import Level
from p2pball.computer.stream import Stream
from p2pball.engine.moves import Choice
from p2pball.engine.view import View

DRAWS = 20
"""How often advice is asked of the all-star anew."""


def choose(view: View, level: Level, stream: Stream) -> Choice:
    """A level's choice, always one of view.moves(); ValueError when the seat is not to move."""
    moves = view.moves()
    if not moves:
        raise ValueError("this seat is not to move")
    if len(moves) == 1:
        return moves[0]
    if level is Level.ROOKIE:
        return rookie.choose(view, stream)
    return _cards(view, level, stream) if view.state.in_cards else _dice(view, level)


def _cards(view: View, level: Level, stream: Stream) -> Choice:
    from p2pball.computer import cards_play

    return cards_play.all_star(view, stream) if level is Level.ALL_STAR else cards_play.regular(view, stream)


def _dice(view: View, level: Level) -> Choice:
    from p2pball.computer import dice_play

    return dice_play.all_star(view.state) if level is Level.ALL_STAR else dice_play.regular(view.state)


def advice(view: View, stream: Stream) -> tuple[tuple[Choice, float], ...]:
    """What the all-star would do in a view: choices and how often it makes each, the commonest first.

    The stream draws the hands that it imagines in the cards game. What it plays depends a little on
    these, so the chances are the mean of many draws. Empty when the seat is not to move.
    """
    moves = view.moves()
    if len(moves) < 2:
        return tuple((move, 1.0) for move in moves)
    if not view.state.in_cards:
        return ((_dice(view, Level.ALL_STAR), 1.0),)
    from p2pball.computer import cards_play

    shares = dict.fromkeys(moves, 0.0)
    for _ in range(DRAWS):
        for choice, odds in cards_play.odds(view, stream):
            shares[choice] += odds / DRAWS
    return tuple(sorted(shares.items(), key=lambda pair: -pair[1]))
