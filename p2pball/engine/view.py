"""What one player sees: the public state, the own hand and every pitch so far."""

from __future__ import annotations

from collections.abc import Collection

from p2pball.engine.events import CardsPlayed
from p2pball.engine.ledger import awaited
from p2pball.engine.moves import PLAY_CARD, CardSet, Choice, Open, Sealed
from p2pball.engine.state import State
from p2pball.engine.terms import Seat, Side
from p2pball.frozen import frozen


@frozen
class View:
    """One seat's view; nothing of the other hand but what was played from it can be reached from here.

    `hand` are the cards still held, in the order dealt (empty in dice); `pitches` the states
    and cards of all pitches of the cards game so far, oldest first: everybody saw them.
    """

    state: State
    seat: Seat
    hand: tuple[int, ...] = ()
    pitches: tuple[tuple[State, CardsPlayed], ...] = ()

    @property
    def side(self) -> Side:
        """The side this seat plays."""
        return self.state.side(self.seat)

    @property
    def batting(self) -> bool:
        """Whether this seat's side is at bat."""
        return self.side is self.state.batting

    def moves(self) -> tuple[Choice, ...]:
        """This seat's choices now, the one the clock would make first (fair-play 3); none when it is not to move."""
        match awaited(self.state):
            case Open(seat, moves) if seat is self.seat:
                return tuple(moves)
            case Sealed() as sealed:
                return self._sealed(sealed.moves(self.seat))
            case _:
                return ()

    def _sealed(self, moves: Collection[Choice]) -> tuple[Choice, ...]:
        if isinstance(moves, CardSet):
            return tuple(PLAY_CARD[card] for card in self.hand)
        return tuple(moves)
