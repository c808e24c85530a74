"""The pump: whole games, cuts and resumption, clocks, chatter, floods, silence, goodbyes."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import pytest

from p2pball.engine.moves import PASS, Choice
from p2pball.engine.terms import Rules, Seat, Terms
from p2pball.engine.view import View
from p2pball.net.memory import MemoryLink, memory_pair
from p2pball.session import Ended, Session, pulse, pump
from p2pball.verify import Verdict, verify
from tests.duet import CARDS, DICE
from tests.session.table import Cut, Lines, Player, Table

HOST, GUEST = Seat.HOST, Seat.GUEST


class Network(MemoryLink):
    """A memory link that counts as a network: with heartbeats."""

    way = "direct"


def network() -> dict[Seat, MemoryLink]:
    here, there = memory_pair()
    return {
        HOST: Network(here._incoming, here._outgoing),
        GUEST: Network(there._incoming, there._outgoing),
    }


@pytest.mark.parametrize("terms", [DICE, CARDS, Terms(Rules.CARDS, 1, 0, walk_off=False, home="guest")])
async def test_a_game_is_played_to_two_complete_records_of_one_chain(terms: Terms) -> None:
    table = Table(terms)
    assert set((await table.run()).values()) == {Ended.FINISHED}
    reports = [verify(table.record(seat)) for seat in Seat]
    assert [report.verdict for report in reports] == [Verdict.COMPLETE] * 2
    assert reports[0].to_json() == reports[1].to_json()
    for seat in Seat:
        assert table.players[seat].told == table.duet.games[seat].game.transitions
        assert table.duet.games[seat].game.over


async def test_nothing_is_sent_or_shown_before_it_is_stored() -> None:
    table = Table(DICE)
    host, journal = table.sessions[HOST], table.journals[HOST]
    links = dict(zip(Seat, memory_pair(), strict=True))
    send = links[HOST].send

    async def checked(data: bytes) -> None:
        if b'"payload"' in data:
            assert data in journal.frames
        await send(data)

    links[HOST].send = checked  # type: ignore[method-assign]
    shown = table.players[HOST].show

    def checked_show(transitions: object) -> None:
        assert len(host.ballgame.game.exchange.lines) == len(journal.frames)
        shown(transitions)  # type: ignore[arg-type]

    table.players[HOST].show = checked_show  # type: ignore[method-assign]
    assert set((await table.run(links)).values()) == {Ended.FINISHED}


@pytest.mark.parametrize("frames", [1, 2, 3, 5, 8, 13, 17, 21])
@pytest.mark.parametrize("cut", list(Seat))
async def test_a_cut_game_goes_on_with_the_same_rolls(cut: Seat, frames: int) -> None:
    whole = Table(DICE)
    await whole.run()
    table = Table(DICE)
    links = dict(zip(Seat, memory_pair(), strict=True))
    links[cut] = Cut(links[cut], frames)  # type: ignore[assignment]
    assert set((await table.run(links)).values()) == {Ended.LOST}
    assert all(session.why for session in table.sessions.values())
    assert set((await table.run(resume=True)).values()) == {Ended.FINISHED}
    assert not any(session.why for session in table.sessions.values()), "a game that is over was said to be cut"
    assert verify(table.record(HOST)).to_json() == verify(whole.record(GUEST)).to_json()


@pytest.mark.parametrize("terms", [DICE, CARDS])
@pytest.mark.parametrize("cut", list(Seat))
async def test_what_was_stored_is_told_though_the_link_broke_as_it_was_sent(cut: Seat, terms: Terms) -> None:
    for frames in range(14):
        table = Table(terms)
        links = dict(zip(Seat, memory_pair(), strict=True))
        links[cut] = Cut(links[cut], frames)  # type: ignore[assignment]
        await table.run(links)
        assert set((await table.run(resume=True)).values()) == {Ended.FINISHED}
        for seat in Seat:
            assert table.players[seat].told == table.duet.games[seat].game.transitions


class Stuck(Network):
    """A link that takes a heartbeat only when it is told to."""

    def __init__(self, link: MemoryLink) -> None:
        super().__init__(link._incoming, link._outgoing)
        self.full, self.free = asyncio.Event(), asyncio.Event()

    async def send(self, data: bytes) -> None:
        if b"ping" in data:
            self.full.set()
            await self.free.wait()
        await super().send(data)


async def test_what_comes_while_the_way_is_full_is_not_passed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pump, "BEAT", 0.01)
    table = Table(DICE)
    table.players[HOST].stops_after = 0
    here, there = memory_pair()
    link = Stuck(here)
    running = asyncio.ensure_future(table.sessions[HOST].run(link))
    await link.full.wait()
    await there.send(b"null")
    for _ in range(10):  # it is read, and nobody has looked yet
        await asyncio.sleep(0)
    link.free.set()
    for _ in range(10):  # to one who missed it, the link ends before anything else is wrong
        await asyncio.sleep(0)
    await there.close()
    assert await running is Ended.REFUSED


@dataclass
class Decided(Player):
    """One who is asked once, and chooses when told to."""

    asked: asyncio.Event = field(default_factory=asyncio.Event)
    now: asyncio.Event = field(default_factory=asyncio.Event)

    async def choose(self, view: View, moves: tuple[Choice, ...], seconds: float | None) -> Choice:
        self.choices += 1
        self.asked.set()
        await self.now.wait()
        return moves[0]


async def test_a_choice_made_while_the_way_is_full_is_not_asked_for_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pump, "BEAT", 0.01)
    table, player, links = Table(Terms(Rules.DICE, 1, home="host")), Decided(), network()
    table.sessions[HOST] = Session(table.duet.games[HOST], table.journals[HOST], player)
    table.players[GUEST].stops_after = 0
    stuck = links[HOST] = Stuck(links[HOST])
    stuck.free.set()
    running = asyncio.ensure_future(table.run(links))  # type: ignore[arg-type]
    await player.asked.wait()
    stuck.free.clear()
    stuck.full.clear()
    await stuck.full.wait()
    player.now.set()
    for _ in range(10):  # the choice is made, and nobody has looked yet
        await asyncio.sleep(0)
    await links[GUEST].close()
    stuck.free.set()
    assert set((await running).values()) == {Ended.LOST}
    assert player.choices == 1


async def test_the_clock_makes_the_first_choice() -> None:
    table = Table(DICE, clock=0.01)
    table.players[HOST].thinks = 1.0
    assert set((await asyncio.wait_for(table.run(), 60)).values()) == {Ended.FINISHED}
    assert any("clock ran out" in notice for notice in table.players[HOST].notices)
    assert verify(table.record(HOST)).verdict is Verdict.COMPLETE


@dataclass
class Sharer(Player):
    """One who waits for the keyboard, and would choose at once."""

    free: asyncio.Event = field(default_factory=asyncio.Event)

    @asynccontextmanager
    async def turn(self, view: View, moves: tuple[Choice, ...]) -> AsyncIterator[None]:
        await self.free.wait()
        yield


async def test_the_clock_starts_once_the_keyboard_is_the_players_own() -> None:
    table = Table(clock=0.01)
    sharer = Sharer()
    table.sessions[Seat.HOST] = Session(table.duet.games[Seat.HOST], Lines(), sharer, clock=0.01)
    playing = asyncio.ensure_future(table.run())
    await asyncio.sleep(0.1)
    assert not sharer.notices, "ten times its clock, and nothing was chosen for it"
    assert not sharer.choices
    sharer.free.set()
    ended = await playing
    assert set(ended.values()) == {Ended.FINISHED}
    assert sharer.choices


async def test_a_player_who_leaves_can_come_back() -> None:
    table = Table(CARDS)
    table.players[GUEST].stops_after = 3
    running = asyncio.ensure_future(table.run())
    await table.players[GUEST].stopped.wait()
    table.sessions[GUEST].leave()
    ended = await running
    assert ended == {GUEST: Ended.LEFT, HOST: Ended.LOST}
    again = Session(table.duet.games[GUEST], table.journals[GUEST], table.players[GUEST])
    table.sessions[GUEST] = again
    table.players[GUEST].stops_after = 1_000_000
    assert set((await table.run(resume=True)).values()) == {Ended.FINISHED}


async def test_a_resignation_ends_the_game_for_both() -> None:
    table = Table(CARDS)
    table.players[GUEST].stops_after = 2
    running = asyncio.ensure_future(table.run())
    await table.players[GUEST].stopped.wait()
    table.sessions[GUEST].resign()
    assert set((await running).values()) == {Ended.FINISHED}
    report = verify(table.record(HOST))
    assert report.verdict is Verdict.COMPLETE
    assert report.to_json()["result"]["winner"] == "host"


async def test_a_resignation_while_cut_is_sent_on_resuming() -> None:
    table = Table(DICE)
    links = dict(zip(Seat, memory_pair(), strict=True))
    links[HOST] = Cut(links[HOST], 9)  # type: ignore[assignment]
    assert set((await table.run(links)).values()) == {Ended.LOST}
    table.sessions[HOST].resign()
    assert b"resign" in table.journals[HOST].frames[-1]
    assert set((await table.run(resume=True)).values()) == {Ended.FINISHED}
    assert verify(table.record(GUEST)).to_json()["result"]["winner"] == "guest"


async def test_words_are_cleaned_and_limited() -> None:
    table = Table(DICE)
    table.players[HOST].stops_after = 0
    table.players[GUEST].stops_after = 0
    links = network()
    running = asyncio.ensure_future(table.run(links))  # type: ignore[arg-type]
    table.sessions[HOST].say("hello \x1b[31mred\x07 there\u202e")
    await asyncio.sleep(0.05)
    for number in range(20):
        await links[HOST].send(json.dumps({"chat": f"{number}"}, separators=(",", ":")).encode())
    await asyncio.sleep(0.2)
    table.sessions[HOST].leave()
    await running
    heard = table.players[GUEST].heard
    assert "hello red there" in heard
    assert len(heard) == pulse.CHATS


@pytest.mark.parametrize(
    "frame",
    [
        b"",
        b"null",
        b"\xff\xfe",
        b"x" * 9000,
        b"[" * 8000,
        b'{"chat": "blank"}',
        b'{"chat":"a","chat":"b"}',
        b'{"ping":1.5}',
        b'{"ping":true}',
        b'{"pong":-2}',
        b'{"stored":"xyz"}',
        b'{"payload":"{}","sig":""}',
    ],
)
async def test_what_is_no_message_closes_the_connection_and_stores_nothing(frame: bytes) -> None:
    table = Table(DICE)
    here, there = memory_pair()
    lines = list(table.journals[HOST].frames)
    table.players[HOST].stops_after = 0
    running = asyncio.ensure_future(table.sessions[HOST].run(here))
    await there.send(frame)
    assert await running is Ended.REFUSED
    assert table.sessions[HOST].why
    assert table.journals[HOST].frames[: len(lines)] == lines
    assert verify(table.record(HOST)).verdict is Verdict.SUSPENDED


@pytest.mark.parametrize("frame", [b'{"ping":1}', b'{"pong":1}', b'{"stored":"%s"}' % (b"0" * 64), b'{"chat":"a"}'])
async def test_a_flood_is_refused(frame: bytes) -> None:
    table = Table(DICE)
    here, there = memory_pair()
    table.players[HOST].stops_after = 0
    running = asyncio.ensure_future(table.sessions[HOST].run(here))
    for _ in range(pulse.FLOOD + 2):
        await there.send(frame)
    assert await asyncio.wait_for(running, 30) is Ended.REFUSED
    assert "flood" in table.sessions[HOST].why


async def test_silence_is_told_and_then_ends_the_connection(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in (("BEAT", 0.05), ("SILENT", 0.15), ("LOST", 0.5)):
        monkeypatch.setattr(pump, name, value)
    table = Table(DICE)
    table.players[HOST].stops_after = 0
    links = network()
    assert await asyncio.wait_for(table.sessions[HOST].run(links[HOST]), 30) is Ended.LOST
    told = [silent for _, _, silent in table.players[HOST].links]
    assert told[0] == 0.0
    assert max(told) > 0.15


async def test_heartbeats_measure_the_round_trip(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pump, "BEAT", 0.02)
    table = Table(DICE)
    for seat in Seat:
        table.players[seat].stops_after = 0
    running = asyncio.ensure_future(table.run(network()))  # type: ignore[arg-type]
    await asyncio.sleep(0.3)
    table.sessions[HOST].leave()
    await running
    assert any(rtt is not None and 0 <= rtt < 1 for _, rtt, _ in table.players[HOST].links)


async def test_a_solo_player_is_asked_once_the_computer_has_locked() -> None:
    table = Table(CARDS)
    seen: list[bool] = []
    game = table.duet.games[HOST]
    own = Session(game, table.journals[HOST], table.players[HOST], after_rival=True)
    table.sessions[HOST] = own
    phases = game.game

    def note(_view: object) -> None:
        if game.moves != (PASS,) and phases.state.phase.value == "@pitch":
            seen.append(phases.exchange.sides["guest"].commit is not None)

    table.players[HOST].on_choice = note
    assert set((await table.run()).values()) == {Ended.FINISHED}
    assert seen
    assert all(seen)
