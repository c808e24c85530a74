"""The estimate of the cards game's win chance: held against whole games."""

from __future__ import annotations

import random

import pytest

from p2pball.computer.card_chance import estimated_home_chance
from p2pball.engine.cards import BY_NAME
from p2pball.engine.events import HandsDealt
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
