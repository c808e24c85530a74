"""The journal: nothing is lost, half a line is never appended to, and a disk that says no changes nothing."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from p2pball.clubhouse.errors import Damaged, DiskError
from p2pball.clubhouse.journal import MAX_RECORD, Journal
from tests.clubhouse import processes
from tests.clubhouse.conftest import make_read_only

RECORD = (Path(__file__).parents[1] / "records" / "resigned.p2pball").read_bytes()
LINES = RECORD.split(b"\n")[:-1]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "record.p2pball"


def test_what_was_appended_is_the_file(path: Path) -> None:
    with Journal.create(path) as journal:
        journal.append(LINES[:2])
        journal.append([])
        journal.append(LINES[2:])
        assert journal.lines == LINES
    assert path.read_bytes() == RECORD
    with Journal.open(path) as again:
        assert again.lines == LINES


def test_only_its_owner_may_read_it(path: Path) -> None:
    Journal.create(path).close()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


@pytest.mark.skipif(os.name != "posix", reason="Windows removes no open file")
def test_nothing_is_said_to_be_stored_in_a_file_that_was_removed(path: Path) -> None:
    with Journal.create(path) as journal:
        journal.append(LINES[:2])
        path.rename(path.with_name("moved"))
        journal.append(LINES[2:3])
        path.with_name("moved").unlink()
        with pytest.raises(DiskError, match="removed while the game was played"):
            journal.append(LINES[3:])
        assert journal.lines == LINES[:3]


def test_nothing_is_appended_to_a_file_that_was_cut_short(path: Path) -> None:
    with Journal.create(path) as journal:
        journal.append(LINES[:3])
        whole = path.read_bytes()
        path.write_bytes(whole[:-10])
        with pytest.raises(DiskError, match="cut short while the game was played"):
            journal.append(LINES[3:])
        assert path.read_bytes() == whole[:-10]
        assert journal.lines == LINES[:3]


def test_there_is_never_a_second_journal_of_one_name(path: Path) -> None:
    path.write_bytes(RECORD)
    with pytest.raises(DiskError):
        Journal.create(path)
    assert path.read_bytes() == RECORD


def test_a_missing_journal_is_said_to_be_missing(path: Path) -> None:
    with pytest.raises(DiskError, match="not there"):
        Journal.open(path)


SHORTEST = min(range(len(LINES)), key=lambda number: len(LINES[number]))


@pytest.mark.parametrize(("kept", "step"), [(0, 53), (1, 47), (SHORTEST, 1), (len(LINES) - 1, 43)])
def test_a_line_torn_at_any_byte_is_cut_off(path: Path, kept: int, step: int) -> None:
    whole = b"".join(line + b"\n" for line in LINES[:kept])
    for torn in range(0, len(LINES[kept]), step):
        path.write_bytes(whole + LINES[kept][:torn])
        with Journal.open(path) as journal:
            assert journal.lines == LINES[:kept]
            journal.append(LINES[kept:])
            assert journal.lines == LINES
        assert path.read_bytes() == RECORD


def test_a_whole_last_line_gets_its_newline(path: Path) -> None:
    path.write_bytes(RECORD[:-1])
    with Journal.open(path) as journal:
        assert journal.lines == LINES
        assert path.read_bytes() == RECORD
        journal.append(LINES[:1])
    assert path.read_bytes() == RECORD + LINES[0] + b"\n"


def test_zeros_that_a_crash_left_at_the_end_are_cut_off(path: Path) -> None:
    path.write_bytes(RECORD + bytes(4096))
    with Journal.open(path) as journal:
        assert journal.lines == LINES
    assert path.read_bytes() == RECORD


def test_a_whole_frame_that_is_no_signed_message_is_no_line(path: Path) -> None:
    path.write_bytes(RECORD + b'{"ping":1}')
    with Journal.open(path) as journal:
        assert journal.lines == LINES
    assert path.read_bytes() == RECORD


def test_damage_before_the_last_line_is_left_for_the_judge(path: Path) -> None:
    path.write_bytes(LINES[0] + b"\nnonsense\n" + LINES[1] + b"\n")
    with Journal.open(path) as journal:
        assert journal.lines == [LINES[0], b"nonsense", LINES[1]]


SYNCS = [name for name in ("fsync", "fdatasync") if hasattr(os, name)]
"""How this system is told to put things on disk."""


def test_lines_are_on_disk_before_append_returns(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    synced: list[bytes] = []

    def watch(name: str) -> None:
        sync = getattr(os, name)

        def watching(handle: int) -> None:
            synced.append(path.read_bytes() if stat.S_ISREG(os.fstat(handle).st_mode) else b"folder")
            sync(handle)

        monkeypatch.setattr(os, name, watching)

    for name in SYNCS:
        watch(name)
    with Journal.create(path) as journal:
        assert synced == [b"", b"folder"]
        journal.append(LINES[:3])
    assert synced[2:] == [b"".join(line + b"\n" for line in LINES[:3])]


def test_a_failed_sync_takes_the_lines_back(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Journal.create(path) as journal:
        journal.append(LINES[:2])
        before = path.read_bytes()

        def broken(handle: int) -> None:
            raise OSError(5, "Input/output error")

        with monkeypatch.context() as patched:
            for name in SYNCS:
                patched.setattr(os, name, broken)
            with pytest.raises(DiskError, match="does not answer"):
                journal.append(LINES[2:3])
        assert path.read_bytes() == before
        assert journal.lines == LINES[:2]
        journal.append(LINES[2:])
    assert path.read_bytes() == RECORD


def fill(journal: Journal) -> None:
    """Append and append until the disk says no."""
    for _ in range(100):
        journal.append(LINES)


def test_a_failed_sync_at_opening_is_told(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(handle: int) -> None:
        raise OSError(5, "Input/output error")

    path.write_bytes(RECORD[:-10])
    handles = len(os.listdir("/proc/self/fd")) if os.path.isdir("/proc/self/fd") else 0
    monkeypatch.setattr(os, "fsync", broken)
    for make, file in ((Journal.open, path), (Journal.create, path.with_name("new"))):
        with pytest.raises(DiskError, match="does not answer"):
            make(file)
    if handles:
        assert len(os.listdir("/proc/self/fd")) == handles


def test_a_full_disk_is_told_and_loses_nothing(small_disk: Path) -> None:
    path = small_disk / "record.p2pball"
    with Journal.create(path) as journal:
        with pytest.raises(DiskError, match=r"disk is full.*Free some space.*p2pball resume"):
            fill(journal)
        count = len(journal.lines)
        assert count > len(LINES)
        assert count % len(LINES) == 0
        assert path.read_bytes() == RECORD * (count // len(LINES))
        with pytest.raises(DiskError):
            journal.append(LINES)
        journal.append(LINES[:1])  # what still fits is still stored
    with Journal.open(path) as again:
        assert len(again.lines) == count + 1


def test_a_limit_on_file_sizes_is_told_and_loses_nothing(path: Path) -> None:
    result = processes.run(f"""
