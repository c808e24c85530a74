"""The games on this machine: finding one by what a player types, and keeping the history of all of them current."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from p2pball.clubhouse.disk import explained, read_file
from p2pball.clubhouse.errors import DiskError, NoSuchGame
from p2pball.clubhouse.games import GameInfo, find_game, games_dir, list_games, read_info, record_in, unreadable_games
from p2pball.clubhouse.history import BATTING, PITCHING, History, Played, Tally
from p2pball.clubhouse.journal import MAX_RECORD
from p2pball.engine.terms import Seat, Side
from p2pball.frozen import frozen
from p2pball.protocol.chat import clean
from p2pball.scorebook.boxscore import Box, box_score
from p2pball.ui.record import Record

DERIVATION = 2
"""Counted up when the same record makes other rows than before, so that rows are made again."""


@frozen
class Found:
    """A record that a player named; `info` is None for a file from elsewhere."""

    path: Path
    info: GameInfo | None
    record: Record


def find(text: str) -> Found:
    """The game that a player means: an id, the beginning or end of one, or the path of a record.

    Raises NoSuchGame or DiskError; a record that is none is found all the same, and its verdict tells.
    """
    path = Path(text)
    with explained("read the record", path):
        return _find(text, path)


def _find(text: str, path: Path) -> Found:
    named_as_file = path.suffix == ".p2pball" or os.sep in text or "/" in text
    if not named_as_file:
        try:
            folder = find_game(text)
        except NoSuchGame:
            if not path.is_file():
                raise
        else:
            return Found(record_in(folder), read_info(folder), Record.of(read_record(record_in(folder))))
    if path.is_dir() and record_in(path).is_file():
        path = record_in(path)
    if not path.is_file():
        why = f"{clean(text)!r} is no record file" if path.exists() else f"There is no record {clean(text)!r}"
        raise NoSuchGame(f"{why}. Name a file, or a game: `p2pball games` lists those on this machine.")
    return Found(path, None, Record.of(read_record(path)))


def read_record(path: Path) -> bytes:
    """The bytes of a record file; a missing one of a game just begun is empty. Raises DiskError."""
    with explained("read the record", path):
        return read_file(path, MAX_RECORD) if os.path.lexists(path) else b""  # a link to nowhere is no new game


def refresh(history: History, watched: Callable[[Sequence[GameInfo]], Iterable[GameInfo]] = iter) -> list[DiskError]:
    """Bring the history up to date: only records that changed since are replayed, each taken from `watched`.

    What cannot be read is left out, and the reasons are the answer; raises DiskError when the history itself cannot
    be written.
    """
    stamps = history.stamps()
    infos = list_games()
    history.keep_only(info.id for info in infos)
    left_out = unreadable_games()
    changed = [info for info in infos if stamps.get(info.id) != _stamp(_record_of(info))]
    for info in watched(changed):
        path = _record_of(info)
        stamp = _stamp(path)  # before the reading: what is written meanwhile is read the next time
        try:
            data = read_record(path)
        except DiskError as error:
            left_out.append(error)
        else:
            _put(history, info, path, stamp, Record.of(data))
    return left_out


def _record_of(info: GameInfo) -> Path:
    return record_in(games_dir() / info.id)


def _stamp(path: Path) -> str:
    try:
        stat = path.stat()
    except FileNotFoundError:
        return f"{DERIVATION}:none"
    except OSError:
        return ""  # like no other: it is read, and the reading says why it cannot be
    return f"{DERIVATION}:{stat.st_size}:{stat.st_mtime_ns}"


def _put(history: History, info: GameInfo, path: Path, stamp: str, record: Record) -> None:
    box = box_score(record.book) if record.book else None
    seat = Seat(info.seat)
    history.put(
        played(info, path, stamp, record, box),
        _tallies(record, seat, box, "batting", BATTING),
        _tallies(record, seat, box, "pitching", PITCHING),
    )


def played(info: GameInfo, path: Path, stamp: str, record: Record, box: Box | None) -> Played:
    """The row of a game in the history."""
    result, seat = record.result, Seat(info.seat)
    opponent = record.name(seat.other) if record.begun else clean(info.opponent)
    key = record.key(seat.other) if record.begun else info.opponent_key
    outcome = ""
    if result is not None:
        outcome = "drawn" if result.winner is None else "won" if result.winner is seat else "lost"
    return Played(
        id=info.id,
        stamp=stamp,
        file=str(path),
        rules=record.terms.rules.value if record.begun else info.rules,
        status=_status(record),
        outcome=outcome,
        result=result.to_json() if result else None,
        seat=info.seat,
        kind=info.kind,
        level=info.level,
        opponent=opponent,
        # The computer has a new key every game: it is known by its level.
        opponent_key=f"computer {info.level}" if info.kind == "solo" else key,
        started=info.started,
        seeded=info.seeded,
        resigned=result is not None and bool(record.resigned),
        line=line_json(box) if box else {},
    )


def _status(record: Record) -> str:
    return "new" if record.unbegun else record.report.verdict.value.lower()


def line_json(box: Box) -> dict[str, object]:
    """The line score as JSON: innings, and for each side its code, runs by inning, R, H, E and LOB."""
    sides: dict[str, object] = {}
    for side in Side:
        line = box.line.line(side)
        sides[side.name.lower()] = {
            "code": line.code,
            "innings": list(line.innings),
            "R": line.runs,
            "H": line.hits,
            "E": line.errors,
            "LOB": line.left,
        }
    return {"innings": box.line.innings, **sides}


def _tallies(record: Record, seat: Seat, box: Box | None, kind: str, columns: tuple[str, ...]) -> Iterable[Tally]:
    if box is None:
        return
    for side in Side:
        for line in getattr(box.side(side), kind):
            numbers = {column: getattr(line, column) for column in columns}
            yield Tally(record.side(seat) is side, line.name, numbers)
