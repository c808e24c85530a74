"""Seats and limits: who gets a seat, who is refused with which code, and what is counted."""

from dataclasses import replace

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from signaling.directory import Asking, Directory, Granted, Refused
from signaling.limits import Limits
from signaling.wire import Code, Door, Role

HOST, GUEST = Role.HOST, Role.GUEST
RESUME = "ab" * 16


class Desk:
    """A directory with a clock and fresh tokens."""

    def __init__(self, **limits):
        self.directory, self.now, self.made = Directory(Limits(**limits)), 1000.0, 0

    def ask(self, nameplate, role, source="a", token=None, may_open=True):
        self.made += 1
        asking = Asking(Door(nameplate, role, token), source, f"{self.made:032x}", "here", may_open)
        return asking.token, self.directory.seat(asking, self.now)

    def code(self, *args, **kwargs):
        verdict = self.ask(*args, **kwargs)[1]
        return verdict.code if isinstance(verdict, Refused) else None


def test_a_host_opens_a_guest_joins_a_third_is_refused():
    desk = Desk()
    _, opened = desk.ask("1234", HOST)
    _, joined = desk.ask("1234", GUEST, "b")
    assert isinstance(opened, Granted)
    assert opened.opens
    assert opened.home == "here"
    assert joined == replace(opened, opens=False)
    assert desk.code("1234", GUEST, "c") is Code.FULL
    assert desk.code("1234", HOST, "c") is Code.TAKEN


def test_a_guest_of_no_room_is_refused_and_counted():
    desk = Desk(failed_joins=2)
    assert desk.code("1234", GUEST) is Code.NO_ROOM
    assert desk.code("1234", GUEST) is Code.NO_ROOM
    refused = desk.ask("1234", GUEST)[1]
    assert refused == Refused(Code.FAILED_JOINS, 60)
    desk.ask("1234", HOST, "b")
    assert desk.code("1234", GUEST) is Code.FAILED_JOINS  # not even a room that is there
    assert desk.code("1234", GUEST, "c") is None
    desk.now += 60
    assert desk.code("1234", GUEST) is Code.FULL


@pytest.mark.parametrize("first", Role)
def test_in_a_room_to_resume_in_either_comes_first_and_waiting_is_no_failure(first):
    desk = Desk(failed_joins=1)
    assert desk.code(RESUME, first) is None
    assert desk.code(RESUME, first.other) is None
    assert desk.code(RESUME, first, "c") is Code.FULL


def test_in_a_room_to_resume_in_a_lost_seat_is_taken_without_its_token():
    desk = Desk()
    _, opened = desk.ask(RESUME, HOST)
    assert desk.code(RESUME, HOST) is Code.FULL
    desk.directory.away(opened.room, HOST)
    assert desk.code(RESUME, HOST) is None
    assert desk.code(RESUME, HOST) is Code.FULL
    # In a room of four digits, which can be guessed, only the token helps.
    _, other = desk.ask("1234", HOST)
    desk.directory.away(other.room, HOST)
    assert desk.code("1234", HOST) is Code.TAKEN


def test_a_token_takes_its_own_seat_and_no_other():
    desk = Desk()
    token, opened = desk.ask("1234", HOST)
    desk.directory.away(opened.room, HOST)
    assert desk.ask("1234", HOST, token=token)[1] == replace(opened, opens=False)
    assert desk.code("1234", GUEST, token=token) is Code.BAD_TOKEN
    assert desk.code("1234", HOST, token="0" * 32) is Code.BAD_TOKEN
    assert desk.code("4321", HOST, token=token) is Code.BAD_TOKEN
    assert desk.code("1234", GUEST, "b") is None


def test_joins_of_a_source_are_counted_whatever_becomes_of_them():
    desk = Desk(joins=3, source_connections=99, source_rooms=99)
    assert [desk.code(f"000{number}", HOST) for number in range(3)] == [None] * 3
    assert desk.ask("0009", HOST)[1] == Refused(Code.JOINS, 60)
    assert desk.code("0009", HOST, "b") is None


def test_a_nameplate_in_use_counts_as_a_failed_join():
    desk = Desk(failed_joins=2)
    desk.ask("1234", HOST, "b")
    assert [desk.code("1234", HOST) for _ in range(3)] == [Code.TAKEN, Code.TAKEN, Code.FAILED_JOINS]


def test_connections_and_waiting_rooms_of_a_source_are_bounded():
    desk = Desk()
    rooms = [desk.ask(f"000{number}", HOST)[1] for number in range(3)]
    assert desk.ask("0003", HOST)[1] == Refused(Code.ROOMS, 30)
    assert desk.code("0000", GUEST, "b") is None  # paired: it waits no more
    assert desk.code("0003", HOST) is None
    desk.directory.end(rooms[1].room)
    desk.directory.end(rooms[1].room)  # once is enough
    assert desk.code("0004", HOST) is None
    assert desk.code("0005", HOST) is Code.ROOMS
    for number in range(3):
        desk.ask(f"100{number}", HOST, "c")
        assert desk.code(f"100{number}", GUEST) is None
    assert desk.ask("1000", HOST)[1] == Refused(Code.CONNECTIONS, 30)
    desk.directory.depart("a")
    assert desk.code("1000", HOST) is Code.TAKEN


