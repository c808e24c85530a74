"""The sealed box: ChaCha20-Poly1305 with role and counter as associated data (fair-play 8.5)."""

from __future__ import annotations

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

from p2pball.protocol.encoding import enc
from p2pball.protocol.meeting.errors import Tampered
from p2pball.protocol.meeting.keys import Role, RoomKeys

NONCE_BYTES = 12


class Box:
    """Seals what one seat says and opens what the other says, each in order and once.

    The counter is not sent: both sides count, so a frame that is repeated, left out or moved does not open.
    """

    def __init__(self, keys: RoomKeys, role: Role) -> None:
        self._role = role
        self._mine = ChaCha20Poly1305(keys.sending(role))
        self._theirs = ChaCha20Poly1305(keys.sending(role.other))
        self._sent = 0
        self._opened = 0

    def seal(self, plain: bytes, nonce: bytes) -> bytes:
        """`nonce` (12 bytes, fresh and random) followed by the sealed bytes; raises ValueError for another length."""
        if len(nonce) != NONCE_BYTES:
            raise ValueError(f"a nonce has {NONCE_BYTES} bytes, not {len(nonce)}")
        sealed = self._mine.encrypt(nonce, plain, enc("sealed", self._role.value, self._sent))
        self._sent += 1
        return nonce + sealed

    def open(self, frame: bytes) -> bytes:
        """What the other seat sealed; raises Tampered when it was changed, repeated or moved."""
        nonce, sealed = frame[:NONCE_BYTES], frame[NONCE_BYTES:]
        try:
            plain = self._theirs.decrypt(nonce, sealed, enc("sealed", self._role.other.value, self._opened))
        except (InvalidTag, ValueError) as error:
            raise Tampered from error
        self._opened += 1
        return plain
