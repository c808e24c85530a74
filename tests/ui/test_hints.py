"""What a hint says: the all-star's choices, and how often it makes each."""

from __future__ import annotations

import re

import pytest

from p2pball.engine.ledger import begin
from p2pball.engine.state import Phase, State
from p2pball.engine.terms import Rules, Seat, Terms
from p2pball.engine.view import View
from p2pball.ui.hints import all_star_hint

HAND = (3, 45, 20, 48, 8, 36)
"""A four, a seven, an eight, a ten, a nine and a jack: no order, as dealt."""
TEN = 9


def at_bat(**changes: object) -> State:
    fixed = {"phase": Phase.PITCH, "inning": 1, "pitcher": TEN, "batter": TEN, **changes}
    return begin(Terms(Rules.CARDS, 3, home="host")).but(**fixed)


@pytest.mark.parametrize("seat", Seat)
def test_a_hint_for_cards_has_the_chance_of_each(seat: Seat) -> None:
    told = all_star_hint(View(at_bat(), seat, HAND))
    assert re.fullmatch(r"An all-star would play the \w+ \[\d\] \d+% of the time(, \[\d\] \d+%)+\.", told), told
    keys = [int(key) for key in re.findall(r"\[(\d)\]", told)]
    shares = [int(share) for share in re.findall(r"(\d+)%", told)]
    assert len(set(keys)) == len(keys) == len(shares)
    assert set(keys) <= set(range(1, 7))
    assert shares == sorted(shares, reverse=True)
    assert sum(shares) == pytest.approx(100, abs=5)
    assert {all_star_hint(View(at_bat(), seat, HAND)) for _ in range(5)} == {told}


def test_what_is_not_mixed_has_no_chances() -> None:
    assert all_star_hint(View(at_bat(), Seat.HOST, HAND[:1])) == "An all-star would play the four [1]."
    window = at_bat(phase=Phase.WINDOW)
    assert all_star_hint(View(window, Seat.GUEST, HAND)) == "An all-star would hold the runners and play on."
    dice = begin(Terms(home="host")).but(phase=Phase.CHOOSE, inning=1)
    assert re.fullmatch(r"An all-star would throw a \w+\.", all_star_hint(View(dice, Seat.HOST)))
