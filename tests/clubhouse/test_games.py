"""Game folders: found by few letters, private, locked, and never half there."""

from __future__ import annotations

import json
import os
import re
import stat
from pathlib import Path

import pytest

from p2pball.clubhouse import games
from p2pball.clubhouse.errors import Damaged, DiskError, GameInUse, NoSuchGame
from p2pball.clubhouse.games import GameInfo, create_game, find_game, list_games, open_game, unreadable_games
from tests.clubhouse import processes
from tests.clubhouse.conftest import make_read_only

INFO = GameInfo(
    seat="host", kind="solo", rules="cards", level="regular", started="2026-11-30T20:15:00+01:00", name="Vera"
)
MASTER, RESUME, KEY, RIVAL = b"m" * 32, b"r" * 32, b"k" * 32, (b"f" * 32, b"g" * 32)


def new(**changes: str) -> str:
    """A game on disk and closed; its id."""
    with create_game(INFO, MASTER) as folder:
        folder.rewrite(GameInfo(**{**{f: getattr(INFO, f) for f in INFO.__slots__}, **changes}))
        return folder.info.id


def named(home: Path, old: str, name: str) -> None:
    """Give a game another id."""
    (home / "games" / old).rename(home / "games" / name)


def test_what_is_kept_comes_back(home: Path) -> None:
    with create_game(INFO, MASTER, resume_secret=RESUME, key=KEY, rival=RIVAL) as folder:
        folder.journal.append([b"one", b"two"])
        id_ = folder.info.id
    assert re.fullmatch(r"20261130-[a-z0-9]{4}", id_)
    with open_game(id_) as again:
        assert (again.master, again.resume_secret, again.key, again.rival) == (MASTER, RESUME, KEY, RIVAL)
        assert again.journal.lines == [b"one", b"two"]
        assert again.record.read_bytes() == b"one\ntwo\n"
        assert again.record.name == "record.p2pball"
        assert (again.info.kind, again.info.name, again.info.id) == ("solo", "Vera", id_)


def test_what_was_not_given_is_none(home: Path) -> None:
    with create_game(INFO, MASTER) as folder:
        assert (folder.resume_secret, folder.key, folder.rival) == (None, None, None)
        id_ = folder.info.id
    with open_game(id_) as again:
        assert (again.resume_secret, again.key, again.rival) == (None, None, None)


def test_all_of_it_is_private(home: Path) -> None:
    with create_game(INFO, MASTER, resume_secret=RESUME, key=KEY, rival=RIVAL) as folder:
        assert {stat.S_IMODE(file.stat().st_mode) for file in folder.path.iterdir()} == {0o600}
        assert stat.S_IMODE(folder.path.stat().st_mode) == 0o700
        assert stat.S_IMODE(folder.path.parent.stat().st_mode) == 0o700


def test_a_game_is_found_by_its_beginning_or_its_end(home: Path) -> None:
    for name in ("20261130-k7qm", "20261130-b2xx", "20261201-b2yy"):
        named(home, new(), name)
    assert find_game("20261130-k7qm").name == "20261130-k7qm"
    assert find_game("20261201").name == "20261201-b2yy"
    assert find_game("k7").name == "20261130-k7qm"
    assert find_game("qm").name == "20261130-k7qm"
    assert find_game("b2y").name == "20261201-b2yy"
    with pytest.raises(NoSuchGame, match="any of 20261130-b2xx, 20261201-b2yy"):
        find_game("b2")
    for nothing in ("", "zz", "../games", "20261130-k7qm/", ".new-20261130-k7qm"):
        with pytest.raises(NoSuchGame, match="p2pball games"):
            find_game(nothing)


def test_games_are_listed_oldest_first(home: Path) -> None:
    assert list_games() == []
    for name in ("20261201-bbbb", "20261130-cccc", "20261130-dddd"):
        named(home, new(), name)
    assert [info.id for info in list_games()] == ["20261130-cccc", "20261130-dddd", "20261201-bbbb"]


def test_a_game_is_open_once(home: Path) -> None:
    with create_game(INFO, MASTER) as folder, pytest.raises(GameInUse):
        open_game(folder.info.id)


def test_a_game_open_in_another_process_is_refused_until_that_is_dead(home: Path) -> None:
    id_ = new()
    code = f"from p2pball.clubhouse.games import open_game; g = open_game({id_!r}); print('open', flush=True); input()"
    other = processes.start(code, env=os.environ.copy())
    try:
        assert other.stdout is not None
        assert other.stdout.readline() == "open\n"
        with pytest.raises(GameInUse):
            open_game(id_)
    finally:
        other.kill()
        other.communicate(timeout=processes.PATIENCE)
    open_game(id_).close()


