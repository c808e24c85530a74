"""`show`: everything about a game on paper, from any record that holds a pitch."""

from __future__ import annotations

import os
import re
import stat
from html.parser import HTMLParser
from pathlib import Path

import pytest

from p2pball.engine.terms import Seat
from p2pball.scorebook.boxscore import box_score
from p2pball.scorebook.boxtext import box_lines
from p2pball.scorebook.words import play_by_play
from p2pball.ui.archive import find
from tests.cli.running import CARDS, DICE, RECORDS, Here, NamedDuet, keep, run
from tests.duet import TEAMS, Duet

PLAYED = [
    "cards-no-walk-off",
    "cards-three-innings",
    "cheat-deal",
    "dice-draw",
    "dice-nine-innings",
    "resigned",
    "torn",
]


@pytest.mark.parametrize("name", PLAYED)
def test_all_of_a_game_is_there(here: Here, name: str) -> None:
    path = RECORDS / f"{name}.p2pball"
    ran = here("show", path)
    game = find(str(path)).record.book
    assert game is not None
    assert (ran.code, ran.err) == (0, "")
    text = "\n".join(ran.lines)
    assert "\n".join(box_lines(box_score(game))) in text
    for half in play_by_play(game):
        assert "\n".join((half.heading, *(f"  {told}" for _, told in half.plays))) in text
    before_the_plays = ran.lines[: ran.lines.index("Top of the 1st")]
    assert max(map(len, before_the_plays)) <= 80
    assert re.search(r"\. (Dice|Cards), (1 inning|[2-9] innings)\.$", ran.lines[0])
    assert "Win chance" in text
    assert ("Win chance (estimate)" in text) is game.state.in_cards
    assert find(str(path)).record.report.game.exchange.chain.hex() in text


def test_a_game_is_found_by_id_by_a_part_of_it_or_by_its_file(here: Here, home: Path) -> None:
    id_ = keep(Duet(DICE, "show").play_at_random(3))
    by_id = here("show", id_)
    assert by_id.code == 0
    assert "2026-11-30" in by_id.lines[0]
    assert here("show", id_[-4:]).out == by_id.out
    assert here("show", id_[:8]).out == by_id.out
    folder = home / "games" / id_
    for path in (folder, folder / "record.p2pball"):
        assert here("show", path).lines[1:] == by_id.lines[1:]  # a file from elsewhere has no date


@pytest.mark.parametrize("text", [300 * "a", "/" + 300 * "a"])
def test_a_name_that_no_file_can_have_is_told(here: Here, text: str) -> None:
    for command in ("show", "replay", "verify"):
        ran = here(command, text)
        assert (ran.code, ran.out) == (1, "")
        assert "No file can have so long a name. Check the name." in " ".join(ran.err.split())


@pytest.mark.parametrize("text", ["zzzz", "no/such/file", "missing.p2pball", "", "\x1b[31m/x"])
def test_what_is_not_there_is_told(here: Here, text: str) -> None:
    for command in (("show", text), ("replay", text), ("export", text, "--format", "json")):
        ran = here(*command)
        assert (ran.code, ran.out) == (1, "")
        assert "p2pball games" in ran.err
        assert "\x1b" not in ran.err


def test_a_record_without_a_pitch_is_told(here: Here, tmp_path: Path) -> None:
    lines = (RECORDS / "resigned.p2pball").read_bytes().splitlines(keepends=True)
    file = tmp_path / "short.p2pball"
    for content in (b"", lines[0], b"".join(lines[:2]), b"".join(lines[:5]), b"nonsense\n"):
        file.write_bytes(content)
        for command in (("show", file), ("replay", file), ("export", file, "--format", "retrosheet")):
            ran = here(*command)
            assert (ran.code, ran.out) == (1, ""), content
            assert "no game" in ran.err


def test_ascii_keeps_to_ascii(here: Here, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = RECORDS / "dice-nine-innings.p2pball"
    flagged = here("show", path, "--ascii").out
    assert flagged.isascii()
    assert not here("show", path).out.isascii()
    monkeypatch.setenv("P2PBALL_ASCII", "1")
    assert here("show", path).out == flagged


def test_a_stream_without_utf8_gets_ascii(home: Path) -> None:
    ran = run("show", RECORDS / "torn.p2pball", home=home, PYTHONIOENCODING="latin-1")
    assert ran.code == 0
    assert ran.out.isascii()


def test_a_reader_that_goes_away_is_no_error(home: Path) -> None:
    from tests.clubhouse.processes import run as python

    told = python(
        "import subprocess, sys; p = subprocess.Popen([sys.executable, '-m', 'p2pball', 'verify', '--explain',"
        f" {str(RECORDS / 'cards-three-innings.p2pball')!r}], stdout=subprocess.PIPE, stderr=subprocess.PIPE);"
        "p.stdout.readline(); p.stdout.close(); print(p.stderr.read(), p.wait(30))"
    )
    assert told.stdout == "b'' 1\n"


class _Page(HTMLParser):
    """What a page shows and what it would fetch."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.words, self.tags, self.fetched = "", set(), []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.fetched += [value for name, value in attrs if name in ("src", "href") and not str(value).startswith("#")]

    def handle_data(self, data: str) -> None:
        self.words += data


def test_the_page_stands_by_itself(here: Here, tmp_path: Path) -> None:
    file = tmp_path / "game.html"
    evil = {**TEAMS[Seat.GUEST], "name": "<script>alert(1)", "players": [f"<b>&{n}" for n in range(9)]}
    duet = NamedDuet(CARDS, "html", names={Seat.GUEST: '"><img src=x>'}, teams={**TEAMS, Seat.GUEST: evil})
    id_ = keep(duet.play_at_random(3))
    ran = here("show", id_, "--html", file)
    assert (ran.code, ran.out) == (0, "")
    assert str(file) in ran.err
    page = _Page(file.read_text(encoding="utf-8"))
    assert not page.tags & {"script", "img", "link", "iframe"}
    assert page.fetched == []
    assert "svg" in page.tags
    assert duet.games[Seat.HOST].game.exchange.chain.hex() in page.words
    assert "COMPLETE" in page.words
    assert "<script>alert(1)" in page.words
    assert '"><img src=x>' in page.words
    assert re.search("An estimate", page.words)


def test_a_page_that_cannot_be_written_is_told(here: Here, tmp_path: Path) -> None:
    ran = here("show", RECORDS / "torn.p2pball", "--html", tmp_path / "no" / "such" / "folder.html")
    assert ran.code == 1
    assert "Could not write the page" in ran.err


@pytest.mark.skipif(not Path("/dev/stdout").exists(), reason="this system has no /dev/stdout")
def test_the_page_goes_into_a_pipe(tmp_path: Path) -> None:
    ran = run("show", RECORDS / "torn.p2pball", "--html", "/dev/stdout", home=tmp_path)
    assert ran.code == 0, ran.err
    assert ran.out.startswith("<!DOCTYPE html>")


@pytest.mark.skipif(os.name != "posix", reason="modes are a matter of POSIX")
def test_the_page_is_for_others_to_read(here: Here, tmp_path: Path) -> None:
    before = os.umask(0o022)
    try:
        assert here("show", RECORDS / "torn.p2pball", "--html", tmp_path / "page.html").code == 0
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "page.html").stat().st_mode) == 0o644
