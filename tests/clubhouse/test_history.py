"""The history: rows in, standings out, old schemas brought up to date, damage told."""

from __future__ import annotations

import json
import os
import sqlite3
import stat
from pathlib import Path

import pytest

from p2pball.clubhouse.errors import DiskError
from p2pball.clubhouse.history import BATTING, PITCHING, History, Played, Standing, Tally
from p2pball.clubhouse.schema import MIGRATIONS
from tests.clubhouse import processes
from tests.clubhouse.conftest import make_read_only


def game(id_: str, **changes: object) -> Played:
    row: dict[str, object] = {
        "id": id_,
        "stamp": "1",
        "file": f"/games/{id_}",
        "rules": "dice",
        "status": "complete",
        "outcome": "won",
        "result": {"winner": "host", "home": 3, "visitors": 2},
        "seat": "host",
        "kind": "online",
        "level": "",
        "opponent": "Bo",
        "opponent_key": "ab" * 32,
        "started": f"2026-11-{id_}T12:00:00+00:00",
        "seeded": False,
        "resigned": False,
        "line": {"innings": 9},
    }
    return Played(**{**row, **changes})  # type: ignore[arg-type]


def batter(name: str, *, own: bool = True, **numbers: int) -> Tally:
    return Tally(own, name, {**dict.fromkeys(BATTING, 0), **numbers})


def pitcher(name: str, *, own: bool = True, **numbers: int) -> Tally:
    return Tally(own, name, {**dict.fromkeys(PITCHING, 0), **numbers})


def test_what_was_put_comes_back_oldest_first(home: Path) -> None:
    later, earlier = game("20"), game("10", result=None, status="suspended", outcome="", seeded=True)
    with History.open() as history:
        history.put(later)
        history.put(earlier)
    with History.open() as history:
        assert history.games() == [earlier, later]
        assert history.stamps() == {"10": "1", "20": "1"}
    assert stat.S_IMODE((home / "history.sqlite").stat().st_mode) == 0o600


def test_a_game_put_again_replaces_its_lines(home: Path) -> None:
    with History.open() as history:
        history.put(game("10"), [batter("Abbott", pa=4, ab=4, h=1)], [pitcher("Irvin", outs=27)])
        history.put(game("10", stamp="2"), [batter("Abbott", pa=5, ab=4, h=2)], [pitcher("Irvin", outs=24)])
        assert history.stamps() == {"10": "2"}
        assert history.batting() == [batter("Abbott", pa=5, ab=4, h=2)]
        assert history.pitching() == [pitcher("Irvin", outs=24)]


def test_lines_add_up_over_games_for_the_own_side_only(home: Path) -> None:
    with History.open() as history:
        history.put(
            game("10"), [batter("Abbott", pa=4, h=1), batter("Nash", own=False, pa=9)], [pitcher("Irvin", outs=27)]
        )
        history.put(game("11"), [batter("Abbott", pa=5, h=3), batter("Brooks", pa=10)], [pitcher("Irvin", outs=3)])
        history.put(game("12", seeded=True), [batter("Abbott", pa=50, h=50)])
        assert history.batting() == [
            Tally(True, "Brooks", batter("", pa=10).numbers, 1),
            Tally(True, "Abbott", batter("", pa=9, h=4).numbers, 2),
        ]
        assert history.pitching() == [Tally(True, "Irvin", pitcher("", outs=30).numbers, 2)]


def test_standings_go_by_key_whatever_the_name(home: Path) -> None:
    with History.open() as history:
        history.put(game("10", opponent="Bo"))
        history.put(game("11", opponent="Bobby", outcome="lost"))
        history.put(game("12", opponent="Bobby", outcome="drawn"))
        history.put(game("13", opponent="Bo", opponent_key="cd" * 32))
        history.put(game("14", kind="solo", opponent_key="computer rookie", opponent="Computer"))
        for id_, changes in {
            "15": {"seeded": True},
            "16": {"kind": "hotseat"},
            "17": {"status": "suspended", "outcome": ""},
            "18": {"status": "cheat", "outcome": ""},
        }.items():
            history.put(game(id_, **changes))
        assert history.standings() == [
            Standing("Bobby", "ab" * 32, 1, 1, 1, "2026-11-12T12:00:00+00:00"),
            Standing("Computer", "computer rookie", 1, 0, 0, "2026-11-14T12:00:00+00:00"),
            Standing("Bo", "cd" * 32, 1, 0, 0, "2026-11-13T12:00:00+00:00"),
        ]
        assert history.outcomes() == ["won", "lost", "drawn", "won", "won"]


