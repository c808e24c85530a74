"""What the network lets through from here: addresses, relay, STUN, kind of NAT, TURN; each finding says what to do."""

from __future__ import annotations

import asyncio
import ipaddress
import secrets
import time
from collections.abc import AsyncIterator, Sequence
from email.utils import parsedate_to_datetime
from enum import Enum

from p2pball.frozen import frozen
from p2pball.net.addresses import host_addresses
from p2pball.net.errors import NetError
from p2pball.net.mail import MailEnded
from p2pball.net.probes import allocate, mapped_addresses
from p2pball.net.relay import HELP, Seat
from p2pball.net.ways import Network, server_urls
from signaling.wire import Door, IceServer, Outcome, Role

PROBE_SECONDS = 5.0
CLOCK_SECONDS = 60

# RFC 1918. `is_private` would count the documentation networks too, which stand for the internet in laboratories.
_LANS = [ipaddress.ip_network(network) for network in ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16")]


class Health(Enum):
    """How a finding is to be taken."""

    GOOD = "good"
    LIMITED = "limited"
    BAD = "bad"
    UNKNOWN = "unknown"


@frozen
class Finding:
    """One thing that was tried: which, how it is, what was seen, and what to do about it (empty: nothing)."""

    what: str
    health: Health
    seen: str
    advice: str = ""


async def examine(relay: str | None, network: Network) -> AsyncIterator[Finding]:
    """Every finding as it is made; each question has a bound of its own. `relay` is a URL or None."""
    addresses = host_addresses()
    if not addresses:
        yield Finding("network", Health.BAD, "No address but the loopback.", "Connect this machine to a network.")
        return
    yield Finding("network", Health.GOOD, f"Addresses: {', '.join(addresses)}.")
    offered: tuple[IceServer, ...] = ()
    if relay is None:
        yield Finding(
            "relay",
            Health.LIMITED,
            "None is set: `host` uses one of its own, which your local network can reach.",
            "To play beyond it, set a relay (docs/relay.md) or use --by-hand.",
        )
    else:
        finding, offered, clock = await _relay(relay)
        yield finding
        if clock is not None:
            yield clock
    whole = network.with_relay(offered)
    stun = await server_urls(whole, {"stun", "udp"})
    mapped = await mapped_addresses([address for _, address in stun])
    for finding in _stun(mapped, addresses):
        yield finding
    relayed = []
    for transport, name in (("udp", "TURN over UDP"), ("tcp", "TURN over TCP"), ("tls", "TURN over TLS")):
        servers = await server_urls(whole, {transport})
        if servers:
            finding = await _turn(name, transport, servers[0])
            relayed += [transport] if finding.health is Health.GOOD else []
            yield finding
    yield _verdict(mapped, addresses, relayed)


async def _relay(url: str) -> tuple[Finding, tuple[IceServer, ...], Finding | None]:
    """Take both seats of a room that nobody else can guess, as two players do; also hear which servers it names."""
    nameplate = secrets.token_hex(16)
    seats = [Seat(url, Door(nameplate, role), lambda _: None) for role in (Role.HOST, Role.GUEST)]
    started = time.monotonic()
    try:
        async with asyncio.timeout(PROBE_SECONDS):
            for seat in seats:
                await seat.take()
            await asyncio.gather(*(seat.pair() for seat in seats))
            await seats[0].send(b"doctor")
            await seats[1].receive()
    except (NetError, MailEnded, TimeoutError) as error:
        seen = str(error).removesuffix(f" {HELP}")
        seen = seen or f"The relay at {url} did not answer in {PROBE_SECONDS:.0f} seconds."
        return Finding("relay", Health.BAD, seen, HELP), (), None
    finally:
        await asyncio.gather(*(seat.leave(Outcome.LEFT) for seat in seats))
    milliseconds = (time.monotonic() - started) * 1000
    good = Finding("relay", Health.GOOD, f"{url} introduces two seats to each other in {milliseconds:.0f} ms.")
    return good, seats[0].ice, _clock(seats[0].date)


def _clock(date: str | None) -> Finding | None:
    """Compare with the relay's clock, if it tells its own."""
    if date is None:
        return None
    try:
        off = time.time() - parsedate_to_datetime(date).timestamp()
    except (ValueError, OverflowError):
        return None
    if abs(off) <= CLOCK_SECONDS:
        return Finding("clock", Health.GOOD, "Agrees with the relay's.")
    way = "fast" if off > 0 else "slow"
    return Finding(
        "clock",
        Health.LIMITED,
        f"{abs(off) / 60:.0f} minutes {way}, by the relay's.",
        "Set it right, or games carry wrong dates; the play itself does not depend on it.",
    )


def _stun(mapped: Sequence[tuple[str, int] | None], own: Sequence[str]) -> list[Finding]:
    """Whether UDP gets out, and how the NAT maps one port towards different servers (RFC 5780, section 4.3)."""
    if not mapped:
        return [Finding("STUN", Health.UNKNOWN, "No server to ask.", "Set a relay, or a STUN server with --stun.")]
    if not any(mapped):
        return [
            Finding(
                "STUN",
                Health.BAD,
                "No server answers over UDP: most likely UDP is blocked here.",
                "Only TURN over TCP gets through; a relay that names one is what you need.",
            )
        ]
    outside = _outside(mapped, own)
    if not outside:
        advice = "Try a relay beyond your local network."
        nat = Finding("NAT", Health.UNKNOWN, "Only a server elsewhere can tell.", advice)
        return [Finding("STUN", Health.GOOD, "Answers, on your own network."), nat]
    seen = Finding("STUN", Health.GOOD, f"From outside you are {outside[0][0]}.")
    if outside[0][0] in own:
        return [seen, Finding("NAT", Health.GOOD, "None: this address is your own.")]
    if len(outside) < 2:
        told = "There is one; telling its kind takes a second STUN server."
        return [seen, Finding("NAT", Health.UNKNOWN, told, "Name one with --stun to learn more.")]
    if len(set(outside)) == 1:
        return [seen, Finding("NAT", Health.GOOD, "Friendly: every partner finds you at the same port.")]
    return [
        seen,
        Finding(
            "NAT",
            Health.LIMITED,
            "Symmetric: it shows every partner another port.",
            "Partners behind strict NATs reach you only through a TURN server.",
        ),
    ]


def _outside(mapped: Sequence[tuple[str, int] | None], own: Sequence[str]) -> list[tuple[str, int]]:
    """The answers of servers elsewhere: one on this machine or its LAN says nothing about the way out."""
    return [answer for answer in mapped if answer is not None and not _near(answer[0], own)]


def _near(seen: str, own: Sequence[str]) -> bool:
    """Whether a server that sees this address is on this machine, or on the LAN, where no NAT is in between."""
    address = ipaddress.ip_address(seen)
    return address.is_loopback or (seen in own and any(address in network for network in _LANS))


async def _turn(name: str, transport: str, server: tuple[IceServer, tuple[str, int]]) -> Finding:
    started = time.monotonic()
    relayed, problem = await allocate(server[1], transport, server[0].username, server[0].credential)
    if _shut_in(server[1][0], relayed):
        seen = f"It relays from {relayed}, which only its own network reaches."
        return Finding(name, Health.BAD, seen, "Whoever runs it has to set external-ip in coturn (docs/relay.md).")
    if not problem:
        return Finding(name, Health.GOOD, f"Works, in {(time.monotonic() - started) * 1000:.0f} ms.")
    advice = "Check the server's name and credentials, and whether a firewall is in between."
    return Finding(name, Health.BAD, f"{server[1][0]} port {server[1][1]}: {problem}.", advice)


def _shut_in(server: str, relayed: str) -> bool:
    """Whether a TURN server out in the world gives out an address of the LAN behind it."""
    return _is_local(server) is False and _is_local(relayed) is True


def _is_local(host: str) -> bool | None:
    """Whether an address is of this machine or a LAN; None for what is no address."""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return None
    return address.is_loopback or any(address in network for network in _LANS)


def _verdict(mapped: Sequence[tuple[str, int] | None], own: Sequence[str], relayed: Sequence[str]) -> Finding:
    """What all of it comes to."""
    outside = set(_outside(mapped, own))
    blocked = bool(mapped) and not any(mapped)
    if {"tcp", "tls"} & set(relayed) or (relayed and not blocked):
        return Finding("in all", Health.GOOD, "You can play with anyone, directly or through the TURN server.")
    if blocked:
        return Finding("in all", Health.BAD, "Only partners on your own network.", "Use a relay with TURN over TCP.")
    if not outside:
        return Finding("in all", Health.UNKNOWN, "Partners on your own network; others were not tried.")
    strict = len(outside) > 1
    seen = (
        "Partners without a NAT or with an open one." if strict else "Most partners; not those behind symmetric NATs."
    )
    return Finding("in all", Health.LIMITED, seen, "A relay that names a TURN server reaches everyone.")
