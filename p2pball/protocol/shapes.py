"""The shape of every message body, field by field, to the last type and length (fair-play 3)."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Collection
from typing import Any

MAX_NAME = 24
MAX_REASON = 500
PLAYERS = 9
_HEX = re.compile(r"[0-9a-f]{64}", re.ASCII)
_CODE = re.compile(r"[A-Z]{2,4}", re.ASCII)
_UNPRINTABLE = {"Cc", "Cf", "Cs", "Co", "Zl", "Zp"}

_P = 2**255 - 19
_ORDER_8 = (
    0x7A03AC9277FDC74EC6CC392CFA53202A0F67100D760B3CBA4FD84D3D706A17C7,
    0x05FC536D880238B13933C6D305ACDFD5F098EFF289F4C345B027B2C28F95E826,
)
SMALL_ORDER: frozenset[bytes] = frozenset(
    (y | sign << 255).to_bytes(32, "little") for y in (0, 1, _P - 1, _P, _P + 1, *_ORDER_8) for sign in (0, 1)
)
"""The 14 encodings of points of small order: a key that would accept forged signatures."""


class ShapeError(ValueError):
    """A value has not the shape that the protocol gives it."""


def fields(value: Any, *names: str) -> dict[str, Any]:
    """An object with exactly these fields."""
    if not isinstance(value, dict) or value.keys() != set(names):
        raise ShapeError(f"not an object of exactly {', '.join(names) or 'no fields'}")
    return value


def integer(value: Any, low: int = 0, high: int | None = None) -> int:
    """An integer in a range; a boolean is none."""
    if type(value) is not int or value < low or (high is not None and value > high):
        raise ShapeError("not an integer in its range")
    return value


def boolean(value: Any) -> None:
    """true or false."""
    if type(value) is not bool:
        raise ShapeError("not a boolean")


def one_of(value: Any, allowed: Collection[str]) -> None:
    """One of a few words."""
    if not isinstance(value, str) or value not in allowed:
        raise ShapeError("not one of the words allowed here")


def digest(value: Any) -> None:
    """32 bytes in lower-case hex."""
    if not isinstance(value, str) or not _HEX.fullmatch(value):
        raise ShapeError("not 64 lower-case hex digits")


def digest_or_empty(value: Any) -> None:
    """32 bytes in lower-case hex, or the empty string for none."""
    if value != "" or not isinstance(value, str):
        digest(value)


def name(value: Any) -> None:
    """A name of 1 to 24 printable characters."""
    if not isinstance(value, str) or not 1 <= len(value) <= MAX_NAME:
        raise ShapeError(f"not a name of 1 to {MAX_NAME} characters")
    if any(unicodedata.category(char) in _UNPRINTABLE for char in value):
        raise ShapeError("a name with an unprintable character")


def text(value: Any) -> None:
    """A sentence of at most 500 characters."""
    if not isinstance(value, str) or len(value) > MAX_REASON:
        raise ShapeError(f"not a text of at most {MAX_REASON} characters")


def _any_object(value: Any) -> None:
    if not isinstance(value, dict):
        raise ShapeError("not an object")


def _public_key(value: Any) -> None:
    digest(value)
    if bytes.fromhex(value) in SMALL_ORDER:
        raise ShapeError("a key of small order")


def _team(value: Any) -> None:
    team = fields(value, "code", "name", "players", "pinch")
    if not isinstance(team["code"], str) or not _CODE.fullmatch(team["code"]):
        raise ShapeError("a team code is 2 to 4 letters A-Z")
    name(team["name"])
    name(team["pinch"])
    if not isinstance(team["players"], list) or len(team["players"]) != PLAYERS:
        raise ShapeError(f"a team has {PLAYERS} players")
    for player in team["players"]:
        name(player)


def _terms(value: Any) -> None:
    terms = fields(value, "rules", "rules_version", "innings", "extra_innings", "walk_off", "home", "clock")
    one_of(terms["rules"], ("dice", "cards"))
    integer(terms["rules_version"], 1, 1)
    integer(terms["innings"], 1, 9)
    integer(terms["extra_innings"], 0, 3)
    boolean(terms["walk_off"])
    one_of(terms["home"], ("host", "guest", "coin"))
    integer(terms["clock"], 0, 600)


def _hello(value: Any) -> None:
    body = fields(value, "protocol", "name", "team", "key", "nonce", "terms")
    integer(body["protocol"], 1, 1)
    name(body["name"])
    _team(body["team"])
    _public_key(body["key"])
    digest(body["nonce"])
    _terms(body["terms"])


def _commit(value: Any) -> None:
    body = fields(value, "round", "chain", "commitment", "deal")
    integer(body["round"])
    digest(body["chain"])
    digest(body["commitment"])
    digest_or_empty(body["deal"])


def _reveal(value: Any) -> None:
    body = fields(value, "round", "nonce", "action", "hand_secret")
    integer(body["round"])
    digest(body["nonce"])
    _any_object(body["action"])
    digest_or_empty(body["hand_secret"])


def _move(value: Any) -> None:
    body = fields(value, "chain", "move")
    digest(body["chain"])
    _any_object(body["move"])


def _final(value: Any) -> None:
    body = fields(value, "chain", "result", "hand_secret")
    digest_or_empty(body["chain"])
    result = fields(body["result"], "winner", "home", "visitors")
    one_of(result["winner"], ("host", "guest", "draw"))
    integer(result["home"])
    integer(result["visitors"])
    digest_or_empty(body["hand_secret"])


def _resign(value: Any) -> None:
    fields(value)


def _decline(value: Any) -> None:
    text(fields(value, "reason")["reason"])


def _point(value: Any) -> None:
    if not isinstance(value, list) or len(value) != 2:
        raise ShapeError("not a pair of seq and hash")
    seq = integer(value[0], low=-1)
    digest_or_empty(value[1])
    if (seq == -1) is not (value[1] == ""):
        raise ShapeError("no message has seq -1")


def _resume(value: Any) -> None:
    body = fields(value, "mine", "yours", "chain")
    _point(body["mine"])
    _point(body["yours"])
    digest(body["chain"])


BODIES: dict[str, Callable[[Any], None]] = {
    "hello": _hello,
    "commit": _commit,
    "reveal": _reveal,
    "move": _move,
    "final": _final,
    "resign": _resign,
    "decline": _decline,
    "resume": _resume,
}
"""The check of each type's body; every one raises ShapeError."""
