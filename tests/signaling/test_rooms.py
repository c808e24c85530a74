"""What happens in a room: meeting, forwarding, keeping, losing and taking back seats, leaving, limits, deadlines."""

from collections import defaultdict

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from signaling.effects import Close, Ended, Hold, Lost, Met, Pair, Release, Send, Tell
from signaling.limits import Limits
from signaling.rooms import Rooms
from signaling.wire import Away, Back, Code, Left, Outcome, Role

HOST, GUEST = Role.HOST, Role.GUEST


def house(**limits):
    return Rooms(Limits(**limits))


def pair(rooms, now=0.0):
    assert rooms.sit("r", HOST, "h", now, opens=True) == []
    return rooms.sit("r", GUEST, "g", now, opens=False)


def test_two_meet_and_each_learns_that_before_anything_else():
    rooms = house()
    assert pair(rooms) == [Met("r"), Pair("h"), Pair("g")]
    assert rooms.message("h", b"1", 1.0) == [Send("g", b"1")]
    assert rooms.message("g", b"2", 1.0) == [Send("h", b"2")]
    assert (len(rooms), rooms.waiting) == (1, 0)


def test_what_the_first_says_is_kept_for_the_second():
    rooms = house()
    rooms.sit("r", HOST, "h", 0.0, opens=True)
    assert rooms.waiting == 1
    assert rooms.message("h", b"1", 0.0) == []
    assert rooms.message("h", b"2", 0.0) == []
    assert rooms.sit("r", GUEST, "g", 0.0, opens=False) == [
        Met("r"),
        Pair("h"),
        Pair("g"),
        Send("g", b"1"),
        Send("g", b"2"),
    ]


def test_no_more_is_kept_than_the_limit():
    rooms = house(kept=2)
    rooms.sit("r", HOST, "h", 0.0, opens=True)
    assert rooms.message("h", b"1", 0.0) == rooms.message("h", b"2", 0.0) == []
    assert rooms.message("h", b"3", 0.0) == [Close("h", Code.KEPT), Ended("r")]
    assert len(rooms) == 0


def test_a_grant_for_a_room_that_ended_meanwhile_is_told_to_try_again():
    rooms = house()
    assert rooms.sit("r", GUEST, "g", 0.0, opens=False) == [Close("g", Code.SAME_CODE)]
    pair(rooms)
    rooms.closed("g", Outcome.DIRECT, 0.0)
    assert rooms.sit("r", GUEST, "g2", 0.0, opens=False) == [Close("g2", Code.SAME_CODE)]


def test_a_lost_seat_is_taken_back_and_nothing_meant_for_it_is_lost():
    rooms = house()
    pair(rooms)
    assert rooms.closed("g", None, 1.0) == [Lost("r", GUEST), Tell("h", Away())]
    assert rooms.message("h", b"1", 1.0) == []
    assert rooms.sit("r", GUEST, "g2", 2.0, opens=False) == [Tell("h", Back()), Pair("g2"), Send("g2", b"1")]
    assert "g2" in rooms
    assert "g" not in rooms
    assert rooms.message("g", b"old", 2.0) == rooms.closed("g", None, 2.0) == rooms.blocked("g", True) == []


def test_both_seats_lost_and_taken_back():
    rooms = house()
    pair(rooms)
    rooms.closed("g", None, 1.0)
    assert rooms.closed("h", None, 1.0) == [Lost("r", HOST)]
    assert rooms.sit("r", HOST, "h2", 2.0, opens=False) == []
    # h2 has not been told on this connection that it is paired: Pair, not Back.
    assert rooms.sit("r", GUEST, "g2", 2.0, opens=False) == [Pair("h2"), Pair("g2")]


def test_a_guest_may_come_while_the_host_is_away():
    rooms = house()
    rooms.sit("r", HOST, "h", 0.0, opens=True)
    assert rooms.closed("h", None, 1.0) == [Lost("r", HOST)]
    assert rooms.sit("r", GUEST, "g", 2.0, opens=False) == []
    assert rooms.sit("r", HOST, "h2", 3.0, opens=False) == [Met("r"), Pair("g"), Pair("h2")]


def test_a_newer_connection_with_the_token_replaces_the_older():
    rooms = house()
    pair(rooms)
    rooms.blocked("g", True)
    assert rooms.sit("r", GUEST, "g2", 2.0, opens=False) == [
        Close("g", Code.REPLACED),
        Release("h"),
        Tell("h", Back()),
        Pair("g2"),
    ]


