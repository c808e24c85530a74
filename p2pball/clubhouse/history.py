"""The history of games played: a database of plain rows, each derived from a record and rebuildable from it."""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, fields
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from p2pball.clubhouse.disk import PRIVATE_FILE, explained
from p2pball.clubhouse.home import data_dir
from p2pball.clubhouse.schema import migrate, told
from p2pball.frozen import frozen

_FILE = "history.sqlite"
_PATIENCE = 5.0
"""Seconds that another p2pball's writing is waited for."""

BATTING = ("pa", "ab", "r", "h", "doubles", "triples", "hr", "rbi", "bb", "so", "sb", "cs", "gidp")
PITCHING = ("outs", "batters", "h", "r", "bb", "k", "hr", "wp", "pitches")


@frozen
class Tally:
    """One man's numbers, in one game or over many: `own` tells his side, `numbers` go by BATTING or PITCHING."""

    own: bool
    name: str
    numbers: Mapping[str, int]
    games: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Played:
    """One game in the history; texts from the other player are as they came."""

    id: str
    stamp: str
    """What tells whether the record has changed since the row was made."""
    file: str
    rules: str
    status: str
    """complete, suspended, cheat, malformed, or new for a game whose hellos are not in."""
    outcome: str
    """won, lost or drawn by the owner; empty while nothing is decided."""
    result: dict[str, Any] | None
    seat: str
    kind: str
    level: str
    opponent: str
    opponent_key: str
    """Whom it counts against in the standings: the key in hex, or the computer's level."""
    started: str
    seeded: bool
    resigned: bool
    """Whether it ended so: by the loser, or by both when it is drawn."""
    line: dict[str, Any] = field(default_factory=dict)
    """The line score: `innings` and per team code, runs by inning, R, H, E, LOB."""

    @property
    def score(self) -> str:
        """A finished game in two words, `won 4-1`; when one resigned, by whom: the score does not tell who won then."""
        assert self.result is not None
        high, low = sorted((self.result["home"], self.result["visitors"]), reverse=True)
        if not self.resigned:
            return f"{self.outcome} {high}-{low}"
        who = {"won": "rival", "lost": "you", "drawn": "both"}[self.outcome]
        return f"{self.outcome}, {who} resigned at {high}-{low}"


@frozen
class Standing:
    """The record against one opponent: games won, lost and drawn, runs for and against, and when last."""

    opponent: str
    opponent_key: str
    won: int
    lost: int
    drawn: int
    last: str


