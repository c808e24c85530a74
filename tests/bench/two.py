"""Two processes of `player` side by side, and between them, when wanted, a line that delays."""

from __future__ import annotations

import asyncio
import contextlib
import heapq
import json
import os
import sys
import tempfile
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

from p2pball.net.addresses import LOOPBACK_TOO

LIMIT = 60.0


class Player:
    """A `tests.bench.player` process."""

    def __init__(self, process: Process) -> None:
        self._process = process

    def tell(self, do: str, **arguments: Any) -> None:
        """Give a command."""
        assert self._process.stdin
        self._process.stdin.write(json.dumps({"do": do, **arguments}).encode() + b"\n")

    async def told(self) -> dict[str, Any]:
        """The next answer."""
        assert self._process.stdout
        line = await asyncio.wait_for(self._process.stdout.readline(), LIMIT)
        if not line:
            raise RuntimeError("a player has died; its reasons are on stderr")
        answer: dict[str, Any] = json.loads(line)
        return answer

    async def do(self, do: str, **arguments: Any) -> dict[str, Any]:
        """Give a command and wait for its answer."""
        self.tell(do, **arguments)
        return await self.told()


@contextlib.asynccontextmanager
async def players() -> AsyncIterator[tuple[Player, Player]]:
    """Host and guest, aiortc imported, each with a home of its own."""
    with tempfile.TemporaryDirectory() as homes:
        running = []
        for role in ("host", "guest"):
            env = os.environ | {"P2PBALL_HOME": str(Path(homes) / role), LOOPBACK_TOO: "1"}
            command = (sys.executable, "-m", "tests.bench.player", role)
            running.append(await asyncio.create_subprocess_exec(*command, stdin=PIPE, stdout=PIPE, env=env))
        try:
            yield Player(running[0]), Player(running[1])
        finally:
            for process in running:
                process.kill()
                await process.wait()


async def connect(kind: str, host: Player, guest: Player, slow: Slow | None = None) -> None:
    """Open a connection between the two, `bare` or `link`; through the line when there is one."""
    offer = (await host.do(f"{kind}-offer"))["letter"]
    if slow:
        offer = await slow.between(offer)
    answer = (await guest.do(f"{kind}-answer", letter=offer))["letter"]
    if slow:
        answer = slow.back(answer)
    await host.do(f"{kind}-accept", letter=answer)
    await asyncio.gather(host.do(f"{kind}-opened"), guest.do(f"{kind}-opened"))


class Slow:
    """A user-space forwarder of UDP: whoever reaches the host through it waits `delay` seconds each way."""

    def __init__(self, delay: float) -> None:
        self._delay = delay
        self._ends: list[_End] = []
        self._waiting: list[tuple[float, int, _End, bytes]] = []
        self._count = 0
        self._timer: asyncio.TimerHandle | None = None

    async def between(self, offer: str) -> str:
        """The offer with the forwarder's address as the only one; it passes on to the first of the host's own."""
        letter = json.loads(offer)
        to = next((ip, port) for kind, ip, port in letter["candidates"] if ":" not in ip)
        loop = asyncio.get_running_loop()
        near, far = _End(self), _End(self)
        near.other, far.other, far.peer = far, near, to
        for end in (near, far):
            await loop.create_datagram_endpoint(lambda end=end: end, local_addr=(to[0], 0))
        self._ends += [near, far]
        letter["candidates"] = [["host", *near.transport.get_extra_info("sockname")]]
        return json.dumps(letter, sort_keys=True, separators=(",", ":"))

    def back(self, answer: str) -> str:
        """The answer to it, with the forwarder's other end as the only address."""
        letter = json.loads(answer)
        letter["candidates"] = [["host", *self._ends[-1].transport.get_extra_info("sockname")]]
        return json.dumps(letter, sort_keys=True, separators=(",", ":"))

    def pass_on(self, end: _End, data: bytes) -> None:
        """Send a packet out at an end when its time has come."""
        loop = asyncio.get_running_loop()
        self._count += 1
        heapq.heappush(self._waiting, (loop.time() + self._delay, self._count, end, data))
        self._arm(loop)

    def close(self) -> None:
        """Stop."""
        for end in self._ends:
            end.transport.close()

    def _arm(self, loop: asyncio.AbstractEventLoop) -> None:
        if self._timer is None and self._waiting:
            self._timer = loop.call_at(self._waiting[0][0], self._due, loop)

    def _due(self, loop: asyncio.AbstractEventLoop) -> None:
        self._timer = None
        while self._waiting and self._waiting[0][0] <= loop.time():
            _, _, end, data = heapq.heappop(self._waiting)
            if end.peer and not end.transport.is_closing():
                end.transport.sendto(data, end.peer)
        self._arm(loop)


class _End(asyncio.DatagramProtocol):
    """One socket of the forwarder; its peer is known from the start, or is whoever sent last."""

    def __init__(self, slow: Slow) -> None:
        self._slow = slow
        self.peer: tuple[str, int] | None = None
        self.other: _End = self

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport: Any = transport

    def datagram_received(self, data: bytes, addr: tuple[str, int]) -> None:
        self.peer = addr
        self._slow.pass_on(self.other, data)
