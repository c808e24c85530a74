"""docs/records.md says what is so: its files, settings, options and examples."""

from __future__ import annotations

import dataclasses
import io
import json
import re
import shlex
import sys
import tomllib
from pathlib import Path

import click
import pytest

from p2pball.cli import cli
from p2pball.clubhouse.games import GameInfo, create_game
from p2pball.clubhouse.identity import identity
from p2pball.clubhouse.settings import Settings, load, save_name
from p2pball.engine.terms import Seat
from p2pball.scorebook.teams import team_from_toml
from p2pball.ui.archive import find
from tests.cli.running import CARDS, ROOT, Here, NamedDuet, keep

TEXT = (ROOT / "docs" / "records.md").read_text(encoding="utf-8")
EXAMPLES = [line for line in re.findall(r"`(p2pball [^`]+)`", TEXT) if "resume" not in line]


def test_every_setting_is_there() -> None:
    for field in dataclasses.fields(Settings):
        assert f"`{field.name}`" in TEXT
        assert f"`P2PBALL_{field.name.upper()}`" in TEXT


def test_the_settings_file_can_be_used(home: Path) -> None:
    settings, team = re.findall(r"```toml\n(.*?)```", TEXT, re.DOTALL)
    home.mkdir()
    (home / "config.toml").write_text(settings)
    assert dataclasses.asdict(load()).items() >= tomllib.loads(settings).items()
    assert team_from_toml(team).code == "OWL"


@pytest.mark.parametrize("name", ["games", "stats", "show", "replay", "verify", "export", "odds"])
def test_every_option_is_there(name: str) -> None:
    command = cli.get_command(click.Context(cli), name)
    assert command is not None
    for parameter in command.params:
        if isinstance(parameter, click.Option) and parameter.name != "help":
            assert any(option in TEXT for option in parameter.opts), parameter.opts


def test_every_file_is_there(here: Here, home: Path) -> None:
    identity()
    save_name("Vera")
    info = GameInfo(seat="host", kind="solo", rules="dice", started="2026-11-30T20:15:00+00:00")
    secret = bytes(32)
    create_game(info, secret, resume_secret=secret, key=secret, rival=(secret, secret)).close()
    here("games")
    for file in home.rglob("*"):
        named = re.sub(r"games/[^/]+/", "games/ID/", file.relative_to(home).as_posix())
        if file.is_file() and named != "identity.lock":
            assert f"`{named}`" in TEXT


def test_every_key_of_the_json_is_there(here: Here) -> None:
    duet = NamedDuet(CARDS, "keys").play_at_random(3)
    id_ = keep(duet)
    keep(duet, lines=20)
    row = next(row for row in map(json.loads, here("games", "--json").lines) if row["result"])
    keys = {*row, *row["result"], *row["line"], *row["line"]["home"], *json.loads(here("stats", "--json").out)}
    for file in (id_, *(ROOT / "tests" / "records").glob("*.p2pball")):
        record = find(str(file))
        keys |= {*record.record.report.to_json()}
    assert [key for key in keys - {"innings"} if f"`{key}`" not in TEXT] == []


@pytest.mark.parametrize("example", EXAMPLES)
def test_every_example_works(here: Here, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, example: str) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "stdin", io.StringIO())
    id_ = keep(NamedDuet(CARDS, "doc", names={Seat.GUEST: "Bo"}).play_at_random(3))
    record = next(tmp_path.rglob("record.p2pball"))
    words = [{"GAME": id_, "FILE": str(record), "DIR": "out"}.get(word, word) for word in shlex.split(example)]
    ran = here(*words[1:])
    assert (ran.code, ran.err.replace("The page is game.html.\n", "")) == (0, "")
