"""`simulate`: the same seed plays the same games on any number of cores, and the table adds up."""

from __future__ import annotations

import json
from functools import reduce

import pytest

from p2pball.computer.levels import Level
from p2pball.engine.terms import Rules, Terms
from p2pball.ui.simulation import Plan, Report, Totals, play_all
from tests.cli.running import Here

PLAN = Plan(Terms(Rules.DICE, 2), Level.ALL_STAR, Level.ROOKIE, 7)
KEYS = {"games", "home_wins", "away_wins", "draws", "home_runs", "away_runs", "seconds", "seed"}


def total(plan: Plan, games: int, cores: int) -> Totals:
    return reduce(Totals.plus, play_all(plan, games, cores), Totals())


def test_the_same_seed_plays_the_same_games_on_any_number_of_cores() -> None:
    one, two = total(PLAN, 40, 1), total(PLAN, 40, 2)
    assert one == two
    assert one.games == one.home_wins + one.away_wins + one.draws == 40
    assert total(Plan(PLAN.terms, PLAN.home, PLAN.away, 8), 40, 1) != one


def test_one_json_object(here: Here) -> None:
    command = ("simulate", "--rules", "cards", "--innings", "1", "--games", "6", "--seed", "3", "--home-level")
    ran = here(*command, "regular", "--away-level", "rookie", "--json")
    again = here(*command, "regular", "--away-level", "rookie", "--json")
    assert (ran.code, ran.out.count("\n")) == (0, 1)
    found, other = json.loads(ran.out), json.loads(again.out)
    assert found.keys() >= KEYS
    assert found["games"] == found["home_wins"] + found["away_wins"] + found["draws"] == 6
    assert (found["home_level"], found["away_level"], found["seed"]) == ("regular", "rookie", 3)
    del found["seconds"], other["seconds"]
    assert found == other


def test_the_table_has_standard_errors(here: Here) -> None:
    ran = here("simulate", "--games", "9", "--innings", "1", "--seed", "1")
    assert ran.code == 0
    assert ran.lines[0].startswith("9 games of dice, 1 innings, seed 1")
    assert [line.split()[0] for line in ran.lines[2:]] == ["home", "away", "draws"]
    assert all("+-" in line for line in ran.lines[2:4])


def test_shares_and_errors() -> None:
    totals = Totals(100, 60, 30, 10, 500, 400, 2900, 2000)
    home = Report(PLAN, totals, 1.0).lines()[2]
    assert "60.0 +- 4.9 %" in home
    assert "5.00 +- 0.20" in home


@pytest.mark.parametrize("wrong", [("--games", "0"), ("--innings", "10"), ("--home-level", "ace")])
def test_nonsense_is_refused(here: Here, wrong: tuple[str, str]) -> None:
    assert here("simulate", *wrong).code == 2
