"""What carries a game's bytes: the interface of every transport."""

from __future__ import annotations

from typing import Protocol

FRAME_LIMIT = 16 * 1024
"""The largest frame a link takes, in bytes; ours stay under half of it (connection 1)."""

BACKLOG = 1024
"""Frames a link holds for a reader; a peer that sends more unread ones is cut off."""


class Link(Protocol):
    """Two ends that carry whole frames in order, until either closes or the network does.

    How a link ended tells nothing about who ended it (connection 1): receiving raises `LinkClosed`, whatever happened.
    """

    @property
    def way(self) -> str:
        """How the frames travel: "memory", "direct", "turn-udp" or "turn-tcp"."""
        ...

    @property
    def rtt(self) -> float | None:
        """The last measured round trip in seconds, None when nothing has been measured."""
        ...

    async def send(self, data: bytes) -> None:
        """Hand a frame of UTF-8 text on; waits while the way is full. Raises LinkClosed, or ValueError if too long."""
        ...

    async def receive(self) -> bytes:
        """The next frame; those that came before the link closed are still given. Raises LinkClosed at the end."""
        ...

    async def close(self) -> None:
        """Send what is buffered, then say goodbye; takes four seconds at most. Never raises for a link that is gone."""
        ...
