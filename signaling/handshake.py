"""Reads a request for a seat at a glance, if it is worded as nearly all are; any other is the library's to read.

The library reads requests line by line and in every wording that HTTP allows, which is a tenth of what a room costs.
"""

import re
from typing import NamedTuple

from websockets.utils import accept_key

from signaling.wire import Door, WireError, read_path

_GLANCE = 2048
"""A longer request, in bytes, is left to the library."""

_REQUEST = re.compile(rb"GET ([!-~]+) HTTP/1\.1\r\n((?:[A-Za-z-]+: [ -~]+\r\n){1,100})\r\n")
_KEY = re.compile(r"[0-9A-Za-z+/]{22}==", re.ASCII)
_USUAL = {"upgrade": "websocket", "connection": "Upgrade", "sec-websocket-version": "13"}
_UNUSUAL = {"origin", "sec-websocket-protocol", "content-length", "transfer-encoding"}


class Glimpse(NamedTuple):
    """A request for a seat in full: `proof` is what the answer says to have been made of the client's key."""

    door: Door
    proof: str
    host: str
    forwarded: str
    """X-Forwarded-For."""


def glance(data: bytes) -> Glimpse | None:
    """A whole request that asks for a seat in the usual words, and nothing after it; None leaves it to the library.

    It takes nothing that the library would not take, or would read otherwise (RFC 6455 4.2).
    """
    request = _REQUEST.fullmatch(data) if len(data) <= _GLANCE else None
    if request is None:
        return None
    target, lines = request[1].decode(), request[2].decode().split("\r\n")[:-1]
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
