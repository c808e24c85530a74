"""The schema of the history, how an older one becomes the present one, and what SQLite's errors mean."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from p2pball.clubhouse.errors import DiskError

MIGRATIONS = (
    """
    CREATE TABLE games (
        id TEXT PRIMARY KEY, stamp TEXT NOT NULL, file TEXT NOT NULL, rules TEXT NOT NULL, status TEXT NOT NULL,
        outcome TEXT NOT NULL, result TEXT NOT NULL, seat TEXT NOT NULL, kind TEXT NOT NULL, level TEXT NOT NULL,
        opponent TEXT NOT NULL, opponent_key TEXT NOT NULL, started TEXT NOT NULL, seeded INTEGER NOT NULL,
        line TEXT NOT NULL
    );
    CREATE INDEX games_by_opponent ON games (opponent_key, started);
    """,
    """
    CREATE TABLE batting (
        game TEXT NOT NULL REFERENCES games (id) ON DELETE CASCADE, own INTEGER NOT NULL, name TEXT NOT NULL,
        pa INTEGER NOT NULL, ab INTEGER NOT NULL, r INTEGER NOT NULL, h INTEGER NOT NULL, doubles INTEGER NOT NULL,
        triples INTEGER NOT NULL, hr INTEGER NOT NULL, rbi INTEGER NOT NULL, bb INTEGER NOT NULL,
        so INTEGER NOT NULL, sb INTEGER NOT NULL, cs INTEGER NOT NULL, gidp INTEGER NOT NULL
    );
    CREATE TABLE pitching (
        game TEXT NOT NULL REFERENCES games (id) ON DELETE CASCADE, own INTEGER NOT NULL, name TEXT NOT NULL,
        outs INTEGER NOT NULL, batters INTEGER NOT NULL, h INTEGER NOT NULL, r INTEGER NOT NULL,
        bb INTEGER NOT NULL, k INTEGER NOT NULL, hr INTEGER NOT NULL, wp INTEGER NOT NULL, pitches INTEGER NOT NULL
    );
    CREATE VIEW counted AS
        SELECT * FROM games WHERE status = 'complete' AND NOT seeded AND kind != 'hotseat' AND outcome != '';
    CREATE INDEX batting_of_game ON batting (game);
    CREATE INDEX pitching_of_game ON pitching (game);
    """,
    """
    ALTER TABLE games ADD COLUMN resigned INTEGER NOT NULL DEFAULT 0;
    """,
)
"""What makes schema version n of version n - 1; those that stand here are never changed, only added to.

The view `counted` holds the games that count in the statistics: finished ones against somebody, that no seed had fixed.
"""


def migrate(path: Path, db: sqlite3.Connection) -> None:
    """Bring a database to the present schema, one version after another, each whole or not at all."""
    while True:
        db.execute("BEGIN IMMEDIATE")  # two processes at first use must not both begin
        (version,) = db.execute("PRAGMA user_version").fetchone()
        if version >= len(MIGRATIONS):
            db.execute("ROLLBACK")
            break
        for statement in MIGRATIONS[version].split(";"):
            db.execute(statement)
        db.execute(f"PRAGMA user_version = {version + 1}")
        db.execute("COMMIT")
    if version > len(MIGRATIONS):
        raise DiskError(
            f"The history in {path} was written by a newer p2pball. Update this one, or run "
            "`p2pball games --rebuild`: it makes the history anew from your records."
        )


@contextmanager
def told(path: Path) -> Iterator[None]:
    """Turn an error of SQLite into a sentence with a way out."""
    try:
        yield
    except sqlite3.Error as error:
        busy = getattr(error, "sqlite_errorcode", 0) in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
        full = getattr(error, "sqlite_errorcode", 0) == sqlite3.SQLITE_FULL
        remedy = (
            "Another p2pball is writing it: try again in a moment."
            if busy
            else "Free some space on the disk and try again."
            if full
            else "Your records are not touched: `p2pball games --rebuild` makes the history anew from them."
        )
        raise DiskError(f"Could not use the history in {path}: {error}. {remedy}") from error
