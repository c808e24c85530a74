"""The identity: one key for good, private, and never replaced in silence."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from p2pball.clubhouse.errors import Damaged, DiskError
from p2pball.clubhouse.identity import identity
from tests.clubhouse import processes
from tests.clubhouse.conftest import make_read_only


def test_it_is_made_once_and_private(home: Path) -> None:
    first = identity().private_bytes_raw()
    assert identity().private_bytes_raw() == first
    file = home / "identity.key"
    assert file.read_bytes() == first
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE(home.stat().st_mode) == 0o700


@pytest.mark.parametrize("content", [b"", b"x" * 31, b"x" * 33, b"x" * 100_000])
def test_a_damaged_file_is_refused_and_left_alone(home: Path, content: bytes) -> None:
    home.mkdir()
    file = home / "identity.key"
    file.write_bytes(content)
    with pytest.raises(Damaged, match=r"identity\.key.*backup.*new key"):
        identity()
    assert file.read_bytes() == content


def test_a_file_that_others_can_read_is_made_private_again(home: Path) -> None:
    key = identity().private_bytes_raw()
    (home / "identity.key").chmod(0o644)
    assert identity().private_bytes_raw() == key
    assert stat.S_IMODE((home / "identity.key").stat().st_mode) == 0o600


def test_processes_at_first_use_agree(home: Path) -> None:
    code = "from p2pball.clubhouse.identity import identity; input(); print(identity().private_bytes_raw().hex())"
    others = [processes.start(code, env=os.environ.copy()) for _ in range(6)]
    for other in others:  # all are started before any goes on
        assert other.stdin is not None
        other.stdin.write("\n")
        other.stdin.flush()
    answers = {other.communicate(timeout=processes.PATIENCE)[0] for other in others}
    assert answers == {identity().private_bytes_raw().hex() + "\n"}


def test_nothing_is_left_half_made_on_a_full_disk(small_disk: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = small_disk / "home"
    home.mkdir()
    (home / "identity.lock").touch()
    monkeypatch.setenv("P2PBALL_HOME", str(home))
    filler = small_disk / "filler"
    with pytest.raises(OSError, match="No space"):
        filler.write_bytes(bytes(1024 * 1024))
    with pytest.raises(DiskError, match=r"Could not keep your identity.*disk is full"):
        identity()
    assert [file.name for file in home.iterdir()] == ["identity.lock"]
    filler.unlink()
    assert len(identity().private_bytes_raw()) == 32


def test_a_read_only_home_is_told(small_disk: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("P2PBALL_HOME", str(small_disk / "home"))
    make_read_only(small_disk)
    with pytest.raises(DiskError, match=r"only be read.*P2PBALL_HOME"):
        identity()
