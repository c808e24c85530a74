"""The few digits of a key that two people compare: the same wherever a key is shown."""

from __future__ import annotations

import hashlib


def fingerprint(key: str) -> str:
    """What a key, given in hex, is known again by: 32 hex digits of its SHA-256, in groups of four."""
    digits = hashlib.sha256(bytes.fromhex(key)).hexdigest()[:32]
    return " ".join(digits[at : at + 4] for at in range(0, 32, 4))
