"""How the relay is reached: TLS, IPv6, and IPv4 and IPv6 on one port."""

import asyncio
import contextlib
import gc
import socket
import ssl

from websockets.asyncio.client import connect

from signaling.options import Options
from signaling.server import Server
from signaling.wire import Paired, Role, hear
from tests import needs
from tests.signaling.clients import WAIT, Seat, frame, handshake, raw, relay
from tests.signaling.ways import certificate


async def test_tls(tmp_path):
    cert, key = certificate(tmp_path)
    async with relay(options={"cert": cert, "key": key}, handshake=0.5) as server:
        trust = ssl.create_default_context(cafile=str(cert))
        seats = []
        for role in Role:
            address = f"wss://localhost:{server.port}/v1/room/1234?role={role.value}"
            seats.append(Seat(await connect(address, ssl=trust, host="127.0.0.1", proxy=None)))
            await seats[-1].word()
        host, guest = seats
        assert isinstance(await host.word(), Paired)
        assert isinstance(await guest.word(), Paired)
        for _ in range(10):
            await host.send(b"x" * 16384)
            assert await guest.data() == b"x" * 16384
        await guest.ws.send("text")
        assert await guest.closed() == 4015
        # Whoever starts no TLS, or starts it and stops, is gone after the time of a handshake.
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
        assert await asyncio.wait_for(reader.read(), WAIT) == b""
        writer.close()
        await host.close()


async def test_records_of_tls_read_at_once_come_whole_and_in_order(tmp_path):
    cert, key = certificate(tmp_path)
    async with relay(options={"cert": cert, "key": key}) as server:
        trust = ssl.create_default_context(cafile=str(cert))
        streams = []
        for role in Role:
            reader, writer = await asyncio.open_connection(
                "127.0.0.1", server.port, ssl=trust, server_hostname="localhost"
            )
            asked = handshake(f"/v1/room/1234?role={role.value}")
            for piece in (asked[:40], asked[40:]):
                writer.write(piece)
            streams.append((reader, writer))
            await asyncio.wait_for(reader.readuntil(b"seated"), WAIT)
        (heard, _), (_, told) = streams
        for piece in (b"one", b"two", b"three"):  # each a record, all in the socket before the relay reads
            told.write(frame(2, piece))
        await asyncio.wait_for(heard.readuntil(b"\x82\x03one\x82\x03two\x82\x05three"), WAIT)
        for _, writer in streams:
            writer.transport.abort()


async def test_whoever_starts_no_tls_counts_all_the_same(tmp_path):
    cert, key = certificate(tmp_path)
    async with relay(options={"cert": cert, "key": key}, source_connections=2, handshake=2.0) as server:
        flood = [await raw(server, "127.0.0.9") for _ in range(10)]
        for _, writer in flood:
            writer.write(b"\x16\x03\x01\x02\x00")
        await asyncio.sleep(0.5)
        assert (server.metrics.refusals["flood"], len(server._conns)) == (6, 4)
        trust = ssl.create_default_context(cafile=str(cert))
        address = f"wss://localhost:{server.port}/v1/room/1234?role=host"
        async with connect(address, ssl=trust, host="127.0.0.1", proxy=None) as ws:
            await Seat(ws).word()
            for reader, writer in flood:
                with contextlib.suppress(ConnectionError):
                    assert await asyncio.wait_for(reader.read(), WAIT) == b""
                writer.close()
            assert (server.metrics.refusals["handshake"], len(server._conns)) == (4, 1)
        _, writer = await raw(server)  # still there when the relay stops
        await asyncio.sleep(0.1)
    assert not server._conns
    assert not server._sources
    writer.close()


async def test_whoever_comes_to_no_tls_does_not_wait_for_the_collector(tmp_path):
    cert, key = certificate(tmp_path)
    gc.collect()
    gc.disable()  # with asyncio each holds 280 KiB
    try:
        async with relay(options={"cert": cert, "key": key}) as server:
            for junk in (b"", b"GET / HTTP/1.1\r\n\r\n"):
                _, writer = await raw(server)
                writer.write(junk)
                await asyncio.sleep(0.1)
                writer.transport.abort()
            await asyncio.sleep(0.3)
            assert not server._conns
            assert not [one for one in gc.get_objects() if isinstance(one, asyncio.sslproto.SSLProtocol)]
    finally:
        gc.enable()


async def test_who_comes_as_a_relay_with_tls_stops_is_no_fault(tmp_path):
    cert, key = certificate(tmp_path)
    loop, faults = asyncio.get_running_loop(), []
    async with relay(options={"cert": cert, "key": key}) as server:
        await asyncio.sleep(0.1)
        loop.set_exception_handler(lambda loop, context: faults.append(context))
        with socket.create_connection(("127.0.0.1", server.port)):  # heard of in the turn of the loop in which it stops
            loop.call_soon(server._listener.close)
            await asyncio.sleep(0.1)
    loop.set_exception_handler(None)
    assert faults == []


async def test_every_address_means_ipv4_and_ipv6_on_one_port():
    if not socket.has_dualstack_ipv6():
        needs.missing("no dual-stack sockets here")
    server = Server(Options(port=0))
    await server.start()
    try:
        hosts = []
        for host in ("127.0.0.1", "[::1]"):
            role = Role.HOST if not hosts else Role.GUEST
            ws = await connect(f"ws://{host}:{server.port}/v1/room/1234?role={role.value}", proxy=None)
            hosts.append(Seat(ws))
            await hosts[-1].word()
        assert isinstance(hear(await hosts[0].ws.recv()), Paired)
        for seat in hosts:
            await seat.close()
    finally:
        await server.stop()


async def test_an_ipv6_network_is_one_source():
    if not socket.has_ipv6:
        needs.missing("no IPv6 here")
    async with relay(options={"host": "::1"}, source_rooms=1) as server:
        ws = await connect(f"ws://[::1]:{server.port}/v1/room/0001?role=host", proxy=None)
        await Seat(ws).word()
        ws = await connect(f"ws://[::1]:{server.port}/v1/room/0002?role=host", proxy=None)
        assert await Seat(ws).closed() == 4008
