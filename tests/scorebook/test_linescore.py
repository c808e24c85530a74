"""The line score: cells, the half under way, what is not needed, and the sums behind it."""

from __future__ import annotations

import random

from hypothesis import given, settings
from hypothesis import strategies as st

from p2pball.engine.events import Outcome, Play, StealSettled
from p2pball.engine.moves import ChoosePitch, Pitch
from p2pball.engine.terms import Rules, Side, Terms
from p2pball.scorebook.game import Game
from p2pball.scorebook.linescore import Line, LineScore, line_score
from p2pball.scorebook.teams import KETTLE_POINT, RIVERBEND, Team
from tests.scorebook.games import random_events, random_game, random_terms
from tests.scorebook.scenes import at_bat, moved, passed, started


def score(*, live: tuple[int, Side] | None, over: bool) -> LineScore:
    return LineScore(
        Line("KTP", (0, 1, 0, 0, 2, 0, 0), 3, 7, 5),
        Line("RBN", (1, 0, 0, 0, 0, 3, 0)[: 7 if live else 6], 4, 8, 6),
        9 if live else 7,
        live,
        over,
    )


def test_the_example_of_the_screen() -> None:
    assert score(live=(7, Side.HOME), over=False).rows() == (
        "     1  2  3  4  5  6  7  8  9    R  H  E LOB",
        "KTP  0  1  0  0  2  0  0          3  7  0   5",
        "RBN  1  0  0  0  0  3  ·          4  8  0   6",
    )


def test_a_half_that_was_not_needed_has_an_x() -> None:
    assert score(live=None, over=True).rows()[2] == "RBN  1  0  0  0  0  3  x    4  8  0   6"
    assert score(live=None, over=False).cell(Side.HOME, 7) == ""


def test_ascii_has_no_middle_dot() -> None:
    assert score(live=(7, Side.HOME), over=False).rows(ascii_only=True)[2].isascii()


def test_a_narrow_place_shows_the_latest_innings() -> None:
    heading, visitors, _ = score(live=(7, Side.HOME), over=False).rows(34)
    assert heading == "     5  6  7  8  9    R  H  E LOB"
    assert visitors == "KTP  2  0  0          3  7  0   5"


def test_a_run_in_the_half_under_way_is_shown() -> None:
    terms = Terms(Rules.DICE)
    events = random_events(terms, "live")
    for n in range(1, len(events)):
        game = Game.of(terms, events=events[:n])
        if game.state.inning and game.state.phase.value == "@choose":
            live = line_score(game)
            cell = live.cell(game.state.batting, game.state.inning)
            assert cell == (str(live.line(game.state.batting).innings[-1]) if cell != "·" else "·")
            assert live.live == (game.state.inning, game.state.batting)


def test_men_on_base_now_are_not_left_on_base_yet() -> None:
    terms = Terms(Rules.DICE)
    events = random_events(terms, "left")
    for n in range(1, 120):
        game = Game.of(terms, events=events[:n])
        state = game.state
        if state.inning:
            line = line_score(game).line(state.batting)
            done = [m.event for m in game.moments if isinstance(m.event, Play) and m.before.batting is state.batting]
            batters = sum(play.outcome is not Outcome.WILD_PITCH for play in done)
            outs = sum(len(play.outs) for play in done)
            assert line.left + sum(map(bool, state.bases)) == batters - outs - state.runs[state.batting]


@settings(max_examples=50, deadline=None)
@given(st.randoms(use_true_random=False), st.integers(0, 10**6))
def test_runs_and_men_left_add_up_in_any_game(rng: random.Random, seed: int) -> None:
    game = random_game(random_terms(rng), str(seed))
    line = line_score(game)
    assert line.over
    for side in Side:
        own = line.line(side)
        plays = [m.event for m in game.moments if isinstance(m.event, Play) and m.event.side is side]
        caught = sum(
            isinstance(m.event, StealSettled) and not m.event.safe and m.before.batting is side for m in game.moments
        )
        batters = sum(play.outcome is not Outcome.WILD_PITCH for play in plays)
        assert own.runs == sum(own.innings) == game.state.runs[side]
        assert own.left == batters - sum(len(play.outs) for play in plays) - caught - own.runs
        assert own.left >= 0
        assert own.hits == sum(play.outcome.value in ("1B", "2B", "3B", "HR") for play in plays)
        assert len(own.innings) in (game.state.inning, game.state.inning - 1)
    assert (line.cell(Side.HOME, game.state.inning) == "x") is (len(line.home.innings) < len(line.visitors.innings))
    widths = {len(row) for row in line.rows(200)}
    assert len(widths) == 1


def test_men_on_base_when_a_game_is_called_are_left_there() -> None:
    game = started(at_bat(Rules.DICE, runs=(0, 0)))
    assert game.over is False
    called = game.call("by resignation")
    assert called.over is True
    assert line_score(called).home.left == line_score(game).home.left + 2
    assert line_score(called).live is None
    assert line_score(called).cell(Side.HOME, 7) == "0"
    assert line_score(game).cell(Side.HOME, 7) == "·"


def test_codes_of_other_lengths_stand_in_line() -> None:
    teams = (Team("AB", "A", KETTLE_POINT.players, "X"), Team("ABCD", "B", RIVERBEND.players, "Y"))
    rows = line_score(random_game(Terms(Rules.DICE, 3), "codes", teams)).rows()
    assert len({len(row) for row in rows}) == 1


def test_a_walk_off_counts_the_deciding_play_in_full() -> None:
    game = moved(at_bat(Rules.DICE, inning=9, runs=(4, 4)), ChoosePitch(Pitch.FASTBALL))
    assert passed(game, outcome=[2, 2]).state.runs == (4, 7)
