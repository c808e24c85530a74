"""PURE: who sits where: the seats of every room and the limits of every source, each question answered at once."""

from dataclasses import dataclass, field
from hmac import compare_digest

from signaling.limits import Limits
from signaling.sources import Source
from signaling.wire import Code, Door, Role


@dataclass(slots=True)
class Granted:
    """The seat is the asker's. `home` is the process that keeps the room, `opens` whether the room is new with it.

    `turn` tells whether the source may have TURN credentials.
    """

    room: str
    home: str
    opens: bool
    turn: bool


@dataclass(slots=True)
class Refused:
    """No seat, and why; `retry` in seconds when waiting helps."""

    code: Code
    retry: int | None = None


@dataclass(slots=True)
class Asking:
    """Someone at a door: from which source, at which process, with the token the seat gets if it is a new one."""

    door: Door
    source: str
    token: str
    home: str = ""
    may_open: bool = True  # False while the process drains


@dataclass(slots=True)
class _Entry:
    room: str
    home: str
    opener: str
    tokens: dict[Role, str]
    away: set[Role] = field(default_factory=set)
    waiting: bool = True


RETRY_FULL = 30
"""Seconds that whoever meets a full relay, or has all that a source may hold, is told to wait."""


class Directory:
    """Seats and limits of a relay of one process."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._rooms: dict[str, _Entry] = {}
        self._sources: dict[str, Source] = {}
        self._opened = 0
        self._waiting = 0
        self._forgets = 0.0  # when sources are looked through next

    def seat(self, asking: Asking, now: float) -> Granted | Refused:
        """Give a seat or say why not. Every try counts; one that finds no seat counts as failed as well.

        A nameplate in use and a room that is full count as failed too: else one could look for rooms through them.
        """
        limits, source = self._limits, self._sources.setdefault(asking.source, Source())
        if (retry := source.failed.full(limits.failed_joins, now)) is not None:
            return Refused(Code.FAILED_JOINS, retry)
        if (retry := source.joins.full(limits.joins, now)) is not None:
            return Refused(Code.JOINS, retry)
        source.joins.add(limits.window, now)
        if source.connections >= limits.source_connections:
            return Refused(Code.CONNECTIONS, RETRY_FULL)
        opened = self._opened
        code = self._admit(asking, source)
        if code is not None:
            if code in (Code.NO_ROOM, Code.BAD_TOKEN, Code.FULL, Code.TAKEN):
                source.failed.add(limits.window, now)
            return Refused(code, RETRY_FULL if code in (Code.ROOMS, Code.RELAY_ROOMS) else None)
        source.connections += 1
        turn = source.turn.full(limits.turn, now) is None
        if turn:
            source.turn.add(limits.turn_window, now)
        entry = self._rooms[asking.door.nameplate]
        return Granted(entry.room, entry.home, self._opened > opened, turn)

    def _admit(self, asking: Asking, source: Source) -> Code | None:
        door, role = asking.door, asking.door.role
        entry = self._rooms.get(door.nameplate)
        if door.token is not None:
            if entry is None or not compare_digest(entry.tokens.get(role, ""), door.token):
                return Code.BAD_TOKEN
            entry.away.discard(role)
            return None
        if entry is None:
            return self._open(asking, source)
        # In a room to resume in, a player whose program died comes back without its token: the nameplate is the secret.
        if role in entry.tokens and not (door.resume and role in entry.away):
            return Code.TAKEN if role is Role.HOST and not door.resume else Code.FULL
        entry.tokens[role] = asking.token
        entry.away.discard(role)
        if role.other in entry.tokens:
            self._stop_waiting(entry)
        return None

    def _open(self, asking: Asking, source: Source) -> Code | None:
        door = asking.door
        if door.role is Role.GUEST and not door.resume:
            return Code.NO_ROOM
        if not asking.may_open:
            return Code.DRAINING
        if source.rooms >= self._limits.source_rooms:
            return Code.ROOMS
        if self._waiting >= self._limits.rooms:
            return Code.RELAY_ROOMS
        self._opened += 1
        source.rooms += 1
        self._waiting += 1
        room = f"{door.nameplate}.{self._opened}"
        self._rooms[door.nameplate] = _Entry(room, asking.home, asking.source, {door.role: asking.token})
        return None

    def _stop_waiting(self, entry: _Entry) -> None:
        if entry.waiting:
            entry.waiting = False
            self._waiting -= 1
            self._sources[entry.opener].rooms -= 1

    def _entry(self, room: str) -> _Entry | None:
        entry = self._rooms.get(room.partition(".")[0])
        return entry if entry is not None and entry.room == room else None

    def away(self, room: str, role: Role) -> None:
        """The connection of that seat was lost."""
        if (entry := self._entry(room)) is not None:
            entry.away.add(role)

    def end(self, room: str) -> None:
        """The room is over; its nameplate is free."""
        if (entry := self._entry(room)) is not None:
            self._stop_waiting(entry)
            del self._rooms[room.partition(".")[0]]

    def depart(self, source: str) -> None:
        """A connection that had been granted a seat is gone."""
        self._sources[source].connections -= 1

    def forget(self, now: float) -> None:
        """Drop the sources of which nothing needs to be remembered; looked through once a window, as they are many."""
        if now < self._forgets:
            return
        self._forgets = now + self._limits.window
        for key in [key for key, source in self._sources.items() if source.forgettable(now)]:
            del self._sources[key]

    def __len__(self) -> int:
        """How many rooms there are."""
        return len(self._rooms)

    @property
    def sources(self) -> int:
        """How many sources are remembered."""
        return len(self._sources)
