"""Scenes of the cards game: a position in short, and two cards against each other."""

from __future__ import annotations

from p2pball.engine.cards import BY_NAME
from p2pball.engine.events import CardsPlayed
from p2pball.engine.ledger import apply
from p2pball.engine.moves import PLAY_CARD
from p2pball.engine.terms import Seat
from tests.engine.scenes import at


def line(
    end: str = "@pitch",
    *,
    o: int = 0,
    b: str = "000",
    c: str = "0-0",
    h: int = 6,
    p: str = "-",
    a: str = "-",
    x: str = "11",
    n: int = 0,
) -> str:
    """A cards position in the top of the second."""
    return f"cards T2 0-0 o{o} b{b} s4,7 c{c} h{h},{h} p{p} a{a} x{x} n{n} {end}"


class Ones:
    """Dice that always show the lowest number: a ball in play is caught."""

    def below(self, purpose: str, n: int) -> int:
        """Nought."""
        return 0


def matchup(thrown: str, swung: str, *, p: str = "-", a: str = "-", n: int = 0) -> CardsPlayed:
    """The matchup of two cards, whatever comes of it."""
    choices = {Seat.HOST: PLAY_CARD[BY_NAME[thrown]], Seat.GUEST: PLAY_CARD[BY_NAME[swung]]}
    event = apply(at(line(p=p, a=a, n=n)), choices, Ones()).events[0]
    assert isinstance(event, CardsPlayed)
    return event
