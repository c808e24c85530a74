"""What the sealed frames say: offer, answer, or that a way failed, each with the sender's identity key (fair-play 8.5).

An offer or answer carries what WebRTC needs of a session description and no free text: names, user agents or lines
that one side could slip into the other's parser have no place in it.
"""

from __future__ import annotations

import ipaddress
import json
import re
from base64 import urlsafe_b64decode, urlsafe_b64encode
from dataclasses import asdict
from typing import Any, TypeAlias, assert_never

from p2pball.frozen import frozen
from p2pball.protocol.encoding import KEY_BYTES, canonical
from p2pball.protocol.meeting.errors import MeetingError

KINDS = ("host", "srflx", "relay")
SETUPS = ("actpass", "active", "passive")
WAYS = ("direct", "turn-tcp")
CANDIDATES = 32
FINGERPRINT_BYTES = 32


class BadLetter(MeetingError):
    """The other player's program sent an introduction that makes no sense here. It is another version, or broken:
    both of you should use the same version of p2pball."""


@frozen
class Candidate:
    """One address at which a peer may be reached: kind (host, srflx or relay), IP address, UDP port."""

    kind: str
    ip: str
    port: int


@frozen
class Description:
    """One peer's half of a WebRTC session: ICE credentials, SHA-256 certificate fingerprint, DTLS role, addresses."""

    ufrag: str
    password: str
    fingerprint: bytes
    setup: str
    candidates: tuple[Candidate, ...]


@frozen
class Offer:
    """The host proposes a way, and names the ways it could still try after it."""

    way: str
    key: bytes
    description: Description
    ways: tuple[str, ...] = ()


@frozen
class Answer:
    """The guest agrees, and names the ways for which it has a server of its own."""

    way: str
    key: bytes
    description: Description
    ways: tuple[str, ...] = ()


@frozen
class Failed:
    """The guest gives a way up, or could not even begin with it."""

    way: str
    ways: tuple[str, ...] = ()


Letter: TypeAlias = Offer | Answer | Failed


def write(letter: Letter) -> bytes:
    """Canonical JSON of a letter."""
    match letter:
        case Offer() | Answer():
            body: dict[str, Any] = {
                "key": _b64(letter.key),
                "ufrag": letter.description.ufrag,
                "password": letter.description.password,
                "fingerprint": _b64(letter.description.fingerprint),
                "setup": letter.description.setup,
                "candidates": [list(asdict(candidate).values()) for candidate in letter.description.candidates],
            }
        case Failed():
            body = {}
        case _:
            assert_never(letter)
    # Ways may be members of an enum of strings; JSON has plain ones only.
    head = {"t": type(letter).__name__.lower(), "way": str(letter.way), "ways": [str(way) for way in letter.ways]}
    return canonical(head | body).encode()


def read(data: bytes) -> Letter:
    """The letter in opened bytes; raises BadLetter unless every field is there and in its bounds."""
    try:
        fields = json.loads(data)
        kind, way, ways = fields["t"], fields["way"], tuple(fields["ways"])
        _require(way in WAYS and len(ways) <= len(WAYS) and all(isinstance(name, str) for name in ways))
        if kind == "failed":
            return Failed(way, ways)
        introductions: dict[str, type[Offer | Answer]] = {"offer": Offer, "answer": Answer}
        letter = introductions[kind]
        return letter(way, _unb64(fields["key"], KEY_BYTES), _description(fields), ways)
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise BadLetter from error


def _description(fields: dict[str, Any]) -> Description:
    # The bounds of RFC 8839, section 5.4; nothing that could end a line of a session description passes.
    _require(re.fullmatch(r"[A-Za-z0-9+/]{4,256}", fields["ufrag"]))
    _require(re.fullmatch(r"[A-Za-z0-9+/]{22,256}", fields["password"]))
    _require(fields["setup"] in SETUPS and len(fields["candidates"]) <= CANDIDATES)
    candidates = tuple(_candidate(*candidate) for candidate in fields["candidates"])
    fingerprint = _unb64(fields["fingerprint"], FINGERPRINT_BYTES)
    return Description(fields["ufrag"], fields["password"], fingerprint, fields["setup"], candidates)


def _candidate(kind: object, ip: object, port: object) -> Candidate:
    if not (isinstance(kind, str) and isinstance(ip, str) and isinstance(port, int)):
        raise TypeError
    # A scope ("%eth0") may hold anything, a line end too, and means nothing on another machine.
    _require(kind in KINDS and "%" not in ip and type(port) is int and 0 < port < 1 << 16)
    return Candidate(kind, str(ipaddress.ip_address(ip)), port)


def _require(holds: object) -> None:
    if not holds:
        raise ValueError


def _b64(data: bytes) -> str:
    return urlsafe_b64encode(data).decode().rstrip("=")


def _unb64(text: str, length: int) -> bytes:
    data = urlsafe_b64decode(text + "=" * (-len(text) % 4))
    _require(len(data) == length)
    return data
