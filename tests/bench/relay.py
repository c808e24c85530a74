"""Rooms and messages a CPU second, memory of idle and of rude connections: our relay, PeerJS's, magic-wormhole's."""

from __future__ import annotations

import asyncio
import contextlib
import secrets
import tempfile
from pathlib import Path
from statistics import median

from tests.bench import ROUNDS, Comparison, Figure
from tests.bench.relay_sides import Mailbox, Side, Socket, mailbox, ours, pair, peerjs
from tests.signaling.clients import frame, handshake

IDLE = 500
"""Idle connections whose memory is measured."""

HALF = 250
"""Half handshakes."""

AT_ONCE = 64
"""Rooms under way at a time: enough that the server finds work whenever it looks, as a busy one does."""

SECONDS = 120
"""After which a server that has not answered is taken for dead."""


def run() -> list[Figure]:
    """Install the other two, then measure all in turn, on the same work."""
    with tempfile.TemporaryDirectory() as first, tempfile.TemporaryDirectory() as second:
        sides = [ours("asyncio"), ours("uvloop"), peerjs(Path(first)), mailbox(Path(second))]
        taken: dict[str, list[dict[str, float]]] = {side.name: [] for side in sides}
        for number in range(ROUNDS):
            for side in sides[number % 4 :] + sides[: number % 4]:
                taken[side.name].append(_measure(side))
        rude = {side.name: _rude(side) for side in sides}
    return _figures(taken, rude)


def _measure(side: Side) -> dict[str, float]:
    with side.running():
        idle = asyncio.run(asyncio.wait_for(_idle(side), SECONDS))
    with side.running():
        return {"idle": idle, **asyncio.run(asyncio.wait_for(_work(side), SECONDS))}


async def _work(side: Side) -> dict[str, float]:
    slow = isinstance(side, Mailbox)
    await _rooms(side, AT_ONCE)  # warm
    count, before = (200 if slow else 800), side.cpu()
    await _rooms(side, count)
    rooms = count / (side.cpu() - before)
    pairs, each = (5 if slow else 100), 60
    async with contextlib.AsyncExitStack() as stack:
        open_pairs = [await stack.enter_async_context(pair(side)) for _ in range(pairs)]
        before = side.cpu()
        await asyncio.gather(*(_stream(side, *one, each) for one in open_pairs))
        messages = pairs * each * 2 / (side.cpu() - before)
    return {"rooms": rooms, "messages": messages}


async def _rooms(side: Side, count: int) -> None:
    left = iter(range(count))

    async def worker() -> None:
        for _ in left:
            await side.room()

    await asyncio.gather(*(worker() for _ in range(AT_ONCE)))


async def _stream(side: Side, room: str, one: Socket, other: Socket, count: int) -> None:
    for _ in range(count):
        side.send(one, room, True)
        side.send(other, room, False)
    for _ in range(count):
        await side.receive(other, room, False)
        await side.receive(one, room, True)


async def _idle(side: Side) -> float:
    await _rooms(side, 20)
    before = side.kib()
    seats = [await side.seat(secrets.token_hex(16), True) for _ in range(IDLE)]
    await asyncio.sleep(1)
    grown = (side.kib() - before) / IDLE
    for seat in seats:
        seat.writer.transport.abort()
    return grown


def _rude(side: Side) -> dict[str, float]:
    grown = {}
    for name, attack in (("64 MiB message", _large), ("unread peer", _unread), ("half handshakes", _half)):
        with side.running():
            grown[name] = asyncio.run(asyncio.wait_for(attack(side), SECONDS)) / 1024
    return grown


async def _watch(side: Side, before: int, seconds: float) -> float:
    most = 0
    for _ in range(int(seconds / 0.1)):
        most = max(most, side.kib() - before)
        await asyncio.sleep(0.1)
    return most


async def _large(side: Side) -> float:
    await _rooms(side, 20)
    async with pair(side) as (_, one, _other):
        before = side.kib()
        with contextlib.suppress(ConnectionError, TimeoutError):
            one.writer.write(frame(2 if side.name.startswith("ours") else 1, b'"' + b"x" * (64 << 20) + b'"'))
            await asyncio.wait_for(one.writer.drain(), 20)
        return await _watch(side, before, 3)


async def _unread(side: Side) -> float:
    await _rooms(side, 20)
    async with pair(side) as (room, one, other):
        other.reader._transport.pause_reading()  # type: ignore[attr-defined]
        before = side.kib()
        with contextlib.suppress(ConnectionError, TimeoutError):
            for _ in range(20_000):  # 40 MiB
                side.send(one, room, True)
                await asyncio.wait_for(one.writer.drain(), 2)
        return await _watch(side, before, 3)


async def _half(side: Side) -> float:
    await _rooms(side, 20)
    before = side.kib()
    writers = []
    for _ in range(HALF):
        _, writer = await asyncio.open_connection("127.0.0.1", side.port, local_addr=(side.source(), 0))
        writer.write(handshake("/v1")[:-10])
        writers.append(writer)
    most = await _watch(side, before, 3)
    for writer in writers:
        writer.transport.abort()
    return most


def _figures(taken: dict[str, list[dict[str, float]]], rude: dict[str, dict[str, float]]) -> list[Figure]:
    figures = []
    for name, rounds in taken.items():
        for what, unit in (("rooms", "/CPU s"), ("messages", "/CPU s"), ("idle", "KiB")):
            figures.append(Figure(f"{name}: {what}", median(one[what] for one in rounds), unit))
        for what, mib in rude[name].items():
            figures.append(Figure(f"{name}: growth by {what}", mib, "MiB", at_most=2 if "ours" in name else None))
    for us, them, what, low, high in (
        ("ours (asyncio)", "PeerJS", "rooms", 1.2, None),
        ("ours (uvloop)", "PeerJS", "rooms", 1.4, None),
        ("ours (asyncio)", "mailbox", "rooms", 6.5, None),
        ("ours (uvloop)", "mailbox", "rooms", 8.0, None),
        ("ours (asyncio)", "PeerJS", "idle", None, 0.8),
        ("ours (uvloop)", "PeerJS", "idle", None, 0.8),
        ("ours (asyncio)", "PeerJS", "messages", None, None),
        ("ours (uvloop)", "PeerJS", "messages", None, None),
    ):
        paired = Comparison(*(tuple(one[what] for one in taken[side]) for side in (us, them)))
        name = f"{us} / {them}: {what}"
        figures.append(Figure(name, paired.ratio, "x", at_least=low, at_most=high, detail=paired.detail))
    return figures