def test_a_game_left_at_once_can_be_discarded(home: Path) -> None:
    folder = create_game(INFO, MASTER)
    folder.discard()
    assert list((home / "games").iterdir()) == []
    with pytest.raises(NoSuchGame):
        find_game(folder.info.id)


def test_a_crash_before_the_journal_leaves_a_game_that_opens(home: Path) -> None:
    id_ = new()
    (home / "games" / id_ / "record.p2pball").unlink()
    with open_game(id_) as folder:
        assert folder.journal.lines == []


def test_a_half_made_or_half_removed_folder_is_no_game(home: Path) -> None:
    id_ = new()
    for name in (f".new-{id_}", f".gone-{id_}"):
        (home / "games" / name).mkdir()
    assert [info.id for info in list_games()] == [id_]
    assert unreadable_games() == []


def test_an_id_that_is_taken_is_not_taken_again(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    letters = iter("aaaaaaaabbbb")
    monkeypatch.setattr(games.secrets, "choice", lambda _: next(letters))
    first, second = new(), new()
    assert (first[-4:], second[-4:]) == ("aaaa", "bbbb")


@pytest.mark.parametrize(
    "content", [b"", b"{", b"[]", b"{}", b'{"seat": "host"}', b"\xff", b"[" * 60_000, b"x" * 70_000]
)
def test_damaged_words_about_a_game_are_refused_and_the_others_are_listed(home: Path, content: bytes) -> None:
    good, bad = new(), new()
    (home / "games" / bad / "game.json").write_bytes(content)
    with pytest.raises(Damaged):
        open_game(bad)
    assert [info.id for info in list_games()] == [good]
    assert len(unreadable_games()) == 1
    with pytest.raises(Damaged):
        open_game(bad)  # the lock was let go


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("seeded", 1),
        ("name", None),
        ("relay", ["x"]),
        ("unknown", "x"),
        ("seat", "umpire"),
        ("kind", ""),
        ("rules", "chess"),
        ("started", "2026\x1b[2J"),
        ("level", "\x9b2J"),
    ],
)
def test_words_of_the_wrong_kind_are_refused(home: Path, field: str, value: object) -> None:
    id_ = new()
    file = home / "games" / id_ / "game.json"
    file.write_text(json.dumps({**json.loads(file.read_text()), field: value}))
    with pytest.raises(Damaged):
        open_game(id_)


@pytest.mark.parametrize("name", ["master", "resume", "key", "rival"])
def test_a_damaged_secret_is_refused(home: Path, name: str) -> None:
    with create_game(INFO, MASTER, resume_secret=RESUME, key=KEY, rival=RIVAL) as folder:
        file = folder.path / name
    file.write_bytes(file.read_bytes()[:-1])
    with pytest.raises(Damaged, match=name):
        open_game(folder.info.id)


def test_a_missing_master_is_told(home: Path) -> None:
    id_ = new()
    (home / "games" / id_ / "master").unlink()
    with pytest.raises(DiskError, match="secret of this game"):
        open_game(id_)


def test_a_full_disk_leaves_no_half_game(small_disk: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("P2PBALL_HOME", str(small_disk))
    id_ = new()
    made = [id_]
    with pytest.raises(DiskError, match="disk is full"):
        made.extend(iter(new, None))
    assert len(made) > 1
    assert len(list_games()) in (len(made), len(made) + 1)  # the last one may lack only its lock
    assert unreadable_games() == []
    with pytest.raises(DiskError, match="Could not make a new game"):
        create_game(INFO, MASTER, resume_secret=RESUME, key=KEY, rival=RIVAL)
    assert [entry.name for entry in (small_disk / "games").iterdir() if entry.name.startswith(".")] == []
    with pytest.raises(DiskError, match="disk is full"):
        open_game(id_).rewrite(GameInfo(seat="host", kind="solo", rules="dice", started=INFO.started, name="N" * 9000))
    assert next(info for info in list_games() if info.id == id_).name == "Vera"


def test_a_read_only_disk_is_told(small_disk: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("P2PBALL_HOME", str(small_disk))
    id_ = new()
    make_read_only(small_disk)
    with pytest.raises(DiskError, match="only be read"):
        create_game(INFO, MASTER)
    with pytest.raises(DiskError, match="only be read"):
        open_game(id_)
    assert [info.id for info in list_games()] == [id_]  # to look is still possible
