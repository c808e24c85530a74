"""The player's identity: the one key that signs every message of theirs."""

from __future__ import annotations

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from p2pball.clubhouse.disk import explained, read_secret, write_file
from p2pball.clubhouse.errors import Damaged
from p2pball.clubhouse.home import data_dir
from p2pball.clubhouse.lock import Lock

KEY_BYTES = 32
_FILE = "identity.key"


def identity() -> Ed25519PrivateKey:
    """The player's key, made at first use and the same ever after (fair-play 6.6).

    Raises DiskError; Damaged when the file holds no key, for a new one would make the player a stranger
    to everybody and must never come about in silence.
    """
    path = data_dir() / _FILE
    with Lock(path.with_suffix(".lock"), wait=True):  # two processes at first use must not make two keys
        if not path.exists():
            with explained("keep your identity", path):
                write_file(path, Ed25519PrivateKey.generate().private_bytes_raw())
        try:
            return Ed25519PrivateKey.from_private_bytes(read_secret(path, KEY_BYTES, "your identity key"))
        except Damaged as error:
            raise Damaged(
                f"{error} Put it back from a backup. If there is none, move the file away: p2pball then makes a "
                "new key, others no longer know you by it, and games under way with the old one cannot go on."
            ) from None
