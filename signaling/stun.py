"""Answers STUN binding requests over UDP: a client learns where it is seen from, and no third party who it is.

A reply carries the mapped address and nothing else: 32 bytes (44 for IPv6), the least that RFC 8489 allows, to a
request of 20. Whatever is no binding request gets no reply, and a source gets a few a second: nothing to reflect with.
"""

import asyncio
import struct
from typing import cast

from aioice import stun

from signaling import sources
from signaling.limits import Limits
from signaling.listen import udp_socket
from signaling.metrics import Metrics
from signaling.sources import Window

_LARGEST = 548  # bytes of a request (RFC 8489 6.1, IPv4 without path discovery)
_COOKIE = stun.COOKIE.to_bytes(4, "big")  # aioice's parser does not look at it


class StunResponder(asyncio.DatagramProtocol):
    """One UDP socket and the counts of the running second."""

    def __init__(self, limits: Limits, metrics: Metrics) -> None:
        self._limits = limits
        self._metrics = metrics
        self._all = Window()
        self._sources: dict[str, Window] = {}
        self._clock = asyncio.get_running_loop().time
        self._transport: asyncio.DatagramTransport | None = None

    async def start(self, host: str, port: int) -> int:
        """Listen on that UDP port, 0 being any; the port. Raises OSError, of that UDP port."""
        try:
            bound = udp_socket(host, port)
        except OSError as error:
            raise OSError(error.errno, error.strerror, f"UDP port {port}") from error
        await asyncio.get_running_loop().create_datagram_endpoint(lambda: self, sock=bound)
        return int(bound.getsockname()[1])

    def close(self) -> None:
        """Listen no more."""
        if self._transport is not None:
            self._transport.close()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Keep the way out."""
        self._transport = cast(asyncio.DatagramTransport, transport)

    def datagram_received(self, data: bytes, addr: tuple[str, int]) -> None:
        """Answer a binding request within the limits."""
        reply = self._reply(data, addr)
        if reply is None or self._transport is None:
            self._metrics.stun_dropped += 1
        else:
            self._metrics.stun_replies += 1
            self._transport.sendto(reply, addr)

    def _reply(self, data: bytes, addr: tuple[str, int]) -> bytes | None:
        found, now = sources.address(addr[0]), self._clock()
        if found is None or len(data) > _LARGEST or data[4:8] != _COOKIE:
            return None
        if self._all.full(self._limits.stun_all, now) is not None:
            return None
        self._all.add(1.0, now)
        if self._all.count == 1:
            self._sources.clear()
        window = self._sources.setdefault(sources.source_of(found), Window())
        if window.full(self._limits.stun, now) is not None:
            return None
        window.add(1.0, now)
        try:
            request = stun.parse_message(data)
        except (ValueError, struct.error):  # the latter where an attribute has not its size
            return None
        if (request.message_method, request.message_class) != (stun.Method.BINDING, stun.Class.REQUEST):
            return None
        mapped = {"XOR-MAPPED-ADDRESS": (str(found), addr[1])}
        reply = stun.Message(stun.Method.BINDING, stun.Class.RESPONSE, request.transaction_id, mapped)
        return bytes(reply)
