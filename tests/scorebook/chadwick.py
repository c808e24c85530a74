"""Chadwick's tools, run as programs of their own on an export: their rows, or what they had to complain of.

They exit 0 on almost every error, so an empty stderr and one row a game are asked for.
"""

from __future__ import annotations

import csv
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

Row = dict[str, str]

_EVENT_FIELDS = "0,2-4,8-10,14,26-29,31,33-37,40,41,43,44,58-61,78,79"
_GAME_EXTENDED = "4,8-59"
_DAILY_FIELDS = "0,5-7,11-34,36,37,44-63,73,84,86"


class Complaint(AssertionError):
    """A tool was not content with the export."""


@dataclass(frozen=True)
class Reading:
    """What the tools read in one folder of exports, by game id."""

    events: dict[str, list[Row]]
    games: dict[str, Row]
    daily: dict[str, list[Row]]
    boxes: list[str]


def tool(folder: Path, name: str, *options: str) -> str:
    """The output of one tool over the event files of a folder; raises Complaint on anything on stderr."""
    files = sorted(path.name for path in folder.glob("*.EVA"))
    year = files[0][:4]
    command = [sys.executable, "-m", "chadwickpy", name, "-Q", "-y", year, *options, *files]
    done = subprocess.run(command, cwd=folder, capture_output=True, timeout=120, check=False)
    if done.returncode or done.stderr:
        raise Complaint(f"{name} ended with {done.returncode}: {done.stderr.decode(errors='replace')[:500]}")
    return done.stdout.decode(errors="replace")  # cwbox cuts names to a number of bytes


def rows(text: str) -> list[Row]:
    """The rows of a tool that was asked for field names."""
    return list(csv.DictReader(text.splitlines()))


def _by_game(read: Sequence[Row]) -> dict[str, list[Row]]:
    games: dict[str, list[Row]] = {}
    for row in read:
        games.setdefault(row["GAME_ID"], []).append(row)
    return games


def read(folder: Path) -> Reading:
    """Everything that cwevent, cwgame, cwdaily, cwbox, cwsub and cwcomment make of a folder of exports."""
    tool(folder, "cwsub", "-n")
    tool(folder, "cwcomment", "-n")
    games = rows(tool(folder, "cwgame", "-n", "-f", "0-45", "-x", _GAME_EXTENDED))
    boxes = tool(folder, "cwbox").split("     Game of ")[1:]
    by_id = {row["GAME_ID"]: row for row in games}
    if len(by_id) != len(games):
        raise Complaint("a game was read twice")
    return Reading(
        _by_game(rows(tool(folder, "cwevent", "-n", "-f", _EVENT_FIELDS))),
        by_id,
        _by_game(rows(tool(folder, "cwdaily", "-n", "-f", _DAILY_FIELDS))),
        boxes,
    )


def write(folder: Path, files: dict[str, str]) -> None:
    """Write an export into a folder."""
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
