"""The dice game's solution: known values, the remade table, and the levels that play by it."""

from __future__ import annotations

import zlib
from functools import cache

import pytest

from p2pball.computer import Level, choose
from p2pball.computer.dice_play import thrown, visitors_chance
from p2pball.computer.dice_table import (
    CLIP,
    INNINGS,
    UNIT,
    batting_chance,
    blind_pitch,
    inning_index,
    place,
    shipped,
)
from p2pball.computer.steps import CELLS
from p2pball.engine.events import BatterCameUp, GameBegan, HalfBegan, PitchChosen
from p2pball.engine.ledger import NO_CHANCE, apply, begin, evolve
from p2pball.engine.moves import PITCHES, ChoosePitch
from p2pball.engine.state import Phase, State
from p2pball.engine.terms import Rules, Seat, Side, Terms
from p2pball.engine.view import View
from tests.computer.occupancy import Figures, play_through
from tools import solve_dice

NINE = Terms(Rules.DICE, 9, 3, False)


def perfect(half: int, inning: int, c: int, lead: int) -> tuple[int, ...]:
    return (shipped().pitches[place(inning_index(NINE, inning), half, c, lead)],)


def blind(inning: int, c: int, lead: int) -> tuple[int, ...]:
    return (PITCHES.index(blind_pitch(c // 8, (bool(c & 1), bool(c & 2), bool(c & 4)))),)


def at_random(inning: int, c: int, lead: int) -> tuple[int, ...]:
    return (0, 1, 2, 3, 4, 5)


@cache
def figures(home: str, visitors: str, innings: int = 9, extra: int = 3) -> Figures:
    mixes = {"blind": blind, "random": at_random}
    top = mixes.get(home, lambda inning, c, lead: perfect(0, inning, c, lead))
    bottom = mixes.get(visitors, lambda inning, c, lead: perfect(1, inning, c, lead))
    return play_through(top, bottom, innings, extra)


def both_ways(ours: str, theirs: str) -> float:
    """A side's share, at home and away in turn."""
    return (figures(ours, theirs).home + 1 - figures(theirs, ours).home) / 2


def test_the_table_is_remade_byte_for_byte() -> None:
    remade = solve_dice.pack(solve_dice.table(solve_dice.solve_all()))
    assert zlib.decompress(solve_dice.TABLE.read_bytes()) == remade


def test_a_forward_sweep_finds_the_solved_chance() -> None:
    state = at_bat(NINE)
    assert figures("perfect", "perfect").home == pytest.approx(1 - batting_chance(state) / UNIT, abs=1e-4)


def test_perfect_beats_random_61_in_100() -> None:
    assert both_ways("perfect", "random") == pytest.approx(0.61, abs=0.005)


def test_the_blind_table_beats_random_59_in_100_and_loses_to_perfect() -> None:
    assert both_ways("blind", "random") == pytest.approx(0.59, abs=0.005)
    assert both_ways("blind", "perfect") == pytest.approx(0.486, abs=0.004)


def test_runs_a_side() -> None:
    assert sum(figures("perfect", "perfect", extra=0).runs) / 2 == pytest.approx(4.4, abs=0.05)
    assert sum(figures("random", "random", extra=0).runs) / 2 == pytest.approx(5.3, abs=0.05)


def test_all_six_pitches_are_used() -> None:
    assert figures("perfect", "perfect").use == pytest.approx((0.25, 0.11, 0.12, 0.15, 0.10, 0.28), abs=0.02)


def at_bat(terms: Terms, inning: int = 1, side: Side = Side.VISITORS, **changes: object) -> State:
    state = evolve(begin(terms), GameBegan(Seat.HOST, tossed=False))
    state = evolve(state, HalfBegan(inning, side, None))
    return evolve(state, BatterCameUp(side, 1, None)).but(**changes)


@pytest.mark.parametrize("innings", range(1, 10))
@pytest.mark.parametrize("extra", range(4))
def test_every_length_of_game_is_served(innings: int, extra: int) -> None:
    terms = Terms(Rules.DICE, innings, extra)
    places = {inning_index(terms, inning) for inning in range(1, innings + extra + 1)}
    assert len(places) == innings + extra
    assert min(places) == 0
    assert max(places) < INNINGS
    assert 0.45 < visitors_chance(at_bat(terms)) < 0.55


@pytest.mark.parametrize("side", Side)
@pytest.mark.parametrize("runs", [(0, 0), (1, 0), (0, 1), (5, 2), (0, 25)])
@pytest.mark.parametrize("inning", [1, 8, 9, 12])
def test_the_best_pitch_is_best_by_the_engines_own_plays(inning: int, runs: tuple[int, int], side: Side) -> None:
    if side is Side.HOME and runs[1] > runs[0] and inning >= 9:
        return  # home has won before this
    for c in range(CELLS):
        marked = (3 * bool(c & 1), 2 * bool(c & 2), 1 * bool(c & 4))
        state = at_bat(NINE, inning, side, runs=runs, outs=c // 8, bases=marked)
        view = View(state, state.seat(side.other))
        chosen = choose(view, Level.ALL_STAR, NO_STREAM)
        assert isinstance(chosen, ChoosePitch)
        assert chosen.pitch is not None
        sign = 1 if side is Side.VISITORS else -1
        values = {pitch: sign * thrown(state, pitch) for pitch in PITCHES}
        assert values[chosen.pitch] <= min(values.values()) + 1.5 / UNIT
        if abs(runs[0] - runs[1]) < CLIP:
            assert sign * visitors_chance(state) == pytest.approx(values[chosen.pitch], abs=1.5 / UNIT)


class NoStream:
    def below(self, n: int) -> int:
        raise AssertionError("the solution needs no chance")


NO_STREAM = NoStream()


def test_the_roll_is_worth_what_its_pitch_is() -> None:
    state = at_bat(NINE)
    for pitch in PITCHES:
        rolling = apply(state, {Seat.HOST: ChoosePitch(pitch)}, NO_CHANCE).state
        assert rolling.phase is Phase.ROLL
        assert visitors_chance(rolling) == pytest.approx(thrown(state, pitch))
    at_random = evolve(state, PitchChosen(None))
    assert visitors_chance(at_random) == pytest.approx(sum(thrown(state, pitch) for pitch in PITCHES) / 6)


def test_before_and_after_the_game() -> None:
    assert visitors_chance(begin(NINE)) == 0.5
    for runs, chance in (((1, 0), 1.0), ((0, 1), 0.0), ((2, 2), 0.5)):
        assert visitors_chance(at_bat(NINE, runs=runs, phase=Phase.OVER)) == chance


def test_the_regular_is_blind_to_the_score() -> None:
    tied = choose(View(at_bat(NINE), Seat.HOST), Level.REGULAR, NO_STREAM)
    assert choose(View(at_bat(NINE, 9, runs=(1, 9)), Seat.HOST), Level.REGULAR, NO_STREAM) == tied
