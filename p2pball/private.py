"""What one seat keeps to itself, and the bodies of messages that derive from it (fair-play 3, 5, 6)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from p2pball.engine.cards import BY_NAME
from p2pball.engine.moves import Choice, choice_to_json
from p2pball.engine.terms import Terms
from p2pball.errors import P2PBallError
from p2pball.frozen import frozen
from p2pball.protocol.books import Books, Due
from p2pball.protocol.deals import deal_commitment, hand_secret
from p2pball.protocol.encoding import M
from p2pball.protocol.messages import VERSION, Message, compose
from p2pball.protocol.values import OTHER, commitment, round_nonce


class LostSecret(P2PBallError):
    """The secrets of this game do not fit its record: is the file `master` the one made with it?"""


@frozen
class Secrets:
    """What a seat keeps to itself.

    `sign` makes the 64-byte Ed25519 signature of bytes by the identity key, `key` is its
    32-byte public half, `master` the 32 random bytes of this game.
    """

    sign: Callable[[bytes], bytes]
    key: bytes
    master: bytes


def hello_body(secrets: Secrets, name: str, team: dict[str, Any], nonce: bytes, terms: Terms) -> dict[str, Any]:
    """The body of a hello (fair-play 3); `team` is its JSON object, `nonce` 32 random bytes."""
    return {
        "protocol": VERSION,
        "name": name,
        "team": team,
        "key": secrets.key.hex(),
        "nonce": nonce.hex(),
        "terms": terms.to_json(),
    }


def decline(secrets: Secrets, host_hello: Message, reason: str) -> Message:
    """The guest's no to the host's terms; signed, and not part of any record (fair-play 3)."""
    return compose(
        secrets.sign,
        game="",
        seat="guest",
        seq=0,
        prev="",
        ack=host_hello.digest,
        kind="decline",
        body={"reason": reason},
    )


class Private:
    """The hidden half of a seat's books: its locked choice, its hand, and what it says of them when."""

    def __init__(self, seat: str, secrets: Secrets, books: Books) -> None:
        self.action: Choice | None = None
        """The choice behind this seat's open commitment."""
        self.hand: tuple[int, ...] = ()
        """The cards of the present hand, played or not, in the order dealt."""
        self._nonce = b""
        self._number = -1
        self._seat = seat
        self._secrets = secrets
        self._books = books

    def check_key(self) -> None:
        """Raise LostSecret when the hello names another key: whatever this one signs would be refused."""
        sent = self._books.sides[self._seat].sent
        if sent and sent[0].body["key"] != self._secrets.key.hex():
            raise LostSecret(
                "This game was begun with another identity key than the one here: "
                "put that one back (identity.key), or go on where the game was begun."
            )

    def look(self) -> None:
        """After a completed step: forget the opened choice, and look at the hand if one was dealt."""
        self.action = None
        hand = self._books.sides[self._seat].hand
        if hand and hand.number != self._number:
            self._number = hand.number
            self.hand = tuple(BY_NAME[name] for name in hand.cards(self._secret(hand.number)))

    def held(self) -> tuple[int, ...]:
        """The cards not yet played, in the order dealt."""
        hand = self._books.sides[self._seat].hand
        played = {BY_NAME[name] for name in hand.played} if hand else set()
        return tuple(card for card in self.hand if card not in played)

    def seed(self, purpose: str) -> bytes:
        """32 bytes that only this seat can know, the same whenever the game stands where it stands now."""
        return M(self._secrets.master, "player", purpose, self._books.game, self._books.chain)

    def message(self, kind: str, body: dict[str, Any]) -> Message:
        """This seat's next message, signed; it acknowledges everything read."""
        books = self._books
        mine, other = books.last(self._seat), books.last(OTHER[self._seat])
        return compose(
            self._secrets.sign,
            game="" if kind == "hello" else books.game.hex(),
            seat=self._seat,
            seq=mine.seq + 1 if mine else 0,
            prev=mine.digest if mine else "",
            ack=other.digest if other else "",
            kind=kind,
            body=body,
        )

    def resume(self, body: dict[str, Any]) -> Message:
        """A resume: signed, outside the sequence."""
        game = self._books.game.hex()
        return compose(
            self._secrets.sign, game=game, seat=self._seat, seq=-1, prev="", ack="", kind="resume", body=body
        )

    def commit(self, choice: Choice) -> dict[str, Any]:
        """Lock a choice: the body of its commit, with the next hand's K in a dealing round."""
        books, deal = self._books, ""
        if books.deal_due(self._seat):
            number = self._number + 1
            deal = deal_commitment(self._secret(number), books.game, self._seat, number).hex()
        self.action = choice
        return {"round": books.round, "chain": books.chain.hex(), "commitment": self._lock(choice), "deal": deal}

    def reveal(self) -> dict[str, Any]:
        """The body of the reveal that opens the locked choice, with the audit when it plays the last card."""
        if self.action is None:
            raise LostSecret("The secrets of this game do not fit its record: is its master file the one made with it?")
        books, hand = self._books, self._books.sides[self._seat].hand
        audit = books.expect.pitch and hand is not None and hand.last_card
        return {
            "round": books.round,
            "nonce": self._nonce.hex(),
            "action": choice_to_json(self.action),
            "hand_secret": self._secret(self._number).hex() if audit else "",
        }

    def final(self) -> dict[str, Any]:
        """The body of the final that is due; it opens the last hand dealt in a completed round."""
        books = self._books
        return {
            "chain": books.chain.hex() if books.expect.due is Due.OVER else "",
            "result": books.result(),
            "hand_secret": self._secret(self._number).hex() if books.sides[self._seat].hand else "",
        }

    def recover(self, choices: Iterable[Choice]) -> None:
        """Find the choice behind one's own open commitment again: the nonce derives from it (fair-play 6.5)."""
        mine = self._books.sides[self._seat]
        if mine.commit is None or mine.reveal or self.action is not None:
            return
        locked = mine.commit.body["commitment"]
        self.action = next((choice for choice in choices if self._lock(choice) == locked), None)

    def _lock(self, choice: Choice) -> str:
        """The commitment to a choice in the present round, in hex; its nonce is kept for the reveal."""
        books, action = self._books, choice_to_json(choice)
        self._nonce = round_nonce(self._secrets.master, books.game, books.round, self._seat, books.chain, action)
        return commitment(self._nonce, books.game, books.round, self._seat, books.chain, action).hex()

    def _secret(self, number: int) -> bytes:
        return hand_secret(self._secrets.master, self._books.game, self._seat, number)
