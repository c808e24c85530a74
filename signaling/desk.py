"""Seats clients: asks the store, keeps the rooms of this process, and carries out what they say, near and far."""

import asyncio
import secrets
import time
from collections.abc import Awaitable, Callable, Iterable
from typing import assert_never

from signaling import effects
from signaling.connection import Connection
from signaling.directory import Asking, Granted, Refused
from signaling.effects import Doing, Effect
from signaling.far import Bond, Far, Kind, Parcel, close_parcel, word_parcel
from signaling.log import LOG
from signaling.metrics import Metrics
from signaling.options import Options
from signaling.rooms import Rooms
from signaling.store import Store, StoreError
from signaling.wire import TOKEN_BYTES, Code, Door, Outcome, Paired, Role, Seated, hear

_RETRY_STORE = 2
"""Seconds a client waits before it knocks again at a relay that is cut off from its store."""


class Desk:
    """The seats of one process. Connections here are near; those of other processes, in rooms kept here, are far."""

    def __init__(self, options: Options, store: Store, metrics: Metrics, now: Callable[[], float]) -> None:
        self.rooms: Rooms[Connection | Far] = Rooms(options.limits)
        self.ice, self._limits = options.ice, options.limits
        self._store = store
        self._metrics = metrics
        self._now = now
        self._waiting: set[asyncio.Future[None]] = set()
        self._bonds: dict[int, Connection] = {}
        self._bonded = 0

    def seat(self, conn: Connection, door: Door, may_open: bool) -> None:
        """Seat a connection or close it with the reason, at once or when the store has answered."""
        asking = Asking(door, conn.source, secrets.token_hex(TOKEN_BYTES), self._store.home, may_open)
        verdict = self._store.seat(asking)
        if isinstance(verdict, Granted | Refused):
            self._settle(conn, asking, verdict)
            return
        conn.hold(True)
        task = asyncio.ensure_future(self._wait(conn, asking, verdict))
        self._waiting.add(task)  # the loop itself holds tasks only weakly
        task.add_done_callback(self._waiting.discard)

    async def _wait(self, conn: Connection, asking: Asking, verdict: Awaitable[Granted | Refused]) -> None:
        try:
            self._settle(conn, asking, await verdict)
        except StoreError:
            self.refuse(conn, Refused(Code.SAME_CODE, _RETRY_STORE))
        except Exception:  # a fault of ours must not leave a client waiting for nothing
            LOG.exception("seating failed")
            conn.abort()

    def _settle(self, conn: Connection, asking: Asking, verdict: Granted | Refused) -> None:
        if isinstance(verdict, Refused):
            self.refuse(conn, verdict)
            return
        conn.granted, conn.turn = asking.home, verdict.turn
        if conn.lost:
            self._store.depart(conn.source, conn.granted)
        if asking.home != self._store.home:  # cut off and back meanwhile: what was granted is void
            self.refuse(conn, Refused(Code.SAME_CODE, _RETRY_STORE))
            return
        self._metrics.joins += 1
        conn.say(Seated(asking.door.role, asking.door.token or asking.token, int(self._limits.waiting)))
        conn.hold(False)  # reading goes on, unless the room has other reasons
        self._sit(conn, asking.door.role, verdict)
        conn.uncork()
        if conn.lost:
            self.closed(conn, None)

    def _sit(self, conn: Connection, role: Role, granted: Granted) -> None:
        if granted.home == self._store.home:
            self.do(self.rooms.sit(granted.room, role, conn, self._now(), opens=granted.opens))
            return
        self._bonded += 1
        conn.bond = Bond(granted.home, self._bonded)
        self._bonds[self._bonded] = conn
        self._tell_home(conn.bond, Kind.SIT, f"{role.value} {granted.room}")

    # What connections do

    def message(self, conn: Connection, data: bytes) -> None:
        """A near connection sent a whole message."""
        self._metrics.messages += 1
        self._metrics.message_bytes += len(data)
        bond, limits = conn.bond, self._limits
        if bond is None:
            self.do(self.rooms.message(conn, data, self._now()))
            return
        bond.messages += 1
        bond.size += len(data)
        if bond.messages > limits.messages or bond.size > limits.total_bytes:
            self.broke(conn, Code.MESSAGES if bond.messages > limits.messages else Code.BYTES)
        else:
            self._tell_home(bond, Kind.DATA, data=data)

    def broke(self, conn: Connection, code: Code) -> None:
        """A near connection broke a rule: to the other it has left."""
        self._leave(conn, Outcome.LEFT)
        self.refuse(conn, Refused(code))

    def closed(self, conn: Connection, outcome: Outcome | None) -> None:
        """A near connection was closed by its client, or lost."""
        if conn.granted:
            self._metrics.outcomes[outcome.name.lower() if outcome is not None else "lost"] += 1
        self._leave(conn, outcome)

    def _leave(self, conn: Connection, outcome: Outcome | None) -> None:
        if conn.bond is None:
            self.do(self.rooms.closed(conn, outcome, self._now()))
            return
        self._tell_home(conn.bond, Kind.CLOSED, "" if outcome is None else str(int(outcome)))
        self._unbind(conn)

    def blocked(self, conn: Connection, blocked: bool) -> None:
        """A near connection does not take what it is sent, or does so again."""
        if conn.bond is None:
            self.do(self.rooms.blocked(conn, blocked))
        else:
            self._tell_home(conn.bond, Kind.BLOCKED if blocked else Kind.FREED)

    def refuse(self, conn: Connection, refused: Refused) -> None:
        """Close a near connection for a reason that is counted."""
        self._metrics.refusals[refused.code.name.lower()] += 1
        conn.close(refused.code, refused.retry)

    def _tell_home(self, bond: Bond, kind: Kind, text: str = "", data: bytes = b"") -> None:
        parcel = Parcel(kind, self._store.home, bond.number, text, data)
        if not self._store.send(bond.home, parcel.pack(), parcel.bulk):
            self._tell_home(bond, Kind.FULL)

    def _unbind(self, conn: Connection) -> None:
        if conn.bond is not None:
            self._bonds.pop(conn.bond.number, None)
            conn.bond = None

    # What rooms say

    def do(self, what: Iterable[Effect[Connection | Far]]) -> None:
        """Carry out what a room says, in order."""
        for effect in what:
            match effect:
                case effects.Met():
                    self._metrics.pairings += 1
                case effects.Lost(room, role):
                    self._store.away(room, role)
                case effects.Ended(room):
                    self._store.end(room)
                case _ if isinstance(effect.to, Far):
                    self._do_far(effect.to, effect)
                case _:
                    self._do_near(effect.to, effect)

    def _do_near(self, conn: Connection, effect: Doing[Connection | Far]) -> None:
        match effect:
            case effects.Send(_, data):
                conn.send(data)
            case effects.Tell(_, word):
                conn.say(word)
            case effects.Pair(_):
                self._pair(conn)
            case effects.Close(_, code):
                self.refuse(conn, Refused(code))
            case effects.Hold(_):
                conn.hold(True)
            case effects.Release(_):
                conn.hold(False)
            case _:
                assert_never(effect)

    def _do_far(self, far: Far, effect: Doing[Connection | Far]) -> None:
        match effect:
            case effects.Send(_, data):
                parcel = far.parcel(Kind.SEND, data=data)
            case effects.Tell(_, word):
                parcel = word_parcel(far, word)
            case effects.Pair(_):
                parcel = far.parcel(Kind.PAIR)
            case effects.Close(_, code):
                parcel = close_parcel(far, code)
            case effects.Hold(_):
                parcel = far.parcel(Kind.HOLD)
            case effects.Release(_):
                parcel = far.parcel(Kind.RELEASE)
            case _:
                assert_never(effect)
        if not self._store.send(far.end, parcel.pack(), parcel.bulk):
            self._end_full(far)

    def _end_full(self, far: Far) -> None:
        # Better a room that its two open again than one that waits for a store that cannot keep up.
        self.do(self.rooms.end(Code.SAME_CODE, lambda met, conns: far in conns))

    def _pair(self, conn: Connection) -> None:
        # Only now, when both are there, does a client learn of servers (connection.md 2).
        ice, turn = self.ice, None
        if conn.turn and ice.turn:
            turn = (int(time.time() + self._limits.turn_life), secrets.token_hex(8))
            self._metrics.turn_credentials += 1
        conn.say(Paired(ice.servers(conn.stun_host, turn)))

    # What other processes say

    def hear(self, packed: bytes) -> None:
        """A parcel from another process."""
        try:
            parcel = Parcel.unpack(packed)
            if parcel.to_home:
                self._at_home(parcel, Far(parcel.end, parcel.number))
            elif parcel.end == self._store.home and (conn := self._bonds.get(parcel.number)) is not None:
                self._at_end(parcel, conn)
        except ValueError:
            LOG.exception("unreadable parcel")

    def _at_home(self, parcel: Parcel, far: Far) -> None:
        match parcel.kind:
            case Kind.SIT:
                role, _, room = parcel.text.partition(" ")
                self.do(self.rooms.sit(room, Role(role), far, self._now(), opens=False))
            case Kind.FULL:
                self._end_full(far)
            case _ if far not in self.rooms:  # it ended before its parcel came
                self._do_far(far, effects.Close(far, Code.SAME_CODE))
            case Kind.DATA:
                self.do(self.rooms.message(far, parcel.data, self._now()))
            case Kind.CLOSED:
                outcome = Outcome(int(parcel.text)) if parcel.text else None
                self.do(self.rooms.closed(far, outcome, self._now()))
            case _:
                self.do(self.rooms.blocked(far, parcel.kind is Kind.BLOCKED))

    def _at_end(self, parcel: Parcel, conn: Connection) -> None:
        match parcel.kind:
            case Kind.SEND:
                conn.send(parcel.data)
            case Kind.SAY:
                if (word := hear(parcel.text)) is not None:
                    conn.say(word)
            case Kind.PAIR:
                self._pair(conn)
            case Kind.CLOSE:
                self._unbind(conn)
                self.refuse(conn, Refused(Code(int(parcel.text))))
            case _:
                conn.hold(parcel.kind is Kind.HOLD)

    def lost(self, home: str | None) -> None:
        """Another process died, or with None the way to all of them is lost: close what hangs on it (connection.md 2).

        Pairs that are both here go on: they need no store. Waiting rooms do, since no guest would find them.
        """

        def concerned(met: bool, conns: list[Connection | Far]) -> bool:
            if home is None and not met:
                return True
            return any(isinstance(conn, Far) and home in (None, conn.end) for conn in conns)

        self.do(self.rooms.end(Code.SAME_CODE, concerned))
        for conn in list(self._bonds.values()):
            if conn.bond is not None and home in (None, conn.bond.home):
                self._unbind(conn)
                self.refuse(conn, Refused(Code.SAME_CODE))
