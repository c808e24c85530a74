"""The one encoding of everything hashed, keyed or signed (fair-play 2)."""

from __future__ import annotations

import hashlib
import hmac
import json
from typing import Any

PREFIX = "p2pball/1/"
KEY_BYTES = 32

Field = int | str | bytes


def _raw(field: Field) -> bytes:
    if isinstance(field, int):
        return field.to_bytes(8, "big")
    return field.encode() if isinstance(field, str) else field


def enc(label: str, *fields: Field) -> bytes:
    """Label and fields, each behind its length as a big-endian 32-bit number."""
    parts = [(PREFIX + label).encode(), *map(_raw, fields)]
    return b"".join(len(part).to_bytes(4, "big") + part for part in parts)


def H(label: str, *fields: Field) -> bytes:  # noqa: N802 -- the name it has in fair-play 2
    """SHA-256 over enc(label, ...)."""
    return hashlib.sha256(enc(label, *fields)).digest()


def M(key: bytes, label: str, *fields: Field) -> bytes:  # noqa: N802 -- the name it has in fair-play 2
    """HMAC-SHA256 over enc(label, ...); raises ValueError unless the key has 32 bytes."""
    if len(key) != KEY_BYTES:
        raise ValueError(f"a key has {KEY_BYTES} bytes, not {len(key)}")
    return hmac.digest(key, enc(label, *fields), "sha256")


def canonical(value: Any) -> str:
    """json(v): canonical JSON, sorted, without spaces, ASCII; raises ValueError for floats."""
    _refuse_floats(value)
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False)


def _refuse_floats(value: Any) -> None:
    if isinstance(value, float):
        raise ValueError("canonical JSON has integers only")
    if isinstance(value, dict):
        for item in value.values():
            _refuse_floats(item)
    elif isinstance(value, list | tuple):
        for item in value:
            _refuse_floats(item)
