"""Two seats compare what they have of a cut game, and agree on what to send again (fair-play 6)."""

from __future__ import annotations

from typing import Any

from p2pball.errors import P2PBallError
from p2pball.frozen import frozen
from p2pball.protocol.books import Books
from p2pball.protocol.messages import Malformed, Message, signed_by
from p2pball.protocol.values import OTHER


class Fork(P2PBallError):
    """The two records of this game are not one history: it cannot go on."""


@frozen
class Catchup:
    """What follows from the other seat's resume: `send` these lines in this order.

    `recover_to` is the highest seq of one's own messages that the other seat claims to hold:
    until they are back nothing may be signed (fair-play 6.5).
    """

    send: tuple[Message, ...]
    recover_to: int


def _point(message: Message | None) -> list[Any]:
    return [message.seq, message.digest] if message else [-1, ""]


def resume_body(books: Books, seat: str) -> dict[str, Any]:
    """The body of a seat's resume: what it has of both, and its chain."""
    return {
        "mine": _point(books.last(seat)),
        "yours": _point(books.last(OTHER[seat])),
        "chain": books.chain.hex(),
    }


def catch_up(books: Books, seat: str, resume: Message) -> Catchup:
    """What a seat sends after the other's resume; raises Malformed for what is none, Fork when the histories differ."""
    other, theirs = OTHER[seat], resume.body
    key = books.sides[other].key
    if resume.type != "resume" or resume.seat != other:
        raise Malformed(f"a {resume.type} where the other seat's resume was due")
    if resume.game != books.game.hex():
        raise Malformed("a resume of another game")
    if key is None or not signed_by(resume, key):
        raise Malformed("a resume that the other seat did not sign")
    (their_seq, their_hash), (my_seq, my_hash) = theirs["mine"], theirs["yours"]
    _same(books, seat, my_seq, my_hash, "yours")
    _same(books, other, their_seq, their_hash, "theirs")
    known = {seat: my_seq, other: their_seq}
    ours = resume_body(books, seat)
    if theirs["mine"] == ours["yours"] and theirs["yours"] == ours["mine"] and theirs["chain"] != ours["chain"]:
        raise Fork(
            "Both sides hold the same messages but read another game in them. Nothing more is sent; "
            "`p2pball verify` on either record shows the state it proves. Do both run the same version?"
        )
    send = tuple(line for line in books.lines if line.seq > known[line.seat])
    return Catchup(send, my_seq)


def _same(books: Books, seat: str, seq: int, digest: str, whose: str) -> None:
    sent = books.sides[seat].sent
    if 0 <= seq < len(sent) and sent[seq].digest != digest:
        raise Fork(
            f"Message {seq} of the {seat} ({whose}) is {sent[seq].digest[:16]} here and {digest[:16]} at your "
            "partner's. Two different messages were signed under one number, or a record was changed. Nothing more "
            "is sent; keep your record and compare the two: the two signed lines are the proof."
        )
