"""PURE: who a connection counts as, and how often a source did something in a window of time."""

import ipaddress
from collections.abc import Iterable
from dataclasses import dataclass, field
from math import ceil

Network = ipaddress.IPv4Network | ipaddress.IPv6Network
Address = ipaddress.IPv4Address | ipaddress.IPv6Address


def address(text: str) -> Address | None:
    """An address as sockets and proxies write it (zone, brackets and a port may follow); None when it is none."""
    text = text.strip().strip('"')
    if text.startswith("["):
        text = text[1:].partition("]")[0]
    elif text.count(":") == 1:
        text = text.partition(":")[0]
    try:
        found = ipaddress.ip_address(text.partition("%")[0])
    except ValueError:
        return None
    return (isinstance(found, ipaddress.IPv6Address) and found.ipv4_mapped) or found


def source_at(peer: str) -> str:
    """The key of the other end of a socket, whose address is as the system writes it."""
    plain = peer.removeprefix("::ffff:")
    if "." in plain and ":" not in plain:
        return plain
    found = address(peer)
    return source_of(found) if found is not None else "unknown"


def source_of(found: Address) -> str:
    """The key that limits count by: an IPv4 address, or the /64 of an IPv6 address."""
    return str(found) if found.version == 4 else str(ipaddress.ip_network((found, 64), strict=False))


def is_among(found: Address, networks: Iterable[Network]) -> bool:
    """Whether the address lies in one of the networks."""
    return any(found.version == network.version and found in network for network in networks)


def behind_proxies(peer: Address, forwarded: Iterable[str], proxies: Iterable[Network]) -> Address:
    """Whom a connection comes from: the right-most forwarded address that is no proxy of ours.

    `forwarded` are the values of X-Forwarded-For in order. They are believed only from a configured proxy, and only as
    far as proxies go: what stands left of the first stranger is that stranger's own claim. What cannot be read counts
    against the proxy that passed it on.
    """
    proxies = tuple(proxies)
    hops = [hop for value in forwarded for hop in value.split(",")]
    while hops and is_among(peer, proxies):
        found = address(hops.pop())
        if found is None:
            break
        peer = found
    return peer


@dataclass(slots=True)
class Window:
    """How often something happened since the window opened; it opens with the first time."""

    until: float = 0.0
    count: int = 0

    def full(self, limit: int, now: float) -> int | None:
        """Seconds until it opens anew when the limit is reached, else None."""
        return max(1, ceil(self.until - now)) if now < self.until and self.count >= limit else None

    def add(self, length: float, now: float) -> None:
        """Count once more, in a new window of that many seconds if the last is over."""
        if now >= self.until:
            self.until, self.count = now + length, 0
        self.count += 1


@dataclass(slots=True)
class Source:
    """What one source has done and holds."""

    joins: Window = field(default_factory=Window)
    failed: Window = field(default_factory=Window)
    turn: Window = field(default_factory=Window)
    connections: int = 0
    rooms: int = 0

    def forgettable(self, now: float) -> bool:
        """Whether nothing here can refuse it any more."""
        idle = not self.connections and not self.rooms
        return idle and all(now >= window.until for window in (self.joins, self.failed, self.turn))
