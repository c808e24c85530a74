"""Where seats and the counts of sources are kept: here in memory, or in Redis for more than one process."""

import time
from collections.abc import Awaitable, Callable
from typing import Protocol

from signaling.directory import Asking, Directory, Granted, Refused
from signaling.limits import Limits
from signaling.wire import Role


class StoreError(Exception):
    """The store cannot be asked at the moment."""


class Store(Protocol):
    """The seats of all rooms, the counts of all sources, and the way to the other processes."""

    home: str
    """What this process is called in the store; empty while it is cut off from it."""

    async def open(self, hear: Callable[[bytes], None], lost: Callable[[str | None], None]) -> None:
        """Connect. `hear` gets what other processes send here; `lost` the name of a process that died, None for all."""

    def seat(self, asking: Asking) -> Granted | Refused | Awaitable[Granted | Refused]:
        """Give a seat or say why not, at once or later; atomic. Raises StoreError, here or when awaited."""

    def away(self, room: str, role: Role) -> None:
        """The connection of that seat was lost."""

    def end(self, room: str) -> None:
        """The room is over."""

    def depart(self, source: str, home: str) -> None:
        """A connection that had been granted a seat, when this process was called `home`, is gone."""

    def send(self, home: str, data: bytes, bulk: bool) -> bool:
        """Send to another process, in order; False when too much is under way for another bulky parcel."""

    def sweep(self) -> None:
        """Called about once a second."""

    async def close(self) -> None:
        """Let go of everything."""


class MemoryStore:
    """The store of a relay of one process."""

    home = "here"

    def __init__(self, limits: Limits) -> None:
        self._directory = Directory(limits)

    async def open(self, hear: Callable[[bytes], None], lost: Callable[[str | None], None]) -> None:
        """Nothing to connect to, nothing to hear."""

    def seat(self, asking: Asking) -> Granted | Refused:
        """Give a seat or say why not."""
        return self._directory.seat(asking, time.monotonic())

    def away(self, room: str, role: Role) -> None:
        """The connection of that seat was lost."""
        self._directory.away(room, role)

    def end(self, room: str) -> None:
        """The room is over."""
        self._directory.end(room)

    def depart(self, source: str, home: str) -> None:
        """A connection that had been granted a seat, when this process was called `home`, is gone."""
        self._directory.depart(source)

    def send(self, home: str, data: bytes, bulk: bool) -> bool:
        """There is no other process."""
        raise AssertionError("a memory store names no other home")

    def sweep(self) -> None:
        """Forget the sources of which nothing needs to be remembered."""
        self._directory.forget(time.monotonic())

    async def close(self) -> None:
        """Nothing to let go of."""