def test_whoever_leaves_says_what_came_of_it_and_the_other_has_a_while():
    rooms = house(leave=10)
    pair(rooms)
    assert rooms.closed("g", Outcome.DIRECT, 1.0) == [Ended("r"), Tell("h", Left(Outcome.DIRECT))]
    assert rooms.message("h", b"late", 2.0) == []
    assert rooms.due(10.9) == []
    assert rooms.closed("h", Outcome.DIRECT, 10.9) == []
    assert len(rooms) == 0


def test_whoever_stays_after_the_other_left_is_closed():
    rooms = house(leave=10)
    pair(rooms)
    rooms.closed("h", Outcome.WRONG_CODE, 1.0)
    assert rooms.due(11.0) == [Release("g"), Close("g", Code.GONE)]
    assert len(rooms) == 0


def test_a_host_that_leaves_a_waiting_room_ends_it():
    rooms = house()
    rooms.sit("r", HOST, "h", 0.0, opens=True)
    assert rooms.closed("h", Outcome.LEFT, 1.0) == [Ended("r")]
    assert len(rooms) == 0


def test_whoever_leaves_while_the_other_is_away_ends_the_room():
    rooms = house()
    pair(rooms)
    rooms.closed("h", None, 1.0)
    assert rooms.closed("g", Outcome.FAILED, 1.0) == [Ended("r")]
    assert len(rooms) == 0


@pytest.mark.parametrize(("limits", "code"), [({"messages": 3}, Code.MESSAGES), ({"total_bytes": 3 * 100}, Code.BYTES)])
def test_more_messages_or_bytes_than_the_limit_end_the_introduction(limits, code):
    rooms = house(**limits)
    pair(rooms)
    for _ in range(3):
        assert rooms.message("h", b"x" * 100, 0.0) == [Send("g", b"x" * 100)]
        assert rooms.message("g", b"x" * 100, 0.0) == [Send("h", b"x" * 100)]
    assert rooms.message("h", b"x", 0.0) == [Close("h", code), Ended("r"), Tell("g", Left(Outcome.LEFT))]


def test_the_count_of_a_seat_outlives_its_connection():
    rooms = house(messages=2)
    pair(rooms)
    rooms.message("g", b"1", 0.0)
    rooms.closed("g", None, 0.0)
    rooms.sit("r", GUEST, "g2", 0.0, opens=False)
    rooms.message("g2", b"2", 0.0)
    assert rooms.message("g2", b"3", 0.0)[0] == Close("g2", Code.MESSAGES)


def test_a_peer_that_does_not_read_holds_the_one_that_sends():
    rooms = house()
    pair(rooms)
    assert rooms.blocked("g", True) == [Hold("h")]
    assert rooms.blocked("g", False) == [Release("h")]
    rooms.blocked("g", True)
    assert rooms.closed("h", None, 0.0) == [Lost("r", HOST), Tell("g", Away())]
    assert rooms.blocked("g", True) == []
    # Whoever comes back to a peer that still does not read is held at once.
    assert rooms.sit("r", HOST, "h2", 0.0, opens=False)[-1] == Hold("h2")
    assert rooms.closed("g", None, 0.0) == [Release("h2"), Lost("r", GUEST), Tell("h2", Away())]


def test_a_room_waits_so_long():
    rooms = house(waiting=600)
    rooms.sit("r", HOST, "h", 0.0, opens=True)
    assert rooms.due(599.0) == []
    assert rooms.due(600.0) == [Ended("r"), Release("h"), Close("h", Code.WAITED)]
    assert rooms.message("h", b"late", 600.0) == []
    assert rooms.due(10_000.0) == []


def test_a_silent_pair_is_closed():
    rooms = house(silent=120)
    pair(rooms, 50.0)
    rooms.message("g", b"1", 100.0)
    assert rooms.due(219.0) == []
    assert rooms.due(220.0) == [
        Ended("r"),
        Release("h"),
        Close("h", Code.SILENT),
        Release("g"),
        Close("g", Code.SILENT),
    ]


def test_a_lost_seat_is_kept_so_long():
    rooms = house(away=30)
    pair(rooms)
    rooms.closed("g", None, 10.0)
    assert rooms.due(39.0) == []
    assert rooms.due(40.0) == [Ended("r"), Release("h"), Close("h", Code.GONE)]
    rooms.sit("q", HOST, "h", 0.0, opens=True)
    rooms.closed("h", None, 10.0)
    assert rooms.due(40.0) == [Ended("q")]