import resource
from pathlib import Path
from p2pball.clubhouse.errors import DiskError
from p2pball.clubhouse.journal import Journal
lines = {LINES!r}
journal = Journal.create(Path({str(path)!r}))
journal.append(lines)
hard = resource.getrlimit(resource.RLIMIT_FSIZE)[1]
resource.setrlimit(resource.RLIMIT_FSIZE, ({len(RECORD) + 1000}, hard))
try:
    journal.append(lines)
except DiskError as error:
    print(error)
assert Path({str(path)!r}).read_bytes() == {RECORD!r}
resource.setrlimit(resource.RLIMIT_FSIZE, (hard, hard))
journal.append(lines)
""")
    assert result.returncode == 0, result.stderr
    assert "reached the size that is allowed" in result.stdout
    assert path.read_bytes() == RECORD * 2


def test_a_read_only_disk_is_told_and_leaves_the_record(small_disk: Path) -> None:
    path = small_disk / "record.p2pball"
    path.write_bytes(RECORD[:-10])
    make_read_only(small_disk)
    with pytest.raises(DiskError, match="only be read"):
        Journal.open(path)
    with pytest.raises(DiskError, match="only be read"):
        Journal.create(small_disk / "other.p2pball")
    assert path.read_bytes() == RECORD[:-10]


def test_a_giant_is_no_journal(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate(MAX_RECORD + 1)
    with pytest.raises(Damaged):
        Journal.open(path)
    assert path.stat().st_size == MAX_RECORD + 1


def test_a_journal_does_not_outgrow_what_is_read_of_it(path: Path) -> None:
    line = b"x" * 8000
    filler = (line + b"\n") * (MAX_RECORD // (len(line) + 1))
    path.write_bytes(filler)
    with Journal.open(path) as journal, pytest.raises(DiskError):
        journal.append([line])
    assert path.read_bytes() == filler


def test_a_closed_journal_stores_nothing(path: Path) -> None:
    journal = Journal.create(path)
    journal.close()
    journal.close()
    with pytest.raises(DiskError):
        journal.append(LINES)
    assert journal.lines == []
    assert path.read_bytes() == b""
