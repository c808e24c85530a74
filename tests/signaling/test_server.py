"""A real server on loopback: introductions, seats, refusals, sizes, deadlines, backpressure and pages."""

import asyncio
import contextlib
import os
import resource
import secrets
import socket

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from p2pball.net.embedded import EmbeddedRelay
from signaling.wire import Away, Back, Code, Door, Left, Outcome, Paired, Role, Seated, hear
from tests.signaling.clients import (
    WAIT,
    Seat,
    frame,
    get,
    handshake,
    metric,
    network,
    open_ws,
    pair,
    raw,
    refused,
    relay,
    sit,
)

HOST, GUEST = Role.HOST, Role.GUEST
RESUME = "0123456789abcdef" * 2


async def test_two_meet_and_talk_and_say_what_came_of_it():
    async with relay() as server:
        host = await sit(server, "1234", HOST)
        await host.send(b"early")
        guest = await sit(server, "1234", GUEST)
        assert await guest.word() == Paired()
        assert await guest.data() == b"early"
        assert await host.word() == Paired()
        for data in (b"", b"\x00\xff", b"x" * 16384):
            await guest.send(data)
            assert await host.data() == data
        await guest.close(Outcome.DIRECT)
        assert await host.word() == Left(Outcome.DIRECT)
        await host.close(Outcome.DIRECT)
        assert await metric(server, 'outcomes_total{outcome="direct"}') == 2
        assert await metric(server, "pairings_total") == 1
        assert await metric(server, "rooms_paired") == 0


async def test_a_message_and_a_close_in_one_packet_both_count():
    async with relay() as server:
        host = await sit(server, "1234", HOST)
        reader, writer = await raw(server)
        writer.write(handshake("/v1/room/1234?role=guest"))
        await reader.readuntil(b"\r\n\r\n")
        writer.write(frame(2, b"last words") + frame(8, Outcome.TURN.to_bytes(2, "big")))
        assert isinstance(await host.word(), Paired)
        assert await host.data() == b"last words"
        assert await host.word() == Left(Outcome.TURN)
        writer.close()


@pytest.mark.parametrize("eager", [frame(2, b"eager"), frame(9, b"ping"), frame(8, b""), frame(3, b"")])
async def test_a_client_that_does_not_wait_for_the_handshake_is_refused(eager):
    async with relay() as server:
        reader, writer = await raw(server)
        writer.write(handshake("/v1/room/1234?role=host") + eager)
        assert (await asyncio.wait_for(reader.read(), WAIT)).startswith(b"HTTP/1.1 400 ")
        writer.close()


async def test_frames_between_the_handshake_and_the_seat_are_kept():
    async with relay() as server:
        reader, writer = await raw(server)
        asked = handshake("/v1/room/1234?role=host")
        writer.write(asked + frame(2, b"eager")[:4])  # half a frame: the rest follows the answer
        await reader.readuntil(b"\r\n\r\n")
        writer.write(frame(2, b"eager")[4:])
        guest = await sit(server, "1234", GUEST)
        assert isinstance(await guest.word(), Paired)
        assert await guest.data() == b"eager"
        writer.close()


async def test_refusals_have_codes_and_sentences():
    async with relay() as server:
        assert await refused(server, Door("1234", GUEST)) == Code.NO_ROOM
        host, guest = await pair(server)
        assert await refused(server, Door("1234", GUEST)) == Code.FULL
        assert await refused(server, Door("1234", HOST)) == Code.TAKEN
        assert await refused(server, Door("1234", HOST, "0" * 32)) == Code.BAD_TOKEN
        third = Seat(await open_ws(server, Door("1234", GUEST)))
        assert await third.closed() == Code.FULL
        assert "Two players" in (third.ws.close_reason or "")
        assert await metric(server, 'refusals_total{reason="full"}') == 2
        await host.close()
        await guest.close()


async def test_a_room_addressed_wrongly_is_refused_over_websocket_and_http():
    async with relay() as server:
        async with connect(f"ws://127.0.0.1:{server.port}/v1/room/12?role=host", proxy=None) as ws:
            assert await Seat(ws).closed() == Code.BAD_ADDRESS
        assert (await get(server, "/v1/room/12?role=host"))[0] == 400
        assert (await get(server, "/v1/room/1234?role=host"))[0] == 426
        with pytest.raises(InvalidStatus):
            await connect(f"ws://127.0.0.1:{server.port}/elsewhere", proxy=None)


