"""The cards game's computer in parts: matchups, the solver, windows, win chance, and judging an opponent."""

from __future__ import annotations

import random
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from p2pball.computer import Level, cards_table, cards_win, window
from p2pball.computer.cards_pitch import call_chances, read
from p2pball.computer.cards_play import imagined
from p2pball.computer.cards_solver import Holding, rank_pays, solve
from p2pball.computer.cards_table import BATTER, PITCHER, RANKS, SIZES, trained
from p2pball.computer.game import SourceStream, play_out
from p2pball.computer.opponent import judge
from p2pball.computer.steps import OUT
from p2pball.engine.card_rules import call, settle_steal
from p2pball.engine.cards import FULL_DECK
from p2pball.engine.events import Call
from p2pball.engine.ledger import begin
from p2pball.engine.moves import HOLD, PINCH, Choice
from p2pball.engine.state import Phase, State
from p2pball.engine.terms import Rules, Seat, Side, Terms
from p2pball.engine.view import View
from tools.cards import hands as workshop
from tools.cards import sparring
from tools.cards.abstract import FIVE, Game, Minimiser
from tools.cards.sparring import Opponent

CALLS = (Call.STRIKE, Call.FOUL, Call.IN_PLAY, Call.BALL)
TERMS = Terms(Rules.CARDS, 3, home="host")
TEN, ACE, KING = 9, 0, 12
"""Characters: nobody, +1 to card and roll, and the pickoff."""


def at_bat(**changes: object) -> State:
    fixed = {"phase": Phase.PITCH, "inning": 1, "pitcher": TEN, "batter": TEN, **changes}
    return begin(TERMS).but(**fixed)


def shares(draw: st.DrawFn) -> list[float]:
    weights = draw(st.lists(st.integers(0, 9), min_size=RANKS, max_size=RANKS).filter(any))
    return [weight / sum(weights) for weight in weights]


@given(st.composite(shares)(), st.integers(-1, 3), st.booleans())
def test_c4_call_chances_are_those_of_the_rule(share: list[float], shift: int, batting: bool) -> None:
    chances = call_chances(shift, share, batting)
    for mine in range(RANKS):
        expected = dict.fromkeys(CALLS, 0.0)
        for theirs, odds in enumerate(share):
            apart = mine + shift - theirs if batting else theirs + shift - mine
            expected[call(apart)] += odds
        assert chances[mine] == pytest.approx(tuple(expected[c] for c in CALLS), abs=1e-9)


@pytest.mark.parametrize("k", range(1, 6))
def test_hands_are_numbered_alike_here_and_in_the_workshop(k: int) -> None:
    every = workshop.every(k)
    assert len(every) == SIZES[k]
    assert (workshop.number(every.T) == np.arange(len(every))).all()
    without = workshop.numbers_without(every.T).T
    for row in random.Random(k).sample(range(len(every)), min(50, len(every))):
        assert cards_table.numbers_without(tuple(every[row].tolist())) == without[row].tolist()


def test_imagined_hands_are_of_the_unseen_cards() -> None:
    unseen = FULL_DECK & ~((1 << 20) - 1)
    ranks = [card % RANKS for card in range(20, 52)]
    seen = np.zeros(RANKS)
    for seed in range(200):
        for hand in imagined(unseen, 4, seed * 77):
            assert list(hand) == sorted(hand)
            assert all(hand.count(r) <= ranks.count(r) for r in hand)
            np.add.at(seen, list(hand), 1)
    assert seen / seen.sum() == pytest.approx([ranks.count(r) / len(ranks) for r in range(RANKS)], abs=0.012)


@pytest.mark.parametrize(("balls", "strikes"), list(product(range(4), range(3))))
def test_neither_side_gains_much_by_answering_the_solution(balls: int, strikes: int) -> None:
    """With nothing to come after the pitch it is a zero-sum game: what both best answers gain is small in stakes."""
    pitch = read(at_bat(balls=balls, strikes=strikes), trained().equal, BATTER)
    nothing = (0.0, 0.0, 0.0, 0.0)
    holdings = {
        role: [Holding(hand, [nothing] * 4) for hand in imagined(FULL_DECK, 4, 5 + role)] for role in (BATTER, PITCHER)
    }
    even = [1 / RANKS] * RANKS

    def gains(turns: int) -> float:
        found = solve(pitch, holdings[BATTER], holdings[PITCHER], (even, even), turns)
        total = 0.0
        for role in (BATTER, PITCHER):
            chances = call_chances(pitch.shift, found[1 - role], role == BATTER)
            pays = rank_pays(pitch, chances, role == BATTER)
            total += sum(max(pays[r] for r in holding.ranks) for holding in holdings[role]) / len(holdings[role])
        return total / pitch.stake

    assert -1e-9 <= gains(240) < 0.02
    assert gains(240) < gains(0)


@settings(max_examples=60)
@given(
    st.integers(1, 6), st.sampled_from(Side), st.integers(0, 2), st.integers(0, 7), st.integers(-9, 9),
    st.integers(0, 3), st.integers(0, 2),
)  # fmt: skip
def test_a_lead_never_hurts(
    inning: int, side: Side, outs: int, filled: int, lead: int, balls: int, strikes: int
) -> None:
    if side is Side.HOME and inning >= TERMS.innings:
        lead = min(lead, 0)
    bases = (filled & 1, 2 * (filled >> 1 & 1), 3 * (filled >> 2))
    runs = {side: 10 + lead, side.other: 10}

    def chance(more: int) -> float:
        scored = (runs[Side.VISITORS] + more * (side is Side.VISITORS), runs[Side.HOME] + more * (side is Side.HOME))
        state = at_bat(inning=inning, batting=side, outs=outs, bases=bases, runs=scored, balls=balls, strikes=strikes)
        return cards_win.appearance_chance(state)

    assert 0 <= chance(0) <= chance(1) + 1e-9 <= 1 + 1e-6


