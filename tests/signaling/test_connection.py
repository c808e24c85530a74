"""One connection to a real relay, from handshake to close: frames whole and broken, sizes, pings, backpressure."""

import asyncio
import contextlib

import pytest
from websockets.exceptions import ConnectionClosed

from signaling.wire import Away, Code, Left, Outcome, Paired, Role, hear
from tests.signaling.clients import WAIT, frame, handshake, metric, pair, raw, relay, sit

HOST, GUEST = Role.HOST, Role.GUEST


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
