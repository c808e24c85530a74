"""The seat at a relay: lost connections, restarted relays, rooms that run out, refusals with their sentences."""

from __future__ import annotations

import asyncio
import dataclasses
from pathlib import Path
from typing import Self

import pytest
from websockets.asyncio.server import ServerConnection, serve
from websockets.datastructures import Headers
from websockets.http11 import Request, Response

from p2pball.errors import P2PBallError
from p2pball.net.addresses import relay_url
from p2pball.net.background import settle
from p2pball.net.embedded import EmbeddedRelay
from p2pball.net.errors import MeetingCut, NameplatesTaken, PartnerGone, RelayDown, RelayRefused, RoomUnknown
from p2pball.net.introduce import Introduction
from p2pball.net.relay import LOST, RoomOver, Seat
from p2pball.protocol.meeting import Code
from signaling.limits import Limits
from signaling.options import Options
from signaling.server import Server
from signaling.wire import MESSAGE_BYTES, Away, Door, Left, Outcome, Paired, Role, Seated, say
from signaling.wire import Code as Close
from tests.net.evil import EvilRelay
from tests.net.test_rendezvous import LIMIT, Hosting, close, enter, quiet, through
from tests.signaling.ways import certificate

CODE = Code("1234", ("crisp", "wolf"))


class Limited:
    """A real relay with limits of its own."""

    def __init__(self, **limits: float) -> None:
        self._options = dataclasses.replace(
            Options(host="127.0.0.1", port=0), limits=dataclasses.replace(Limits(), **limits)
        )

    async def __aenter__(self) -> str:
        self._server = Server(self._options)
        await self._server.start()
        return f"ws://127.0.0.1:{self._server.port}"

    async def __aexit__(self, *_: object) -> None:
        await self._server.stop()


async def seats(url: str) -> tuple[Seat, Seat]:
    pair = tuple(Seat(url, Door("1234", role), quiet) for role in (Role.HOST, Role.GUEST))
    for seat in pair:
        await seat.take()
    await asyncio.gather(*(seat.pair() for seat in pair))
    return pair[0], pair[1]


async def test_frames_pass_whole_and_in_order_and_the_first_is_kept_for_a_guest_who_comes_later(relay: str) -> None:
    host, guest = (Seat(relay, Door("1234", role), quiet) for role in (Role.HOST, Role.GUEST))
    await host.take()
    await host.send(b"first")
    await guest.take()
    await asyncio.gather(host.pair(), guest.pair())
    await guest.send(b"")
    await host.send(bytes(MESSAGE_BYTES - 1))
    assert await asyncio.wait_for(guest.receive(), 30) == b"first"
    assert await asyncio.wait_for(guest.receive(), 30) == bytes(MESSAGE_BYTES - 1)
    assert await asyncio.wait_for(host.receive(), 30) == b""
    with pytest.raises(ValueError, match="at most"):
        await host.send(bytes(MESSAGE_BYTES))
    await host.leave(Outcome.DIRECT)
    with pytest.raises(RoomOver) as over:
        await asyncio.wait_for(guest.receive(), 30)
    assert over.value.left is Outcome.DIRECT
    assert not over.value.given_up
    await guest.leave(Outcome.DIRECT)


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


class Asleep:
    """A plain TCP line to a relay: of its first connection nothing more goes up once `sleep` is called.

    So it is to the relay with a laptop that is shut: the connection stands, and nothing is answered.
    """

    def __init__(self, upstream: str) -> None:
        self._port = int(upstream.rsplit(":", 1)[1])
        self._tasks: set[asyncio.Task[None]] = set()
        self._count = 0
        self._asleep = False
        self.up: list[bytes] = []
        """What each connection has asked for, first."""

    def sleep(self) -> None:
        self._asleep = True

    async def __aenter__(self) -> Asleep:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self.url = f"ws://127.0.0.1:{self._server.sockets[0].getsockname()[1]}"
        return self

    async def __aexit__(self, *_: object) -> None:
        self._server.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _serve(self, near: asyncio.StreamReader, near_out: asyncio.StreamWriter) -> None:
        first = not self.up
        far, far_out = await asyncio.open_connection("127.0.0.1", self._port)
        self.up.append(await near.read(4096))
        far_out.write(self.up[-1])
        for reader, writer, up in ((near, far_out, True), (far, near_out, False)):
            self._tasks.add(asyncio.ensure_future(self._pass(reader, writer, deaf=up and first)))

    async def _pass(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, deaf: bool) -> None:
        while data := await reader.read(4096):
            if not (deaf and self._asleep):
                writer.write(data)
        writer.close()


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


