"""`games` and `stats`: real records in, lists and sums out."""

from __future__ import annotations

import json
import random
import re
import sqlite3
from pathlib import Path

import pytest

from p2pball.clubhouse.games import GameInfo, create_game
from p2pball.clubhouse.journal import MAX_RECORD
from p2pball.engine.terms import Rules, Seat, Side, Terms
from p2pball.scorebook.boxscore import box_score
from p2pball.scorebook.game import Game
from p2pball.ui.archive import find
from tests.cli.running import DICE, Here, NamedDuet, keep, keep_record, run
from tests.clubhouse.conftest import make_read_only, small_disk
from tests.duet import Duet, at_random
from tests.terminal import Terminal, environment

__all__ = ["small_disk"]
SHORT = Terms(Rules.CARDS, innings=1, extra_innings=0, home="coin")


def finished(terms: Terms = DICE, seed: str = "books") -> Duet:
    return Duet(terms, seed).play_at_random(7)


def objects(here: Here, *args: str) -> list[dict[str, object]]:
    ran = here("games", "--json", *args)
    assert (ran.code, ran.err) == (0, "")
    return [json.loads(line) for line in ran.lines]


def book(id_: str) -> Game:
    found = find(id_).record.book
    assert found is not None
    return found


def test_without_games_it_says_how_to_get_one(here: Here) -> None:
    for command in ("games", "stats"):
        ran = here(command)
        assert (ran.code, ran.out) == (0, "")
        assert "p2pball play" in ran.err
    assert objects(here) == []
    assert json.loads(here("stats", "--json").out)["games"] == 0


def test_a_game_that_was_resigned_says_by_whom(here: Here) -> None:
    keep_record("resigned", rules="cards")
    keep_record("resigned", Seat.GUEST, rules="cards")
    told = [line for line in here("games").lines if " against " in line]
    assert {line.split("  ", 3)[-1].strip() for line in told} == {
        "won, rival resigned at 0-0 against Guest",
        "lost, you resigned at 0-0 against Host",
    }
    assert [row["resigned"] for row in objects(here)] == [True, True]
    assert here("stats").lines[0] == "2 games: 1 won, 1 lost, 0 drawn."


def test_who_led_does_not_tell_who_won_when_the_leader_resigned(here: Here) -> None:
    duet, rng = Duet(Terms(Rules.DICE, innings=9, home="host"), "leader"), random.Random(1)
    runs = duet.games[Seat.HOST].game
    while runs.state.runs[0] == runs.state.runs[1]:
        assert duet.step({seat: at_random(rng) for seat in Seat}, rng)
    leader = runs.state.seat(Side(int(runs.state.runs[1] > runs.state.runs[0])))
    duet.games[leader].resign()
    duet.flush(leader)
    while any(duet.deliver(seat) for seat in Seat):
        pass
    high, low = max(runs.state.runs), min(runs.state.runs)
    keep(duet, leader)
    assert f"lost, you resigned at {high}-{low} against {leader.other.value.title()}" in here("games").lines[0]


def test_a_finished_game_from_either_seat(here: Here) -> None:
    duet = finished()
    ids = {seat: keep(duet, seat) for seat in Seat}
    rows = {row["id"]: row for row in objects(here)}
    result = duet.games[Seat.HOST].result
    assert result is not None
    for seat in Seat:
        row = rows[ids[seat]]
        assert row["result"] == result.to_json()
        assert (row["status"], row["rules"], row["opponent"]) == ("complete", "dice", seat.other.value.title())
        assert row["when"] == "2026-11-30T20:15:00+00:00"
        assert Path(str(row["file"])).read_bytes() == duet.record(seat)
        assert row["outcome"] == ("drawn" if result.winner is None else "won" if result.winner is seat else "lost")


def test_a_process_prints_the_same(here: Here, home: Path) -> None:
    keep(finished())
    ran = run("games", "--json", home=home)
    assert (ran.code, ran.err) == (0, "")
    assert [json.loads(line) for line in ran.lines] == objects(here)


def test_the_line_score_is_that_of_the_game(here: Here) -> None:
    id_ = keep(finished(SHORT))
    line, expected = objects(here)[0]["line"], box_score(book(id_)).line
    assert isinstance(line, dict)
    for name in ("visitors", "home"):
        own = getattr(expected, name)
        assert line[name] == {
            "code": own.code, "innings": list(own.innings), "R": own.runs, "H": own.hits, "E": 0, "LOB": own.left
        }  # fmt: skip
    told = here("games").lines
    assert re.match(rf"{id_} +2026-11-30  cards (won|lost|drawn) \d+-\d+ against Guest$", told[0])
    assert told[1].split()[0] == expected.visitors.code
    home = expected.home
    assert told[2].split()[-8:] == f"{home.runs} R {home.hits} H 0 E {home.left} LOB".split()


