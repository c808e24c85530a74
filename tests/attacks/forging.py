"""Make any message in a seat's name with its own key: right in everything but what the caller changes."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable
from typing import Any

from p2pball.ballgame import Secrets
from p2pball.engine.terms import Seat
from p2pball.protocol.books import Books
from p2pball.protocol.encoding import enc
from p2pball.protocol.messages import Message, parse_frame
from p2pball.protocol.values import commitment, round_nonce

Change = Callable[[dict[str, Any]], None]


def dump(value: Any) -> str:
    """JSON as our own encoder writes it, but of anything: floats, deep nests, giants."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"))


def sign(own: Secrets, payload: str) -> str:
    """The signature of a payload, whatever it holds."""
    return base64.urlsafe_b64encode(own.sign(enc("message", payload))).decode().rstrip("=")


def seal(own: Secrets, payload: str) -> bytes:
    """A frame around a payload, properly signed."""
    return dump({"payload": payload, "sig": sign(own, payload)}).encode()


def fields(books: Books, seat: Seat, kind: str, body: Any) -> dict[str, Any]:
    """The fields that an honest next message of a seat would have, by these books."""
    mine, other = books.last(seat.value), books.last(seat.other.value)
    return {
        "v": 1,
        "game": books.game.hex(),
        "seat": seat.value,
        "seq": mine.seq + 1 if mine else 0,
        "prev": mine.digest if mine else "",
        "ack": other.digest if other else "",
        "type": kind,
        "body": body,
    }


def again(own: Secrets, message: Message, change: Change) -> bytes:
    """A message signed anew after a change to its fields."""
    made = json.loads(message.payload)
    change(made)
    return seal(own, dump(made))


def commit_body(own: Secrets, books: Books, seat: Seat, action: Any, **changes: Any) -> dict[str, Any]:
    """The body of a commit to any action at all."""
    nonce = round_nonce(own.master, books.game, books.round, seat.value, books.chain, action)
    locked = commitment(nonce, books.game, books.round, seat.value, books.chain, action)
    body = {"round": books.round, "chain": books.chain.hex(), "commitment": locked.hex(), "deal": ""}
    return body | changes


def reveal_body(own: Secrets, books: Books, seat: Seat, action: Any, **changes: Any) -> dict[str, Any]:
    """The body of a reveal that opens `commit_body` of the same action."""
    nonce = round_nonce(own.master, books.game, books.round, seat.value, books.chain, action)
    return {"round": books.round, "nonce": nonce.hex(), "action": action, "hand_secret": ""} | changes


def message(frame: bytes) -> Message:
    """A frame that is a message."""
    parsed = parse_frame(frame)
    assert isinstance(parsed, Message)
    return parsed
