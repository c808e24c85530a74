"""Win chance through a game, with the exact chances of dice and the estimate of cards handed in."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from p2pball.computer import cards_win, dice_play
from p2pball.engine.events import BatterCameUp, Outcome
from p2pball.engine.ledger import begin
from p2pball.engine.state import Phase, State
from p2pball.engine.terms import Rules, Side, Terms
from p2pball.scorebook.game import Game
from p2pball.scorebook.winchance import home_chance, leverage, mean_odds, most_valuable, opening, stake, swings
from p2pball.scorebook.words import is_play, play_text
from tests.scorebook.games import random_events, random_game

PLAYED = [Terms(Rules.DICE, 9), Terms(Rules.CARDS, 3), Terms(Rules.CARDS, 1, 1, walk_off=False)]


def chance(state: State) -> float:
    return 1 - (cards_win if state.in_cards else dice_play).visitors_chance(state)


@settings(max_examples=30, deadline=None)
@given(
    st.sampled_from([Terms(Rules.DICE, 9), Terms(Rules.CARDS, 3), Terms(Rules.CARDS, 1, 1, walk_off=False)]),
    st.integers(0, 10**6),
)
def test_swings_add_up_to_the_result_and_tell_every_play(terms: Terms, seed: int) -> None:
    game = random_game(terms, str(seed))
    played = swings(game, chance)
    assert all(0 <= swing.before <= 1 and 0 <= swing.after <= 1 for swing in played)
    assert all(one.after == two.before for one, two in pairwise(played))
    visitors, home = game.state.runs
    result = 0.5 if visitors == home else float(home > visitors)
    assert played[-1].after == result
    assert opening(game, chance) + sum(swing.home for swing in played) == pytest.approx(result)
    told = [play_text(moment) for moment in game.moments if is_play(moment.event)]
    assert " ".join(swing.text for swing in played) == " ".join(told)
    best = most_valuable(played)
    assert best is not None
    assert abs(best.home) == max(abs(swing.home) for swing in played)
    halves = {(m.before.inning, m.before.batting) for m in game.moments if is_play(m.event)}
    assert {(swing.play.before.inning, swing.play.before.batting) for swing in played} == halves


def test_rounds_are_at_rest_and_lose_nothing() -> None:
    game = random_game(Terms(Rules.CARDS, 3), "rounds")
    rounds = list(game.rounds())
    assert [moment for moments in rounds for moment in moments] == list(game.moments)
    assert all(moments[-1].after.phase.value[0] == "@" for moments in rounds[:-1])
    assert rounds[-1][-1].after.phase is Phase.OVER


def test_a_game_before_its_first_round_is_even() -> None:
    game = Game.of(Terms(Rules.DICE))
    assert opening(game, chance) == 0.5
    assert list(game.rounds()) == []
    assert swings(game, chance) == ()
    assert most_valuable(()) is None


def test_b2_an_ended_game_needs_no_chances() -> None:
    def never(state: State) -> float:
        raise AssertionError("an ended game was asked about")

    over = State(Terms(), Phase.OVER, inning=9)
    assert home_chance(over.but(runs=(3, 4)), never) == 1
    assert home_chance(over.but(runs=(4, 3)), never) == 0
    assert home_chance(over.but(runs=(4, 4)), never) == 0.5
    assert stake(over, never) == 0


def test_d4_the_mean_odds_are_those_of_the_six_columns() -> None:
    odds = mean_odds(Rules.DICE)
    assert sum(odds.values()) == pytest.approx(1)
    assert odds[Outcome.SINGLE] == pytest.approx((4 + 5 + 5 + 3 + 3 + 9) / 6 / 36)
    assert odds[Outcome.HOME_RUN] == pytest.approx((3 + 2 + 1 + 1 + 1 + 0) / 6 / 36)


def test_leverage_grows_when_the_game_hangs_on_one_batter_and_goes_when_it_is_won() -> None:
    state = State(Terms(Rules.DICE), Phase.CHOOSE, inning=9, batting=Side.HOME, outs=2)
    tied_full = leverage(state.but(bases=(1, 2, 3), runs=(4, 4)), chance)
    behind_full = leverage(state.but(bases=(1, 2, 3), runs=(5, 4)), chance)
    behind_empty = leverage(state.but(runs=(5, 4)), chance)
    lost = leverage(state.but(runs=(12, 2)), chance)
    assert behind_full > tied_full > behind_empty > 1
    assert lost < 0.01


@pytest.mark.parametrize(("rules", "innings"), [(Rules.DICE, 3), (Rules.CARDS, 3)])
def test_leverage_is_1_on_the_average(rules: Rules, innings: int) -> None:
    terms = Terms(rules, innings)
    found = []
    for number in range(40):
        for moments in random_game(terms, f"average/{number}").rounds():
            state = moments[-1].after
            if state.phase is not Phase.OVER and any(isinstance(m.event, BatterCameUp) for m in moments):
                found.append(leverage(state, chance))
    assert sum(found) / len(found) == pytest.approx(1, abs=0.15)


def test_a_game_cut_short_swings_as_far_as_it_went() -> None:
    terms = Terms(Rules.CARDS, 2)
    events = random_events(terms, "cut")
    whole = swings(Game.of(terms, events=events), chance)
    for n in range(0, len(events), 7):
        game = Game.of(terms, events=events[:n])
        last = list(game.rounds())[:-1]
        part = Game(begin(terms), game.lineup, tuple(moment for moments in last for moment in moments))
        played = swings(part, chance)
        assert played == whole[: len(played)]