async def test_a_lost_seat_is_taken_back_with_its_token():
    async with relay() as server:
        host, guest = await pair(server)
        guest.lose()
        assert await host.word() == Away()
        await host.send(b"meanwhile")
        again = await sit(server, "1234", GUEST, guest.token)
        assert again.token == guest.token
        assert isinstance(await again.word(), Paired)
        assert await again.data() == b"meanwhile"
        assert await host.word() == Back()
        newer = await sit(server, "1234", GUEST, guest.token)
        assert await again.closed() == Code.REPLACED
        assert isinstance(await newer.word(), Paired)


@pytest.mark.parametrize("first", Role)
async def test_in_a_room_to_resume_in_either_comes_first(first):
    async with relay(failed_joins=1) as server:
        one = await sit(server, RESUME, first)
        other = await sit(server, RESUME, first.other)
        assert isinstance(await one.word(), Paired)
        assert isinstance(await other.word(), Paired)


async def test_a_program_that_died_resumes_without_its_token():
    async with relay() as server:
        host, guest = await pair(server, RESUME)
        guest.lose()
        assert await host.word() == Away()
        again = await sit(server, RESUME, GUEST)
        assert isinstance(await again.word(), Paired)
        assert await host.word() == Back()


async def test_text_is_refused_and_the_other_told():
    async with relay() as server:
        host, guest = await pair(server)
        await guest.ws.send("hello")
        assert await guest.closed() == Code.TEXT
        assert await host.word() == Left(Outcome.LEFT)


async def test_a_message_too_large_is_refused_before_it_is_read():
    async with relay() as server:
        host, guest = await pair(server)
        sending = asyncio.create_task(guest.ws.send(b"x" * 16385))
        assert await guest.closed() == Code.TOO_BIG
        with contextlib.suppress(ConnectionClosed):
            await sending
        assert await host.word() == Left(Outcome.LEFT)
        assert await metric(server, 'refusals_total{reason="too_big"}') == 1


async def test_fragments_make_one_message_within_the_same_bounds():
    async with relay() as server:
        host, guest = await pair(server)
        await guest.ws.send([b"a" * 8000, b"b" * 8000, b"c"])
        assert await host.data() == b"a" * 8000 + b"b" * 8000 + b"c"
        await guest.ws.send([b"a" * 8000, b"b" * 8000, b"c" * 8000])
        assert await guest.closed() == Code.TOO_BIG


async def test_empty_fragments_without_end_are_refused():
    async with relay() as server:
        reader, writer = await raw(server)
        writer.write(handshake("/v1/room/1234?role=host"))
        await reader.readuntil(b"seated")
        writer.write(frame(2, b"", fin=False) + frame(0, b"", fin=False) * 100)
        await asyncio.wait_for(reader.readuntil(Code.MESSAGES.to_bytes(2, "big")), WAIT)
        writer.close()


@pytest.mark.parametrize(
    ("junk", "code"),
    [
        (frame(3, b""), Code.PROTOCOL),  # an opcode that is none
        (frame(0, b"x"), Code.PROTOCOL),  # the rest of nothing
        (b"\x82\x01x", Code.PROTOCOL),  # not masked
        (b"\xc2\x80\0\0\0\0", Code.PROTOCOL),  # compressed
        (frame(9, b"") * 100, Code.PROTOCOL),  # a flood of pings
        (frame(8, b"\x00"), Code.PROTOCOL),  # half a close code
    ],
)
async def test_frames_against_the_protocol_end_the_connection(junk, code):
    async with relay() as server:
        host = await sit(server, "1234", HOST)
        reader, writer = await raw(server)
        writer.write(handshake("/v1/room/1234?role=guest"))
        await reader.readuntil(b"paired")
        assert isinstance(await host.word(), Paired)
        writer.write(junk)
        await asyncio.wait_for(reader.readuntil(code.to_bytes(2, "big")), WAIT)
        assert await host.word() == Left(Outcome.LEFT)
        writer.close()


