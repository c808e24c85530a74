"""`export`: files that Chadwick reads without a word, and JSON that adds up."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from p2pball.engine.terms import Seat, Side
from p2pball.scorebook.boxscore import box_score
from p2pball.ui.archive import find
from tests.cli.running import CARDS, RECORDS, Here, keep
from tests.duet import Duet
from tests.scorebook.chadwick import rows, tool


@pytest.fixture
def game(home: Path) -> str:
    return keep(Duet(CARDS, "export").play_at_random(3))


def test_chadwick_reads_what_was_written(here: Here, home: Path, game: str, tmp_path: Path) -> None:
    ran = here("export", game, "--format", "retrosheet", "--out", tmp_path / "new" / "folder")
    assert (ran.code, ran.err) == (0, "")
    names = {Path(line).name for line in ran.lines}
    assert names == {"2026KTP.EVA", "KTP2026.ROS", "RBN2026.ROS", "TEAM2026"}
    (row,) = rows(tool(tmp_path / "new" / "folder", "cwgame", "-n", "-f", "0-8,34-35"))
    book = find(game).record.book
    assert book is not None
    assert (row["GAME_ID"], row["AWAY_TEAM_ID"]) == ("KTP202611300", "RBN")
    assert (int(row["AWAY_SCORE_CT"]), int(row["HOME_SCORE_CT"])) == book.state.runs


def test_the_json_has_the_names_of_the_feed_and_the_verdict(here: Here, game: str, tmp_path: Path) -> None:
    ran = here("export", game, "--format", "json")
    assert (ran.code, ran.err) == (0, "")
    data = json.loads(ran.out)
    book = find(game).record.book
    assert book is not None
    totals = data["liveData"]["linescore"]["teams"]
    for side, name in ((Side.VISITORS, "away"), (Side.HOME, "home")):
        line = box_score(book).line.line(side)
        assert totals[name] == {"runs": line.runs, "hits": line.hits, "errors": 0, "leftOnBase": line.left}
    assert data["gameData"]["datetime"]["officialDate"] == "2026-11-30"
    assert all("eventType" in play["result"] for play in data["liveData"]["plays"]["allPlays"])
    assert data["record"] == find(game).record.report.to_json()
    written = here("export", game, "--format", "json", "--out", tmp_path)
    assert written.lines == [str(tmp_path / f"{game}.json")]
    assert json.loads((tmp_path / f"{game}.json").read_text()) == data


def test_a_record_from_elsewhere_has_the_date_of_its_file(here: Here, tmp_path: Path) -> None:
    ran = here("export", RECORDS / "dice-nine-innings.p2pball", "--format", "json")
    date = json.loads(ran.out)["gameData"]["datetime"]["officialDate"]
    assert len(date) == 10


def test_a_game_under_way_is_exported_as_far_as_it_goes(here: Here) -> None:
    ran = here("export", RECORDS / "torn.p2pball", "--format", "json")
    assert ran.code == 0
    assert "not finished" in ran.err
    assert json.loads(ran.out)["gameData"]["status"]["detailedState"] == "In Progress"


def test_nothing_of_another_game_is_overwritten(here: Here, game: str, tmp_path: Path) -> None:
    out = tmp_path / "out"
    assert here("export", game, "--format", "retrosheet", "--out", out).code == 0
    before = {path.name: path.read_bytes() for path in out.iterdir()}
    assert here("export", game, "--format", "retrosheet", "--out", out).code == 0  # the same may be written again
    other = keep(Duet(CARDS, "other").play_at_random(4), Seat.GUEST)
    ran = here("export", other, "--format", "retrosheet", "--out", out)
    assert ran.code == 1
    assert "--out" in ran.err
    assert {path.name: path.read_bytes() for path in out.iterdir()} == before


def test_a_folder_that_cannot_be_written_is_told(here: Here, game: str, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    ran = here("export", game, "--format", "json", "--out", tmp_path / "file" / "folder")
    assert ran.code == 1
    assert "Could not write the export" in ran.err


def test_a_format_is_needed(here: Here, game: str) -> None:
    for args in ((game,), (game, "--format", "xml")):
        ran = here("export", *args)
        assert ran.code == 2
        assert "retrosheet" in ran.err
