"""The short forms of the campaigns `cut` and `fuzz`; the long ones run by `python -m tests.campaign`."""

from __future__ import annotations

from p2pball.engine.terms import Rules, Seat
from tests.campaign import cut, fuzz


def test_cut() -> None:
    ran = cut.run(10, 11)
    assert (ran.held, ran.failures) == (10, [])


def test_every_way_of_cutting_is_among_the_boundaries() -> None:
    uncut = cut.play(Rules.DICE)
    every = list(cut.boundaries(uncut, Rules.DICE))
    for seat in Seat:
        for crashed in cut.CRASHES:
            whole = {w.lines for w in every if (w.seat, w.crashed, w.unsent) == (seat, crashed, False)}
            assert whole == set(range(2, len(uncut.disk[seat]) + 1))


def test_a_game_that_comes_out_otherwise_is_told() -> None:
    uncut, other = cut.play(Rules.DICE), cut.play(Rules.CARDS)
    assert cut._differs(uncut, uncut) == ""
    assert cut._differs(other, uncut)


def test_fuzz() -> None:
    ran = fuzz.run(250, 3)
    assert ran.failures == []
    assert ran.held == 500