async def test_messages_and_bytes_of_a_side_are_bounded():
    async with relay() as server:
        host, guest = await pair(server)
        for _ in range(64):
            await guest.send(b"x")
        await host.send(b"y" * 16384)
        assert [await host.data() for _ in range(64)] == [b"x"] * 64
        await guest.send(b"x")
        assert await guest.closed() == Code.MESSAGES
        host, guest = await pair(server, "4321")
        for _ in range(16):
            await guest.send(b"x" * 16384)
            assert len(await host.data()) == 16384
        await guest.send(b"x")
        assert await guest.closed() == Code.BYTES


async def test_deadlines_of_rooms():
    async with relay(waiting=0.3) as server:
        alone = await sit(server, "0001", HOST)
        assert await alone.closed() == Code.WAITED
    async with relay(silent=0.3) as server:
        host, guest = await pair(server)
        assert await host.closed() == await guest.closed() == Code.SILENT
    async with relay(away=0.3, leave=0.3) as server:
        host, guest = await pair(server)
        guest.lose()
        assert await host.word() == Away()
        assert await host.closed() == Code.GONE
        host, guest = await pair(server)
        await guest.close(Outcome.WRONG_CODE)
        assert await host.closed() == Code.GONE
        assert await refused(server, Door("1234", GUEST)) == Code.NO_ROOM


