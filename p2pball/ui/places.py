"""Where two players meet: at a relay, at one of the host's own, or by hand over any chat."""

from __future__ import annotations

import asyncio
import contextlib
import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Protocol

from p2pball.clubhouse.errors import BadSettings
from p2pball.clubhouse.games import BY_HAND
from p2pball.clubhouse.settings import Settings
from p2pball.errors import P2PBallError
from p2pball.net.addresses import lan_address, relay_url
from p2pball.net.by_hand import by_hand
from p2pball.net.embedded import EmbeddedRelay
from p2pball.net.introduce import Introduction
from p2pball.net.letters import Confirmed
from p2pball.net.rendezvous import host, join, rejoin
from p2pball.net.ways import Network, transport
from p2pball.protocol.meeting import Code, Meeting, Role, draw
from p2pball.ui.display import Display
from signaling.wire import PORT, IceServer

EMBEDDED = "embedded:"
"""How a game remembers that its relay was inside the host's own process; the port follows."""


class NoPasting(P2PBallError):
    """Meeting by hand needs somebody who pastes lines."""


class Paster(Protocol):
    """A front end that can show a line to be sent to the other player, and take theirs."""

    def hand_over(self, line: str) -> None:
        """Show a line for the other player."""
        ...

    async def pasted(self) -> str | None:
        """The other player's line; None when the input has ended."""
        ...


@dataclass(frozen=True, slots=True)
class Where:
    """Where two players want to meet.

    `relay` is as given, empty for one of the host's own; `hand` is the front end that pastes, when there is no relay
    at all; `network` is what is known of the network.
    """

    relay: str = ""
    network: Network = field(default_factory=Network)
    hand: Paster | None = None

    @classmethod
    def of(cls, settings: Settings, hand: Paster | None = None) -> Where:
        """The relay and the servers that the settings name. Raises BadSettings for one that is no server's URL."""
        servers = []
        if settings.stun:
            if transport(settings.stun) != "stun":
                raise BadSettings(f"{settings.stun!r} is no address of a STUN server. Write stun:HOST:PORT.")
            servers.append(IceServer((settings.stun,)))
        if settings.turn:
            if transport(settings.turn) not in ("udp", "tcp", "tls"):
                wanted = "turn:HOST:PORT?transport=udp"
                raise BadSettings(f"{settings.turn!r} is no address of a TURN server. Write {wanted}.")
            servers.append(IceServer((settings.turn,), settings.turn_user, settings.turn_password))
        return cls(settings.relay, Network(tuple(servers), settings.turn_only), hand)


class Place(Protocol):
    """A place where two players meet, for the first time or again; `kept` is what a game remembers of it."""

    kept: str

    async def host(self, key: bytes, display: Display, confirmed: Confirmed) -> Introduction:
        """Wait for a guest; `key` is our public key, 32 bytes, and `confirmed` may be called on the way."""
        ...

    async def join(self, code: Code, key: bytes, display: Display, confirmed: Confirmed) -> Introduction:
        """Find the host of a code."""
        ...

    async def again(self, role: Role, secret: bytes, key: bytes, display: Display) -> Introduction:
        """Find the partner of a cut game."""
        ...


class Relay:
    """A relay at `url`; `shown` is how a guest writes it behind the code's @."""

    def __init__(self, url: str, shown: str, kept: str, network: Network) -> None:
        self._url, self._shown, self._network = url, shown, network
        self.kept = kept

    async def host(self, key: bytes, display: Display, confirmed: Confirmed) -> Introduction:
        """Open a room, show its code, and wait."""

        def opened(code: Code) -> None:
            display.room(str(code), self._shown, f"p2pball join {code}@{self._shown}")
            if self.kept.startswith(EMBEDDED):
                display.notice(
                    "This relay is your own and reaches your local network only. To play beyond it, both use a relay\n"
                    "that both can reach: --relay ADDRESS (docs/relay.md shows how to run one), or --by-hand."
                )

        report, network = display.notice, self._network
        return await host(self._url, key, opened=opened, report=report, confirmed=confirmed, network=network)

    async def join(self, code: Code, key: bytes, display: Display, confirmed: Confirmed) -> Introduction:
        """Take the guest's seat in the room of a code."""
        report, network = display.notice, self._network
        return await join(self._url, code, key, report=report, confirmed=confirmed, network=network)

    async def again(self, role: Role, secret: bytes, key: bytes, display: Display) -> Introduction:
        """Meet in the game's own room; the player may have the attempt start anew."""
        task = asyncio.current_task()
        assert task
        while True:
            attempt = asyncio.ensure_future(
                rejoin(self._url, role, secret, key, report=display.notice, network=self._network)
            )
            display.meeting(attempt.cancel)
            try:
                return await attempt
            except asyncio.CancelledError:
                if task.cancelling():
                    attempt.cancel()
                    raise


class Hand:
    """No relay: lines pasted through any chat, protected by the code words (fair-play 8.2)."""

    kept = BY_HAND

    def __init__(self, paster: Paster, network: Network) -> None:
        self._paster, self._network = paster, network

    async def host(self, key: bytes, display: Display, confirmed: Confirmed) -> Introduction:
        """Show a code to be told some other way, then paste."""
        code = draw(secrets.choice)
        display.room(str(code), BY_HAND, f"p2pball join {code} --by-hand")
        display.notice("Tell the code some other way than the lines: aloud is best. Whoever has both could step in.")
        return await self._meet(Meeting.by_code(Role.HOST, code, secrets.token_bytes), key, display)

    async def join(self, code: Code, key: bytes, display: Display, confirmed: Confirmed) -> Introduction:
        """Paste with the host of a code."""
        return await self._meet(Meeting.by_code(Role.GUEST, code, secrets.token_bytes), key, display)

    async def again(self, role: Role, secret: bytes, key: bytes, display: Display) -> Introduction:
        """Paste again; no code is needed."""
        return await self._meet(Meeting.by_secret(role, secret, secrets.token_bytes), key, display)

    async def _meet(self, meeting: Meeting, key: bytes, display: Display) -> Introduction:
        async def ask() -> str:
            line = await self._paster.pasted()
            if line is None:
                raise NoPasting("The input ended before the other player's line came. Both start again with --by-hand.")
            return line

        show = self._paster.hand_over
        return await by_hand(meeting, key, show=show, ask=ask, report=display.notice, network=self._network)


@asynccontextmanager
async def meeting_place(where: Where) -> AsyncIterator[Place]:
    """The place to meet; a relay of one's own runs for as long as it is used."""
    if where.hand is not None:
        yield Hand(where.hand, where.network)
        return
    if where.relay and not where.relay.startswith(EMBEDDED):
        yield Relay(relay_url(where.relay), where.relay, where.relay, where.network)
        return
    async with contextlib.AsyncExitStack() as stack:
        own = await _own_relay(stack, int(where.relay.removeprefix(EMBEDDED) or PORT))
        shown, kept = f"{lan_address() or '127.0.0.1'}:{own.port}", f"{EMBEDDED}{own.port}"
        yield Relay(f"ws://127.0.0.1:{own.port}", shown, where.relay or kept, where.network)


async def _own_relay(stack: contextlib.AsyncExitStack, port: int) -> EmbeddedRelay:
    """A relay on this port; on any free one when another program has it."""
    try:
        return await stack.enter_async_context(EmbeddedRelay(port=port))
    except OSError:
        return await stack.enter_async_context(EmbeddedRelay(port=0))
