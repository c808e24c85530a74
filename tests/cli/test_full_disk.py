"""A disk that fills up in the middle of a game: told in a sentence, and the game goes on once there is space."""

from __future__ import annotations

import json
from pathlib import Path

from tests.cli.running import RECORDS, run
from tests.clubhouse.conftest import grow, small_disk

__all__ = ["small_disk"]


def test_a_game_goes_on_once_there_is_space(small_disk: Path) -> None:
    home = small_disk / "home"
    cut = run("play", "--rules", "cards", "--innings", "2", "--auto", "rookie", "--plain", "--name", "Vera", home=home)
    assert cut.code == 1
    assert "The disk is full. Free some space" in cut.err
    assert "p2pball resume" in cut.err
    assert "Traceback" not in cut.err
    (record,) = home.glob("games/*/record.p2pball")
    before = record.read_bytes()
    assert before.endswith(b"\n")
    assert run("verify", record).code == 3
    grow(small_disk)
    resumed = run("resume", "--auto", "rookie", "--plain", home=home)
    assert resumed.code == 0, resumed.err
    assert record.read_bytes().startswith(before)
    assert run("verify", record).code == 0
    (row,) = map(json.loads, run("games", "--json", home=home).lines)
    assert row["status"] == "complete"


def test_a_page_that_finds_no_space_leaves_the_old_one(small_disk: Path, tmp_path: Path) -> None:
    page = small_disk / "page.html"
    page.write_text("old")
    (small_disk / "filler").write_bytes(bytes(48 << 10))
    shown = run("show", RECORDS / "cards-three-innings.p2pball", "--html", page, home=tmp_path)
    assert shown.code == 1
    assert "The disk is full" in shown.err
    assert page.read_text() == "old"
