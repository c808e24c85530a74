"""What can go wrong on disk, as the player reads it."""

from __future__ import annotations

import errno
from pathlib import Path

from p2pball.errors import P2PBallError


class DiskError(P2PBallError):
    """The disk refused to read or write a file of p2pball."""


class Damaged(DiskError):
    """A file of p2pball does not hold what it should."""


class GameInUse(P2PBallError):
    """Another p2pball is playing this game right now: go on there, or quit it first."""


class NoSuchGame(P2PBallError):
    """There is no such game here: `p2pball games` lists those there are."""


class BadSettings(P2PBallError):
    """The settings cannot be used as they stand."""


_FULL = (
    "The disk is full.",
    "Free some space and try again: what was saved before is safe.",
)
_FORBIDDEN = (
    "It may not be written or read by you.",
    "Mend its permissions, or set P2PBALL_HOME to a folder of your own.",
)
_READ_ONLY = (
    "The disk can only be read.",
    "Make it writable, or set P2PBALL_HOME to a folder where you can write.",
)
_TOO_BIG = ("A file has reached the size that is allowed here.", "Raise that limit and try again.")
_BROKEN = ("The disk does not answer as it should.", "Check the disk; what was saved before is left as it was.")
_WRONG_KIND = ("There is a file where a folder belongs, or the other way round.", "Move it out of the way.")
_TOO_LONG = ("No file can have so long a name.", "Check the name.")
_NO_FILE = ("It is a pipe or a device.", "Copy what it holds into a file, or move it out of the way.")
_GONE = ("It is not there.", "Check the name.")

_REASONS = {
    errno.ENOSPC: _FULL,
    errno.EDQUOT: _FULL,
    errno.EACCES: _FORBIDDEN,
    errno.EPERM: _FORBIDDEN,
    errno.EROFS: _READ_ONLY,
    errno.EFBIG: _TOO_BIG,
    errno.EIO: _BROKEN,
    errno.ENOTDIR: _WRONG_KIND,
    errno.EISDIR: _WRONG_KIND,
    errno.EEXIST: _WRONG_KIND,
    errno.ENXIO: _NO_FILE,
    errno.ENAMETOOLONG: _TOO_LONG,
    errno.ENOENT: _GONE,
}


def disk_error(doing: str, path: Path, error: OSError) -> DiskError:
    """What to tell the player about a failed `doing` ("save the game") with a file: what, why, what to do."""
    why, remedy = _REASONS.get(error.errno or 0, (f"The system says: {error.strerror or error}.", "Try again."))
    return DiskError(f"Could not {doing} in {path}. {why} {remedy}")
