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
from signaling.far import Far, Kind
from signaling.log import LOG
from signaling.metrics import Metrics
from signaling.options import Options
from signaling.passage import Passage
from signaling.rooms import Rooms
from signaling.store import Store, StoreError
from signaling.wire import TOKEN_BYTES, Code, Door, Outcome, Paired, Role, Seated

_OF_ROOMS = (effects.Met, effects.Lost, effects.Ended)
_RETRY_STORE = 2
"""Seconds a client waits before it knocks again at a relay that is cut off from its store."""


class Desk:
    """The seats of one process. Connections here are near; those of other processes, in rooms kept here, are far."""

    def __init__(self, options: Options, store: Store, metrics: Metrics, now: Callable[[], float]) -> None:
        self.rooms: Rooms[Connection | Far] = Rooms(options.limits)
        self.ice, self._limits = options.ice, options.limits
        self._store = store
        self._metrics = metrics
        self.now = now
        self._waiting: set[asyncio.Future[None]] = set()
        self.passage = Passage(self, store)

    def seat(self, conn: Connection, door: Door, may_open: bool) -> None:
        """Seat a connection or close it with the reason, at once or when the store has answered."""
        asking = Asking(door, conn.source, secrets.token_hex(TOKEN_BYTES), self._store.home, may_open)
        verdict = self._store.seat(asking)
        if isinstance(verdict, (Granted, Refused)):
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
            self.do(self.rooms.sit(granted.room, role, conn, self.now(), opens=granted.opens))
        else:
            self.passage.bind(conn, role, granted)

    # What connections do

    def message(self, conn: Connection, data: bytes) -> None:
        """A near connection sent a whole message."""
        self._metrics.messages += 1
        self._metrics.message_bytes += len(data)
        bond, limits = conn.bond, self._limits
        if bond is None:
            self.do(self.rooms.message(conn, data, self.now()))
            return
        bond.messages += 1
        bond.size += len(data)
        if bond.messages > limits.messages or bond.size > limits.total_bytes:
            self.broke(conn, Code.MESSAGES if bond.messages > limits.messages else Code.BYTES)
        else:
            self.passage.tell_home(bond, Kind.DATA, data=data)

    def broke(self, conn: Connection, code: Code) -> None:
        """A near connection broke a rule: to the other it has left."""
        self._leave(conn, Outcome.LEFT)
        self.refuse(conn, Refused(code))

    def closed(self, conn: Connection, outcome: Outcome | None) -> None:
        """A near connection was closed by its client, or lost."""
        if conn.granted:
            self._metrics.outcomes[outcome] += 1
        self._leave(conn, outcome)

    def _leave(self, conn: Connection, outcome: Outcome | None) -> None:
        if conn.bond is None:
            self.do(self.rooms.closed(conn, outcome, self.now()))
        else:
            self.passage.tell_home(conn.bond, Kind.CLOSED, "" if outcome is None else str(int(outcome)))
            self.passage.unbind(conn)

    def blocked(self, conn: Connection, blocked: bool) -> None:
        """A near connection does not take what it is sent, or does so again."""
        if conn.bond is None:
            self.do(self.rooms.blocked(conn, blocked))
        else:
            self.passage.tell_home(conn.bond, Kind.BLOCKED if blocked else Kind.FREED)

    def refuse(self, conn: Connection, refused: Refused) -> None:
        """Close a near connection for a reason that is counted."""
        self._metrics.refusals[refused.code.name.lower()] += 1
        conn.close(refused.code, refused.retry)

    # What rooms say

    def do(self, what: Iterable[Effect[Connection | Far]]) -> None:
        """Carry out what a room says, in order."""
        for effect in what:
            if isinstance(effect, _OF_ROOMS):
                self._note(effect)
            elif isinstance(effect.to, Far):
                self.passage.carry_out(effect.to, effect)
            else:
                self._do_near(effect.to, effect)

    def _note(self, effect: effects.OfRoom) -> None:
        match effect:
            case effects.Met():
                self._metrics.pairings += 1
            case effects.Lost(room, role):
                self._store.away(room, role)
            case effects.Ended(room):
                self._store.end(room)
            case _:
                assert_never(effect)

    def _do_near(self, conn: Connection, effect: Doing[Connection | Far]) -> None:
        match effect:
            case effects.Send(_, data):
                conn.send(data)
            case effects.Tell(_, word):
                conn.say(word)
            case effects.Pair(_):
                self.pair(conn)
            case effects.Close(_, code):
                self.refuse(conn, Refused(code))
            case effects.Hold(_):
                conn.hold(True)
            case effects.Release(_):
                conn.hold(False)
            case _:
                assert_never(effect)

    def pair(self, conn: Connection) -> None:
        """Tell a near connection that both are there; only now does it learn of servers (connection.md 2)."""
        ice, turn = self.ice, None
        if conn.turn and ice.turn:
            turn = (int(time.time() + self._limits.turn_life), secrets.token_hex(8))
            self._metrics.turn_credentials += 1
        conn.say(Paired(ice.servers(conn.stun_host, turn)))