class History:
    """The open database, brought to the present schema; a context manager. Made by `History.open`."""

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        self.path = path
        self._db = connection

    @classmethod
    def open(cls, *, afresh: bool = False) -> Self:
        """The player's history, empty at first or when it is asked for `afresh`; raises DiskError.

        A damaged database or one of a newer p2pball is refused: every row comes from a record, so
        `p2pball games --rebuild` makes it anew.
        """
        path = data_dir() / _FILE
        if afresh:
            with explained("make the history anew", path):
                for file in (path.with_name(f"{_FILE}-journal"), path):  # an old journal would spoil the new file
                    file.unlink(missing_ok=True)
        with explained("open the history", path):
            os.close(os.open(path, os.O_RDWR | os.O_CREAT, PRIVATE_FILE))  # SQLite would make it readable for all
        with told(path):
            connection = sqlite3.connect(path, timeout=_PATIENCE, isolation_level=None)
            try:
                connection.execute("PRAGMA foreign_keys = ON")
                migrate(path, connection)
            except BaseException:
                connection.close()
                raise
        return cls(path, connection)

    def stamps(self) -> dict[str, str]:
        """The stamp of every game that has a row, by id."""
        with told(self.path):
            return dict(self._db.execute("SELECT id, stamp FROM games").fetchall())

    def put(self, game: Played, batting: Iterable[Tally] = (), pitching: Iterable[Tally] = ()) -> None:
        """Keep a game and its lines, in place of what was there; raises DiskError, and then nothing has changed."""
        row = {f.name: getattr(game, f.name) for f in fields(Played)}
        row |= {"result": json.dumps(game.result), "line": json.dumps(game.line)}
        with self._transaction() as db:
            db.execute("DELETE FROM games WHERE id = ?", (game.id,))
            db.execute(f"INSERT INTO games ({', '.join(row)}) VALUES ({_marks(row)})", tuple(row.values()))  # noqa: S608 -- own names
            for table, columns, tallies in (("batting", BATTING, batting), ("pitching", PITCHING, pitching)):
                names = ("game", "own", "name", *columns)
                db.executemany(
                    f"INSERT INTO {table} ({', '.join(names)}) VALUES ({_marks(names)})",  # noqa: S608 -- own names
                    [(game.id, int(t.own), t.name, *(t.numbers[column] for column in columns)) for t in tallies],
                )

    def keep_only(self, ids: Iterable[str]) -> None:
        """Forget the games whose folders are gone; raises DiskError."""
        kept = set(ids)
        with self._transaction() as db:
            gone = [(id_,) for (id_,) in db.execute("SELECT id FROM games").fetchall() if id_ not in kept]
            db.executemany("DELETE FROM games WHERE id = ?", gone)

    def games(self) -> list[Played]:
        """Every game, oldest first; raises DiskError."""
        columns = [f.name for f in fields(Played)]
        with told(self.path):
            rows = self._db.execute(f"SELECT {', '.join(columns)} FROM games ORDER BY started, id").fetchall()  # noqa: S608 -- own names
        return [_played(dict(zip(columns, row, strict=True))) for row in rows]

    def standings(self) -> list[Standing]:
        """One row for each opponent's key, the one played most first; the name is the last one used."""
        with told(self.path):
            rows = self._db.execute(
                "SELECT opponent, opponent_key, sum(outcome = 'won'), sum(outcome = 'lost'), sum(outcome = 'drawn'),"
                " max(started) FROM counted GROUP BY opponent_key ORDER BY count(*) DESC, max(started) DESC"
            ).fetchall()
        return [Standing(*row) for row in rows]

    def outcomes(self) -> list[str]:
        """won, lost or drawn of every game that counts, oldest first: what streaks are read from."""
        with told(self.path):
            rows = self._db.execute("SELECT outcome FROM counted ORDER BY started, id").fetchall()
        return [outcome for (outcome,) in rows]

    def batting(self) -> list[Tally]:
        """The batters of the player's own teams over all games that count, most plate appearances first."""
        return self._tallies("batting", BATTING)

    def pitching(self) -> list[Tally]:
        """The pitchers of the player's own teams over all games that count, most outs first."""
        return self._tallies("pitching", PITCHING)

    def _tallies(self, table: str, columns: tuple[str, ...]) -> list[Tally]:
        sums = ", ".join(f"sum({table}.{column})" for column in columns)
        query = (
            f"SELECT name, count(DISTINCT game), {sums} FROM {table} JOIN counted ON counted.id = {table}.game"  # noqa: S608 -- own names
            f" WHERE own GROUP BY name ORDER BY sum({table}.{columns[0]}) DESC, name"
        )
        with told(self.path):
            rows = self._db.execute(query).fetchall()
        return [Tally(True, name, dict(zip(columns, sums, strict=True)), games) for name, games, *sums in rows]

    def close(self) -> None:
        """Close the database; harmless when that was done before."""
        self._db.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        self.close()

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        with told(self.path):
            self._db.execute("BEGIN IMMEDIATE")
            try:
                yield self._db
            except BaseException:
                with suppress(sqlite3.Error):
                    self._db.execute("ROLLBACK")
                raise
            self._db.execute("COMMIT")


def _marks(names: Iterable[str]) -> str:
    return ", ".join("?" for _ in names)


def _played(row: dict[str, Any]) -> Played:
    row |= {"result": json.loads(row["result"]), "line": json.loads(row["line"])}
    row |= {flag: bool(row[flag]) for flag in ("seeded", "resigned")}
    return Played(**row)