def test_a_half_that_was_not_needed_is_an_x(here: Here) -> None:
    keep_record("dice-nine-innings", Seat.GUEST)
    assert [line.split() for line in here("games").lines[1:]] == [
        ["RBN", *"200000000", "2", "R", "12", "H", "0", "E", "14", "LOB"],
        ["KTP", *"00110010x", "3", "R", "9", "H", "0", "E", "8", "LOB"],
    ]


def test_an_open_game_a_new_one_a_cheat_and_a_damaged_one(here: Here) -> None:
    duet = finished()
    states = {keep(duet, lines=count): status for count, status in ((0, "new"), (1, "new"), (30, "suspended"))}
    cheat = Duet(DICE, "cheat").play_at_random(1)
    reveal = next(at for at, line in enumerate(cheat.disk[Seat.HOST]) if b'\\"type\\":\\"reveal\\"' in line)
    twice = cheat.disk[Seat.HOST]
    twice[reveal] = twice[reveal + 1]  # a line is missing
    states[keep(cheat)] = "malformed"
    rows = {row["id"]: row for row in objects(here)}
    assert {id_: row["status"] for id_, row in rows.items()} == states
    assert all(row["result"] is None for row in rows.values())
    words = {"new": "not begun", "suspended": "open", "malformed": "damaged"}
    told = here("games").out
    for id_, status in states.items():
        assert re.search(rf"{id_} .*{words[status]} against ", told)


def test_a_cheat_is_told(here: Here) -> None:
    keep_record("cheat-deal", rules="cards")
    assert objects(here)[0]["status"] == "cheat"
    assert "ended by proof of a cheat" in here("games").out
    assert json.loads(here("stats", "--json").out)["games"] == 0


def test_games_against_one_opponent(here: Here) -> None:
    one = NamedDuet(DICE, "one", names={Seat.GUEST: "Žofie"}).play_at_random(1)
    two = NamedDuet(DICE, "two", names={Seat.GUEST: "Bo"}).play_at_random(2)
    first, second = keep(one), keep(two)
    key = one.secrets[Seat.GUEST].key.hex()
    assert [row["id"] for row in objects(here, "--opponent", "žof")] == [first]
    assert [row["id"] for row in objects(here, "--opponent", "BO")] == [second]
    assert [row["id"] for row in objects(here, "--opponent", key[:10])] == [first]
    assert objects(here, "--opponent", "nobody") == []
    assert "No games against nobody yet" in here("games", "--opponent", "nobody").err


def test_a_game_that_went_on_is_read_again(here: Here) -> None:
    duet = finished()
    id_ = keep(duet, lines=30)
    assert objects(here)[0]["status"] == "suspended"
    find(id_).path.write_bytes(duet.record(Seat.HOST))
    assert objects(here)[0]["status"] == "complete"


def test_what_has_not_changed_is_not_read_again(here: Here, monkeypatch: pytest.MonkeyPatch) -> None:
    keep(finished())
    before = objects(here)
    monkeypatch.setattr("p2pball.ui.archive.read_record", lambda path: pytest.fail(f"{path} was read again"))
    assert objects(here) == before


def test_rebuilding_gives_the_same_rows(here: Here, home: Path) -> None:
    for seed in range(3):
        keep(finished(seed=f"again {seed}"))
    before, stats = objects(here), here("stats", "--json").out
    file = home / "history.sqlite"
    with sqlite3.connect(file) as db:
        db.execute("UPDATE games SET outcome = 'won', opponent = 'forged'")
        db.execute("DELETE FROM batting")
    db.close()
    assert objects(here) != before
    assert objects(here, "--rebuild") == before
    assert here("stats", "--json").out == stats
    file.write_bytes(b"damaged" * 1000)
    ran = here("games")
    assert ran.code == 1
    assert "p2pball games --rebuild" in ran.err
    assert objects(here, "--rebuild") == before


def test_many_records_are_read_behind_a_bar(home: Path) -> None:
    duet = finished()
    for _ in range(20):
        keep(duet, lines=8)
    with Terminal(["games", "--rebuild"], environment(home)) as player:
        assert player.wait(60) == 0
    assert "Reading records" in player.said
    assert player.said.count(" open against Guest") == 20
    with Terminal(["games"], environment(home)) as player:
        assert player.wait(60) == 0
    assert "Reading records" not in player.said


def test_a_game_whose_folder_is_gone_is_gone(here: Here, home: Path) -> None:
    first, second = keep(finished(seed="1")), keep(finished(seed="2"))
    assert len(objects(here)) == 2
    (home / "games" / first).rename(home / "elsewhere")
    assert [row["id"] for row in objects(here)] == [second]


