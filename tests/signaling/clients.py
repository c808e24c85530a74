"""Real relays and real clients for the tests: a server on loopback, seats that remember their token, raw sockets."""

import asyncio
import base64
import contextlib
import ipaddress
import os
from collections.abc import AsyncIterator
from dataclasses import dataclass

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from signaling.limits import Limits
from signaling.options import Options
from signaling.server import Server
from signaling.wire import Door, Outcome, Paired, Role, Seated, Word, hear, room_path

WAIT = 60.0
"""Seconds after which a test gives up."""


@contextlib.asynccontextmanager
async def relay(store=None, options: dict | None = None, **limits) -> AsyncIterator[Server]:
    """A server on loopback with these limits."""
    server = Server(Options(**{"host": "127.0.0.1", "port": 0, "limits": Limits(**limits)} | (options or {})), store)
    await server.start()
    try:
        yield server
    finally:
        await server.stop()


@dataclass
class Seat:
    """One client in its seat."""

    ws: ClientConnection
    token: str = ""

    async def word(self, seconds: float = WAIT) -> Word:
        """The next frame, which must be a word."""
        said = await asyncio.wait_for(self.ws.recv(), seconds)
        assert isinstance(said, str), said
        word = hear(said)
        assert word is not None
        return word

    async def data(self) -> bytes:
        """The next frame, which must be binary."""
        said = await asyncio.wait_for(self.ws.recv(), WAIT)
        assert isinstance(said, bytes), said
        return said

    async def send(self, data: bytes) -> None:
        await asyncio.wait_for(self.ws.send(data), WAIT)

    async def close(self, outcome: int = Outcome.LEFT) -> None:
        await asyncio.wait_for(self.ws.close(outcome), WAIT)

    async def closed(self) -> int:
        """Read on until the relay closes; its code."""
        try:
            async with asyncio.timeout(WAIT):
                while True:
                    await self.ws.recv()
        except ConnectionClosed:
            pass
        return self.ws.close_code or 1006

    def lose(self) -> None:
        """Lose the connection without a goodbye."""
        self.ws.transport.abort()


def url(where: Server | int, door: Door, host: str = "127.0.0.1", scheme: str = "ws") -> str:
    port = where if isinstance(where, int) else where.port
    return f"{scheme}://{host}:{port}{room_path(door)}"


async def open_ws(where: Server | int, door: Door, source: str = "127.0.0.1", **options) -> ClientConnection:
    """A WebSocket from an address of its own (all of 127.0.0.0/8 is loopback)."""
    return await asyncio.wait_for(
        connect(url(where, door), local_addr=(source, 0), compression=None, proxy=None, **options), WAIT
    )


async def sit(where: Server | int, nameplate: str, role: Role, token: str | None = None, **options) -> Seat:
    """Take a seat and hear that it is ours."""
    seat = Seat(await open_ws(where, Door(nameplate, role, token), **options))
    word = await seat.word()
    assert isinstance(word, Seated), word
    assert word.role is role
    seat.token = word.token
    return seat


async def pair(where: Server | int, nameplate: str = "1234", **options) -> tuple[Seat, Seat]:
    """A host and a guest who know of each other."""
    host = await sit(where, nameplate, Role.HOST, **options)
    guest = await sit(where, nameplate, Role.GUEST, **options)
    assert isinstance(await host.word(), Paired)
    assert isinstance(await guest.word(), Paired)
    return host, guest


async def refused(where: Server | int, door: Door, **options) -> int:
    """Knock and be refused; the code."""
    return await Seat(await open_ws(where, door, **options)).closed()


async def raw(where: Server | int, source: str = "127.0.0.1") -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """A bare TCP connection."""
    port = where if isinstance(where, int) else where.port
    return await asyncio.wait_for(asyncio.open_connection("127.0.0.1", port, local_addr=(source, 0)), WAIT)


def handshake(target: str, *headers: str) -> bytes:
    """A WebSocket handshake as bytes."""
    key = base64.b64encode(os.urandom(16)).decode()
    lines = [f"GET {target} HTTP/1.1", "Host: localhost", "Upgrade: websocket", "Connection: Upgrade"]
    return "\r\n".join([*lines, f"Sec-WebSocket-Key: {key}", "Sec-WebSocket-Version: 13", *headers, "", ""]).encode()


def frame(opcode: int, data: bytes, fin: bool = True) -> bytes:
    """A masked frame; the mask is zero, which leaves the data as it is."""
    head = bytes([opcode | (0x80 if fin else 0)])
    size = len(data)
    if size < 126:
        head += bytes([0x80 | size])
    elif size < 65536:
        head += b"\xfe" + size.to_bytes(2, "big")
    else:
        head += b"\xff" + size.to_bytes(8, "big")
    return head + bytes(4) + data


async def get(where: Server | int, path: str, method: str = "GET", *headers: str) -> tuple[int, str]:
    """A plain HTTP request; status and body."""
    reader, writer = await raw(where)
    writer.write("\r\n".join([f"{method} {path} HTTP/1.1", "Host: localhost", *headers, "", ""]).encode())
    answer = (await asyncio.wait_for(reader.read(), WAIT)).decode()
    writer.close()
    head, _, body = answer.partition("\r\n\r\n")
    return int(head.split()[1]), body


async def metric(where: Server | int, name: str) -> int:
    """One figure of /metrics, such as `pairings_total` or `refusals_total{reason="full"}`."""
    _, body = await get(where, "/metrics")
    return next(int(line.split()[-1]) for line in body.splitlines() if line.startswith(f"p2pball_relay_{name} "))


def network(text: str) -> ipaddress.IPv4Network | ipaddress.IPv6Network:
    return ipaddress.ip_network(text)
