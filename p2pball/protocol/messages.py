"""Messages on the wire and in the record: their shapes, parsed strictly and signed (fair-play 3)."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Callable
from dataclasses import field
from typing import Any

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from p2pball.errors import P2PBallError
from p2pball.frozen import frozen
from p2pball.protocol.encoding import canonical, enc, parse
from p2pball.protocol.shapes import BODIES, ShapeError, digest_or_empty, integer, one_of
from p2pball.protocol.values import SEATS

VERSION = 1
MAX_FRAME = 8 * 1024
MAX_CHAT = 500
_SIGNATURE = re.compile(r"[A-Za-z0-9_-]{85}[AQgw]", re.ASCII)
"""64 bytes: the last of the 86 characters holds two bits of them, and else zeros."""
_FIELDS = {"v", "game", "seat", "seq", "prev", "ack", "type", "body"}


class Malformed(P2PBallError):
    """Your partner's client sent something that is no message of this game."""


class OutOfPlace(Malformed):
    """A whole message that says of itself that it cannot stand anywhere in a game."""


class OtherVersion(Malformed):
    """Your partner plays another version of p2pball: both need the same one."""


@frozen
class Message:
    """One signed message; `payload` is the received text, never serialised again."""

    payload: str
    sig: str
    game: str
    seat: str
    seq: int
    prev: str
    ack: str
    type: str
    body: dict[str, Any] = field(hash=False)
    digest: str
    """Hex SHA-256 of the payload, what `prev` and `ack` refer to."""

    @property
    def frame(self) -> bytes:
        """The message as it travels, and as a record line without its newline."""
        return canonical({"payload": self.payload, "sig": self.sig}).encode()


@frozen
class Chat:
    """Words to the other player, at most 500 characters; not yet stripped."""

    text: str


@frozen
class Ping:
    """A heartbeat, answered by a Pong of the same number."""

    n: int


@frozen
class Pong:
    """The answer to a Ping."""

    n: int


@frozen
class Stored:
    """The digest of the last of your messages that the sender has on disk."""

    digest: str


Frame = Message | Chat | Ping | Pong | Stored


class _Unfit(ShapeError):
    """Game, seq, prev or ack do not fit the type."""


def parse_frame(data: bytes) -> Frame:
    """What a frame holds, its shape checked, its signature not; raises Malformed."""
    if len(data) > MAX_FRAME:
        raise Malformed(f"a message of {len(data)} bytes; {MAX_FRAME} are the limit")
    try:
        outer = parse(data.decode())
        match outer:
            case {"payload": payload, "sig": sig} if len(outer) == 2 and type(payload) is type(sig) is str:
                return _message(payload, sig, parse(payload))
            case {"chat": str(text)} if len(outer) == 1 and len(text) <= MAX_CHAT:
                return Chat(text)
            case {"ping": n} if len(outer) == 1:
                return Ping(integer(n))
            case {"pong": n} if len(outer) == 1:
                return Pong(integer(n))
            case {"stored": digest} if len(outer) == 1:
                digest_or_empty(digest)
                return Stored(digest)
            case _:
                raise Malformed("a message of no known kind")
    except _Unfit as error:
        raise OutOfPlace(f"a message that is not well formed: {error}") from None
    except ValueError as error:  # ShapeError and UnicodeDecodeError are ValueErrors too
        raise Malformed(f"a message that is not well formed: {error}") from None


def _message(payload: str, sig: str, fields: Any) -> Message:
    """The message of a payload that is json() of these fields."""
    if not _SIGNATURE.fullmatch(sig):
        raise ShapeError("a signature that is not canonical base64url of 64 bytes")
    if not isinstance(fields, dict) or fields.keys() != _FIELDS:
        raise ShapeError("unknown or missing fields")
    _same_version(fields["v"])
    kind, seat, seq, body = fields["type"], fields["seat"], integer(fields["seq"], low=-1), fields["body"]
    one_of(seat, SEATS)
    one_of(kind, BODIES)
    for name in ("prev", "ack"):
        digest_or_empty(fields[name])
    digest_or_empty(fields["game"])
    if kind == "hello" and isinstance(body, dict):
        _same_version(body.get("protocol"))
    BODIES[kind](body)
    if (fields["game"] == "") is not (kind in ("hello", "decline")):
        raise _Unfit("a game id where none belongs, or none where one does")
    if (seq == -1) is not (kind == "resume") or (fields["prev"] == "") is not (seq <= 0):
        raise _Unfit("seq and prev do not fit the type")
    if (kind in ("hello", "decline") and seq != 0) or (kind == "resume" and fields["ack"]):
        raise _Unfit("seq and ack do not fit the type")
    digest = hashlib.sha256(payload.encode()).hexdigest()
    return Message(payload, sig, fields["game"], seat, seq, fields["prev"], fields["ack"], kind, body, digest)


def _same_version(version: Any) -> None:
    if integer(version) != VERSION:
        raise OtherVersion(
            f"Your partner plays version {version} of the protocol, this is version {VERSION}: "
            "both need the same. Update the older p2pball and start again."
        )


def signature(sig: str) -> bytes:
    """The 64 bytes of a message's `sig`, whose shape has been checked."""
    return base64.urlsafe_b64decode(sig + "==")


def _base64url(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).decode().rstrip("=")


def signed_bytes(payload: str) -> bytes:
    """The bytes that a message's signature covers."""
    return enc("message", payload)


def signed_by(message: Message, key: Ed25519PublicKey) -> bool:
    """Whether a message's signature is by this key."""
    try:
        key.verify(signature(message.sig), signed_bytes(message.payload))
    except InvalidSignature:
        return False
    return True


def compose(
    sign: Callable[[bytes], bytes], *, game: str, seat: str, seq: int, prev: str, ack: str, kind: str, body: Any
) -> Message:
    """A new signed message; `sign` makes the 64-byte Ed25519 signature of bytes."""
    fields = {
        "v": VERSION,
        "game": game,
        "seat": seat,
        "seq": seq,
        "prev": prev,
        "ack": ack,
        "type": kind,
        "body": body,
    }
    payload = canonical(fields)
    return _message(payload, _base64url(sign(signed_bytes(payload))), fields)
