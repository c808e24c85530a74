"""Reads at a glance what comes as it nearly always does: a request for a seat, a whole frame. The library has the rest.

The library reads every wording of HTTP and every frame that there may be, a quarter of what a room would cost.
Nothing is taken here that it would not take, or would read otherwise (RFC 6455 4.2, 5.2).
"""

import re
from typing import NamedTuple

from websockets.frames import Opcode
from websockets.utils import accept_key

from signaling.wire import Door, Outcome, WireError, read_path

try:
    from websockets.speedups import apply_mask
except ImportError:  # installed where nothing could be compiled
    from websockets.utils import apply_mask

_REQUEST_BYTES = 2048
"""A longer request is left to the library."""

_REQUEST = re.compile(rb"GET ([!-~]+) HTTP/1\.1\r\n((?:[A-Za-z-]+: [ -~]+\r\n){1,100})\r\n")
_KEY = re.compile(r"[0-9A-Za-z+/]{22}==", re.ASCII)
_USUAL = {"upgrade": "websocket", "connection": "Upgrade", "sec-websocket-version": "13"}
_UNUSUAL = {"origin", "sec-websocket-protocol", "content-length", "transfer-encoding"}

_FRAMES = {0x80 | opcode: opcode for opcode in (Opcode.BINARY, Opcode.CLOSE, Opcode.PONG)}  # whole, of no extension
_MASKED = 0x80
_CLOSES = {outcome.to_bytes(2, "big") for outcome in Outcome}


class Glimpse(NamedTuple):
    """A request for a seat in full: `proof` is what the answer says to have been made of the client's key."""

    door: Door
    proof: str
    host: str
    forwarded: str
    """X-Forwarded-For."""


def request(data: bytes) -> Glimpse | None:
    """A whole request that asks for a seat in the usual words, and nothing after it; None leaves it to the library."""
    whole = _REQUEST.fullmatch(data) if len(data) <= _REQUEST_BYTES else None
    if whole is None:
        return None
    target, lines = whole[1].decode(), whole[2].decode().split("\r\n")[:-1]
    headers = {}
    for line in lines:
        name, _, value = line.partition(": ")
        headers[name.lower()] = value.strip(" ")
    if len(headers) < len(lines) or not _UNUSUAL.isdisjoint(headers):
        return None
    get = headers.get
    key = get("sec-websocket-key", "")
    if not _KEY.fullmatch(key) or any(get(name) != value for name, value in _USUAL.items()):
        return None
    try:
        door = read_path(target)
    except WireError:
        return None
    return Glimpse(door, accept_key(key), get("host", ""), get("x-forwarded-for", "")) if door else None


def frame(data: memoryview, limit: int) -> tuple[Opcode, bytes] | None:
    """Opcode and payload of a client's frame, if that is all of the data: binary, a pong, or a close with an outcome.

    None leaves it to the library, as any payload of more than `limit` bytes.
    """
    size = len(data)
    opcode = _FRAMES.get(data[0])
    if size < 6 or opcode is None:
        return None
    length, mask = data[1] - _MASKED, 2
    if length == 126 and opcode is Opcode.BINARY:
        length, mask = data[2] << 8 | data[3], 4
    elif length > 125:
        return None
    start = mask + 4
    if start + length != size or length > limit:
        return None
    payload = apply_mask(data[start:], bytes(data[mask:start]))
    return (opcode, payload) if opcode is not Opcode.CLOSE or payload in _CLOSES else None
