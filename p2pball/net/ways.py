"""The ways to the other player, in order, and which STUN and TURN server each uses (connection 1)."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence
from dataclasses import replace
from enum import StrEnum

from p2pball.frozen import frozen
from p2pball.net.addresses import resolve
from signaling.wire import IceServer

_URL = re.compile(r"(?P<scheme>stun|turns?):(?P<host>[^?:/]+)(:(?P<port>[0-9]{1,5}))?(\?transport=(?P<transport>\w+))?")


REACH_SECONDS = 2.0
"""How long a TURN server may take to accept a TCP connection, where there is another one to try."""


class Way(StrEnum):
    """One attempt at a connection. The first tries direct paths and TURN over UDP at once: ICE prefers the direct."""

    DIRECT = "direct"
    TURN_TCP = "turn-tcp"


ORDER = (Way.DIRECT, Way.TURN_TCP)


@frozen
class Network:
    """What a player's settings say of the network: own STUN and TURN servers, and whether addresses stay hidden."""

    servers: tuple[IceServer, ...] = ()
    turn_only: bool = False

    def with_relay(self, offered: Sequence[IceServer]) -> Network:
        """Own servers first, then those of the relay: only the first of each kind is used."""
        return replace(self, servers=self.servers + tuple(offered))

    def can(self, way: Way) -> bool:
        """Whether there is a server that makes this way worth trying; the direct one needs none."""
        transports = {transport(url) for server in self.servers for url in server.urls}
        match way:
            case Way.DIRECT:
                return not self.turn_only or "udp" in transports
            case Way.TURN_TCP:
                return bool(transports & {"tcp", "tls"})

    @property
    def ways(self) -> tuple[Way, ...]:
        """The ways that can be tried from here, in order."""
        return tuple(way for way in ORDER if self.can(way))

    async def servers_for(self, way: Way) -> tuple[IceServer, ...]:
        """At most one STUN and one TURN server for an attempt, names resolved; one that cannot be is left out.

        aioice uses the first of each kind only; TURN over TCP goes without STUN, which would be asked over UDP in vain.
        Of several servers over TCP or TLS it is the first that takes a connection: some networks let out TLS alone.
        """
        wanted = [{"udp"}] if way is Way.DIRECT else [{"tcp", "tls"}]
        if way is Way.DIRECT and not self.turn_only:
            wanted.append({"stun"})
        chosen = []
        for transports in wanted:
            having = self._having(transports)
            if way is Way.TURN_TCP and len(having) > 1:
                reached = await asyncio.gather(*(_reached(url) for _, url in having))
                having = [having[at] for at in sorted(range(len(having)), key=lambda at: not reached[at])]
            for server, url in having:
                if (found := await _resolved(url)) is not None:
                    chosen.append(IceServer((found,), server.username, server.credential))
                    break
        return tuple(chosen)

    def _having(self, transports: set[str]) -> list[tuple[IceServer, str]]:
        return [(server, url) for server in self.servers for url in server.urls if transport(url) in transports]


ANY_NETWORK = Network()
"""No server of one's own and nothing to hide."""


def transport(url: str) -> str | None:
    """How a server is reached: stun, udp, tcp or tls; None for a URL that aioice cannot use."""
    match = _URL.fullmatch(url)
    if match is None or not 0 < int(match["port"] or 1) < 1 << 16:
        return None
    match match["scheme"], match["transport"]:
        case "stun", None:
            return "stun"
        case "turn", None | "udp":
            return "udp"
        case "turn", "tcp":
            return "tcp"
        case "turns", None | "tcp":
            return "tls"
    return None


async def _resolved(url: str) -> str | None:
    match = _URL.fullmatch(url)
    assert match is not None
    address = await resolve(match["host"])
    if address is None or match["scheme"] == "turns":
        # TLS checks the certificate against the name, so the name has to stay.
        return address and url
    return url[: match.start("host")] + address + url[match.end("host") :]


async def _reached(url: str) -> bool:
    """Whether the server takes a TCP connection."""
    host, port = await _address(url)
    if host is None:
        return False
    try:
        async with asyncio.timeout(REACH_SECONDS):
            _, writer = await asyncio.open_connection(host, port)
    except (OSError, TimeoutError):
        return False
    writer.transport.abort()
    return True


async def _address(url: str) -> tuple[str | None, int]:
    """Host and port, the host resolved (None when it cannot be) but for TLS, which needs the name."""
    match = _URL.fullmatch(url)
    assert match is not None
    tls = match["scheme"] == "turns"
    return match["host"] if tls else await resolve(match["host"]), int(match["port"] or (5349 if tls else 3478))


async def server_urls(network: Network, transports: set[str]) -> list[tuple[IceServer, tuple[str, int]]]:
    """Every server of these kinds (stun, udp, tcp, tls) with its host, resolved but for tls, and port."""
    found = []
    for server in network.servers:
        for url in server.urls:
            if transport(url) in transports:
                host, port = await _address(url)
                if host is not None:
                    found.append((server, (host, port)))
    return found
