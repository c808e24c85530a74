"""Attempts made ready: aiortc loaded in a thread, addresses gathered while other things go on."""

from __future__ import annotations

import asyncio
import contextlib
import importlib
from typing import TYPE_CHECKING

from p2pball.net.background import in_background
from p2pball.net.errors import NoTurnServer
from p2pball.net.ways import Network, Way

if TYPE_CHECKING:
    from p2pball.net.webrtc import Attempt


async def load() -> None:
    """Load the WebRTC transport in a thread; half a second or more the first time, then nothing."""
    await asyncio.to_thread(importlib.import_module, "p2pball.net.webrtc")


async def prepare(way: Way, network: Network) -> Attempt:
    """A new attempt with its addresses gathered, in two seconds or so at most.

    Raises NoNetwork, and NoPath when addresses stay hidden and no TURN server gives one.
    """
    servers, _ = await asyncio.gather(network.servers_for(way), load())
    from p2pball.net.webrtc import Attempt

    attempt = Attempt(way, servers, network.turn_only)
    try:
        await attempt.gather()
    except BaseException:
        attempt.give_up()
        raise
    return attempt


class Preparation:
    """The first attempt, gathering while the keys are agreed on; the later ones are made when they are needed."""

    def __init__(self, network: Network) -> None:
        """Raises NoTurnServer when nothing can be tried at all."""
        if not network.ways:
            raise NoTurnServer
        self.network = network
        self._way = network.ways[0]
        self._task: asyncio.Task[Attempt] | None = asyncio.ensure_future(prepare(self._way, network))

    async def take(self, way: Way) -> Attempt:
        """An attempt at this way; the caller opens it or gives it up."""
        if self._task is not None and way is self._way:
            attempt = await asyncio.shield(self._task)
            self._task = None
            return attempt
        return await prepare(way, self.network)

    def discard(self) -> None:
        """Give up what nobody took."""
        if self._task is not None:
            self._task.cancel()
            in_background(_give_up(self._task))
            self._task = None


async def _give_up(task: asyncio.Task[Attempt]) -> None:
    # Whatever it failed of, nobody is left to be told: what ended the meeting is on its way to the player already.
    with contextlib.suppress(asyncio.CancelledError, Exception):
        (await task).give_up()