async def test_too_many_joins_are_answered_with_a_sentence_and_a_time() -> None:
    async with Limited(joins=2) as url:
        errors: list[P2PBallError] = []
        for _ in range(4):
            with pytest.raises(P2PBallError) as caught:
                await enter(url, CODE)
            errors.append(caught.value)
    assert isinstance(errors[0], RoomUnknown)
    assert type(errors[-1]) is RelayRefused
    assert "Too many tries" in str(errors[-1])
    assert "seconds" in str(errors[-1])


async def test_no_free_nameplate_ends_after_a_bounded_number_of_tries(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("p2pball.net.rendezvous.draw_nameplate", lambda choice: "1234")
    async with Limited(joins=1000) as url:
        first = Hosting(url, code=CODE)
        await first.code()
        assert isinstance(await Hosting(url, code=CODE).failure(), NameplatesTaken)
        await first.stop()


async def test_a_repeated_or_renumbered_frame_is_dropped(relay: str) -> None:
    def repeat(role: str, count: int, frame: bytes) -> list[bytes]:
        return [frame, frame, bytes([frame[0] + 100]) + frame[1:]]

    met, guest, _ = await through(relay, repeat)
    assert isinstance(met, Introduction)
    await close(met, guest)


@pytest.mark.parametrize("said", ["{", '{"t":"seated"}', '{"t":"paired","ice":7}', "[]"])
async def test_a_relay_that_talks_nonsense_is_no_relay(said: str) -> None:
    from websockets.asyncio.server import serve

    async def talk(client: ServerConnection) -> None:
        await client.send(said)
        await client.wait_closed()

    async with serve(talk, "127.0.0.1", 0) as server:
        url = f"ws://127.0.0.1:{next(iter(server.sockets)).getsockname()[1]}"
        with pytest.raises(RelayDown):
            await enter(url, CODE)


@pytest.mark.parametrize("name", ["relay..example.org", f"{'a' * 64}.example.org"])
async def test_a_name_that_cannot_be_one_is_no_relay(name: str) -> None:
    with pytest.raises(RelayDown, match="no such name"):
        await enter(relay_url(name), CODE)


async def test_a_certificate_that_is_not_trusted_is_named(tmp_path: Path) -> None:
    cert, key = certificate(tmp_path)
    server = Server(Options(host="127.0.0.1", port=0, cert=cert, key=key))
    await server.start()
    try:
        with pytest.raises(RelayDown, match=r"certificate is not trusted: self-signed certificate\)"):
            await enter(f"wss://localhost:{server.port}", CODE)
    finally:
        await server.stop()


async def test_a_relay_without_tls_is_told_from_one_that_does_not_answer(relay: str) -> None:
    with pytest.raises(RelayDown, match="TLS fails there; an address without TLS begins with ws://"):
        await enter(relay.replace("ws:", "wss:"), CODE)


async def test_what_a_proxy_says_whose_relay_is_down_is_told() -> None:
    def down(connection: ServerConnection, request: Request) -> Response:
        return connection.respond(503, "Service Unavailable\n")

    async with serve(ServerConnection.wait_closed, "127.0.0.1", 0, process_request=down) as server:
        url = f"ws://127.0.0.1:{next(iter(server.sockets)).getsockname()[1]}"
        with pytest.raises(RelayDown, match=r"does not answer \(HTTP 503\)"):
            await enter(url, CODE)


async def test_a_relay_that_sends_us_to_no_address_is_no_relay() -> None:
    def elsewhere(connection: ServerConnection, request: Request) -> Response:
        return Response(302, "Found", Headers(Location="ws://[relay/"))

    async with serve(ServerConnection.wait_closed, "127.0.0.1", 0, process_request=elsewhere) as server:
        url = f"ws://127.0.0.1:{next(iter(server.sockets)).getsockname()[1]}"
        with pytest.raises(RelayDown):
            await enter(url, CODE)


async def test_a_relay_that_says_nothing_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    from websockets.asyncio.server import serve

    async def silent(client: ServerConnection) -> None:
        await client.wait_closed()

    monkeypatch.setattr("p2pball.net.relay.OPEN_SECONDS", 0.5)
    async with serve(silent, "127.0.0.1", 0) as server:
        url = f"ws://127.0.0.1:{next(iter(server.sockets)).getsockname()[1]}"
        with pytest.raises(RelayDown):
            await enter(url, CODE)


async def test_a_player_who_stops_at_any_moment_leaves_no_room_behind() -> None:
    async with EmbeddedRelay(host="127.0.0.1", port=0) as running:
        url = f"ws://127.0.0.1:{running.port}"
        for n in range(8):
            hosting = Hosting(url)
            await asyncio.sleep(0.005 * n)
            await hosting.stop()
        await settle()
        await asyncio.sleep(0.1)
        assert running._server is not None
        assert running._server._desk.rooms.waiting == 0


class Rude:
    """A relay that seats everybody, says some words and ends the connection without one."""

    def __init__(self, *words: str, dates: int = 0) -> None:
        self._words, self._dates, self.visits = words, dates, 0

    async def __aenter__(self) -> Self:
        self._server = await serve(self._serve, "127.0.0.1", 0, compression=None, process_response=self._dated)
        self.url = f"ws://127.0.0.1:{next(iter(self._server.sockets)).getsockname()[1]}"
        return self

    async def __aexit__(self, *_: object) -> None:
        self._server.close()
        await self._server.wait_closed()

    def _dated(self, connection: ServerConnection, request: Request, response: Response) -> None:
        for _ in range(self._dates):
            response.headers["Date"] = "Mon, 30 Nov 2026 10:00:00 GMT"

    async def _serve(self, client: ServerConnection) -> None:
        self.visits += 1
        for word in (say(Seated(Role.HOST, "0" * 32, 600)), *self._words):
            await client.send(word)
        await asyncio.sleep(0.05)
        client.transport.abort()


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


async def test_a_clock_told_twice_is_no_clock_twice_as_wrong() -> None:
    async with Rude(dates=2) as relay:
        seat = Seat(relay.url, Door("1234", Role.HOST), quiet)
        await seat.take()
        assert seat.date
        await seat.leave(Outcome.LEFT)


async def test_a_partner_that_is_away_is_told_of_once() -> None:
    reports: list[str] = []
    async with Rude(*[say(Away())] * 50, say(Left(Outcome.LEFT))) as relay, asyncio.timeout(LIMIT):
        seat = Seat(relay.url, Door("1234", Role.HOST), reports.append)
        await seat.take()
        with pytest.raises(RoomOver):
            await seat.pair()
    assert len(reports) == 1


async def test_a_partner_that_came_back_while_we_were_lost_and_goes_again_is_told_of_again() -> None:
    reports: list[str] = []
    # To a connection that is new the relay says that both are there, not that the other is back.
    words = (Away(), Paired(), Away(), Left(Outcome.LEFT))
    async with Rude(*map(say, words)) as relay, asyncio.timeout(LIMIT):
        seat = Seat(relay.url, Door("1234", Role.HOST), reports.append)
        await seat.take()
        with pytest.raises(RoomOver):
            await seat.receive()
    assert len(reports) == 2


class Fickle(Rude):
    """A relay that asks everybody to try again with the same code."""

    async def _serve(self, client: ServerConnection) -> None:
        self.visits += 1
        await client.close(Close.SAME_CODE)


async def test_whoever_never_gets_a_room_is_told_in_the_end_and_keeps_the_code(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("p2pball.net.rendezvous.ROOM_TRIES", 2)
    async with Fickle() as relay:
        failure = await Hosting(relay.url).failure()
        assert relay.visits == 3
        with pytest.raises(RelayRefused, match="Try again with the same code"):
            await enter(relay.url, CODE)
    assert type(failure) is RelayRefused
    assert relay.visits == 6
