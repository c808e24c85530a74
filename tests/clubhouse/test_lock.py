"""One process at a time, and a lock that dies with its process."""

from __future__ import annotations

from pathlib import Path

import pytest

from p2pball.clubhouse.errors import DiskError, GameInUse
from p2pball.clubhouse.lock import Lock
from tests.clubhouse import processes

_HOLD = """
import sys
from pathlib import Path
from p2pball.clubhouse.lock import Lock
lock = Lock(Path({path!r}))
print("held", flush=True)
sys.stdin.readline()
"""


def test_a_lock_is_held_once(tmp_path: Path) -> None:
    with Lock(tmp_path / "lock"), pytest.raises(GameInUse, match="playing this game right now"):
        Lock(tmp_path / "lock")
    with Lock(tmp_path / "lock") as lock:
        lock.release()
        lock.release()


def test_another_process_is_refused_until_the_first_is_dead(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    other = processes.start(_HOLD.format(path=str(path)))
    try:
        assert other.stdout is not None
        assert other.stdout.readline() == "held\n"
        with pytest.raises(GameInUse):
            Lock(path)
    finally:
        other.kill()
        other.communicate(timeout=processes.PATIENCE)
    with Lock(path):
        pass


def test_a_lock_that_is_waited_for_comes(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    with Lock(path):
        waiting = processes.start(_HOLD.format(path=str(path)).replace("))\nprint", "), wait=True)\nprint"))
    out, err = waiting.communicate("\n", timeout=processes.PATIENCE)
    assert (out, err) == ("held\n", "")


def test_a_lock_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    with pytest.raises(DiskError, match="Could not take the lock in"):
        Lock(tmp_path / "nowhere" / "lock")
