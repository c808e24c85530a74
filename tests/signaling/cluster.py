"""A real Redis and relay processes that share it, for the tests of more than one machine."""

import asyncio
import contextlib
import json
import os
import signal
import socket
import sys
from collections.abc import AsyncIterator
from pathlib import Path

from signaling.limits import Limits
from signaling.options import Options
from signaling.redis_store import RedisStore
from signaling.server import Server
from tests import needs
from tests.signaling.clients import WAIT


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


class RedisServer:
    """A redis-server of our own, which can be killed, stopped and brought back on the same port."""

    def __init__(self, folder: Path) -> None:
        self.program, self.folder, self.port = needs.program("redis-server"), folder, free_port()
        self.process: asyncio.subprocess.Process | None = None

    @property
    def url(self) -> str:
        return f"redis://127.0.0.1:{self.port}"

    async def start(self, *options: str) -> None:
        self.process = await asyncio.create_subprocess_exec(
            *(self.program, "--port", str(self.port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"),
            *("--dir", str(self.folder), *options),
            stdout=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.DEVNULL,
        )
        for _ in range(100):
            with contextlib.suppress(OSError):
                _, writer = await asyncio.open_connection("127.0.0.1", self.port)
                writer.close()
                return
            await asyncio.sleep(0.05)
        raise AssertionError("redis-server did not start")

    def pause(self) -> None:
        assert self.process is not None
        self.process.send_signal(signal.SIGSTOP)

    def go_on(self) -> None:
        assert self.process is not None
        self.process.send_signal(signal.SIGCONT)

    async def kill(self) -> None:
        if self.process is not None and self.process.returncode is None:
            self.process.kill()
            await self.process.wait()


@contextlib.asynccontextmanager
async def redis_server(folder: Path, *options: str) -> AsyncIterator[RedisServer]:
    server = RedisServer(folder)
    await server.start(*options)
    try:
        yield server
    finally:
        await server.kill()


@contextlib.asynccontextmanager
async def node(redis: RedisServer, **limits) -> AsyncIterator[Server]:
    """A relay in this process, on that Redis."""
    bounds = Limits(**limits)
    server = Server(Options(host="127.0.0.1", port=0, limits=bounds), RedisStore(redis.url, bounds))
    await server.start()
    try:
        yield server
    finally:
        await server.stop()


class Node:
    """A relay process on that Redis."""

    def __init__(self) -> None:
        self.process: asyncio.subprocess.Process | None = None
        self.port = 0

    async def start(self, redis: RedisServer, port: int = 0, *options: str) -> None:
        self.process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "signaling", "--host", "127.0.0.1", "--port", str(port), "--redis", redis.url),
            *("--no-stun", *options),
            stderr=asyncio.subprocess.PIPE,
            env=os.environ,
        )
        assert self.process.stderr is not None
        while True:
            line = await asyncio.wait_for(self.process.stderr.readline(), WAIT)
            assert line, "the relay ended"
            said = json.loads(line)
            if said["event"] == "listening":
                self.port = said["port"]
                return

    async def kill(self) -> None:
        if self.process is not None and self.process.returncode is None:
            self.process.kill()
            await self.process.wait()


@contextlib.asynccontextmanager
async def nodes(redis: RedisServer, count: int = 2, *options: str) -> AsyncIterator[list[Node]]:
    made = [Node() for _ in range(count)]
    try:
        await asyncio.gather(*(one.start(redis, 0, *options) for one in made))
        yield made
    finally:
        for one in made:
            await one.kill()


async def settled(check, seconds: float = WAIT) -> None:
    """Wait until something holds."""
    async with asyncio.timeout(seconds):
        while not await check():  # noqa: ASYNC110 -- what is awaited is in another process
            await asyncio.sleep(0.02)
