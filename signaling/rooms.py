"""PURE: what happens in a room: who is there, what passes between the two seats, and when it is over.

A connection is any hashable value; the room does not know whether it ends in this process or in another one.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Generic

from signaling.effects import C, Close, Effect, Ended, Hold, Lost, Met, Pair, Release, Send, Tell
from signaling.limits import Limits
from signaling.wire import Away, Back, Code, Left, Outcome, Role


@dataclass(slots=True)
class _Seat(Generic[C]):
    taken: bool = False
    conn: C | None = None
    since: float = 0.0  # when the connection was lost
    told: bool = False  # whether this connection knows that it is paired
    blocked: bool = False  # whether this connection does not take what it is sent
    messages: int = 0  # from this seat
    size: int = 0  # from this seat, in bytes
    kept: tuple[bytes, ...] = ()  # for this seat


@dataclass(slots=True)
class _Room(Generic[C]):
    name: str
    opened: float
    host: _Seat[C] = field(default_factory=_Seat)
    guest: _Seat[C] = field(default_factory=_Seat)
    met: bool = False
    quiet: float = 0.0  # the last message, or the meeting
    ends: float | None = None  # set once one has left for good

    def seats(self, role: Role) -> tuple[_Seat[C], _Seat[C]]:
        """That seat and the one across."""
        return (self.host, self.guest) if role is Role.HOST else (self.guest, self.host)

    @property
    def conns(self) -> list[C]:
        return [seat.conn for seat in (self.host, self.guest) if seat.conn is not None]


class Rooms(Generic[C]):
    """The rooms kept by this process."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._rooms: dict[str, _Room[C]] = {}
        self._at: dict[C, tuple[_Room[C], Role]] = {}

    def sit(self, name: str, role: Role, conn: C, now: float, *, opens: bool) -> list[Effect[C]]:
        """A connection takes a seat that the directory granted: a new one, or its own again."""
        room = self._rooms.get(name)
        if room is None and opens:
            room = self._rooms[name] = _Room(name, now)
        if room is None or room.ends is not None:  # it ended while the grant was under way
            return [Close(conn, Code.SAME_CODE)]
        effects: list[Effect[C]] = []
        seat, other = room.seats(role)
        if seat.conn is not None:
            effects = [Close(seat.conn, Code.REPLACED), *self._detach(seat.conn, room, role)]
        seat.taken, seat.conn = True, conn
        self._at[conn] = (room, role)
        if other.conn is None:
            return effects
        if not room.met:
            room.met, room.quiet = True, now
            effects.append(Met(name))
        effects += [*self._join(other.conn, other), *self._join(conn, seat)]
        if other.blocked:
            effects.append(Hold(conn))
        return effects

    def message(self, conn: C, data: bytes, now: float) -> list[Effect[C]]:
        """A whole binary message from a connection: passed on, kept, or too much."""
        if (at := self._at.get(conn)) is None:
            return []
        room, role = at
        seat, other = room.seats(role)
        seat.messages += 1
        seat.size += len(data)
        room.quiet = now
        if room.ends is not None:  # the other has left: nobody reads it
            return []
        if seat.messages > self._limits.messages:
            return self.expel(conn, Code.MESSAGES, now)
        if seat.size > self._limits.total_bytes:
            return self.expel(conn, Code.BYTES, now)
        if other.conn is not None:
            return [Send(other.conn, data)]
        if len(other.kept) >= self._limits.kept:
            return self.expel(conn, Code.KEPT, now)
        other.kept += (data,)
        return []

    def closed(self, conn: C, outcome: Outcome | None, now: float) -> list[Effect[C]]:
        """A connection is gone: closed by its client with that outcome, or lost (None), which keeps the seat."""
        if (at := self._at.get(conn)) is None:
            return []
        room, role = at
        effects = self._detach(conn, room, role)
        seat, other = room.seats(role)
        if room.ends is not None:
            del self._rooms[room.name]
            return effects
        if outcome is None:
            seat.since = now
            effects.append(Lost(room.name, role))
            if other.conn is not None:
                effects.append(Tell(other.conn, Away()))
            return effects
        effects.append(Ended(room.name))
        if other.conn is None:
            del self._rooms[room.name]
        else:
            room.ends = now + self._limits.leave
            effects.append(Tell(other.conn, Left(outcome)))
        return effects

    def expel(self, conn: C, code: Code, now: float) -> list[Effect[C]]:
        """Close a connection that broke a rule; to the other it has left."""
        return [Close(conn, code), *self.closed(conn, Outcome.LEFT, now)]

    def blocked(self, conn: C, blocked: bool) -> list[Effect[C]]:
        """A connection does not take what it is sent, or does so again: the other waits meanwhile."""
        if (at := self._at.get(conn)) is None:
            return []
        room, role = at
        seat, other = room.seats(role)
        seat.blocked = blocked
        if other.conn is None:
            return []
        return [Hold(other.conn) if blocked else Release(other.conn)]

    def due(self, now: float) -> list[Effect[C]]:
        """Whatever the time has come for."""
        effects: list[Effect[C]] = []
        for room in list(self._rooms.values()):
            code = self._due(room, now)
            if code is not None:
                effects += self._end(room, code)
        return effects

    def _due(self, room: _Room[C], now: float) -> Code | None:
        limits = self._limits
        if room.ends is not None:
            return Code.GONE if now >= room.ends else None
        gone = (seat for seat in (room.host, room.guest) if seat.taken and seat.conn is None)
        if any(now >= seat.since + limits.away for seat in gone):
            return Code.GONE
        if not room.met:
            return Code.WAITED if now >= room.opened + limits.waiting else None
        return Code.SILENT if now >= room.quiet + limits.silent else None

    def end(self, code: Code, concerned: Callable[[bool, list[C]], bool]) -> list[Effect[C]]:
        """Close the rooms that concern this; asked for each with whether its two have met and who is there."""
        rooms = [room for room in self._rooms.values() if concerned(room.met, room.conns)]
        return [effect for room in rooms for effect in self._end(room, code)]

    def _end(self, room: _Room[C], code: Code) -> list[Effect[C]]:
        effects: list[Effect[C]] = [] if room.ends is not None else [Ended(room.name)]
        del self._rooms[room.name]
        for conn in room.conns:
            del self._at[conn]
            effects += [Release(conn), Close(conn, code)]
        return effects

    def _join(self, conn: C, seat: _Seat[C]) -> Iterable[Effect[C]]:
        if seat.told:
            return [Tell(conn, Back())]
        seat.told = True
        kept, seat.kept = seat.kept, ()
        return [Pair(conn), *[Send(conn, data) for data in kept]]

    def _detach(self, conn: C, room: _Room[C], role: Role) -> list[Effect[C]]:
        seat, other = room.seats(role)
        del self._at[conn]
        blocked, seat.blocked = seat.blocked, False
        seat.conn, seat.told = None, False
        return [Release(other.conn)] if blocked and other.conn is not None else []

    def __contains__(self, conn: C) -> bool:
        """Whether that connection is in a room."""
        return conn in self._at

    @property
    def waiting(self) -> int:
        """How many rooms wait for their second player."""
        return sum(not room.met for room in self._rooms.values())

    def __len__(self) -> int:
        """How many rooms there are."""
        return len(self._rooms)