def test_what_is_decided_is_certain() -> None:
    last = at_bat(inning=6, batting=Side.HOME, runs=(4, 4))
    assert cards_win.batting_chance(last, 1, 0) == 1  # B3
    assert cards_win.batting_chance(last, 0, OUT) == 0.5  # B2
    assert cards_win.batting_chance(last.but(runs=(5, 4)), 0, OUT) == 0
    top = at_bat(inning=3, runs=(1, 2))
    assert cards_win.batting_chance(top, 0, OUT) == 0
    for phase, runs, chance in ((Phase.OVER, (2, 1), 1.0), (Phase.OVER, (1, 1), 0.5), (Phase.START, (0, 0), 0.5)):
        assert cards_win.visitors_chance(at_bat(phase=phase, runs=runs)) == chance
    assert cards_win.visitors_chance(at_bat()) == pytest.approx(0.5, abs=0.03)


def test_a_good_count_and_a_good_batter_help() -> None:
    chance = cards_win.appearance_chance
    assert chance(at_bat(balls=3)) > chance(at_bat()) > chance(at_bat(strikes=2))
    assert chance(at_bat(pinch_up=True)) > chance(at_bat(batter=ACE)) > chance(at_bat()) > chance(at_bat(pitcher=ACE))


@pytest.mark.parametrize("pitcher", [TEN, KING])
@pytest.mark.parametrize("base", [2, 3])
@pytest.mark.parametrize("phase", [Phase.WINDOW, Phase.KING])
def test_c12_a_steal_is_worth_what_all_its_dice_come_to(phase: Phase, base: int, pitcher: int) -> None:
    bases = (4, 0, 0) if base == 2 else (0, 4, 0)
    state = at_bat(phase=phase, pitcher=pitcher, batter=KING, bases=bases, outs=2)

    class Fixed:
        def __init__(self, pickoff: int, steal: int) -> None:
            self.dice = {"pickoff": pickoff, "steal": steal}

        def below(self, purpose: str, n: int) -> int:
            return self.dice[purpose]

    sent = {Phase.WINDOW: (Phase.STEAL2, Phase.STEAL3), Phase.KING: (Phase.KING2, Phase.KING3)}[phase]
    going = state.but(phase=sent[base - 2])
    rolls = [Fixed(*dice) for dice in product(range(6), range(6))]
    safe = sum(settle_steal(going, dice).safe for dice in rolls) / 36
    there = (0, 4, 0) if base == 2 else (0, 0, 4)
    arrived = cards_win.appearance_chance(state.but(bases=there))
    expected = safe * arrived + (1 - safe) * cards_win.batting_chance(state, 0, OUT)
    assert window.steal_chance(state, base) == pytest.approx(expected)


def test_windows_by_win_chance() -> None:
    def best(**changes: object) -> Choice:
        return window.best(View(at_bat(phase=Phase.WINDOW, **changes), Seat.GUEST))

    assert best() == HOLD  # nothing is at stake yet
    desperate = {"inning": 6, "outs": 2, "bases": (1, 2, 3), "runs": (1, 2)}
    assert best(**desperate) == PINCH
    assert best(**desperate, pinch_used=(True, False)) == HOLD
    worth = [window.patience(at_bat(inning=inning, outs=2)) for inning in (1, 2, 3)]
    assert worth[0] > worth[1] > worth[2] == 0
    assert window.patience(at_bat(inning=3)) > 0


@pytest.mark.parametrize(
    ("kind", "player"),
    [
        ("loose", sparring.level(Level.ROOKIE)),
        ("minded", sparring.COUNT_AWARE),
        ("equal", sparring.level(Level.ALL_STAR)),
    ],
)
def test_an_opponent_is_known_by_its_habits(kind: str, player: Opponent) -> None:
    views: list[View] = []

    def watch(view: View) -> Choice:
        views.append(view)
        return player(view, stream)

    source = random.Random(3)
    stream = SourceStream(source)
    play_out(Terms(Rules.CARDS, 5), {Seat.HOST: lambda view: player(view, stream), Seat.GUEST: watch}, source)
    assert judge(views[0]).equal > 0.8
    assert getattr(judge(views[-1]), kind) > 0.9


def test_regret_minimisation_leaves_little_to_a_best_response_in_its_own_game() -> None:
    """The average strategy's shares, answered as well as can be, give less than even play's do."""
    game = Game(FIVE, np.array(trained().equal.ends)[BATTER, 1])
    minimiser = Minimiser(game)

    def exploited() -> float:
        plays = [minimiser.average(k) for k in range(7)]
        reach, found = minimiser._forward(plays)
        futures, total = game.best_response(found), 0.0
        for role in (BATTER, PITCHER):
            pays = game.pays(6, role, found[1 - role, 6], futures[5]).max(-1)
            total += float((reach[6][role] * pays).sum())
        return total

    even = exploited()
    for _ in range(60):
        minimiser.round()
    assert 0 <= exploited() < even / 3