async def test_a_handshake_has_its_time_and_its_size():
    async with relay(handshake=0.3) as server:
        reader, writer = await raw(server)
        writer.write(b"GET /v1/room/1234?role=host HT")
        assert b" 408 " in await asyncio.wait_for(reader.read(), WAIT)
        writer.close()
        for lines in (b"X-Filler: 1234567890\r\n" * 400, b"X-Filler: " + b"x" * 100 + b"\r\n"):
            reader, writer = await raw(server)
            writer.write(b"GET / HTTP/1.1\r\n" + lines * (8192 // len(lines) + 1))
            assert b" 431 " in await asyncio.wait_for(reader.read(), WAIT)
            writer.close()
        reader, writer = await raw(server)
        writer.write(b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n")  # TLS where there is none
        assert (await asyncio.wait_for(reader.read(), WAIT)).startswith(b"HTTP/1.1 400 ")
        writer.close()
        assert await metric(server, 'refusals_total{reason="handshake"}') == 4


async def test_a_client_that_names_the_host_twice_is_seated():
    async with relay() as server:
        reader, writer = await raw(server)
        writer.write(handshake("/v1/room/1234?role=host", "Host: elsewhere"))
        await asyncio.wait_for(reader.readuntil(b"seated"), WAIT)
        writer.close()


async def test_a_trickle_does_not_stretch_the_handshake():
    async with relay(handshake=0.5) as server:
        reader, writer = await raw(server)
        answer = asyncio.create_task(reader.read())
        with contextlib.suppress(ConnectionError):
            for byte in handshake("/v1/room/1234?role=host"):
                writer.write(bytes([byte]))
                await writer.drain()
                if (await asyncio.wait({answer}, timeout=0.02))[0]:
                    break
        assert b" 408 " in await asyncio.wait_for(answer, WAIT)  # with more time all would have come: 101
        writer.close()


async def test_a_client_that_answers_no_ping_loses_its_connection_but_not_its_seat():
    async with relay(ping=0.3) as server:
        reader, writer = await raw(server)
        writer.write(handshake("/v1/room/1234?role=host"))
        said = await asyncio.wait_for(reader.readuntil(b"}"), WAIT)
        token = hear(said[said.index(b"{") :].decode()).token
        tail = await asyncio.wait_for(reader.readuntil(Code.NO_ANSWER.to_bytes(2, "big")), WAIT)
        assert b"\x89\x00" in tail  # it was asked
        assert await metric(server, 'refusals_total{reason="no_answer"}') == 1
        again = await sit(server, "1234", HOST, token)
        await asyncio.sleep(1.0)
        guest = await sit(server, "1234", GUEST)
        assert isinstance(await again.word(), Paired)  # a library that answers stays
        assert isinstance(await guest.word(), Paired)
        writer.close()


async def test_a_peer_that_does_not_read_stops_the_one_that_sends():
    async with relay(messages=10_000, total_bytes=1 << 30, ping=1.0) as server:
        reader, writer = await raw(server)
        writer.write(handshake("/v1/room/1234?role=host"))
        await reader.readuntil(b"seated")
        guest = await sit(server, "1234", GUEST)
        assert isinstance(await guest.word(), Paired)
        sent = 0
        with contextlib.suppress(TimeoutError, ConnectionClosed):
            async with asyncio.timeout(WAIT):
                for sent in range(10_000):  # noqa: B007 -- how far it got is the point
                    await asyncio.wait_for(guest.ws.send(b"x" * 16384), 1.0)
        # What the kernel's own buffers on the way hold, some MiB; not 160 MiB, and nothing of it in the relay.
        assert sent * 16384 < 40 << 20
        # The one that does not read answers no ping either, and goes: the sender is heard again.
        word = await guest.word()
        assert word == Away()
        writer.close()


async def test_pages():
    async with relay() as server:
        status, body = await get(server, "/")
        assert status == 200
        assert "p2pball relay" in body
        assert await get(server, "/health") == (200, "ok\n")
        assert (await get(server, "/nothing"))[0] == 404
        assert (await get(server, "/", "POST"))[0] == 405
        assert (await get(server, "/", "POST", "Content-Length: 5"))[0] == 400
        status, body = await get(server, "/metrics")
        assert status == 200
        for line in body.splitlines():
            assert line.startswith("# ") or line.split()[1].isdigit()
        assert 'p2pball_relay_http_total{status="404"} 1' in body


async def test_limits_of_a_source_over_the_wire():
    async with relay(source_connections=2, source_rooms=1, joins=6, failed_joins=2) as server:
        first = await sit(server, "0001", HOST)
        assert await refused(server, Door("0002", HOST)) == Code.ROOMS
        guest = await sit(server, "0001", GUEST)
        assert await refused(server, Door("0002", HOST)) == Code.CONNECTIONS
        second = await sit(server, "0003", HOST, source="127.0.0.2")  # another source is not touched
        await first.close()
        await guest.close()
        assert await refused(server, Door("9999", GUEST)) == Code.NO_ROOM
        assert await refused(server, Door("9999", GUEST)) == Code.NO_ROOM
        failed = Seat(await open_ws(server, Door("0003", GUEST)))
        assert await failed.closed() == Code.FAILED_JOINS
        assert "[retry " in (failed.ws.close_reason or "")
        await second.close()


async def test_behind_a_proxy_of_ours_the_client_is_the_source():
    proxies = (network("127.0.0.1/32"), network("10.0.0.0/8"))
    async with relay(options={"proxies": proxies}, source_connections=1) as server:

        async def knock(*forwarded: str, source: str = "127.0.0.1") -> Seat:
            headers = [("X-Forwarded-For", value) for value in forwarded]
            door = Door(f"{secrets.randbelow(10_000):04}", HOST)
            return Seat(await open_ws(server, door, source=source, additional_headers=headers))

        assert isinstance(await (await knock("192.0.2.1")).word(), Seated)
        assert await (await knock("192.0.2.1")).closed() == Code.CONNECTIONS
        assert await (await knock("203.0.113.9", "192.0.2.1, 10.1.1.1")).closed() == Code.CONNECTIONS
        assert isinstance(await (await knock("192.0.2.1, 192.0.2.2")).word(), Seated)
        # No proxy of ours: it speaks for itself alone.
        assert isinstance(await (await knock("192.0.2.3", source="127.0.0.2")).word(), Seated)
        assert await (await knock("192.0.2.4", source="127.0.0.2")).closed() == Code.CONNECTIONS


async def test_a_flood_from_one_source_is_dropped_unheard():
    async with relay(source_connections=2) as server:
        flood = [await raw(server, "127.0.0.9") for _ in range(10)]
        await asyncio.sleep(0.2)
        assert await metric(server, "connections") == 5  # four of them, and the one that asks
        assert await metric(server, 'refusals_total{reason="flood"}') == 6
        for _, writer in flood:
            writer.close()


async def test_a_relay_without_files_left_does_not_wear_itself_out():
    loop, allowed, told = asyncio.get_running_loop(), resource.getrlimit(resource.RLIMIT_NOFILE), []
    async with relay() as server:
        crowd = [socket.socket() for _ in range(40)]
        with open(os.devnull) as last:  # noqa: ASYNC230 -- for its number
            few = last.fileno() + 5
        loop.set_exception_handler(lambda loop, context: told.append(context))
        resource.setrlimit(resource.RLIMIT_NOFILE, (few, allowed[1]))
        try:
            for number, client in enumerate(crowd):
                client.bind((f"127.0.3.{number + 1}", 0))
                client.connect(("127.0.0.1", server.port))
            await asyncio.sleep(0.5)
        finally:
            resource.setrlimit(resource.RLIMIT_NOFILE, allowed)
            loop.set_exception_handler(None)
            for client in crowd:
                client.close()
        assert 0 < len(told) < 100
        assert await metric(server, "joins_total") == 0  # it is back


async def test_caps_of_the_whole_relay_refuse_with_a_time_and_evict_nobody():
    async with relay(connections=3, rooms=1) as server:
        one = await sit(server, "0001", HOST, source="127.0.0.2")
        other = Seat(await open_ws(server, Door("0002", HOST), source="127.0.0.3"))
        assert await other.closed() == Code.RELAY_ROOMS
        guest = await sit(server, "0001", GUEST, source="127.0.0.3")
        third = await sit(server, "0002", HOST, source="127.0.0.4")
        fourth = Seat(await open_ws(server, Door("0003", HOST), source="127.0.0.5"))
        assert await fourth.closed() == Code.RELAY_FULL
        assert "[retry 30 s]" in (fourth.ws.close_reason or "")
        assert isinstance(await one.word(), Paired)
        assert isinstance(await guest.word(), Paired)
        await third.close()


async def test_draining_sends_waiting_ones_away_and_lets_pairs_finish():
    async with relay() as server:
        waiting = await sit(server, "0001", HOST)
        host, guest = await pair(server)
        draining = asyncio.create_task(server.drain())
        assert await waiting.closed() == Code.DRAINING
        assert await get(server, "/health") == (503, "draining\n")
        assert await refused(server, Door("0002", HOST)) == Code.DRAINING
        await guest.send(b"still")
        assert await host.data() == b"still"
        assert not draining.done()
        await guest.close(Outcome.DIRECT)
        await host.close(Outcome.DIRECT)
        await asyncio.wait_for(draining, WAIT)


async def test_a_pair_that_does_not_finish_is_closed_when_its_time_is_over():
    async with relay(leave=0.3) as server:
        host, guest = await pair(server)
        await asyncio.wait_for(server.drain(), WAIT)
        await server.stop()
        assert await host.closed() == await guest.closed() == Code.DRAINING


async def test_many_pairs_at_once_each_hear_their_own():
    async with relay(source_connections=200, joins=200, source_rooms=100, failed_joins=100) as server:

        async def one(number):
            host, guest = await pair(server, f"{number:04}")
            for turn in range(5):
                await host.send(b"h%d.%d" % (number, turn))
                await guest.send(b"g%d.%d" % (number, turn))
            heard = [await guest.data() for _ in range(5)] + [await host.data() for _ in range(5)]
            assert heard == [b"%c%d.%d" % (side, number, turn) for side in b"hg" for turn in range(5)]
            await host.close(Outcome.DIRECT)
            await guest.close(Outcome.DIRECT)

        await asyncio.gather(*(one(number) for number in range(50)))
        assert await metric(server, "pairings_total") == 50
        assert await metric(server, "rooms_waiting") == 0


async def test_forty_racing_joins_seat_exactly_two():
    async with relay(source_connections=99, joins=99, failed_joins=99) as server:
        sockets = await asyncio.gather(*(open_ws(server, Door(RESUME, role)) for role in Role for _ in range(20)))
        seats = [Seat(ws) for ws in sockets]

        async def outcome(seat):
            try:
                return await seat.word()
            except ConnectionClosed as error:
                return error.rcvd.code

        outcomes = await asyncio.gather(*map(outcome, seats))
        assert sum(isinstance(one, Seated) for one in outcomes) == 2
        assert outcomes.count(Code.FULL) == 38
        for ws in sockets:
            ws.transport.abort()


async def test_the_embedded_relay_takes_the_same_port_again():
    async with EmbeddedRelay("127.0.0.1") as embedded:
        port = embedded.port
        host, guest = await pair(port)
        await guest.close()
        assert await host.word() == Left(Outcome.LEFT)
    async with EmbeddedRelay("127.0.0.1", port) as embedded:
        assert embedded.port == port
        await pair(port)
    with pytest.raises(RuntimeError):
        _ = EmbeddedRelay().port
