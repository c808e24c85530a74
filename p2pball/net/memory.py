"""A link inside one process: solo play and tests."""

from __future__ import annotations

from p2pball.net.link import BACKLOG, FRAME_LIMIT
from p2pball.net.pipe import Pipe


class MemoryLink:
    """One end of a pair; make both with `memory_pair`."""

    way = "memory"
    rtt: float | None = None

    def __init__(self, incoming: Pipe, outgoing: Pipe) -> None:
        self._incoming = incoming
        self._outgoing = outgoing

    async def send(self, data: bytes) -> None:
        """Put a frame before the other end; waits while its reader is far behind."""
        if len(data) > FRAME_LIMIT:
            raise ValueError(f"a frame has at most {FRAME_LIMIT} bytes, not {len(data)}")
        await self._outgoing.put(data)

    async def receive(self) -> bytes:
        """The next frame from the other end."""
        return await self._incoming.get()

    async def close(self) -> None:
        """End the pair for both; frames already sent can still be received."""
        self._incoming.close()
        self._outgoing.close()


def memory_pair(backlog: int = BACKLOG) -> tuple[MemoryLink, MemoryLink]:
    """Two ends of one link; each direction holds `backlog` unread frames."""
    there, back = Pipe(backlog), Pipe(backlog)
    return MemoryLink(back, there), MemoryLink(there, back)
