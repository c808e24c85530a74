"""The keys of one meeting: SPAKE2, HKDF-SHA256 and the two confirmations (fair-play 8.2 to 8.5)."""

from __future__ import annotations

import hmac
from collections.abc import Callable
from enum import StrEnum
from typing import Any

from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from p2pball.frozen import frozen
from p2pball.protocol.encoding import KEY_BYTES, PREFIX, M, enc
from p2pball.protocol.meeting.errors import Tampered

KEYS = 6

Entropy = Callable[[int], bytes]
"""Gives that many random bytes; the caller passes `secrets.token_bytes`."""


class Role(StrEnum):
    """Which seat of the room; fixed for the connection (fair-play 1)."""

    HOST = "host"
    GUEST = "guest"

    @property
    def other(self) -> Role:
        """The seat at the far end."""
        return Role.GUEST if self is Role.HOST else Role.HOST


@frozen
class RoomKeys:
    """Six keys of 32 bytes, in the order in which HKDF gives them (fair-play 8.3)."""

    host_to_guest: bytes
    guest_to_host: bytes
    confirm_host: bytes
    confirm_guest: bytes
    resume: bytes
    short_authentication: bytes

    def sending(self, role: Role) -> bytes:
        """The key under which `role` seals."""
        return self.host_to_guest if role is Role.HOST else self.guest_to_host

    def confirmation(self, role: Role) -> bytes:
        """What `role` sends to show that it has the keys."""
        return M(self.confirm_host if role is Role.HOST else self.confirm_guest, "confirm", role.value)

    def proof(self, role: Role, host_fingerprint: bytes, guest_fingerprint: bytes) -> str:
        """What `role` says first in the open channel: 64 hex digits that bind its two certificates to these keys."""
        key = self.confirm_host if role is Role.HOST else self.confirm_guest
        return M(key, "channel", role.value, host_fingerprint, guest_fingerprint).hex()

    @property
    def sas(self) -> str:
        """Six digits that two people may compare aloud; they differ when somebody stands in the middle."""
        number = int.from_bytes(self.short_authentication[:8], "big") % 1_000_000
        return f"{number // 1000:03} {number % 1000:03}"


def derive(secret: bytes, salt: bytes, nameplate: str, from_host: bytes, from_guest: bytes) -> RoomKeys:
    """HKDF-SHA256 over a shared secret; the salt is empty after SPAKE2, both fresh halves when resuming."""
    info = enc("room-keys", nameplate, from_host, from_guest)
    stream = HKDF(SHA256(), KEYS * KEY_BYTES, salt, info).derive(secret)
    return RoomKeys(*(stream[i : i + KEY_BYTES] for i in range(0, len(stream), KEY_BYTES)))


def same(a: bytes, b: bytes) -> bool:
    """Equality without telling by the time taken where the two differ."""
    return hmac.compare_digest(a, b)


def resume_nameplate(resume_secret: bytes) -> str:
    """The room in which a game's two seats find each other again: 32 hex digits (connection 2)."""
    return M(resume_secret, "resume-nameplate").hex()[:32]


class Spake:
    """One side of SPAKE2 with the whole code as password (fair-play 8.2); for one use."""

    def __init__(self, role: Role, code: str, nameplate: str, entropy: Entropy) -> None:
        import spake2  # it computes its group constants when imported, a tenth of a second

        side = spake2.SPAKE2_A if role is Role.HOST else spake2.SPAKE2_B
        ids = [f"{PREFIX}{seat}/{nameplate}".encode() for seat in (Role.HOST, Role.GUEST)]
        self._side: Any = side(code.encode(), idA=ids[0], idB=ids[1], entropy_f=entropy)
        self.message: bytes = self._side.start()

    def finish(self, message: bytes) -> bytes:
        """The shared key; equal on both sides only if the codes are. Raises Tampered for bytes that are no message."""
        from spake2.ed25519_basic import NotOnCurve
        from spake2.spake2 import SPAKEError

        try:
            key: bytes = self._side.finish(message)
        except (SPAKEError, NotOnCurve, ValueError) as error:
            raise Tampered from error
        return key
