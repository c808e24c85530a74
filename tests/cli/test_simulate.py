"""`simulate`: the same seed plays the same games on any number of cores, and the table adds up."""

from __future__ import annotations

import hashlib
import json
import shlex
import sys
from functools import reduce
from pathlib import Path

import pytest

from p2pball.computer.levels import Level
from p2pball.engine.terms import Rules, Terms
from p2pball.ui import engine
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
    assert ran.err == ""
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
    assert ran.lines[0].startswith("9 games of dice, 1 inning, seed 1")
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


THINKER = """
import json, sys
over = 0
for line in sys.stdin:
    told = json.loads(line)
    if told["t"] == "state":
        assert told["legal"] and told["position"] and told["side"] == {side!r}
        print(json.dumps(told["legal"][-1]), flush=True)
    elif told["t"] == "over":
        over += told["result"]["home"] >= 0
assert over == 1
"""


def program(tmp_path: Path, body: str) -> str:
    path = tmp_path / f"{hashlib.sha256(body.encode()).hexdigest()[:8]}.py"
    path.write_text(body)
    return shlex.join([sys.executable, str(path)])


@pytest.mark.parametrize("rules", [rules.value for rules in Rules])
def test_programs_play_as_levels_do(rules: str, here: Here, tmp_path: Path) -> None:
    """On every core, in either seat, against a level and against each other; the same games with the same seed."""
    command = ("simulate", "--rules", rules, "--innings", "1", "--games", "10", "--seed", "3", "--json")
    home = ("--home-engine", program(tmp_path, THINKER.format(side="home")))
    away = ("--away-engine", program(tmp_path, THINKER.format(side="visitors")))
    for seats in (home, away, (*home, *away)):
        ran, again = (json.loads(here(*command, "--home-level", "rookie", *seats).out) for _ in range(2))
        assert ran["games"] == ran["home_wins"] + ran["away_wins"] + ran["draws"] == 10
        assert "forfeits" not in ran
        del ran["seconds"], again["seconds"]
        assert ran == again


@pytest.mark.parametrize(
    ("body", "why"),
    [
        ("raise SystemExit", "ended before its game did"),
        ("print('x' * 200_000, flush=True)\nimport time\ntime.sleep(600)", "a line of more than"),
        ("while True: print('{}', flush=True)", "no legal choice"),
        ("import sys\nfor line in sys.stdin: print('nonsense', flush=True)", "no legal choice"),
        ("import signal, time\nsignal.signal(signal.SIGTERM, signal.SIG_IGN)\ntime.sleep(600)", "did not answer"),
    ],
)
def test_a_program_that_fails_forfeits_its_own_game(
    body: str, why: str, here: Here, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if why == "did not answer":
        monkeypatch.setattr(engine, "PATIENCE", 1.0)  # instead of half a minute
    seats = ("--home-level", "rookie", "--away-engine", program(tmp_path, body))
    ran = here("simulate", "--games", "2", "--innings", "1", *seats)
    assert ran.code == 0
    assert ran.lines[-1].split()[:2] == ["forfeits", "2"]
    assert why in ran.lines[-1]
    assert "100.0 +- 0.0 %" in ran.lines[2]
    assert "9.00 +- 0.00" in ran.lines[2]


def test_a_program_that_is_not_there(here: Here) -> None:
    ran = here("simulate", "--games", "1", "--home-engine", "/nonexistent/engine")
    assert ran.code == 1
    assert "cannot be started" in ran.err
