"""One direction of a link: a bounded queue of frames that can be closed."""

from __future__ import annotations

import asyncio
from collections import deque

from p2pball.net.errors import LinkClosed
from p2pball.net.link import BACKLOG


class Pipe:
    """Frames in order; readers get what came before the close, then LinkClosed."""

    def __init__(self, backlog: int = BACKLOG) -> None:
        self._frames: deque[bytes] = deque()
        self._backlog = backlog
        self._readable = asyncio.Event()
        self._writable = asyncio.Event()
        self.closed = False

    async def put(self, frame: bytes) -> None:
        """Add a frame, waiting while the pipe is full; raises LinkClosed."""
        while len(self._frames) >= self._backlog and not self.closed:
            self._writable.clear()
            await self._writable.wait()
        if not self.offer(frame):
            raise LinkClosed

    def offer(self, frame: bytes) -> bool:
        """Add a frame without waiting; False when the pipe is full or closed."""
        if self.closed or len(self._frames) >= self._backlog:
            return False
        self._frames.append(frame)
        self._readable.set()
        return True

    async def get(self) -> bytes:
        """The next frame; raises LinkClosed once the pipe is closed and empty."""
        while not self._frames:
            if self.closed:
                raise LinkClosed
            self._readable.clear()
            await self._readable.wait()
        self._writable.set()
        return self._frames.popleft()

    def close(self) -> None:
        """Let no further frame in and wake everyone who waits."""
        self.closed = True
        self._readable.set()
        self._writable.set()
