"""PURE: what the relay writes by itself: the answer to a handshake and whole frames.

The WebSocket library's serializer costs a third of what its parser does, and a server that neither masks nor fragments
nor compresses needs next to nothing of it.
"""

import struct
import time
from functools import lru_cache

_DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_ACCEPTED = b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"


def accepted(key: str, second: int) -> bytes:
    """The answer that opens a WebSocket, with what was made of the client's key (RFC 6455 4.2.2).

    By its date, in seconds since 1970, `p2pball doctor` looks at the client's clock.
    """
    return _ACCEPTED + _date(second) + b"Sec-WebSocket-Accept: " + key.encode() + b"\r\n\r\n"


@lru_cache(maxsize=1)
def _date(second: int) -> bytes:
    when = time.gmtime(second)
    day, month = _DAYS[when.tm_wday], _MONTHS[when.tm_mon - 1]  # strftime's would be those of a locale
    return f"Date: {day}, {time.strftime('%d', when)} {month} {time.strftime('%Y %H:%M:%S', when)} GMT\r\n".encode()


def framed(opcode: int, data: bytes) -> bytes:
    """A whole frame of a server, unmasked, of less than 64 KiB (RFC 6455 5.2)."""
    size = len(data)
    if size < 126:
        return bytes((0x80 | opcode, size)) + data
    return struct.pack("!BBH", 0x80 | opcode, 126, size) + data
