"""What rules.md knows of the chart (D4) and of the matchups (C4), exactly where that can be reckoned, else by play."""

from __future__ import annotations

import random
from collections import Counter
from fractions import Fraction
from math import sqrt
from statistics import fmean, stdev

import pytest

from p2pball.engine.card_rules import call
from p2pball.engine.chart import CHART, WAYS
from p2pball.engine.chart_odds import ODDS
from p2pball.engine.events import Call, CardsPlayed, HandsDealt, Outcome, Play
from p2pball.engine.ledger import apply, awaited, begin
from p2pball.engine.moves import HOLD, PASS, PITCH_CHOICES, PLAY_CARD, CardSet, Choice, Open, Over
from p2pball.engine.plays import make_play, moved
from p2pball.engine.state import State
from p2pball.engine.terms import Rules, Seat, Side, Terms
from tests.engine.playing import QuickDice
from tests.engine.scenes import at

GAMES = {Rules.DICE: 600, Rules.CARDS: 160}
BASES = ("000", "100", "010", "001", "110", "101", "011", "111")


def nine_innings(rules: Rules, rng: random.Random) -> tuple[State, Counter[object]]:
    """A nine-inning game of random pitches or random cards, no steals and no pinch hitter; what happened, counted."""
    dice, state, seen = QuickDice(rng), begin(Terms(rules, extra_innings=0, walk_off=False)), Counter[object]()
    hands: dict[Seat, list[int]] = {}
    while True:
        waiting = awaited(state)
        choices: dict[Seat, Choice] = {Seat.HOST: PASS, Seat.GUEST: PASS}
        if isinstance(waiting, Over):
            return state, seen
        if isinstance(waiting, Open):
            choices = {waiting.seat: HOLD if rules is Rules.CARDS else rng.choice(PITCH_CHOICES)}
        elif isinstance(waiting.host, CardSet):
            choices = {seat: PLAY_CARD[hand.pop()] for seat, hand in hands.items()}
        after = apply(state, choices, dice)
        state = after.state
        for event in after.events:
            if isinstance(event, HandsDealt):
                decks = {state.seat(side): state.decks[side] for side in Side}
                hands = {s: rng.sample([c for c in range(52) if d.unseen >> c & 1], 6) for s, d in decks.items()}
            elif isinstance(event, CardsPlayed):
                seen["pitches"] += 1
            elif isinstance(event, Play):
                seen["appearances"] += event.outcome is not Outcome.WILD_PITCH and not event.joker
                seen[event.outcome] += 1


def near(values: list[float], known: float, rounding: float) -> None:
    """The mean agrees with a number known to its rounding, within four standard errors."""
    error = stdev(values) / sqrt(len(values))
    assert abs(fmean(values) - known) <= rounding + 4 * error, f"{fmean(values):.3f} +- {error:.3f}, not {known}"


def test_d4_random_pitches_score_about_5_3_runs_a_side_by_play() -> None:
    rng = random.Random(53)
    runs = [run for _ in range(GAMES[Rules.DICE]) for run in nine_innings(Rules.DICE, rng)[0].runs]
    near([float(run) for run in runs], 5.3, 0.05)


Where = tuple[int, str]
"""Outs and bases."""


def rows(outs: int, bases: str, outcome: Outcome) -> tuple[int, Where | None]:
    """Runs of an outcome, and where it leads by the engine's own play; None when the half is over."""
    state = at(f"dice T1 0-0 o{outs} b{bases} s5,1 @choose")
    play = make_play(state, outcome, None)
    after = "".join("01"[slot > 0] for slot in moved(state.bases, play))
    outs += len(play.outs)
    return play.runs, None if outs >= 3 else (outs, after)


STEPS = {(outs, bases): {o: rows(outs, bases, o) for o in Outcome} for outs in range(3) for bases in BASES}


def after_one(odds: dict[Outcome, Fraction], values: dict[Where, float]) -> dict[Where, float]:
    """Runs to come from each position when this pitch is thrown once, and then what the values say."""
    chances = {outcome: float(chance) for outcome, chance in odds.items() if chance}
    return {
        where: sum(
            chance * (steps[outcome][0] + (values[then] if (then := steps[outcome][1]) else 0.0))
            for outcome, chance in chances.items()
        )
        for where, steps in STEPS.items()
    }


def half_values(odds: dict[Outcome, Fraction]) -> dict[Where, float]:
    """Runs to come in a half whose every pitch has these odds.

    Outs come sooner or later, so that values repeated from nought converge; 400 sweeps are far
    past the last digit of a float.
    """
    values = dict.fromkeys(STEPS, 0.0)
    for _ in range(400):
        values = after_one(odds, values)
    return values


def test_d4_random_pitches_score_about_5_3_runs_a_side_exactly() -> None:
    mixed = {outcome: sum((odds[outcome] for odds in ODDS.values()), Fraction(0)) / 6 for outcome in Outcome}
    assert round(9 * half_values(mixed)[0, "000"], 1) == 5.3


def test_d4_the_rolls_of_play_follow_the_chart() -> None:
    rng, seen = random.Random(4), Counter[object]()
    for _ in range(150):
        seen += nine_innings(Rules.DICE, rng)[1]
    pitches = sum(seen[outcome] for outcome in Outcome)
    chi = 0.0
    for outcome in Outcome:
        expected = float(sum((odds[outcome] for odds in ODDS.values()), Fraction(0)) / 6) * pitches
        chi += (seen[outcome] - expected) ** 2 / expected
    assert chi < 29.6  # 10 degrees of freedom, one in a thousand


def test_d4_no_pitch_is_dominated() -> None:
    """Each pitch is the best against some other mixture: none costs at least as many runs as another everywhere.

    A position is a man on each set of bases with each number of outs; what a pitch costs there is
    what it brings at once and what the half is worth afterwards when the pitches to come are random.
    """
    mixed = {outcome: sum((odds[outcome] for odds in ODDS.values()), Fraction(0)) / 6 for outcome in Outcome}
    values = half_values(mixed)
    costs = {pitch: [after_one(odds, values)[where] for where in values] for pitch, odds in ODDS.items()}
    for pitch, here in costs.items():
        for other, there in costs.items():
            dominated = all(a >= b for a, b in zip(here, there, strict=True))
            assert pitch is other or not dominated, f"{pitch.value} is never better than {other.value}"


def test_c4_of_169_matchups_exactly() -> None:
    calls = Counter(call(batter - pitcher) for batter in range(1, 14) for pitcher in range(1, 14))
    assert calls == {Call.BALL: 55, Call.STRIKE: 45, Call.FOUL: 46, Call.IN_PLAY: 23}


def test_c4_pitches_a_plate_appearance_and_runs_by_play() -> None:
    rng = random.Random(39)
    runs: list[float] = []
    pitches: list[float] = []
    for _ in range(GAMES[Rules.CARDS]):
        state, seen = nine_innings(Rules.CARDS, rng)
        runs += [float(run) for run in state.runs]
        pitches.append(seen["pitches"] / seen["appearances"])
    near(pitches, 3.9, 0.05)
    near(runs, 7.5, 0.1)


@pytest.mark.parametrize("total", range(2, 13))
def test_d3_ways_of_a_sum(total: int) -> None:
    assert WAYS[total] == sum(a + b == total for a in range(1, 7) for b in range(1, 7))
    assert all(total in column for column in CHART.values())
