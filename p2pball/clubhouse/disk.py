"""Private files, written so that a crash leaves the old content or the new one and never half of it."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from p2pball.clubhouse.errors import Damaged, disk_error

PRIVATE_FILE = 0o600
PRIVATE_FOLDER = 0o700
SHARED_FILE = 0o666
"""For what the player shows to others: what the umask leaves of it."""


@contextmanager
def explained(doing: str, path: Path) -> Iterator[None]:
    """Turn an OSError of the block into a DiskError that says what could not be done, with which file, and why."""
    try:
        yield
    except OSError as error:
        raise disk_error(doing, path, error) from error


def private_folder(path: Path) -> Path:
    """The folder, made with mode 0700 if it was not there; raises DiskError."""
    with explained("make a folder", path):
        path.mkdir(mode=PRIVATE_FOLDER, parents=True, exist_ok=True)
    return path


def sync_data(handle: int) -> None:
    """Make what a file holds durable, its length included; when it was changed may wait. Raises OSError."""
    # macOS and Windows have no such call.
    (os.fdatasync if hasattr(os, "fdatasync") else os.fsync)(handle)


def sync_folder(path: Path) -> None:
    """Make the names in a folder durable; Windows, which opens no folders, does it by itself. Raises OSError."""
    if os.name != "posix":
        return
    handle = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def write_file(path: Path, data: bytes, mode: int = PRIVATE_FILE) -> None:
    """Put a file in place of whatever has this name, whole or not at all, durably; raises OSError."""
    new = path.with_name(f".{path.name}.{os.getpid()}.new")
    try:
        write_new(new, data, mode)
        new.replace(path)
    except OSError:
        with suppress(OSError):
            new.unlink()
        raise
    sync_folder(path.parent)


def write_new(path: Path, data: bytes, mode: int = PRIVATE_FILE) -> None:
    """A file in a folder that nobody uses yet; its name is durable with the folder's. Raises OSError."""
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, mode)
    with os.fdopen(handle, "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def read_head(path: Path, most: int) -> bytes:
    """The first bytes of a file; raises OSError, also for a pipe or a device, which may keep its reader for ever."""
    kind = path.stat().st_mode
    if not (stat.S_ISREG(kind) or stat.S_ISDIR(kind)):  # a folder is refused by the opening
        raise OSError(errno.ENXIO, os.strerror(errno.ENXIO))
    with path.open("rb") as file:
        return file.read(most)


def read_file(path: Path, limit: int) -> bytes:
    """A file of at most so many bytes; raises OSError, and Damaged for a longer one."""
    data = read_head(path, limit + 1)
    if len(data) > limit:
        raise Damaged(f"{path} holds more than {limit} bytes, so it is not what it should be. Move it out of the way.")
    return data


def read_secret(path: Path, size: int, what: str) -> bytes:
    """A secret file of exactly `size` bytes, its mode brought back to 0600; raises DiskError.

    `what` names it to the player ("your identity key").
    """
    with explained(f"read {what}", path):
        if os.name == "posix" and path.stat().st_mode & 0o077:
            path.chmod(PRIVATE_FILE)  # fair-play 6.6
        data = read_file(path, size)
    if len(data) != size:
        raise Damaged(f"{path}, {what}, holds {len(data)} bytes instead of {size}: it is damaged.")
    return data
