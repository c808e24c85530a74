"""What a side, a source and everybody together may take of a real relay."""

import asyncio
import os
import resource
import secrets
import socket

from signaling.wire import Code, Door, Paired, Role, Seated
from tests.signaling.clients import Seat, metric, network, open_ws, pair, raw, refused, relay, sit

HOST, GUEST = Role.HOST, Role.GUEST


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