def test_games_whose_folders_are_gone_are_forgotten_with_their_lines(home: Path) -> None:
    with History.open() as history:
        history.put(game("10"), [batter("Abbott", pa=4)])
        history.put(game("11"), [batter("Brooks", pa=4)])
        history.keep_only(["11", "12"])
        assert [row.id for row in history.games()] == ["11"]
        assert [line.name for line in history.batting()] == ["Brooks"]
    counted = sqlite3.connect(home / "history.sqlite").execute("SELECT count(*) FROM batting").fetchone()
    assert counted == (1,)


def test_a_failed_put_changes_nothing(home: Path) -> None:
    with History.open() as history:
        history.put(game("10"), [batter("Abbott", pa=4)])
        with pytest.raises(KeyError):
            history.put(game("10", stamp="2"), [Tally(True, "Nobody", {})])
        assert history.stamps() == {"10": "1"}
        assert [line.name for line in history.batting()] == ["Abbott"]
        history.put(game("11"))


@pytest.mark.parametrize("version", range(len(MIGRATIONS)))
def test_an_older_schema_is_brought_up_to_date(home: Path, version: int) -> None:
    home.mkdir()
    old = sqlite3.connect(home / "history.sqlite")
    for script in MIGRATIONS[:version]:
        old.executescript(script)
    if version:
        row = game("10")
        values = (row.id, row.stamp, row.file, "dice", "complete", "won", json.dumps(row.result), "host", "online", "")
        values += ("Bo", row.opponent_key, row.started, 0, json.dumps(row.line))
        values += (0,) * (version > 2)  # resigned
        old.execute(f"INSERT INTO games VALUES ({', '.join('?' * len(values))})", values)
    old.execute(f"PRAGMA user_version = {version}")
    old.commit()
    old.close()
    with History.open() as history:
        assert history.games() == ([game("10")] if version else [])
        history.put(game("11"), [batter("Abbott", pa=4)], [pitcher("Irvin", outs=3)])
        assert [line.name for line in history.batting()] == ["Abbott"]


def test_a_newer_schema_is_refused_and_can_be_made_anew(home: Path) -> None:
    with History.open() as history:
        history.put(game("10"))
    newer = sqlite3.connect(home / "history.sqlite")
    newer.execute(f"PRAGMA user_version = {len(MIGRATIONS) + 1}")
    newer.close()
    with pytest.raises(DiskError, match=r"newer p2pball.*games --rebuild"):
        History.open()
    with History.open(afresh=True) as history:
        assert history.games() == []


def test_a_damaged_database_is_told_and_can_be_made_anew(home: Path) -> None:
    with History.open() as history:
        for number in range(10, 30):
            history.put(game(str(number)))
    file = home / "history.sqlite"
    file.write_bytes(b"not a database" + file.read_bytes()[14:])
    with pytest.raises(DiskError, match=r"records are not touched.*games --rebuild"):
        History.open()
    with History.open(afresh=True) as history:
        assert history.games() == []


def test_a_journal_left_by_a_crash_does_not_spoil_the_new_database(home: Path) -> None:
    with History.open() as history:
        history.put(game("10"))
    (home / "history.sqlite-journal").write_bytes(b"left behind")
    with History.open(afresh=True) as history:
        assert history.games() == []
    assert not (home / "history.sqlite-journal").exists()


def test_processes_that_fill_it_at_once_all_succeed(home: Path) -> None:
    code = """
import dataclasses, sys
from p2pball.clubhouse.history import History
from tests.clubhouse.test_history import game
who = input()
for n in range(10):
    with History.open() as history:
        history.put(game(f"{who}-{n}"))
"""
    others = [processes.start(code, env=os.environ.copy()) for _ in range(3)]
    for number, other in enumerate(others):
        assert other.stdin is not None
        other.stdin.write(f"{number}\n")
        other.stdin.flush()
    for other in others:
        _, err = other.communicate(timeout=processes.PATIENCE)
        assert (other.returncode, err) == (0, "")
    with History.open() as history:
        assert len(history.games()) == 30


def fill(history: History) -> None:
    """Put game after game until the disk says no."""
    for number in range(1000):
        history.put(game(f"{number}", line={"text": "x" * 500}))


def test_a_disk_that_says_no_is_told(small_disk: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("P2PBALL_HOME", str(small_disk))
    with History.open() as history:
        with pytest.raises(DiskError, match=r"full|Free some space"):
            fill(history)
        assert history.games()
    make_read_only(small_disk)
    with pytest.raises(DiskError):
        History.open(afresh=True)
