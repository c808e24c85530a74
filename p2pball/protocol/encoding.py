"""The one encoding of everything hashed, keyed or signed (fair-play 2)."""

from __future__ import annotations

import hashlib
import hmac
import json
from functools import cache
from typing import Any

PREFIX = "p2pball/1/"
KEY_BYTES = 32
MAX_INT = 2**53 - 1
MAX_DEPTH = 4

Field = int | str | bytes

_ENCODE = json.JSONEncoder(
    sort_keys=True,
    separators=(",", ":"),
    ensure_ascii=True,
    allow_nan=False,
    check_circular=False,  # `check` has been there before: nothing is nested without end
).encode


def enc(label: str, *fields: Field) -> bytes:
    """Label and fields, each behind its length as a big-endian 32-bit number."""
    encoded = _head(label)
    for field in fields:
        if isinstance(field, str):
            raw = field.encode()
        else:
            raw = field if isinstance(field, bytes) else field.to_bytes(8, "big")
        encoded += len(raw).to_bytes(4, "big") + raw
    return encoded


@cache
def _head(label: str) -> bytes:
    """One of the dozen labels there are, behind its length."""
    raw = (PREFIX + label).encode()
    return len(raw).to_bytes(4, "big") + raw


def H(label: str, *fields: Field) -> bytes:  # noqa: N802 -- the name it has in fair-play 2
    """SHA-256 over enc(label, ...)."""
    return hashlib.sha256(enc(label, *fields)).digest()


def M(key: bytes, label: str, *fields: Field) -> bytes:  # noqa: N802 -- the name it has in fair-play 2
    """HMAC-SHA256 over enc(label, ...); raises ValueError unless the key has 32 bytes."""
    if len(key) != KEY_BYTES:
        raise ValueError(f"a key has {KEY_BYTES} bytes, not {len(key)}")
    return hmac.digest(key, enc(label, *fields), "sha256")


def check(value: Any, depth: int = MAX_DEPTH) -> None:
    """Refuse with ValueError what no message may hold: floats, integers out of range, nesting over `depth`."""
    kind = type(value)
    if kind is dict or kind is list:
        if not depth:
            raise ValueError(f"nested deeper than {MAX_DEPTH}")
        for item in value.values() if kind is dict else value:
            if type(item) is not str:
                check(item, depth - 1)
    elif kind is int:
        if not -1 <= value <= MAX_INT:
            raise ValueError("an integer outside -1 to 2^53-1")
    elif kind is not str and kind is not bool and value is not None:
        raise ValueError("a float, or no JSON at all")


def canonical(value: Any) -> str:
    """json(v): canonical JSON, sorted, without spaces, ASCII; raises ValueError for floats and the like."""
    check(value)
    return _ENCODE(value)


def parse(text: str) -> Any:
    """The value of a text that is json() of its own parse; raises ValueError for any other text."""
    try:
        value = json.loads(text)
        check(value)
        same = _ENCODE(value) == text
    except RecursionError:
        raise ValueError(f"nested deeper than {MAX_DEPTH}") from None
    if not same:
        raise ValueError("not canonical JSON")
    return value
