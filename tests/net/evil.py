"""A relay that interferes: it stands between the clients and a real relay, sees every frame and may change it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from types import TracebackType
from typing import Self

from websockets.asyncio.client import connect
from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.exceptions import ConnectionClosed

Meddle = Callable[[str, int, bytes], "bytes | list[bytes] | None"]
"""(sender's role, number of its frame, frame) -> what is passed on: a frame, several, or None for nothing."""


class EvilRelay:
    """Passes everything on between its clients and the relay at `upstream`, but for what `meddle` does."""

    def __init__(self, upstream: str, meddle: Meddle) -> None:
        self.seen: list[tuple[str, bytes]] = []
        self.sockets: list[ServerConnection] = []
        self._upstream = upstream
        self._meddle = meddle
        self._server: Server | None = None

    @property
    def url(self) -> str:
        """Where clients find it."""
        assert self._server is not None
        return f"ws://127.0.0.1:{next(iter(self._server.sockets)).getsockname()[1]}"

    async def __aenter__(self) -> Self:
        self._server = await serve(self._serve, "127.0.0.1", 0, compression=None)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None:
        assert self._server is not None
        self._server.close()
        await self._server.wait_closed()

    async def _serve(self, client: ServerConnection) -> None:
        self.sockets.append(client)
        assert client.request is not None
        role = "host" if "role=host" in client.request.path else "guest"
        async with connect(self._upstream + client.request.path, compression=None, proxy=None) as relay:

            async def up() -> None:
                number = 0
                async for frame in client:
                    assert isinstance(frame, bytes)
                    self.seen.append((role, frame))
                    changed = self._meddle(role, number, frame)
                    number += 1
                    for passed in changed if isinstance(changed, list) else [changed]:
                        if passed is not None:
                            await relay.send(passed)

            async def down() -> None:
                async for frame in relay:
                    await client.send(frame)

            tasks = [asyncio.create_task(up()), asyncio.create_task(down())]
            try:
                await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            except ConnectionClosed:
                pass
            finally:
                for task in tasks:
                    task.cancel()
                await asyncio.gather(*tasks, return_exceptions=True)
            # Each end hears how the other closed, so that outcomes and refusals pass through.
            if relay.close_code is not None and client.close_code is None:
                await client.close(relay.close_code, relay.close_reason or "")
            elif client.close_code is not None and client.close_code != 1006:
                await relay.close(client.close_code, client.close_reason or "")
            else:
                relay.transport.abort()
