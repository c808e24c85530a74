"""Whether a message may come now: what it must have acknowledged, and whose turn it is (fair-play 3)."""

from __future__ import annotations

from p2pball.protocol.books import Books, Cheat, CheatKind, Due
from p2pball.protocol.messages import Malformed, Message
from p2pball.protocol.values import OTHER

_SEALED = Due.SEALED


def must_have_acked(books: Books, message: Message, acked: int) -> None:
    """Raise Malformed unless a message has acknowledged what it answers; `acked` is the other seat's seq.

    What a seat could not have known is never held against it: refused, nobody blamed.
    """
    mine, other = books.sides[message.seat], books.sides[OTHER[message.seat]]
    needs: list[Message | None] = []
    match message.type:
        case "commit" | "move":
            needs = [other.turn] if other.turn else []
        case "reveal":
            needs = [other.commits.get(message.body["round"])]
        case "final":
            needs = [other.turn] if other.turn else []
            if books.expect.due is not Due.OVER:
                if mine.resign:
                    # Either will do, and a resignation comes before its seat's final.
                    needs.append(other.resign or other.final)
                elif other.resign:
                    needs.append(other.resign)
    for need in needs:
        if need is None or acked < need.seq:
            raise Malformed(f"a {message.type} that has not acknowledged what it answers")


def on_turn(books: Books, message: Message, acked: int) -> None:
    """Raise Cheat when a message may not come now at all, from this seat."""
    mine, other = books.sides[message.seat], books.sides[OTHER[message.seat]]
    kind, expect = message.type, books.expect
    if mine.final:
        raise illegal(message, "a message after its own final", mine.final)
    if kind == "final":
        if expect.due is not Due.OVER and not mine.resign and not other.resign:
            raise illegal(message, "a final before the game is over", *books.settled_by)
        return
    if mine.resign:
        raise illegal(message, "a message after its own resignation", mine.resign)
    if other.resign and acked >= other.resign.seq:
        raise illegal(message, "more than a final after an acknowledged resignation", other.resign)
    if kind == "resign":
        if books.round == 0:
            raise illegal(message, "a resignation before round 0 is complete", *books.settled_by)
        return
    if kind == "move":
        if expect.mover != message.seat:
            raise illegal(message, "a move out of turn", *books.settled_by)
        return
    if expect.due is not _SEALED or message.body["round"] != books.round:
        raise illegal(message, f"a {kind} of another round or out of turn", *books.settled_by)
    if kind == "commit" and mine.commit:
        raise illegal(message, "a second commit in one round", mine.commit)
    if kind == "reveal" and (mine.commit is None or mine.reveal):
        raise illegal(message, "a reveal out of turn", mine.reveal or books.settled_by[-1])


def illegal(message: Message, detail: str, *proof: Message) -> Cheat:
    """The proof of an illegal action; `proof` are the messages before it that show it."""
    return Cheat(message.seat, CheatKind.ILLEGAL_ACTION, detail, *proof, message)
