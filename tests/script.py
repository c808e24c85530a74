"""A game written by hand, message by message: both seats' keys, and every field open to change."""

from __future__ import annotations

from typing import Any

from p2pball.engine.terms import Seat, Terms
from p2pball.game import Game
from p2pball.protocol.deals import deal_commitment, hand_secret
from p2pball.protocol.messages import Message
from p2pball.verify import Report, verify
from tests.attacks import forging
from tests.duet import CARDS, DICE, hello, secrets

HOST, GUEST = Seat.HOST, Seat.GUEST
PASS = {"pass": True}


class Script:
    """Lines of a record as they are made; `say` makes one, checks it by the replay so far, and keeps it."""

    def __init__(self, terms: Terms = DICE, *, hellos: bool = True) -> None:
        self.terms = terms
        self.game = Game()
        self.secrets = {seat: secrets(f"script-{seat.value}") for seat in Seat}
        self.frames: list[bytes] = []
        self.actions: dict[Seat, Any] = {}
        if hellos:
            self.hello(HOST)
            self.hello(GUEST)

    @property
    def books(self) -> Any:
        """The exchange so far."""
        return self.game.exchange

    @property
    def last(self) -> Message:
        """The last line accepted."""
        return self.game.exchange.lines[-1]

    def hello(self, seat: Seat, **changes: Any) -> Message:
        """A hello; its fields, or those of its body, changed."""
        body = hello(seat, self.secrets[seat], self.terms)
        outer = {name: changes.pop(name) for name in tuple(changes) if name in ("game", "seq", "prev", "ack", "seat")}
        return self.say(seat, "hello", body | changes, **({"game": ""} | outer))

    def make(self, seat: Seat, kind: str, body: Any, **changes: Any) -> bytes:
        """The frame of a seat's next message, fields changed; not yet accepted."""
        made = forging.fields(self.books, seat, kind, body) | changes
        return forging.seal(self.secrets[seat], forging.dump(made))

    def say(self, seat: Seat, kind: str, body: Any, **changes: Any) -> Message:
        """Make and accept a seat's next message; raises what the replay raises, keeping the line anyhow."""
        return self.put(self.make(seat, kind, body, **changes))

    def put(self, frame: bytes) -> Message:
        """Accept a frame."""
        self.frames.append(frame)
        message = forging.message(frame)
        self.game.accept(message)
        return message

    def commit(self, seat: Seat, action: Any = PASS, *, body: dict[str, Any] | None = None, **changes: Any) -> Message:
        """A commit to an action, with the deal commitment that is due."""
        due = {"deal": self.deal_commit(seat).hex()} if self.books.deal_due(seat.value) else {}
        self.actions[seat] = action
        made = forging.commit_body(self.secrets[seat], self.books, seat, action, **due)
        return self.say(seat, "commit", made | (body or {}), **changes)

    def reveal(self, seat: Seat, action: Any = None, *, body: dict[str, Any] | None = None, **changes: Any) -> Message:
        """The reveal of the action committed to, with the audit that is due."""
        action = self.actions[seat] if action is None else action
        made = forging.reveal_body(self.secrets[seat], self.books, seat, action)
        hand = self.books.sides[seat.value].hand
        if self.books.expect.pitch and hand.last_card:
            made["hand_secret"] = self.secret(seat).hex()
        return self.say(seat, "reveal", made | (body or {}), **changes)

    def round(self, host: Any = PASS, guest: Any = PASS) -> None:
        """One round, host first."""
        self.commit(HOST, host)
        self.commit(GUEST, guest)
        self.reveal(HOST)
        self.reveal(GUEST)

    def move(self, move: Any, seat: Seat | None = None, *, chain: str | None = None, **changes: Any) -> Message:
        """An open move of the seat whose turn it is, or of another."""
        seat = seat or Seat(self.books.expect.mover)
        return self.say(seat, "move", {"chain": self.chain if chain is None else chain, "move": move}, **changes)

    def resign(self, seat: Seat, **changes: Any) -> Message:
        """A resignation."""
        return self.say(seat, "resign", {}, **changes)

    def final(self, seat: Seat, *, body: dict[str, Any] | None = None, **changes: Any) -> Message:
        """The final that is due, or would be if the game were left as it is."""
        over = self.books.expect.due.value == "over"
        hand = self.books.sides[seat.value].hand
        made = {
            "chain": self.chain if over else "",
            "result": self.books.result(),
            "hand_secret": self.secret(seat).hex() if hand else "",
        }
        return self.say(seat, "final", made | (body or {}), **changes)

    @property
    def chain(self) -> str:
        """The chain now."""
        return str(self.books.chain.hex())

    def secret(self, seat: Seat) -> bytes:
        """The secret of a seat's present hand."""
        return self._hand_secret(seat, self.books.sides[seat.value].hand.number)

    def deal_commit(self, seat: Seat) -> bytes:
        """The K of a seat's next hand."""
        hand = self.books.sides[seat.value].hand
        number = hand.number + 1 if hand else 0
        return deal_commitment(self._hand_secret(seat, number), self.books.game, seat.value, number)

    def _hand_secret(self, seat: Seat, number: int) -> bytes:
        return hand_secret(self.secrets[seat].master, self.books.game, seat.value, number)

    def hand(self, seat: Seat) -> list[str]:
        """The cards that a seat still holds."""
        hand = self.books.sides[seat.value].hand
        return [card for card in hand.cards(self.secret(seat)) if card not in hand.played]

    def pitch(self) -> None:
        """The next pitch of a game of cards: both play their first card, windows are held."""
        self.to_pitch()
        self.round({"card": self.hand(HOST)[0]}, {"card": self.hand(GUEST)[0]})

    def to_pitch(self) -> None:
        """Hold until a pitch is due."""
        while self.books.expect.due.value == "open":
            self.move({"hold": True})

    @property
    def record(self) -> bytes:
        """The lines as a record."""
        return b"".join(frame + b"\n" for frame in self.frames)

    def verify(self) -> Report:
        """The verdict on the lines."""
        return verify(self.record)


def dice() -> Script:
    """A dice game after round 0."""
    script = Script(DICE)
    script.round()
    return script


def cards() -> Script:
    """A cards game after round 0, its first pitch due."""
    script = Script(CARDS)
    script.round()
    script.to_pitch()
    return script