def test_a_damaged_folder_is_named_and_the_others_are_listed(here: Here, home: Path) -> None:
    good, bad = keep(finished(seed="1")), keep(finished(seed="2"))
    (home / "games" / bad / "game.json").write_text("{")
    ran = here("games", "--json")
    assert [json.loads(line)["id"] for line in ran.lines] == [good]
    assert bad in ran.err
    assert ran.code == 0


def test_a_record_that_cannot_be_read_is_named_and_the_others_are_listed(here: Here, home: Path) -> None:
    good, giant, folder = (keep(finished(seed=str(n))) for n in range(3))
    with find(giant).path.open("r+b") as file:
        file.truncate(MAX_RECORD + 1)
    record = find(folder).path
    record.unlink()
    record.mkdir()
    ran = here("games", "--json")
    assert [json.loads(line)["id"] for line in ran.lines] == [good]
    assert giant in ran.err
    assert folder in ran.err
    assert ran.code == 0
    assert here("stats").code == 0


@pytest.mark.parametrize("target", ["record.p2pball", "nowhere"])
def test_a_record_that_is_a_link_to_no_file_costs_no_other_game(target: str, here: Here, home: Path) -> None:
    good, bad = keep(finished()), keep(finished(seed="linked"))
    record = home / "games" / bad / "record.p2pball"
    record.unlink()
    record.symlink_to(record.with_name(target))
    ran = here("games", "--json")
    assert [json.loads(line)["id"] for line in ran.lines] == [good]
    assert str(record) in ran.err
    assert ran.code == 0
    assert here("stats").code == 0


def test_stats_add_up_what_the_boxes_say(here: Here) -> None:
    names = ("cards-no-walk-off", "cards-three-innings", "dice-draw", "dice-nine-innings")
    ids = [keep_record(name, seat) for name, seat in zip(names, [*Seat, *Seat], strict=True)]
    duet = finished()
    keep(duet, seeded=True)
    keep(duet, kind="hotseat")
    keep(duet, lines=40)
    told = json.loads(here("stats", "--json").out)
    assert told["games"] == told["won"] + told["lost"] + told["drawn"] == 4
    assert sum(row["won"] + row["lost"] + row["drawn"] for row in told["standings"]) == 4
    expected: dict[str, int] = {}
    for id_ in ids:
        found = find(id_)
        side = book(id_).state.side(Seat(found.info.seat))  # type: ignore[union-attr]
        for line in box_score(book(id_)).side(side).batting:
            expected[line.name] = expected.get(line.name, 0) + line.h
    assert {row["name"]: row["h"] for row in told["batting"]} == expected
    for row in told["batting"]:
        assert row["avg"] == (f"{row['h'] / row['ab']:.3f}".removeprefix("0") if row["ab"] else ".---")
    for row in told["pitching"]:
        assert row["era"] == (f"{row['r'] * 27 / row['outs']:.2f}" if row["outs"] else "-.--")
    words = here("stats").out
    assert "4 games:" in words
    assert all(row["name"] in words for row in told["batting"])
    assert max(map(len, words.splitlines())) <= 80


def test_the_computer_stands_by_its_level_whatever_its_key(here: Here) -> None:
    for seed in range(3):
        keep(finished(seed=f"solo {seed}"), kind="solo", level="rookie")
    told = json.loads(here("stats", "--json").out)
    assert [row["key"] for row in told["standings"]] == ["computer rookie"]
    assert "\nComputer, rookie " in here("stats").out
    assert "against the computer, rookie" in here("games").out


def test_names_reach_the_terminal_without_controls(here: Here) -> None:
    info = GameInfo(
        seat="host", kind="online", rules="dice", started="2026-11-30T20:15:00+00:00", opponent="\u202eevil\u2066"
    )
    create_game(info, bytes(32)).close()
    assert objects(here)[0]["opponent"] == "evil"
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]", here("games").out)


def test_a_stream_that_cannot_spell_a_name_gets_a_question_mark(home: Path) -> None:
    keep(NamedDuet(DICE, "one", names={Seat.GUEST: "Žofie"}).play_at_random(1))
    ran = run("games", home=home, PYTHONIOENCODING="ascii")
    assert ran.code == 0
    assert "against ?ofie" in ran.out


def test_a_read_only_home_is_told(small_disk: Path, here: Here, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("P2PBALL_HOME", str(small_disk))
    make_read_only(small_disk)
    ran = here("games")
    assert ran.code == 1
    assert "only be read" in ran.err
    assert "P2PBALL_HOME" in ran.err
