"""The seat at a relay: its frames and words, refusals with their sentences, and what is no relay."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from websockets.asyncio.server import ServerConnection, serve
from websockets.datastructures import Headers
from websockets.http11 import Request, Response

from p2pball.errors import P2PBallError
from p2pball.net.addresses import relay_url
from p2pball.net.background import settle
from p2pball.net.embedded import EmbeddedRelay
from p2pball.net.errors import NameplatesTaken, RelayDown, RelayRefused, RoomUnknown
from p2pball.net.introduce import Introduction
from p2pball.net.relay import RoomOver, Seat
from signaling.options import Options
from signaling.server import Server
from signaling.wire import MESSAGE_BYTES, Away, Door, Left, Outcome, Paired, Role, say
from tests.net.players import CODE, LIMIT, Hosting, close, enter, quiet, through
from tests.net.relays import Fickle, Limited, Rude
from tests.signaling.ways import certificate


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


async def test_whoever_never_gets_a_room_is_told_in_the_end_and_keeps_the_code(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("p2pball.net.rendezvous.ROOM_TRIES", 2)
    async with Fickle() as relay:
        failure = await Hosting(relay.url).failure()
        assert relay.visits == 3
        with pytest.raises(RelayRefused, match="Try again with the same code"):
            await enter(relay.url, CODE)
    assert type(failure) is RelayRefused
    assert relay.visits == 6
