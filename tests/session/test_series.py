"""One game over many connections: lost ones are replaced until the game, the patience or the trust ends."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from p2pball.engine.terms import Rules, Seat, Terms
from p2pball.net.errors import LinkClosed, RelayDown
from p2pball.net.link import Link
from p2pball.net.memory import memory_pair
from p2pball.session import Ended, close, play_out, pump, series
from p2pball.verify import Verdict, verify
from tests.duet import DICE
from tests.session.table import Cut, Table


class Mailbox:
    """Where both seats find each other again: the n-th to come meets the n-th of the other seat."""

    def __init__(self, frames: int) -> None:
        self._frames = frames
        self._waiting: dict[Seat, asyncio.Queue[Link]] = {seat: asyncio.Queue() for seat in Seat}
        self.met = 0

    async def meet(self, seat: Seat) -> Link:
        if seat is Seat.HOST:
            here, there = memory_pair()
            self.met += 1
            self._waiting[Seat.GUEST].put_nowait(there)
            return Cut(here, self._frames)
        return await self._waiting[Seat.GUEST].get()


async def test_a_game_survives_a_link_that_breaks_over_and_over() -> None:
    table = Table(Terms(Rules.CARDS, 1))
    box = Mailbox(frames=12)

    async def seat(which: Seat) -> Ended:
        ended, link = await play_out(table.sessions[which], table.players[which], lambda: box.meet(which), None)
        if link:
            await close(link)
        return ended

    ended = await asyncio.wait_for(asyncio.gather(*(seat(which) for which in Seat)), 120)
    assert ended == [Ended.FINISHED] * 2
    assert box.met > 5
    reports = [verify(table.record(which)) for which in Seat]
    assert reports[0].verdict is Verdict.COMPLETE
    assert reports[0].to_json() == reports[1].to_json()


async def test_a_relay_that_is_down_is_tried_again_until_the_player_leaves(monkeypatch: object) -> None:
    table = Table(DICE)
    session, player = table.sessions[Seat.HOST], table.players[Seat.HOST]
    series_retry, series.RETRY_SECONDS = series.RETRY_SECONDS, 0.01
    tries = 0

    async def meet() -> Link:
        nonlocal tries
        tries += 1
        if tries == 3:
            session.leave()
        raise RelayDown("The relay is down.")

    try:
        assert await play_out(session, player, meet, None) == (Ended.LEFT, None)
    finally:
        series.RETRY_SECONDS = series_retry
    assert tries >= 2
    assert player.notices == ["The relay is down. Trying again."]


async def test_a_partner_who_sends_nonsense_again_and_again_is_left() -> None:
    table = Table(DICE)
    here, there = memory_pair()
    player = table.players[Seat.HOST]

    async def meet() -> Link:
        near, far = memory_pair()
        await far.send(b"nonsense")
        return near

    await there.send(b"nonsense")
    ended, _ = await play_out(table.sessions[Seat.HOST], player, meet, here)
    assert ended is Ended.REFUSED
    assert len(player.notices) == series.REFUSALS - 1


async def test_stopping_the_program_while_the_partner_is_met_again_stops_the_meeting_too() -> None:
    table = Table(DICE)
    begun, stopped = asyncio.Event(), asyncio.Event()

    async def meet() -> Link:
        begun.set()
        try:
            await asyncio.Event().wait()
        finally:
            stopped.set()
        raise AssertionError

    playing = asyncio.create_task(play_out(table.sessions[Seat.HOST], table.players[Seat.HOST], meet, None))
    await asyncio.wait_for(begun.wait(), 30)
    playing.cancel()
    await asyncio.gather(playing, return_exceptions=True)
    assert playing.cancelled()
    assert stopped.is_set()


class Endless:
    """A link that breaks before it gives the other's last message."""

    way, rtt = "memory", None

    def __init__(self, link: Link) -> None:
        self._link = link

    async def send(self, data: bytes) -> None:
        await self._link.send(data)

    async def receive(self) -> bytes:
        data = await self._link.receive()
        if rb"\"type\":\"final\"" in data:
            await self._link.close()
            raise LinkClosed
        return data

    async def close(self) -> None:
        await self._link.close()


async def ended_unheard(meet: Callable[[Table], Awaitable[Link]]) -> tuple[Table, Ended, Link | None]:
    """A game whose end the guest does not get; what the host's series then comes to."""
    table = Table(DICE)
    here, there = memory_pair()
    guest = asyncio.create_task(table.sessions[Seat.GUEST].run(Endless(there)))
    ended, link = await play_out(table.sessions[Seat.HOST], table.players[Seat.HOST], lambda: meet(table), here)
    assert await guest is Ended.LOST
    return table, ended, link


