"""The rookie: any pitch, any card, no steals, and the pinch hitter whenever it comes to mind."""

from __future__ import annotations

from p2pball.computer.stream import Stream, pick
from p2pball.engine.moves import HOLD, PINCH, Choice
from p2pball.engine.state import Phase
from p2pball.engine.view import View

WINDOWS_AN_INNING = 8
"""The pinch hitter comes in once in this many windows times the innings: in about seven games of eight."""


def choose(view: View, stream: Stream) -> Choice:
    """A choice of view.moves(), which must not be empty."""
    moves = view.moves()
    if view.state.phase in (Phase.WINDOW, Phase.KING):
        comes_to_mind = PINCH in moves and stream.below(WINDOWS_AN_INNING * view.state.terms.innings) == 0
        return PINCH if comes_to_mind else HOLD
    return pick(stream, moves)
