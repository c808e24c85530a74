"""What of this machine itself matters to a game: its terminal and its folders."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator

from p2pball.clubhouse.errors import DiskError
from p2pball.clubhouse.games import games_dir
from p2pball.clubhouse.home import config_dir
from p2pball.clubhouse.identity import identity
from p2pball.net.doctor import Finding, Health
from p2pball.ui.fingerprint import fingerprint

WIDE, HIGH = 80, 24
NARROW, LOW = 40, 12


def terminal() -> Iterator[Finding]:
    """Which front end this terminal gets, and why."""
    if not (sys.stdin.isatty() and sys.stdout.isatty() and sys.stderr.isatty()):
        yield Finding("terminal", Health.LIMITED, "A stream is no terminal: games run in --plain.", "")
        return
    if os.environ.get("TERM", "") in ("", "dumb") and os.name != "nt":
        yield Finding("terminal", Health.LIMITED, "TERM is dumb: games run in --plain.", "Set TERM, as in TERM=xterm.")
        return
    columns, lines = shutil.get_terminal_size()
    size = f"{columns} by {lines}"
    if columns >= WIDE and lines >= HIGH:
        yield Finding("terminal", Health.GOOD, f"{size}: the full screen.")
    elif columns >= NARROW and lines >= LOW:
        yield Finding("terminal", Health.GOOD, f"{size}: the narrow screen; {WIDE} by {HIGH} shows all at once.")
    else:
        yield Finding("terminal", Health.LIMITED, f"{size}: too small.", f"Make it {NARROW} by {LOW}, or use --plain.")
    if (sys.stdout.encoding or "").lower().replace("-", "") != "utf8":
        yield Finding("letters", Health.LIMITED, f"{sys.stdout.encoding}: names may lose letters.", "Use UTF-8.")


def folders() -> Iterator[Finding]:
    """Whether games, settings and the identity can be kept."""
    try:
        folder = games_dir()
        free = shutil.disk_usage(folder).free // 2**20
        key = fingerprint(identity().public_key().public_bytes_raw().hex())
        config = config_dir()
    except DiskError as error:
        yield Finding("folders", Health.BAD, str(error))
        return
    seen = f"Games in {folder}, {free} MiB free; settings in {config}."
    yield Finding("folders", Health.GOOD if free else Health.BAD, seen, "" if free else "Make space.")
    yield Finding("identity", Health.GOOD, f"Your key is {key}.")