def test_rooms_are_ended_by_what_they_are():
    rooms = house()
    pair(rooms)
    rooms.sit("q", HOST, "x", 0.0, opens=True)
    assert rooms.end(Code.DRAINING, lambda met, conns: not met) == [
        Ended("q"),
        Release("x"),
        Close("x", Code.DRAINING),
    ]
    assert rooms.end(Code.SAME_CODE, lambda met, conns: "z" in conns) == []
    assert Close("g", Code.SAME_CODE) in rooms.end(Code.SAME_CODE, lambda met, conns: "g" in conns)
    assert len(rooms) == 0


class AnyOrder(RuleBasedStateMachine):
    """Three rooms under any order of events: a model of what every client saw is the judge."""

    def __init__(self):
        super().__init__()
        self.limits = Limits(messages=12, total_bytes=60, kept=3, waiting=50, silent=20, away=8, leave=5)
        self.rooms, self.now, self.made = Rooms(self.limits), 0.0, 0
        self.at = {}  # open connection -> (room, role)
        self.told = set()  # connections that know they are paired
        self.held = set()
        self.known = set()  # rooms that the directory still has
        self.sent = defaultdict(list)  # (room, from) -> messages taken
        self.got = defaultdict(list)  # (room, to) -> messages delivered

    def see(self, effects):
        for effect in effects:
            match effect:
                case Send(conn, data):
                    assert conn in self.told
                    self.got[self.at[conn]].append(data)
                case Pair(conn):
                    assert conn in self.at
                    assert conn not in self.told
                    self.told.add(conn)
                case Tell(conn, _):
                    assert conn in self.told
                case Close(conn, _):
                    del self.at[conn]
                    self.told.discard(conn)
                    self.held.discard(conn)
                case Hold(conn):
                    self.held.add(conn)
                case Release(conn):
                    self.held.discard(conn)
                case Lost(room, role):
                    assert room in self.known
                    assert (room, role) not in self.at.values()
                case Ended(room):
                    self.known.remove(room)
                case Met(room):
                    assert room in self.known

    @rule(number=st.integers(0, 2), role=st.sampled_from(Role))
    def sit(self, number, role):
        self.made += 1
        name, conn = f"{number}", f"c{self.made}"
        opens = name not in self.known
        if opens:
            if any(room == name for room, _ in self.at.values()):
                return  # a directory gives the new room another name
            for side in Role:
                self.sent.pop((name, side), None)
                self.got.pop((name, side), None)
        old = [other for other, at in self.at.items() if at == (name, role)]
        self.known.add(name)
        effects = self.rooms.sit(name, role, conn, self.now, opens=opens)
        if old:
            assert effects[0] == Close(old[0], Code.REPLACED)
            self.see(effects[:1])
            effects = effects[1:]
        self.at[conn] = (name, role)
        self.see(effects)

    def some(self, data):
        return data.draw(st.sampled_from(sorted(self.at))) if self.at else None

    @rule(data=st.data())
    def message(self, data):
        if (conn := self.some(data)) is None or conn in self.held:
            return
        self.made += 1
        room, role = self.at[conn]
        said = b"%d" % self.made
        if room in self.known:
            self.sent[room, role].append(said)
        self.see(self.rooms.message(conn, said, self.now))
        if room in self.known and conn not in self.at:
            raise AssertionError("a room outlived the seat that broke its rules")

    @rule(data=st.data(), outcome=st.none() | st.sampled_from(Outcome))
    def close(self, data, outcome):
        if (conn := self.some(data)) is not None:
            del self.at[conn]
            self.told.discard(conn)
            self.held.discard(conn)
            self.see(self.rooms.closed(conn, outcome, self.now))

    @rule(data=st.data(), blocked=st.booleans())
    def block(self, data, blocked):
        if (conn := self.some(data)) is not None:
            self.see(self.rooms.blocked(conn, blocked))

    @rule(seconds=st.integers(1, 30))
    def wait(self, seconds):
        self.now += seconds
        self.see(self.rooms.due(self.now))

    @invariant()
    def messages_arrive_whole_in_order_and_once(self):
        for (room, role), got in self.got.items():
            assert got == self.sent[room, role.other][: len(got)]
            assert len(got) <= self.limits.messages

    @invariant()
    def two_who_are_there_know_it_and_nothing_is_held_back(self):
        for conn, (room, role) in self.at.items():
            if (room, role.other) in self.at.values():
                assert conn in self.told
                if room in self.known:
                    assert self.got[room, role] == self.sent[room, role.other]

    @invariant()
    def nobody_is_forgotten(self):
        rooms = {room for room, _ in self.at.values()}
        assert len(self.rooms) >= len(rooms)
        assert rooms <= {f"{number}" for number in range(3)}


TestAnyOrder = AnyOrder.TestCase
TestAnyOrder.settings = settings(max_examples=80, stateful_step_count=50, deadline=None)
