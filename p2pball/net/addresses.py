"""Addresses: this machine's own, a relay's as typed, names resolved under a bound."""

from __future__ import annotations

import asyncio
import ipaddress
import os
import socket
from urllib.parse import urlsplit

import ifaddr

from p2pball.net.errors import BadRelayAddress
from p2pball.protocol.meeting import Code, parse
from signaling.wire import PORT

LOOPBACK_TOO = "P2PBALL_LOOPBACK"
"""With this variable set to 1 the loopback counts as a network: for tests on one machine."""

RESOLVE_SECONDS = 2.0
_MDNS = ".local"


def host_addresses(use_ipv4: bool = True, use_ipv6: bool = True) -> list[str]:
    """The addresses at which this machine may be reached directly, loopback only for tests (connection 1)."""
    wide = os.environ.get(LOOPBACK_TOO) == "1"
    found = []
    for adapter in ifaddr.get_adapters():
        for ip in adapter.ips:
            if isinstance(ip.ip, str):
                # 0.0.0.0 and 169.254/16 are what an interface has that found no network.
                ip4 = ipaddress.IPv4Address(ip.ip)
                if use_ipv4 and (wide or not ip4.is_loopback) and not (ip4.is_unspecified or ip4.is_link_local):
                    found.append(ip.ip)
            else:
                address, _, scope = ip.ip
                # A link-local address means nothing without its interface, so scopes other than 0 are left out.
                if use_ipv6 and scope == 0 and (wide or address != "::1"):
                    found.append(address)
    return found


def lan_address() -> str | None:
    """The IPv4 address under which others on the LAN see this machine: that of the default route, else any."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            # Connecting a datagram socket sends nothing; it only asks the routing table.
            probe.connect(("192.0.2.1", 9))
            chosen = str(probe.getsockname()[0])
        except OSError:
            chosen = "127.0.0.1"
    if not ipaddress.ip_address(chosen).is_loopback:
        return chosen
    return next(iter(host_addresses(use_ipv6=False)), None)


def relay_url(text: str) -> str:
    """A relay as typed, as a WebSocket URL without a path.

    Without a scheme: ws for addresses of private networks and names of the LAN, on the relay's own port 8765 when none
    is given; wss for all others, on 443, where a TLS proxy stands. http and https are taken for ws and wss. Raises
    BadRelayAddress.
    """
    typed = text.strip()
    scheme, mark, rest = typed.partition("://")
    try:
        parts = urlsplit(f"//{rest if mark else typed}")
        host, port = parts.hostname, parts.port
    except ValueError as error:
        raise BadRelayAddress from error
    secure = {"ws": False, "http": False, "wss": True, "https": True}.get(scheme.lower()) if mark else None
    clean = host and host.isprintable() and not any(c in host for c in " \\<>\"'")
    if not (host and clean) or (mark and secure is None) or parts.username or parts.path.strip("/") or parts.query:
        raise BadRelayAddress
    if not mark:
        secure = not is_private(host)
        port = port or (None if secure else PORT)
    shown = f"[{host}]" if ":" in host else host
    return f"{'wss' if secure else 'ws'}://{shown}{f':{port}' if port else ''}"


def parse_target(text: str) -> tuple[Code, str | None]:
    """`CODE` or `CODE@RELAY` as typed after `join`: the code and the relay's URL. Raises BadCode, BadRelayAddress."""
    code, at, relay = text.strip().partition("@")
    return parse(code), relay_url(relay) if at else None


def is_private(host: str) -> bool:
    """Whether a host is on this machine or a private network: such a relay is reached without TLS."""
    try:
        ip = ipaddress.ip_address(host)
    except ValueError:
        name = host.lower().rstrip(".")
        return "." not in name or name.endswith((_MDNS, ".localhost", ".lan", ".home.arpa"))
    # Documentation and benchmark networks count as private for `ipaddress` too; that suits laboratories.
    return ip.is_private or ip.is_loopback or ip.is_link_local


async def resolve(host: str) -> str | None:
    """The first IPv4 address of a name within two seconds, else None; an address is given back as it is."""
    loop = asyncio.get_running_loop()
    try:
        async with asyncio.timeout(RESOLVE_SECONDS):
            found = await loop.getaddrinfo(host, None, family=socket.AF_INET, type=socket.SOCK_DGRAM)
    except (OSError, TimeoutError, UnicodeError):
        return None
    return str(found[0][4][0]) if found else None
