"""What one seat sees and may do."""

from __future__ import annotations

import dataclasses

from p2pball.engine.ledger import begin
from p2pball.engine.moves import HOLD, PASS, PITCH_CHOICES, PLAY_CARD, STEALS
from p2pball.engine.terms import Seat, Side, Terms
from p2pball.engine.view import View
from tests.engine.scenes import at

PITCH = "cards T2 0-0 o0 b100 s4,7 c0-0 h3,3 p- a- x11 n0 @pitch"


def test_a_sealed_pitch_is_a_card_of_the_own_hand_in_the_order_dealt() -> None:
    view = View(at(PITCH), Seat.HOST, (30, 4, 17))
    assert view.moves() == (PLAY_CARD[30], PLAY_CARD[4], PLAY_CARD[17])
    assert (view.side, view.batting) == (Side.HOME, False)


def test_a_seat_without_a_hand_has_no_card_to_play() -> None:
    assert View(at(PITCH), Seat.HOST).moves() == ()


def test_a_round_with_nothing_to_choose() -> None:
    for seat in Seat:
        assert View(begin(Terms()), seat).moves() == (PASS,)


def test_only_the_seat_to_move_has_choices() -> None:
    window = at(PITCH.replace("@pitch", "@window"))
    assert View(window, Seat.GUEST).moves() == (HOLD, STEALS[2])
    assert View(window, Seat.GUEST).batting
    assert View(window, Seat.HOST).moves() == ()
    choose = at("dice T2 0-0 o0 b100 s4,7 @choose")
    assert View(choose, Seat.HOST).moves() == PITCH_CHOICES
    assert View(choose, Seat.GUEST).moves() == ()
    assert View(at("dice F9 0-1"), Seat.HOST).moves() == ()


def test_nothing_of_the_other_hand_can_be_reached() -> None:
    assert {field.name for field in dataclasses.fields(View)} == {"state", "seat", "hand", "pitches"}
    assert not any("hand" in field.name for field in dataclasses.fields(at(PITCH)))
