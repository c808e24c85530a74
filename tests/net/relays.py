"""Relays with faults: limits of their own, a line that falls asleep, no manners, no rooms."""

from __future__ import annotations

import asyncio
import dataclasses
from typing import Self

from websockets.asyncio.server import ServerConnection, serve
from websockets.http11 import Request, Response

from signaling.limits import Limits
from signaling.options import Options
from signaling.server import Server
from signaling.wire import Code as Close
from signaling.wire import Role, Seated, say


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


class Fickle(Rude):
    """A relay that asks everybody to try again with the same code."""

    async def _serve(self, client: ServerConnection) -> None:
        self.visits += 1
        await client.close(Close.SAME_CODE)
