"""The odds of a plate appearance in cards, counted from the rules."""

from __future__ import annotations

import pytest

from p2pball.engine.card_odds import appearance_odds, contact_odds, count_odds, mean_odds
from p2pball.engine.cards import BY_NAME
from p2pball.engine.events import Outcome


def test_c4_c5_the_odds_of_a_count_add_up_and_lean_as_the_count_does() -> None:
    for card in range(-2, 4):
        for balls in range(4):
            for strikes in range(3):
                assert sum(count_odds(card, balls, strikes)) == pytest.approx(1)
    assert count_odds(0, 3, 0)[1] > count_odds(0, 0, 0)[1] > count_odds(0, 0, 2)[1]
    assert count_odds(0, 0, 2)[0] > count_odds(0, 0, 0)[0] > count_odds(0, 3, 0)[0]


def test_c5_a_full_count_is_decided_by_the_next_pitch_that_is_no_foul() -> None:
    assert count_odds(0, 3, 2) == pytest.approx((45 / 123, 55 / 123, 23 / 123))


def test_c6_the_odds_of_a_ball_in_play() -> None:
    plain = contact_odds(0, 0)
    assert plain[Outcome.FLY_OUT] == pytest.approx(21 / 36)
    assert plain[Outcome.HOME_RUN] == pytest.approx(5 / 36)
    assert plain[Outcome.SINGLE] == pytest.approx(3 / 36)
    assert contact_odds(0, 2)[Outcome.HOME_RUN] == pytest.approx((3 + 1) * 5 / 36, abs=0.11)


def test_c8_c9_characters_and_the_pinch_hitter_count() -> None:
    queen, jack = BY_NAME["QS"], BY_NAME["JS"]
    assert appearance_odds(-1, jack)[Outcome.HOME_RUN] > appearance_odds(-1, -1)[Outcome.HOME_RUN]
    assert appearance_odds(jack, -1)[Outcome.FLY_OUT] > appearance_odds(-1, -1)[Outcome.FLY_OUT]
    assert appearance_odds(-1, queen)[Outcome.WALK] > appearance_odds(-1, -1)[Outcome.WALK]
    assert appearance_odds(-1, -1, pinch=2)[Outcome.HOME_RUN] > appearance_odds(-1, -1)[Outcome.HOME_RUN]


def test_c7_the_mean_has_the_jokers_in_it() -> None:
    assert sum(mean_odds().values()) == pytest.approx(1)
    assert mean_odds()[Outcome.WALK] > 2 / 54
