"""Opens the relay's ports: IPv4 and IPv6 on one number, TCP with TLS when there is a certificate, and UDP."""

import asyncio
import contextlib
import errno
import socket
import ssl
from collections.abc import Callable

from signaling.connection import Connection
from signaling.log import LOG
from signaling.options import Options

_BACKLOG = 1024
_AT_ONCE = 16  # asyncio tries to accept as many in a turn, and when no files are left it sets a timer for each
_SHUTDOWN = 5.0  # seconds for the other side's goodbye of TLS
_NO_FILES = 1.0  # seconds until the next try
_NO_IPV6 = (errno.EAFNOSUPPORT, errno.EADDRNOTAVAIL, errno.EPROTONOSUPPORT)


async def listen(options: Options, factory: Callable[[], Connection]) -> "asyncio.Server | Secured":
    """Start to listen. Raises OSError when the address cannot be had or the certificate not be read."""
    tls: ssl.SSLContext | None = None
    if options.cert is not None:
        tls = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        tls.load_cert_chain(options.cert, options.key)
    bound = _socket(options.host, options.port)
    if tls is not None:
        return Secured(bound, tls, options.limits.handshake, factory)
    server = await asyncio.get_running_loop().create_server(factory, sock=bound, backlog=_AT_ONCE)
    bound.listen(_BACKLOG)
    return server


class Secured:
    """Accepts connections for TLS. Each is counted first: asyncio's server would tell of it only when TLS stands."""

    def __init__(
        self, bound: socket.socket, tls: ssl.SSLContext, handshake: float, factory: Callable[[], Connection]
    ) -> None:
        self.sockets = (bound,)
        self._bound, self._tls, self._handshake, self._factory = bound, tls, handshake, factory
        self._securing: set[asyncio.Task[None]] = set()
        self._accepting = asyncio.create_task(self._accept())

    def close(self) -> None:
        """Take no more, and drop those whose TLS does not stand yet."""
        with contextlib.suppress(NotImplementedError, ValueError):  # Windows; closed already
            # Whoever comes in this very moment would be accepted for a task that is cancelled: a fault in asyncio.
            asyncio.get_running_loop().remove_reader(self._bound)
        for task in (self._accepting, *self._securing):
            task.cancel()

    async def _accept(self) -> None:
        loop = asyncio.get_running_loop()
        self._bound.setblocking(False)
        with self._bound:
            while True:
                await asyncio.sleep(0)  # sock_accept takes whoever waits without giving others their turn
                try:
                    sock, name = await loop.sock_accept(self._bound)
                except ConnectionError:  # it is gone again
                    continue
                except OSError:  # no files left
                    LOG.exception("accept failed")
                    await asyncio.sleep(_NO_FILES)
                    continue
                conn = self._factory()
                if not conn.arrive(name[0]):
                    sock.close()
                    conn.connection_lost(None)
                    continue
                task = asyncio.create_task(self._secure(conn, sock))
                self._securing.add(task)
                task.add_done_callback(self._securing.discard)

    async def _secure(self, conn: Connection, sock: socket.socket) -> None:
        # A client that starts TLS and says nothing more meets the same bound as one that starts HTTP.
        times = {"ssl_handshake_timeout": self._handshake, "ssl_shutdown_timeout": _SHUTDOWN}
        try:
            loop = asyncio.get_running_loop()
            await loop.connect_accepted_socket(lambda: conn, sock, ssl=self._tls, **times)
        except BaseException as error:
            conn.stumble()
            if not isinstance(error, (OSError, asyncio.CancelledError)):
                raise
            error.__traceback__ = None  # it holds the future that holds it, and with them asyncio's buffer of 256 KiB


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
