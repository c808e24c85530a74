"""The folders of games: one each, with its record, its secrets, its lock and a few words about it."""

from __future__ import annotations

import dataclasses
import json
import os
import secrets
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from p2pball.clubhouse.disk import explained, private_folder, read_file, read_secret, sync_folder, write_file, write_new
from p2pball.clubhouse.errors import Damaged, DiskError, NoSuchGame
from p2pball.clubhouse.home import data_dir
from p2pball.clubhouse.journal import Journal
from p2pball.clubhouse.lock import Lock
from p2pball.frozen import frozen

SECRET_BYTES = 32
BY_HAND = "by hand"
"""What stands for the relay of a game whose players met without one."""
_LETTERS = "bcdfghjkmnpqrstvwxz23456789"  # nothing that looks like another, and no words
_INFO, _RECORD, _LOCK = "game.json", "record.p2pball", "lock"
_MASTER, _RESUME, _KEY, _RIVAL = "master", "resume", "key", "rival"
_MAX_INFO = 64 * 1024
_KNOWN = {"seat": ("host", "guest"), "kind": ("solo", "hotseat", "online"), "rules": ("dice", "cards")}


@frozen
class GameInfo:
    """What is said about a game without reading its record; texts from the other player are as they came."""

    seat: str
    """host or guest: the seat whose record this is."""
    kind: str
    """solo, hotseat or online."""
    rules: str
    """dice or cards."""
    started: str
    """ISO 8601 with the offset from UTC."""
    name: str = ""
    """The player's own name in this game."""
    level: str = ""
    """The computer's level, in a solo game."""
    opponent: str = ""
    opponent_key: str = ""
    """The other seat's public key in hex; empty until it is known."""
    relay: str = ""
    """The relay that an online game meets at."""
    seeded: bool = False
    """Whether a seed fixed it all: such games stay out of the statistics."""
    id: str = ""
    """Given by `create_game`."""


class GameFolder:
    """An open game folder, locked for this process until `close`; made by `create_game` and `open_game`."""

    def __init__(self, path: Path, lock: Lock, info: GameInfo) -> None:
        self.path = path
        self.info = info
        self._lock = lock
        self.master = read_secret(path / _MASTER, SECRET_BYTES, "the secret of this game")
        self.resume_secret = _optional(path / _RESUME, SECRET_BYTES, "the secret to resume this game")
        self.key = _optional(path / _KEY, SECRET_BYTES, "the signing key of this game")
        """The private key, raw, when it is not the player's identity: in seeded games."""
        rival = _optional(path / _RIVAL, 2 * SECRET_BYTES, "the secrets of the far seat")
        self.rival = None if rival is None else (rival[:SECRET_BYTES], rival[SECRET_BYTES:])
        """The far seat's private key and master, when this machine plays that seat too."""
        # The power may have gone between the making of the folder and that of the journal.
        self.journal = Journal.open(self.record) if self.record.exists() else Journal.create(self.record)

    @property
    def record(self) -> Path:
        """The record file, which is the journal."""
        return record_in(self.path)

    def rewrite(self, info: GameInfo) -> None:
        """Keep other words about this game (the id stays); raises DiskError."""
        info = dataclasses.replace(info, id=self.info.id)
        with explained("note down the game", self.path):
            write_file(self.path / _INFO, _info_json(info))
        self.info = info

    def discard(self) -> None:
        """Remove a game that was left in round 0 and has cost nobody anything (fair-play 3); raises DiskError."""
        self.journal.close()
        if os.name == "nt":
            self._lock.release()  # Windows moves no folder with an open file in it
        with explained("remove the game", self.path):
            gone = self.path.with_name(f".gone-{self.path.name}")
            self.path.rename(gone)  # gone at once for everybody else, whatever happens while it is emptied
            _remove(gone)
        self._lock.release()

    def close(self) -> None:
        """Close the journal and let go of the lock; harmless when that was done before."""
        self.journal.close()
        self._lock.release()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        self.close()


