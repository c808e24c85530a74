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
    """Every finding as it is made; the whole takes half a minute at the very most. `relay` is a URL or None."""
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
    yield _verdict(mapped, relayed, asked=bool(stun) and not _from_here(mapped, addresses))


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
    answers = [address for address in mapped if address is not None]
    if not mapped:
        return [Finding("STUN", Health.UNKNOWN, "No server to ask.", "Set a relay, or a STUN server with --stun.")]
    if not answers:
        return [
            Finding(
                "STUN",
                Health.BAD,
                "No server answers over UDP: most likely UDP is blocked here.",
                "Only TURN over TCP gets through; a relay that names one is what you need.",
            )
        ]
    if _from_here(mapped, own):
        nat = Finding("NAT", Health.UNKNOWN, "Only a server elsewhere can tell.", "Try a relay on another machine.")
        return [Finding("STUN", Health.GOOD, "Answers, on this machine."), nat]
    seen = Finding("STUN", Health.GOOD, f"From outside you are {answers[0][0]}.")
    if answers[0][0] in own:
        return [seen, Finding("NAT", Health.GOOD, "None: this address is your own.")]
    if len(answers) < 2:
        told = "There is one; telling its kind takes a second STUN server."
        return [seen, Finding("NAT", Health.UNKNOWN, told, "Name one with --stun to learn more.")]
    if len(set(answers)) == 1:
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


def _from_here(mapped: Sequence[tuple[str, int] | None], own: Sequence[str]) -> bool:
    """Whether a server has seen the loopback of this machine, which says nothing about the way out of it."""
    seen = [address[0] for address in mapped if address is not None]
    return any(host not in own and ipaddress.ip_address(host).is_loopback for host in seen)


async def _turn(name: str, transport: str, server: tuple[IceServer, tuple[str, int]]) -> Finding:
    started = time.monotonic()
    problem = await allocate(server[1], transport, server[0].username, server[0].credential)
    if problem is None:
        return Finding(name, Health.GOOD, f"Works, in {(time.monotonic() - started) * 1000:.0f} ms.")
    advice = "Check the server's name and credentials, and whether a firewall is in between."
    return Finding(name, Health.BAD, f"{server[1][0]} port {server[1][1]}: {problem}.", advice)


def _verdict(mapped: Sequence[tuple[str, int] | None], relayed: Sequence[str], *, asked: bool) -> Finding:
    """What all of it comes to."""
    answers = {address for address in mapped if address is not None}
    udp = bool(answers) or not asked
    if {"tcp", "tls"} & set(relayed) or (udp and relayed):
        return Finding("in all", Health.GOOD, "You can play with anyone, directly or through the TURN server.")
    if not udp:
        return Finding("in all", Health.BAD, "Only partners on your own network.", "Use a relay with TURN over TCP.")
    if not asked:
        return Finding("in all", Health.UNKNOWN, "Partners on your own network; others were not tried.")
    strict = len(answers) > 1
    seen = (
        "Partners without a NAT or with an open one." if strict else "Most partners; not those behind symmetric NATs."
    )
    return Finding("in all", Health.LIMITED, seen, "A relay that names a TURN server reaches everyone.")
