"""The estimate of the cards game's win chance: its odds counted from the rules, its table held against whole games."""

from __future__ import annotations

import random

import pytest

from p2pball.computer.card_chance import (
    appearance_odds,
    contact_odds,
    count_odds,
    estimated_home_chance,
    mean_odds,
)
from p2pball.engine.cards import BY_NAME
from p2pball.engine.events import HandsDealt, Outcome
from p2pball.engine.ledger import apply, begin
from p2pball.engine.moves import HOLD, Choice
from p2pball.engine.state import Deck, Phase, State
from p2pball.engine.terms import Rules, Side, Terms
from tests.engine.playing import Hands, QuickDice, choose

TERMS = Terms(Rules.CARDS, 1, 1)
DEALT = (Deck(left=6), Deck(left=6))


def result(state: State) -> float:
    visitors, home = state.runs
    return 0.5 if visitors == home else float(home > visitors)


def played_out(state: State, rng: random.Random) -> float:
    """How a game from here ends when both play any card and nobody steals."""
    dice, hands = QuickDice(rng), Hands(rng)
    hands.deal(state)

    def pick(moves: list[Choice]) -> Choice:
        return HOLD if HOLD in moves else moves[int(rng.random() * len(moves))]

    while (choices := choose(state, hands, pick)) is not None:
        transition = apply(state, choices, dice)
        state = transition.state
        if any(isinstance(event, HandsDealt) for event in transition.events):
            hands.deal(state)
    return result(state)


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


def test_the_ends_of_a_game() -> None:
    over = begin(TERMS).but(phase=Phase.OVER, inning=1)
    assert [estimated_home_chance(over.but(runs=runs)) for runs in ((1, 0), (0, 1), (2, 2))] == [0, 1, 0.5]
    assert estimated_home_chance(begin(TERMS)) == pytest.approx(0.5, abs=0.01)


def test_b3_with_a_walk_off_the_home_team_need_not_bat_when_it_leads() -> None:
    """The last visitor is out more often than not, and then a lead has won; without a walk-off nothing else changes."""
    state = State(Terms(Rules.CARDS, 1, 0), Phase.PITCH, inning=1, outs=2, runs=(0, 1), decks=DEALT)
    chances = []
    for walk_off in (True, False):
        terms = Terms(Rules.CARDS, 1, 0, walk_off)
        chances.append(estimated_home_chance(state.but(terms=terms)))
    assert 0.5 < chances[0] < 1
    assert chances[0] == pytest.approx(chances[1])
    assert estimated_home_chance(state.but(batting=Side.HOME, runs=(0, 30))) == pytest.approx(1)


@pytest.mark.parametrize(
    "changes",
    [
        {"inning": 1, "batting": Side.VISITORS, "runs": (1, 0), "outs": 1},
        {"inning": 1, "batting": Side.HOME, "runs": (3, 2), "outs": 1, "bases": (1, 2, 0)},
        {"inning": 1, "batting": Side.VISITORS, "runs": (1, 0), "bases": (1, 0, 3), "balls": 3, "strikes": 1},
        {"inning": 1, "batting": Side.HOME, "runs": (1, 1), "outs": 2, "batter": BY_NAME["AS"], "strikes": 2},
        {"inning": 1, "batting": Side.HOME, "runs": (2, 1), "outs": 2, "bases": (1, 0, 0), "pinch_up": True},
        {"inning": 2, "batting": Side.VISITORS, "runs": (2, 2), "outs": 1, "pitcher": BY_NAME["QS"]},
    ],
    ids=str,
)
def test_the_estimate_is_what_simulated_games_come_to(changes: dict[str, object]) -> None:
    state = State(TERMS, Phase.PITCH, slots=(4, 4), decks=DEALT, pinch_used=(True, True), **changes)  # type: ignore[arg-type]
    rng = random.Random(str(changes))
    games = 500
    seen = sum(played_out(state, rng) for _ in range(games)) / games
    error = (0.25 / games) ** 0.5
    assert estimated_home_chance(state) == pytest.approx(seen, abs=4 * error)
