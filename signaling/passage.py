"""What passes between the home of a room and the process where one of its clients came in."""

from typing import TYPE_CHECKING, assert_never

from signaling import effects
from signaling.connection import Connection
from signaling.directory import Granted, Refused
from signaling.effects import Doing
from signaling.far import Bond, Far, Kind, Parcel, close_parcel, word_parcel
from signaling.log import LOG
from signaling.store import Store
from signaling.wire import Code, Outcome, Role, hear

if TYPE_CHECKING:
    from signaling.desk import Desk


class Passage:
    """The desk's way to the other processes: near connections of far rooms, far connections of near rooms."""

    def __init__(self, desk: "Desk", store: Store) -> None:
        self._desk = desk
        self._store = store
        self._bonds: dict[int, Connection] = {}
        self._bonded = 0

    # Near connections in rooms kept elsewhere

    def bind(self, conn: Connection, role: Role, granted: Granted) -> None:
        """Tie a near connection to the seat it was granted in a room kept elsewhere."""
        self._bonded += 1
        conn.bond = Bond(granted.home, self._bonded)
        self._bonds[self._bonded] = conn
        self.tell_home(conn.bond, Kind.SIT, f"{role.value} {granted.room}")

    def unbind(self, conn: Connection) -> None:
        """It is in no room any more."""
        if conn.bond is not None:
            self._bonds.pop(conn.bond.number, None)
            conn.bond = None

    def tell_home(self, bond: Bond, kind: Kind, text: str = "", data: bytes = b"") -> None:
        """Tell the home of its room what it did."""
        parcel = Parcel(kind, self._store.home, bond.number, text, data)
        if not self._store.send(bond.home, parcel.pack(), parcel.bulk):
            self.tell_home(bond, Kind.FULL)

    # Far connections in rooms kept here

    def carry_out(self, far: Far, effect: Doing[Connection | Far]) -> None:
        """Have something done to a far connection."""
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
        self._desk.do(self._desk.rooms.end(Code.SAME_CODE, lambda met, conns: far in conns))

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
                self._desk.do(self._desk.rooms.sit(room, Role(role), far, self._desk.now(), opens=False))
            case Kind.FULL:
                self._end_full(far)
            case _ if far not in self._desk.rooms:  # it ended before its parcel came
                self.carry_out(far, effects.Close(far, Code.SAME_CODE))
            case Kind.DATA:
                self._desk.do(self._desk.rooms.message(far, parcel.data, self._desk.now()))
            case Kind.CLOSED:
                outcome = Outcome(int(parcel.text)) if parcel.text else None
                self._desk.do(self._desk.rooms.closed(far, outcome, self._desk.now()))
            case _:
                self._desk.do(self._desk.rooms.blocked(far, parcel.kind is Kind.BLOCKED))

    def _at_end(self, parcel: Parcel, conn: Connection) -> None:
        match parcel.kind:
            case Kind.SEND:
                conn.send(parcel.data)
            case Kind.SAY:
                if (word := hear(parcel.text)) is not None:
                    conn.say(word)
            case Kind.PAIR:
                self._desk.pair(conn)
            case Kind.CLOSE:
                self.unbind(conn)
                self._desk.refuse(conn, Refused(Code(int(parcel.text))))
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

        self._desk.do(self._desk.rooms.end(Code.SAME_CODE, concerned))
        for conn in list(self._bonds.values()):
            if conn.bond is not None and home in (None, conn.bond.home):
                self.unbind(conn)
                self._desk.refuse(conn, Refused(Code.SAME_CODE))
