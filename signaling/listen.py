"""Opens the relay's ports: IPv4 and IPv6 on one number, TCP with TLS when there is a certificate, and UDP."""

import asyncio
import errno
import socket
import ssl
from collections.abc import Callable

from signaling.options import Options

_BACKLOG = 1024
_NO_IPV6 = (errno.EAFNOSUPPORT, errno.EADDRNOTAVAIL, errno.EPROTONOSUPPORT)


async def listen(options: Options, factory: Callable[[], asyncio.BaseProtocol]) -> asyncio.Server:
    """Start to listen. Raises OSError when the address cannot be had or the certificate not be read."""
    tls: ssl.SSLContext | None = None
    if options.cert is not None:
        tls = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        tls.load_cert_chain(options.cert, options.key)
    loop = asyncio.get_running_loop()
    bound = _socket(options.host, options.port)
    # A client that starts TLS and says nothing more meets the same bound as one that starts HTTP.
    handshake, shutdown = (options.limits.handshake, 5.0) if tls else (None, None)
    return await loop.create_server(
        factory,
        sock=bound,
        ssl=tls,
        backlog=_BACKLOG,
        ssl_handshake_timeout=handshake,
        ssl_shutdown_timeout=shutdown,
    )


def _socket(host: str, port: int) -> socket.socket:
    if _everywhere(host):
        try:
            return socket.create_server(("::", port), family=socket.AF_INET6, dualstack_ipv6=True, backlog=_BACKLOG)
        except OSError as error:
            if error.errno not in _NO_IPV6:
                raise
    family, where = _resolve(host, port, socket.SOCK_STREAM)
    return socket.create_server(where, family=family, backlog=_BACKLOG)


def udp_socket(host: str, port: int) -> socket.socket:
    """A bound UDP socket, for IPv4 too where the host is every address. Raises OSError."""
    if _everywhere(host):
        try:
            return _bind(socket.AF_INET6, ("::", port))
        except OSError as error:
            if error.errno not in _NO_IPV6:
                raise
    return _bind(*_resolve(host, port, socket.SOCK_DGRAM))


def _bind(family: int, where: tuple[str, int]) -> socket.socket:
    bound = socket.socket(family, socket.SOCK_DGRAM)
    try:
        if where[0] == "::":
            bound.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)
        bound.setblocking(False)
        bound.bind(where)
    except OSError:
        bound.close()
        raise
    return bound


def _everywhere(host: str) -> bool:
    return host in ("::", "") and socket.has_dualstack_ipv6()


def _resolve(host: str, port: int, kind: int) -> tuple[int, tuple[str, int]]:
    name = "0.0.0.0" if host in ("::", "") else host  # noqa: S104 -- a relay is for everyone
    family, _, _, _, where = socket.getaddrinfo(name, port, type=kind, flags=socket.AI_PASSIVE)[0]
    return family, (str(where[0]), int(where[1]))
