"""Opens the relay's TCP port: IPv4 and IPv6 on one number, with TLS when there is a certificate."""

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
    if host in ("::", "") and socket.has_dualstack_ipv6():
        try:
            return socket.create_server(("::", port), family=socket.AF_INET6, dualstack_ipv6=True, backlog=_BACKLOG)
        except OSError as error:
            if error.errno not in _NO_IPV6:
                raise
    name = "0.0.0.0" if host in ("::", "") else host  # noqa: S104 -- a relay is for everyone
    family, _, _, _, where = socket.getaddrinfo(name, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]
    return socket.create_server(where[:2], family=family, backlog=_BACKLOG)
