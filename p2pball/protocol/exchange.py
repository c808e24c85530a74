"""The phase table of fair play: which message may come next, from whom, and what a wrong one proves.

Theory of operation. An Exchange is the fold of a game's signed messages, in the order in which
its owner stored them. It does not know which seat it sits in: a live client feeds it both its
own messages and the other's, `verify` feeds it the lines of a record, and all get the same
answers. Each message passes the checks of fair-play 3 in their fixed order; the first that
fails decides. `Malformed` means refuse: nothing is stored and nobody is blamed, for the sender
may not have known what it contradicts. `Cheat` means that the signed lines prove it.

It knows nothing of baseball. Its owner tells it through `Expect` what the game waits for and
which actions are legal; when a message completes a move or a round, `accept` returns a `Step`,
the owner carries it out and hands back the new position and expectation with `settle`. Between
the two nothing else may be accepted.

Shapes are checked in `messages` and whose turn it is in `turns`, *not* here. Here are no
secrets: deriving nonces and hands, deciding what to send, resuming and telling a desync to the
players is the ballgame's. A resignation is booked here; what it is worth follows from
`Expect.runs`.
"""

from __future__ import annotations

import hmac
from collections.abc import Callable, Mapping
from typing import assert_never

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from p2pball.protocol.books import Books, Cheat, CheatKind, Due, Expect, Moved, RoundDone, Side, Step, tuple_of
from p2pball.protocol.encoding import canonical
from p2pball.protocol.messages import Malformed, Message, signed_by
from p2pball.protocol.turns import illegal, must_have_acked, on_turn
from p2pball.protocol.values import (
    GUEST,
    OTHER,
    SEATS,
    chain_after_move,
    commitment,
    game_id,
    genesis,
    round_seed,
)


