"""A file lock that the system lets go by itself when its process ends, however it ends."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from types import TracebackType
from typing import Self

from p2pball.clubhouse.disk import PRIVATE_FILE, explained
from p2pball.clubhouse.errors import GameInUse

if sys.platform == "win32":
    import msvcrt

    def _lock(handle: int, *, wait: bool) -> None:
        msvcrt.locking(handle, msvcrt.LK_LOCK if wait else msvcrt.LK_NBLCK, 1)
else:
    import fcntl

    def _lock(handle: int, *, wait: bool) -> None:
        fcntl.flock(handle, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))


class Lock:
    """One process at a time: held from the making of it to `release` (fair-play 6.6).

    Raises GameInUse when another holds it and `wait` is false, DiskError when the file cannot be made. The
    lock file stays: to remove it would let two processes lock two files of one name.
    """

    def __init__(self, path: Path, *, wait: bool = False) -> None:
        with explained("take the lock", path):
            self._handle = os.open(path, os.O_RDWR | os.O_CREAT, PRIVATE_FILE)
        try:
            _lock(self._handle, wait=wait)
        except OSError as error:
            os.close(self._handle)
            self._handle = -1
            # POSIX says EWOULDBLOCK, Windows EACCES or EDEADLK; anything else is trouble with the disk.
            if isinstance(error, BlockingIOError | PermissionError) or sys.platform == "win32":
                raise GameInUse from None
            with explained("take the lock", path):
                raise

    def release(self) -> None:
        """Let go; harmless when it was let go before."""
        if self._handle >= 0:
            os.close(self._handle)
            self._handle = -1

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        self.release()
