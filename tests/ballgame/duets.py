"""Duets brought to a point: a game after round 0, a pitch that is due, everything delivered."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import strategies as st

from p2pball.engine.state import Phase
from p2pball.engine.terms import Seat, Terms
from tests.duet import CARDS, DICE, Duet, at_random, message

HOST, GUEST = Seat.HOST, Seat.GUEST
BOTH = pytest.mark.parametrize("terms", [DICE, CARDS], ids=["dice", "cards"])
RULES = st.sampled_from([DICE, CARDS])


def chains(duet: Duet) -> set[bytes]:
    return {game.game.exchange.chain for game in duet.games.values()}


def until(duet: Duet, done: Any, seed: int = 0) -> Duet:
    """Play at random until something holds."""
    rng = random.Random(seed)
    choosers = {seat: at_random(rng) for seat in Seat}
    for _ in range(5000):
        if done(duet):
            return duet
        assert duet.step(choosers, rng), "the game ended first"
    raise AssertionError("it never held")


def settle(duet: Duet) -> None:
    """Deliver everything under way."""
    while any(duet.deliver(seat) for seat in Seat):
        pass


def started(terms: Terms = DICE, seed: str = "duet") -> Duet:
    """A game after round 0."""
    duet = Duet(terms, seed)
    settle(duet)
    assert all(game.game.exchange.round == 1 for game in duet.games.values())
    return duet


def at_pitch(duet: Duet) -> bool:
    """Whether the host is to play a card."""
    return duet.games[HOST].game.state.phase is Phase.PITCH and bool(duet.games[HOST].moves)


def from_guest(duet: Duet) -> list[Any]:
    """The guest's messages after its hello."""
    lines = [message(frame) for frame in duet.disk[GUEST]]
    return [line for line in lines if line.seat == "guest" and line.type != "hello"]


def mover(duet: Duet) -> Seat:
    return next(seat for seat in Seat if duet.games[seat].moves)
