"""A relay lost and found again: cut connections, machines that slept, relays restarted, dead or gone for good."""

from __future__ import annotations

import asyncio

import pytest

from p2pball.net.embedded import EmbeddedRelay
from p2pball.net.errors import MeetingCut, PartnerGone, RelayDown, RoomUnknown
from p2pball.net.relay import LOST, Seat
from signaling.wire import Door, Outcome, Role
from tests.net.evil import EvilRelay
from tests.net.players import LIMIT, Hosting, close, enter, quiet
from tests.net.relays import Asleep, Limited, Rude


@pytest.mark.parametrize("victim", ["host", "guest"])
@pytest.mark.parametrize("number", [0, 1, 2])
async def test_a_connection_to_the_relay_that_is_lost_is_taken_up_again(relay: str, victim: str, number: int) -> None:
    """Cut as each frame passes, with the frame or just before it: the meeting ends well all the same."""
    for lose_frame in (False, True):
        cut = False

        def meddle(role: str, count: int, frame: bytes, lose: bool = lose_frame) -> bytes | None:
            nonlocal cut
            if not cut and (role, count) == (victim, number):
                cut = True
                evil.sockets[0 if victim == "host" else 1].transport.abort()
                return None if lose else frame
            return frame

        async with EvilRelay(relay, meddle) as evil:
            hosting = Hosting(evil.url)
            guest = await enter(evil.url, await hosting.code())
            await close(guest, await hosting.done())
        assert cut


async def test_a_host_whose_machine_slept_takes_its_seat_again_with_its_token() -> None:
    async with Limited(ping=0.5) as url, Asleep(url) as line:
        said: list[str] = []
        lost = asyncio.Event()

        def report(text: str) -> None:
            said.append(text)
            if text.startswith("Lost the relay"):
                lost.set()

        hosting = Hosting(line.url, report)
        code = await hosting.code()
        line.sleep()
        await asyncio.wait_for(lost.wait(), LIMIT)
        guest = await enter(url, code)
        await close(guest, await hosting.done())
    assert hosting.codes == [code]
    assert b"token=" not in line.up[0]
    assert b"token=" in line.up[1]
    assert "The relay heard nothing" not in " ".join(said)


async def test_a_machine_that_slept_in_the_middle_of_a_meeting_goes_on_with_it() -> None:
    async with Limited(ping=0.5) as url, Asleep(url) as line:
        guest = Seat(line.url, Door("1234", Role.GUEST), quiet)
        host = Seat(url, Door("1234", Role.HOST), quiet)
        await host.take()
        await guest.take()
        await asyncio.gather(host.pair(), guest.pair())
        line.sleep()
        await guest.send(b"lost with the connection, and sent again")
        answer = asyncio.ensure_future(guest.receive())
        assert await asyncio.wait_for(host.receive(), LIMIT) == b"lost with the connection, and sent again"
        await host.send(b"and answered")
        assert await asyncio.wait_for(answer, LIMIT) == b"and answered"
        await host.leave(Outcome.DIRECT)
        await guest.leave(Outcome.DIRECT)
    assert b"token=" in line.up[1]


async def test_a_seat_that_was_not_kept_so_long_is_opened_anew_with_the_same_code() -> None:
    """Asleep for longer than the relay keeps a seat: the token is refused, and the host opens its room again."""
    async with Limited(ping=0.5, away=0.2) as url, Asleep(url) as line:
        hosting = Hosting(line.url)
        code = await hosting.code()
        line.sleep()
        for _ in range(100):
            if len(line.up) > 1:
                break
            await asyncio.sleep(0.1)
        for _ in range(20):
            try:
                guest = await enter(url, code)
                break
            except RoomUnknown:
                await asyncio.sleep(0.2)
        await close(guest, await hosting.done())
    assert hosting.codes == [code]


async def test_both_may_lose_the_relay_at_once(relay: str) -> None:
    cut = False

    def meddle(role: str, count: int, frame: bytes) -> bytes:
        nonlocal cut
        if not cut and (role, count) == ("host", 1):
            cut = True
            for socket in evil.sockets:
                socket.transport.abort()
        return frame

    async with EvilRelay(relay, meddle) as evil:
        hosting = Hosting(evil.url)
        guest = await enter(evil.url, await hosting.code())
        await close(guest, await hosting.done())


async def test_a_host_waits_on_with_the_same_code_when_the_relay_is_restarted() -> None:
    missed = asyncio.Event()  # it has come back before the relay did
    async with EmbeddedRelay(host="127.0.0.1", port=0) as first:
        port = first.port
        hosting = Hosting(f"ws://127.0.0.1:{port}", lambda text: missed.set() if text == LOST else None)
        code = await hosting.code()
    async with asyncio.timeout(60):
        await missed.wait()
    async with EmbeddedRelay(host="127.0.0.1", port=port):
        guest = None
        for _ in range(10):
            try:
                guest = await enter(f"ws://127.0.0.1:{port}", code)
                break
            except RoomUnknown:
                await asyncio.sleep(1)
        assert guest is not None
        await close(guest, await hosting.done())
    assert hosting.codes == [code]


async def test_a_host_that_waits_longer_than_the_relay_keeps_a_room_opens_it_again_with_the_same_code() -> None:
    async with Limited(waiting=0.4) as url:
        hosting = Hosting(url)
        code = await hosting.code()
        await asyncio.sleep(1.5)
        assert not hosting.task.done()
        for _ in range(10):
            try:
                guest = await enter(url, code)
                break
            except RoomUnknown:
                await asyncio.sleep(0.1)
        await close(guest, await hosting.done())
        assert hosting.codes == [code]


async def test_a_relay_that_dies_once_the_code_is_used_ends_the_meeting_and_burns_the_code() -> None:
    async with EmbeddedRelay(host="127.0.0.1", port=0) as running:
        url = f"ws://127.0.0.1:{running.port}"

        def meddle(role: str, count: int, frame: bytes) -> bytes | None:
            if count == 1:
                stopped.set()
                return None
            return frame

        stopped = asyncio.Event()
        async with EvilRelay(url, meddle) as evil:
            hosting = Hosting(evil.url)
            guest = asyncio.create_task(enter(evil.url, await hosting.code()))
            await asyncio.wait_for(stopped.wait(), LIMIT)
            await asyncio.sleep(0.1)
            await running.__aexit__(None, None, None)
            errors = [await hosting.failure(), (await asyncio.gather(guest, return_exceptions=True))[0]]
    assert all(isinstance(error, MeetingCut | RelayDown | PartnerGone) for error in errors), errors


async def test_a_relay_that_is_gone_for_good_is_said_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("p2pball.net.relay.RETURN_SECONDS", 1.0)
    async with EmbeddedRelay(host="127.0.0.1", port=0) as running:
        url = f"ws://127.0.0.1:{running.port}"
        async with EvilRelay(url, lambda role, count, frame: frame) as evil:
            hosting = Hosting(evil.url)
            await hosting.code()
            evil.sockets[0].transport.abort()
            evil._server.close()  # type: ignore[union-attr]
            error = await hosting.failure()
    assert isinstance(error, RelayDown)


async def test_a_relay_that_drops_every_connection_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("p2pball.net.relay.RETURN_SECONDS", 2.0)
    reports: list[str] = []
    async with Rude() as relay, asyncio.timeout(LIMIT):
        seat = Seat(relay.url, Door("1234", Role.HOST), reports.append)
        await seat.take()
        with pytest.raises(RelayDown, match="drops every connection"):
            await seat.pair()
    assert 2 < relay.visits < 10
    assert reports == [LOST]
