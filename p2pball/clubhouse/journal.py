"""The journal of a game: its signed messages, one a line, on disk before they count (fair-play 6.1)."""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Self

from p2pball.clubhouse.disk import PRIVATE_FILE, explained, read_file, sync_data, sync_folder
from p2pball.clubhouse.errors import DiskError, disk_error
from p2pball.protocol.messages import Malformed, Message, parse_frame

MAX_RECORD = 32 * 1024 * 1024
"""The largest record read, in bytes: the longest game there can be takes a few."""
_DOING = "save the game"
_LOST = "while the game was played. Put the game's folder back; `p2pball resume` then goes on."


class Journal:
    """An open journal; the file is the game's record, and the state of the game is the fold of its `lines`."""

    def __init__(self, path: Path, handle: int, lines: list[bytes]) -> None:
        self.path = path
        self.lines = lines
        """What is on disk for certain, without newlines."""
        self._handle = handle
        self._length = sum(len(line) + 1 for line in lines)

    @classmethod
    def create(cls, path: Path) -> Journal:
        """A new, empty journal of mode 0600, its name durable; raises DiskError, also when there is one already."""
        with explained(_DOING, path):
            handle = os.open(path, _flags() | os.O_CREAT | os.O_EXCL, PRIVATE_FILE)
            try:
                os.fsync(handle)
                sync_folder(path.parent)
            except OSError:
                os.close(handle)
                raise
        return cls(path, handle, [])

    @classmethod
    def open(cls, path: Path) -> Journal:
        """The journal as a crash may have left it, ready to be appended to; raises DiskError.

        A torn last line is cut off now, and a whole one that lost only its newline gets it, so that
        nothing is ever appended to half a line (fair-play 6.1, 7). Whether the lines make a game is
        for the reader to judge.
        """
        with explained(_DOING, path):
            data = read_file(path, MAX_RECORD)
            handle = os.open(path, _flags())
            try:
                *lines, rest = data.split(b"\n")
                if _whole(rest):
                    _write(handle, b"\n", len(data))
                    lines.append(rest)
                elif rest:
                    os.ftruncate(handle, len(data) - len(rest))
                if rest:
                    os.fsync(handle)
            except OSError:
                os.close(handle)
                raise
        return cls(path, handle, lines)

    def append(self, frames: Sequence[bytes]) -> None:
        """Add lines, in one write, and return once they are on disk.

        Raises DiskError when they could not be stored: then the file is as it was before, as far as the
        disk lets us, `lines` are as before, and the same lines may be appended again.
        """
        if not frames:
            return
        data = b"".join(frame + b"\n" for frame in frames)
        if self._length + len(data) > MAX_RECORD:
            raise DiskError(
                f"{self.path} has reached {MAX_RECORD} bytes, more than any game needs. Resign, or leave it."
            )
        try:
            there = os.fstat(self._handle)
            if os.name == "posix" and not there.st_nlink:
                # The file still takes what is written, and keeps nothing.
                raise DiskError(f"Could not {_DOING} in {self.path}. The file was removed {_LOST}")
            if there.st_size < self._length:
                raise DiskError(f"Could not {_DOING} in {self.path}. The file was cut short {_LOST}")
            _write(self._handle, data, self._length)
            sync_data(self._handle)
        except OSError as error:
            with suppress(OSError):  # half a line more is harmless: the next opening cuts it off
                os.ftruncate(self._handle, self._length)
                os.fsync(self._handle)
            told = disk_error(_DOING, self.path, error)
            raise DiskError(f"{told} `p2pball resume` goes on with the game.") from error
        self._length += len(data)
        self.lines.extend(frames)

    def close(self) -> None:
        """Let the file go; harmless when that was done before."""
        if self._handle >= 0:
            os.close(self._handle)
            self._handle = -1

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        self.close()


def _flags() -> int:
    return os.O_RDWR | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)


def _whole(rest: bytes) -> bool:
    """Whether a last line without its newline is a whole message all the same (fair-play 7)."""
    try:
        return isinstance(parse_frame(rest), Message)
    except Malformed:
        return False


def _write(handle: int, data: bytes, at: int) -> None:
    """Write all of the data at a place in the file; a short write is gone on with until the disk says no."""
    os.lseek(handle, at, os.SEEK_SET)
    view = memoryview(data)
    while view:
        view = view[os.write(handle, view) :]