class Exchange(Books):
    """The public side of one game's protocol, folded from its messages."""

    def __init__(self, first: Expect) -> None:
        super().__init__(first)
        self._pending: Step | None = None

    def accept(self, message: Message, *, signed: bool = False) -> Step | None:
        """Check and store a message; the step it completes, if any.

        `signed` says that the signature was made here just now. Raises Malformed or Cheat; both
        leave everything as it was. A repeat of anything but a hello is ignored: `lines` does not grow.
        """
        assert self._pending is None, "settle the last step first"
        if message.type == "hello":
            self._hello(message, signed=signed)
            return None
        side = self.sides[message.seat]
        if not self.begun or side.key is None:
            raise Malformed("a message before both hellos")
        if not signed and not signed_by(message, side.key):
            raise Malformed(f"a message whose signature is not the {message.seat}'s")
        if message.game != self.game.hex():
            raise Malformed("a message of another game")
        if self._repeated(side, message):
            return None
        if message.seq != len(side.sent) or message.prev != side.sent[-1].digest:
            raise Malformed("a message out of sequence")  # a resume among them; a decline is of no game
        acked = self._acked(message)
        must_have_acked(self, message, acked)
        on_turn(self, message, acked)
        step = _CHECKS[message.type](self, side, message)
        self.store(message, acked)
        self._pending = step
        return step

    def settle(self, expect: Expect, position: str) -> None:
        """Book the step just carried out: its position enters the chain, the expectation is the next."""
        step, self._pending = self._pending, None
        assert step is not None, "there is no step to settle"
        match step:
            case Moved(seat, action):
                self.chain = chain_after_move(self.chain, seat, action, position)
                self.settled_by = (self.lines[-1],)
            case RoundDone():
                self.end_round(step, position)
            case _:
                assert_never(step)
        self.expect = expect

    def _hello(self, message: Message, *, signed: bool) -> None:
        """The first two lines: the host's hello, and the guest's that repeats its terms."""
        key = Ed25519PublicKey.from_public_bytes(bytes.fromhex(message.body["key"]))
        if not signed and not signed_by(message, key):
            raise Malformed("a hello that its own key did not sign")
        seat = SEATS[len(self.lines)] if not self.begun else ""
        if message.seat != seat or message.seq != 0:
            raise Malformed("a hello out of place")  # even a repeat: fair-play 7
        if message.ack != (self.lines[0].digest if self.lines else ""):
            raise Malformed("a hello that does not acknowledge the host's")
        if self.lines and message.body["terms"] != self.lines[0].body["terms"]:
            raise Malformed("hellos whose terms differ")
        self.sides[seat].key = key
        self.store(message, 0 if self.lines else -1)
        if seat == GUEST:
            host, guest = (bytes.fromhex(line.digest) for line in self.lines)
            self.game = game_id(host, guest)
            self.chain = genesis(self.game)
            self.settled_by = tuple(self.lines)

    def _repeated(self, side: Side, message: Message) -> bool:
        """Whether this is a repeat; another payload under a used seq is proof (fair-play 3)."""
        if not 0 < message.seq < len(side.sent):
            return False
        first = side.sent[message.seq]
        if first.payload == message.payload:
            return True
        raise Cheat(
            message.seat,
            CheatKind.EQUIVOCATION,
            f"two different messages of number {message.seq}",
            first,
            message,
        )

    def _acked(self, message: Message) -> int:
        """The seq of the other seat's message that is acknowledged; it exists and never goes back."""
        seq = -1
        if message.ack:
            sent = self.sides[OTHER[message.seat]].sent
            found = (m.seq for m in reversed(sent) if m.digest == message.ack)
            seq = next(found, -1)
            if seq < 0:
                raise Malformed("an acknowledgement of no earlier message")
        if seq < self.sides[message.seat].acked:
            raise Malformed("an acknowledgement that goes back")
        return seq

    def _commit(self, side: Side, message: Message) -> None:
        self._same_chain(message)
        if bool(message.body["deal"]) is not self.deal_due(message.seat):
            what = "a deal commitment out of place" if message.body["deal"] else "no deal commitment"
            raise Cheat(message.seat, CheatKind.BAD_DEAL, what, *self.settled_by[-1:], message)

    def _reveal(self, side: Side, message: Message) -> Step | None:
        commit, body, seat = side.commit, message.body, message.seat
        assert commit is not None  # on_turn
        nonce, action = bytes.fromhex(body["nonce"]), body["action"]
        opened = commitment(nonce, self.game, self.round, seat, self.chain, action)
        if not hmac.compare_digest(opened.hex(), commit.body["commitment"]):
            raise Cheat(seat, CheatKind.BAD_OPENING, "the reveal does not open the commitment", commit, message)
        if earlier := side.nonces.get(body["nonce"]):
            raise Cheat(seat, CheatKind.REPEATED_NONCE, "a nonce used before in this game", earlier, message)
        if not self.expect.legal(seat, action):
            raise illegal(message, f"{canonical(action)} is not legal now", *self.settled_by[-1:], commit)
        self._audit(side, message, due=self.expect.pitch and side.hand is not None and side.hand.last_card)
        other = self.sides[OTHER[seat]].reveal
        if other is None:
            return None
        by_seat = {seat: message, OTHER[seat]: other}
        seed = round_seed(
            self.game, self.round, self.chain, self.commitments(), tuple_of(by_seat, lambda m: m.body["nonce"])
        )
        return RoundDone(self.round, {name: by_seat[name].body["action"] for name in SEATS}, seed)

    def _audit(self, side: Side, message: Message, *, due: bool) -> None:
        """The hand secret is there exactly when due, opens K and deals what was played (fair-play 5)."""
        secret, seat, kind = message.body["hand_secret"], message.seat, CheatKind.BAD_DEAL
        if not due:
            if secret:
                raise Cheat(seat, kind, "a hand secret out of place", *self.settled_by[-1:], message)
            return
        assert side.hand is not None
        if not secret:
            raise Cheat(seat, kind, "the audit of the hand is withheld", *side.dealt_by, message)
        playing = (message.body["action"]["card"],) if message.type == "reveal" else ()
        if not side.hand.audit(bytes.fromhex(secret), *playing):
            raise Cheat(seat, kind, "the hand was not the one dealt", *side.dealt_by, message)

    def _move(self, side: Side, message: Message) -> Step:
        self._same_chain(message)
        action = message.body["move"]
        if not self.expect.legal(message.seat, action):
            raise illegal(message, f"{canonical(action)} is not legal now", *self.settled_by[-1:])
        return Moved(message.seat, action)

    def _final(self, side: Side, message: Message) -> None:
        over = self.expect.due is Due.OVER
        if message.body["chain"] != (self.chain.hex() if over else ""):
            raise Cheat(message.seat, CheatKind.WRONG_CHAIN, "a final of another chain", *self.settled_by, message)
        if message.body["result"] != self.result():
            raise illegal(message, "a final with another result", *self.settled_by)
        self._audit(side, message, due=side.hand is not None)

    def _resign(self, side: Side, message: Message) -> None:
        """Nothing more to check: the turn was."""

    def _same_chain(self, message: Message) -> None:
        if message.body["chain"] != self.chain.hex():
            what = f"a {message.type} built on another chain"
            raise Cheat(message.seat, CheatKind.WRONG_CHAIN, what, *self.settled_by, message)


_CHECKS: Mapping[str, Callable[[Exchange, Side, Message], Step | None]] = {
    "commit": Exchange._commit,
    "reveal": Exchange._reveal,
    "move": Exchange._move,
    "final": Exchange._final,
    "resign": Exchange._resign,
}