def test_waiting_rooms_of_the_whole_relay_are_bounded_and_nobody_is_evicted():
    desk = Desk(rooms=2)
    desk.ask("0000", HOST, "a")
    desk.ask("0001", HOST, "b")
    assert desk.ask("0002", HOST, "c")[1] == Refused(Code.RELAY_ROOMS, 30)
    assert desk.code("0000", GUEST, "d") is None
    assert desk.code("0002", HOST, "c") is None


def test_a_draining_relay_opens_nothing_but_seats_who_has_a_room():
    desk = Desk()
    token, _opened = desk.ask("0000", HOST)
    assert desk.code("0001", HOST, may_open=False) is Code.DRAINING
    assert desk.code("0000", GUEST, "b", may_open=False) is None
    assert desk.code("0000", HOST, token=token, may_open=False) is None


def test_turn_credentials_have_a_quota():
    desk = Desk(turn=2)
    granted = [desk.ask(RESUME[:-1] + str(number), HOST)[1].turn for number in range(3)]
    assert granted == [True, True, False]


def test_a_stale_room_name_ends_nothing():
    desk = Desk()
    _, first = desk.ask("0000", HOST)
    desk.directory.end(first.room)
    desk.ask("0000", HOST)
    desk.directory.end(first.room)
    desk.directory.away(first.room, HOST)
    assert len(desk.directory) == 1
    assert desk.code("0000", GUEST, "b") is None


def test_sources_are_forgotten():
    desk = Desk()
    _, opened = desk.ask("0000", HOST)
    desk.ask("0000", GUEST, "b")
    desk.directory.end(opened.room)
    desk.directory.depart("a")
    desk.directory.forget(desk.now + 599)
    assert desk.directory.sources == 2
    desk.directory.forget(desk.now + 600)  # too soon to look again
    assert desk.directory.sources == 2
    desk.directory.forget(desk.now + 599 + 60)
    assert desk.directory.sources == 1  # b is still connected


@pytest.mark.parametrize("change", [{"joins": 0}, {"ping": -1.0}, {"turn_life": 601}, {"message_bytes": 1 << 16}])
def test_useless_limits_are_refused(change):
    with pytest.raises(ValueError, match=next(iter(change))):
        Limits(**change)


class AnyOrder(RuleBasedStateMachine):
    """Whatever comes in whatever order, seats stay two a room and counts add up."""

    def __init__(self):
        super().__init__()
        self.desk = Desk(joins=1000, failed_joins=1000, source_connections=5, source_rooms=2, rooms=4)
        self.seats = {}  # (room, role) -> token
        self.connections = dict.fromkeys("abc", 0)
        self.waits = {}  # room -> opener

    @rule(
        plate=st.sampled_from(["0001", "0002", "0003", RESUME]), role=st.sampled_from(Role), who=st.sampled_from("abc")
    )
    def sit(self, plate, role, who):
        before = dict(self.waits.items())
        token, verdict = self.desk.ask(plate, role, who)
        if isinstance(verdict, Refused):
            return
        self.connections[who] += 1
        assert (verdict.room, role) not in self.seats
        self.seats[verdict.room, role] = token
        if verdict.opens:
            assert not any(room.startswith(plate + ".") for room, _ in list(self.seats)[:-1])
            assert sum(opener == who for opener in before.values()) < 2
            assert len(before) < 4
            self.waits[verdict.room] = who
        else:
            del self.waits[verdict.room]

    @rule(data=st.data(), who=st.sampled_from("abc"))
    def claim(self, data, who):
        if not self.seats:
            return
        (room, role), token = data.draw(st.sampled_from(sorted(self.seats.items(), key=str)))
        verdict = self.desk.ask(room.partition(".")[0], role, who, token=token)[1]
        if isinstance(verdict, Refused):
            assert verdict.code is Code.CONNECTIONS
        else:
            assert verdict.room == room
            self.connections[who] += 1

    @rule(data=st.data())
    def end(self, data):
        rooms = sorted({room for room, _ in self.seats})
        if rooms:
            room = data.draw(st.sampled_from(rooms))
            self.desk.directory.end(room)
            self.waits.pop(room, None)
            self.seats = {key: token for key, token in self.seats.items() if key[0] != room}

    @rule(who=st.sampled_from("abc"))
    def depart(self, who):
        if self.connections[who]:
            self.connections[who] -= 1
            self.desk.directory.depart(who)

    @invariant()
    def limits_hold(self):
        assert all(count <= 5 for count in self.connections.values())
        assert len(self.desk.directory) == len({room for room, _ in self.seats})


TestAnyOrder = AnyOrder.TestCase
TestAnyOrder.settings = settings(max_examples=60, stateful_step_count=40, deadline=None)
