"""The box score: its sums, the official scoring rules, and the text it is printed as."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from p2pball.engine.events import CardsPlayed, DiceRolled
from p2pball.engine.moves import PINCH, ChoosePitch, Pitch
from p2pball.engine.state import Phase
from p2pball.engine.terms import Rules, Side, Terms
from p2pball.scorebook.boxscore import Batting, Pitching, box_score
from p2pball.scorebook.boxtext import box_lines, notes
from p2pball.scorebook.cells import fit, width
from p2pball.scorebook.game import Game
from p2pball.scorebook.teams import KETTLE_POINT, Team
from tests.scorebook.games import random_game, random_terms
from tests.scorebook.scenes import at_bat, moved, passed, pitched, started


@settings(max_examples=50, deadline=None)
@given(st.randoms(use_true_random=False), st.integers(0, 10**6))
def test_the_box_adds_up_in_any_game(rng: random.Random, seed: int) -> None:
    game = random_game(random_terms(rng), str(seed))
    box = box_score(game)
    for side in Side:
        own, theirs = box.side(side), box.side(side.other)
        line = box.line.line(side)
        assert own.total("r") == line.runs == sum(p.r for p in theirs.pitching)
        assert own.total("h") == line.hits == sum(p.h for p in theirs.pitching)
        assert own.total("bb") == sum(p.bb for p in theirs.pitching)
        assert own.total("so") == sum(p.k for p in theirs.pitching)
        assert own.total("hr") == sum(p.hr for p in theirs.pitching)
        assert own.total("pa") == own.total("ab") + own.total("bb") == sum(p.batters for p in theirs.pitching)
        outs = sum(p.outs for p in theirs.pitching)
        assert own.total("pa") == outs + line.runs + line.left
        assert own.total("rbi") <= line.runs
        assert theirs.double_plays >= own.total("gidp")
        assert len(own.batting) == 9 + game.state.pinch_used[side]
        assert own.left == line.left
    pitches = sum(isinstance(m.event, CardsPlayed | DiceRolled) for m in game.moments)
    assert pitches == sum(p.pitches for side in Side for p in box.side(side).pitching)


@pytest.mark.parametrize(("outs", "ip"), [(0, "0.0"), (1, "0.1"), (19, "6.1"), (27, "9.0")])
def test_innings_pitched(outs: int, ip: str) -> None:
    assert Pitching("Vance", pinch=False, outs=outs).ip == ip


def test_runs_on_a_wild_pitch_are_not_batted_in() -> None:
    game = moved(at_bat(Rules.DICE, bases=(0, 0, 1)), ChoosePitch(Pitch.CURVEBALL))
    box = box_score_of(passed(game, outcome=[1, 1]))
    assert box["Abbott"].r == 1
    assert box["Cruz"] == Batting("Cruz", 3, False, 6)


def test_a_walk_with_the_bases_full_bats_one_in() -> None:
    box = box_score_of(pitched(at_bat(balls=3, bases=(2, 1, 9)), "2S", "KH"))
    assert (box["Cruz"].rbi, box["Cruz"].ab, box["Cruz"].bb) == (1, 0, 1)
    assert box["Irvin"].r == 1


@pytest.mark.parametrize(
    ("bases", "outs", "gidp", "double_plays"),
    [((2, 0, 1), 0, 1, 1), ((0, 1, 0), 0, 0, 1), ((0, 0, 1), 0, 0, 1), ((0, 0, 0), 0, 0, 0), ((2, 0, 0), 2, 0, 0)],
)
def test_only_a_grounder_with_two_outs_is_grounded_into_a_double_play(
    bases: tuple[int, int, int], outs: int, gidp: int, double_plays: int
) -> None:
    game = moved(at_bat(Rules.DICE, bases=bases, outs=outs), ChoosePitch(Pitch.SCREWBALL))
    game = passed(game, outcome=[2, 3])
    assert box_score_of(game)["Cruz"].gidp == gidp
    assert box_score(started(game)).visitors.double_plays == double_plays


def test_a_wild_pitch_with_nobody_on_is_none_in_the_books() -> None:
    game = moved(at_bat(Rules.DICE, bases=(0, 0, 0)), ChoosePitch(Pitch.CURVEBALL))
    assert [p.wp for p in box_score(started(passed(game, outcome=[1, 1]))).visitors.pitching] == [0]
    game = moved(at_bat(Rules.DICE), ChoosePitch(Pitch.CURVEBALL))
    assert [p.wp for p in box_score(started(passed(game, outcome=[1, 1]))).visitors.pitching] == [1]


def test_c11_what_the_pinch_hitter_does_is_his() -> None:
    game = moved(at_bat(phase=Phase.WINDOW, bases=(0, 0, 0)), PINCH)
    box = box_score_of(pitched(game, "7S", "6H", contact=[1, 4]))
    assert (box["Cruz"].pa, box["Quincy"].hr, box["Quincy"].rbi, box["Quincy"].pinch) == (0, 1, 1, True)


def test_c11_a_pinch_hitter_for_the_pitcher_has_a_pitching_line() -> None:
    game = moved(at_bat(phase=Phase.WINDOW, bases=(0, 0, 0), slots=(5, 9), outs=2, strikes=2), PINCH)
    game = pitched(game, "KS", "2H")
    assert [p.name for p in box_score(started(game)).home.pitching] == ["Irvin", "Quincy"]


def box_score_of(game: Game) -> dict[str, Batting]:
    return {line.name: line for line in box_score(started(game)).home.batting}


def test_the_text_has_every_part_and_keeps_to_its_width() -> None:
    game = random_game(Terms(Rules.CARDS, 9), "text")
    wide = Team("WIDE", "漢字の長い名前のチーム", ("全角の打者の名前が長い", *KETTLE_POINT.players[1:]), "代打の人")
    for teams in (game.teams, (wide, game.teams[1])):
        box = box_score(Game.of(game.terms, teams, [m.event for m in game.moments]))
        for cells in (40, 60, 80):
            lines = box_lines(box, cells)
            assert max(map(width, lines)) <= cells
            heads = [line.split() for line in lines]
            assert ["AB", "R", "H", "RBI", "BB", "SO"] in [head[-6:] for head in heads]
            assert ["IP", "H", "R", "ER", "BB", "K", "P"] in [head[-7:] for head in heads]
            assert any(line.startswith("LOB: ") for line in lines)


def test_the_pinch_hitter_is_indented_after_the_man_he_replaced() -> None:
    game = random_game(Terms(Rules.CARDS, 3), "pinch")
    lines = box_lines(box_score(game))
    where = next(i for i, line in enumerate(lines) if line.startswith("  Wynn ph "))
    slot = game.lineup.pinch[Side.VISITORS]
    assert lines[where - 1].startswith(f"{KETTLE_POINT.players[slot - 1]} ")


def test_notes_count_and_leave_out_what_did_not_happen() -> None:
    game = random_game(Terms(Rules.DICE, 9), "notes")
    box = box_score(game)
    for note in notes(box):
        head, _, who = note.partition(": ")
        assert who.endswith(".")
        if head == "LOB":
            assert who == f"Kettle Point {box.visitors.left}, Riverbend {box.home.left}."
        if head == "SB":
            pytest.fail("nobody steals in dice")
        for field, name in (("doubles", "2B"), ("triples", "3B"), ("hr", "HR"), ("gidp", "GIDP")):
            if head == name:
                named = [entry.rstrip(".").rsplit(" ", 1) for entry in who.split(", ")]
                total = sum(int(entry[1]) if len(entry) > 1 and entry[1].isdigit() else 1 for entry in named)
                assert total == box.visitors.total(field) + box.home.total(field)


@given(st.text(), st.integers(0, 30))
def test_a_text_is_fitted_to_cells(text: str, cells: int) -> None:
    assert width(fit(text, cells)) == cells


def test_wide_and_combining_characters_are_counted_in_cells() -> None:
    assert width("漢字") == 4
    assert width("e\u0301") == 1
    assert fit("漢字", 3) == "漢 "
