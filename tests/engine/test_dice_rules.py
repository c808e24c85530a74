"""Rules of the dice game, D1 to D5."""

from __future__ import annotations

from fractions import Fraction

import pytest

from p2pball.engine.chart import CHART, WAYS
from p2pball.engine.chart_odds import ODDS
from p2pball.engine.events import DiceRolled, Outcome, PitchChosen
from p2pball.engine.ledger import apply, awaited, begin
from p2pball.engine.moves import PASS, PITCH_CHOICES, PITCHES, ChoosePitch, Open, Pitch, Sealed
from p2pball.engine.position import position
from p2pball.engine.terms import Seat, Terms
from tests.engine.naive import CHART as TYPED
from tests.engine.scenes import at, settled

# Typed from rules.md D4: 1B 2B 3B HR BB K FO PO GO DP WP in 36ths.
THIRTY_SIXTHS = """
fastball 4 2 0 3 1 10 7 4 3 2 0
curveball 5 1 0 2 4 7 5 2 6 3 1
slider 5 2 0 1 6 13 3 2 4 0 0
changeup 3 5 1 1 2 7 8 3 6 0 0
knuckleball 3 2 0 1 5 7 2 4 6 0 6
screwball 9 3 0 0 5 2 1 1 9 6 0
"""
CHOOSE = "dice T5 2-3 o1 b101 s4,7 @choose"


def test_d1_the_pitching_seat_chooses_openly_one_of_six_or_random() -> None:
    state = at(CHOOSE)
    assert awaited(state) == Open(Seat.HOST, PITCH_CHOICES)
    assert [choice.pitch for choice in PITCH_CHOICES] == [*PITCHES, None]
    for choice in PITCH_CHOICES:
        after = apply(state, {Seat.HOST: choice})
        assert after.events == (PitchChosen(choice.pitch),)
        assert str(position(after.state)) == "dice T5 2-3 o1 b101 s4,7 @roll"
    assert awaited(at("dice B5 2-3 o1 b101 s4,7 @choose")) == Open(Seat.GUEST, PITCH_CHOICES)


def test_d2_random_is_one_of_the_six_in_the_order_of_the_table() -> None:
    for drawn, pitch in enumerate(PITCHES):
        scene = settled(at(CHOOSE.replace("@choose", "@roll"), pitch=None), pitch=[drawn], outcome=[6, 6])
        assert scene.events[0] == DiceRolled(pitch, True, 6, 6, CHART[pitch][12])


def test_d2_a_chosen_pitch_draws_no_pitch() -> None:
    scene = settled(at(CHOOSE.replace("@choose", "@roll"), pitch=Pitch.SLIDER), outcome=[1, 1])
    assert scene.events[0] == DiceRolled(Pitch.SLIDER, False, 1, 1, Outcome.STRIKEOUT)
    assert scene.drawn == ("outcome", "outcome")


def test_d3_two_dice_are_added_and_read_in_the_column_of_the_pitch() -> None:
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in TYPED.strip().splitlines()]
    for name, *cells in rows[1:]:
        pitch = Pitch(name)
        for first in range(1, 7):
            for second in range(1, 7):
                scene = settled(at(CHOOSE.replace("@choose", "@roll"), pitch=pitch), outcome=[first, second])
                outcome = Outcome(cells[first + second - 2])
                assert scene.events[0] == DiceRolled(pitch, False, first, second, outcome)


def test_d4_the_chart_has_the_known_odds() -> None:
    order = [Outcome(name) for name in ["1B", "2B", "3B", "HR", "BB", "K", "FO", "PO", "GO", "DP", "WP"]]
    rows = [line.split() for line in THIRTY_SIXTHS.strip().splitlines()]
    assert [row[0] for row in rows] == [pitch.value for pitch in PITCHES]
    for name, *ways in rows:
        odds = ODDS[Pitch(name)]
        assert [odds[outcome] for outcome in order] == [Fraction(int(n), 36) for n in ways]
        assert sum(odds.values()) == 1
    assert sum(WAYS.values()) == 36


def test_d5_an_open_move_then_a_sealed_round_in_which_both_pass() -> None:
    state = apply(at(CHOOSE), {Seat.HOST: ChoosePitch(Pitch.FASTBALL)}).state
    assert awaited(state) == Sealed((PASS,), (PASS,))
    scene = settled(state, outcome=[1, 1])
    assert scene.line == "dice T5 2-3 o2 b101 s5,7 @choose"


def test_d5_a_pitch_thrown_leaves_no_trace_in_the_state() -> None:
    one, other = (
        settled(at(CHOOSE[:-7] + "@roll", pitch=pitch), outcome=faces).state
        for pitch, faces in ((Pitch.SLIDER, [1, 1]), (Pitch.FASTBALL, [2, 4]))
    )
    assert one == other


def test_b12_dice_game_starts_with_a_pitch_to_choose() -> None:
    assert settled(begin(Terms(home="guest"))).line == "dice T1 0-0 o0 b000 s1,1 @choose"


@pytest.mark.parametrize("pitch", PITCHES)
def test_d4_no_pitch_is_always_the_same(pitch: Pitch) -> None:
    assert len(set(CHART[pitch].values())) >= 7