def create_game(
    info: GameInfo,
    master: bytes,
    *,
    resume_secret: bytes | None = None,
    key: bytes | None = None,
    rival: tuple[bytes, bytes] | None = None,
) -> GameFolder:
    """A new game folder under a new id, its secrets durable before anything is signed with them; raises DiskError."""
    folder = games_dir()
    contents = {_MASTER: master, _RESUME: resume_secret, _KEY: key, _RIVAL: rival and b"".join(rival), _RECORD: b""}
    while True:
        info = dataclasses.replace(info, id=_new_id(info.started))
        path, new = folder / info.id, folder / f".new-{info.id}"
        with explained("make a new game", path):
            if path.exists():
                continue
            new.mkdir(mode=0o700)
            contents[_INFO] = _info_json(info)
            try:
                for name, data in contents.items():
                    if data is not None:
                        write_new(new / name, data)
                sync_folder(new)
                new.rename(path)
            except OSError:
                with suppress(OSError):
                    _remove(new)
                raise
            sync_folder(folder)
        return open_game(info.id)


def _remove(folder: Path) -> None:
    import shutil  # late: few games are ever removed

    shutil.rmtree(folder)


def open_game(text: str) -> GameFolder:
    """The game of this id, or of the only id that begins or ends like this, locked.

    Raises NoSuchGame, GameInUse, Damaged or DiskError.
    """
    path = find_game(text)
    lock = Lock(path / _LOCK)
    try:
        return GameFolder(path, lock, read_info(path))
    except BaseException:
        lock.release()
        raise


def find_game(text: str) -> Path:
    """The folder of the game of this id, or of the only id that begins or ends like this; raises NoSuchGame."""
    ids = list(_ids())
    if text in ids:
        return games_dir() / text
    found = [id_ for id_ in ids if text and any(part.startswith(text) for part in (id_, id_[9:]))]
    found = found or [id_ for id_ in ids if text and id_.endswith(text)]
    match found:
        case [one]:
            return games_dir() / one
        case []:
            raise NoSuchGame(f"There is no game {text!r} here: `p2pball games` lists those there are.")
        case _:
            raise NoSuchGame(f"{text!r} may mean any of {', '.join(found)}: give a few characters more.")


def record_in(folder: Path) -> Path:
    """The record file of a game folder; to read it no lock is needed."""
    return folder / _RECORD


def list_games() -> list[GameInfo]:
    """Every game that can be read, oldest first; `unreadable_games` names the rest. Raises DiskError."""
    infos = []
    for id_ in _ids():
        try:
            infos.append(read_info(games_dir() / id_))
        except DiskError:
            continue
    return infos


def unreadable_games() -> list[DiskError]:
    """Why each of the other folders is no game."""
    errors = []
    for id_ in _ids():
        try:
            read_info(games_dir() / id_)
        except DiskError as error:
            errors.append(error)
    return errors


def games_dir() -> Path:
    """The folder of all games, made if it was not there; raises DiskError."""
    return private_folder(data_dir() / "games")


def _ids() -> Iterator[str]:
    folder = games_dir()
    with explained("list the games", folder):
        names = sorted(entry.name for entry in os.scandir(folder) if entry.is_dir() and entry.name[0] != ".")
    yield from names


def _new_id(started: str) -> str:
    """Date and four letters: short, sortable, easily typed."""
    return f"{started[:10].replace('-', '')}-{''.join(secrets.choice(_LETTERS) for _ in range(4))}"


def _info_json(info: GameInfo) -> bytes:
    return json.dumps(dataclasses.asdict(info), indent=1, sort_keys=True).encode()


def read_info(path: Path) -> GameInfo:
    """What a game folder says about its game; raises Damaged or DiskError."""
    with explained("read the game", path):
        data = read_file(path / _INFO, _MAX_INFO)
    try:
        fields: dict[str, Any] = json.loads(data)
        info = GameInfo(**fields)
    except (ValueError, TypeError, RecursionError):
        raise Damaged(f"{path / _INFO} is damaged. Put the folder back from a backup, or move it away.") from None
    kinds_fit = all(
        type(getattr(info, field.name)) is (bool if field.name == "seeded" else str)
        for field in dataclasses.fields(GameInfo)
    )
    controls = any(ord(char) < 32 or 127 <= ord(char) < 160 for text in fields.values() for char in str(text))
    if not kinds_fit or controls or any(getattr(info, name) not in known for name, known in _KNOWN.items()):
        raise Damaged(f"{path / _INFO} is damaged. Put the folder back from a backup, or move it away.")
    return dataclasses.replace(info, id=path.name)


def _optional(path: Path, size: int, what: str) -> bytes | None:
    return read_secret(path, size, what) if path.exists() else None