async def test_a_partner_who_went_before_the_end_may_come_back_for_it() -> None:
    back: list[asyncio.Task[Ended]] = []

    async def meet(table: Table) -> Link:
        here, there = memory_pair()
        back.append(asyncio.create_task(table.sessions[Seat.GUEST].run(there, resume=True)))
        return here

    table, ended, link = await asyncio.wait_for(ended_unheard(meet), 60)
    assert link is not None
    assert [ended, *[await one for one in back]] == [Ended.FINISHED] * 2
    assert [verify(table.record(seat)).verdict for seat in Seat] == [Verdict.COMPLETE] * 2
    assert any("may lack the end" in notice for notice in table.players[Seat.HOST].notices)


async def test_nobody_waits_for_long_for_a_partner_who_does_not_come_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(series, "GRACE", 0.1)

    async def meet(table: Table) -> Link:
        here, _ = memory_pair()
        return here

    _, ended, link = await asyncio.wait_for(ended_unheard(meet), 60)
    assert (ended, link) == (Ended.FINISHED, None)


async def test_who_leaves_a_finished_game_has_finished_it() -> None:
    async def meet(table: Table) -> Link:
        table.sessions[Seat.HOST].leave()
        return await asyncio.Event().wait()  # type: ignore[return-value]  # never

    _, ended, link = await asyncio.wait_for(ended_unheard(meet), 60)
    assert (ended, link) == (Ended.FINISHED, None)


class Sore:
    """A link of a partner who is there and beats, and keeps to itself what the other waits for at the end."""

    rtt = None

    def __init__(self, link: Link, *, withholds: bytes, instead: bytes = b"", way: str = "memory") -> None:
        self._link, self._withholds, self._instead, self.way = link, withholds, instead, way

    async def send(self, data: bytes) -> None:
        data = self._instead if self._withholds in data else data
        if data:
            await self._link.send(data)

    async def receive(self) -> bytes:
        return await self._link.receive()

    async def close(self) -> None:
        await self._link.close()


class Direct(Sore):
    """A link with heartbeats."""

    def __init__(self, link: Link) -> None:
        super().__init__(link, withholds=b"\0", way="direct")


async def never() -> Link:
    return await asyncio.Event().wait()  # type: ignore[return-value]


async def test_nonsense_after_the_end_is_no_reason_to_wait_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(series, "GRACE", 0.1)
    table = Table(DICE)
    here, there = memory_pair()
    sore = Sore(there, withholds=b'{"stored"', instead=b"nonsense")
    guest = asyncio.create_task(table.sessions[Seat.GUEST].run(sore))
    host = play_out(table.sessions[Seat.HOST], table.players[Seat.HOST], never, here)
    assert await asyncio.wait_for(host, 30) == (Ended.FINISHED, None)
    assert await guest is Ended.FINISHED


async def test_a_partner_who_is_there_and_never_says_that_it_has_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(series, "GRACE", 0.1)
    monkeypatch.setattr(pump, "BEAT", 0.01)
    monkeypatch.setattr(pump, "RECEIPT", 0.1)
    table = Table(DICE)
    here, there = memory_pair()
    host = asyncio.create_task(play_out(table.sessions[Seat.HOST], table.players[Seat.HOST], never, Direct(here)))
    guest = asyncio.create_task(table.sessions[Seat.GUEST].run(Sore(there, withholds=b'{"stored"')))
    assert await guest is Ended.FINISHED

    async def beat() -> None:
        for n in range(10_000):
            await there.send(b'{"ping":%d}' % n)
            await asyncio.sleep(0.01)

    beating = asyncio.create_task(beat())
    assert await asyncio.wait_for(host, 30) == (Ended.FINISHED, None)
    beating.cancel()


class Slammed(Sore):
    """A link that its owner cuts instead of sending what it withholds."""

    async def send(self, data: bytes) -> None:
        if self._withholds in data:
            await self._link.close()
            raise LinkClosed
        await super().send(data)


async def test_a_loser_who_goes_without_its_final_keeps_nobody_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(series, "GRACE", 0.1)
    table = Table(DICE)
    winner, loser = Seat.HOST, Seat.GUEST
    table.players[loser].on_choice = lambda _: table.sessions[loser].resign()
    here, there = memory_pair()
    going = asyncio.create_task(table.sessions[loser].run(Slammed(there, withholds=rb"\"type\":\"final\"")))
    playing = play_out(table.sessions[winner], table.players[winner], never, here)
    assert await asyncio.wait_for(playing, 30) == (Ended.FINISHED, None)
    assert await going is not Ended.LEFT
    assert not table.sessions[winner].ballgame.finished
    assert verify(table.record(winner)).verdict is Verdict.COMPLETE
