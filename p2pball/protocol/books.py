"""What both seats have sent, booked: the state of an exchange and what can be read from it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from p2pball.errors import P2PBallError
from p2pball.frozen import frozen
from p2pball.protocol.deals import Hand
from p2pball.protocol.messages import Message
from p2pball.protocol.values import GUEST, HOST, OTHER, SEATS, chain_after_round


class CheatKind(Enum):
    """What a record can prove against a seat (fair-play 7)."""

    EQUIVOCATION = "equivocation"
    BAD_OPENING = "bad opening"
    ILLEGAL_ACTION = "illegal action"
    BAD_DEAL = "bad deal"
    REPEATED_NONCE = "repeated nonce"
    WRONG_CHAIN = "wrong chain"


class Cheat(P2PBallError):
    """A seat's signed messages prove that it broke the rules."""

    def __init__(self, seat: str, kind: CheatKind, detail: str, *proof: Message) -> None:
        super().__init__(f"{kind.value} by the {seat}: {detail}")
        self.seat, self.kind, self.detail, self.proof = seat, kind, detail, proof
        """`proof` are the two to four messages that prove it, the deciding one last."""


class Due(Enum):
    """The three things a game can wait for (fair-play 1)."""

    OPEN = "open"
    SEALED = "sealed"
    OVER = "over"


@frozen
class Expect:
    """What the game waits for, in words the protocol needs.

    `mover` is the seat of an open move, "" when none is due; `pitch` marks the sealed round in which each seat plays
    a card; `legal(seat, action)` judges by the public state what a seat does in its turn;
    `winner` is the seat that won a game that is over, or draw; `runs` are (home, visitors) so far.
    """

    due: Due
    legal: Callable[[str, Any], bool]
    mover: str = ""
    pitch: bool = False
    winner: str = ""
    runs: tuple[int, int] = (0, 0)


@frozen
class Moved:
    """A seat made an open move."""

    seat: str
    action: dict[str, Any]


@frozen
class RoundDone:
    """Both seats revealed: their actions by seat, and the seed of the round's dice."""

    number: int
    actions: dict[str, dict[str, Any]]
    seed: bytes


Step = Moved | RoundDone


@dataclass(slots=True)
class Side:
    """What one seat has sent."""

    key: Ed25519PublicKey | None = None
    sent: list[Message] = field(default_factory=list)
    acked: int = -1
    """The highest seq of the other seat that this seat has acknowledged."""
    turn: Message | None = None
    """Its last move or reveal."""
    commit: Message | None = None
    """Its commit of the present round."""
    commits: dict[int, Message] = field(default_factory=dict)
    reveal: Message | None = None
    """Its reveal of the present round."""
    resign: Message | None = None
    final: Message | None = None
    nonces: dict[str, Message] = field(default_factory=dict)
    hand: Hand | None = None
    dealt_by: tuple[Message, ...] = ()
    """The commit that carried the hand's K and the other's reveal that dealt it."""


class Books:
    """The messages of one game so far, and where they leave it."""

    def __init__(self, first: Expect) -> None:
        self.expect = first
        self.lines: list[Message] = []
        """The accepted messages, in the order stored."""
        self.sides = {seat: Side() for seat in SEATS}
        self.game = b""
        self.chain = b""
        self.round = 0
        self.settled_by: tuple[Message, ...] = ()
        """The messages that brought the game to where it is: a move, or both reveals."""

    @property
    def begun(self) -> bool:
        """Whether both hellos are in."""
        return bool(self.game)

    @property
    def cards(self) -> bool:
        """Whether the terms are those of the cards game."""
        return bool(self.lines) and self.lines[0].body["terms"]["rules"] == "cards"

    @property
    def resigned(self) -> bool:
        """Whether a seat has given the game up."""
        return any(side.resign for side in self.sides.values())

    @property
    def decided(self) -> bool:
        """Whether the result stands, so that only finals are due."""
        return self.expect.due is Due.OVER or self.resigned

    def last(self, seat: str) -> Message | None:
        """The last message of a seat."""
        sent = self.sides[seat].sent
        return sent[-1] if sent else None

    def deal_due(self, seat: str) -> bool:
        """Whether this seat's commit of the present round must carry a deal commitment (fair-play 5)."""
        hand = self.sides[seat].hand
        return self.cards and (self.round == 0 or (self.expect.pitch and hand is not None and hand.last_card))

    def result(self) -> dict[str, Any]:
        """The result that a final must state now: as played, or after a resignation with the runs so far."""
        winner = self.expect.winner
        if self.expect.due is not Due.OVER:
            resigned = [seat for seat in SEATS if self.sides[seat].resign]
            winner = OTHER[resigned[0]] if len(resigned) == 1 else "draw"
        home, visitors = self.expect.runs
        return {"winner": winner, "home": home, "visitors": visitors}

    def owed(self) -> tuple[str, ...]:
        """The seats that a suspended game waits for, host first (fair-play 7)."""
        if self.decided:
            return self._owed_finals()
        if self.expect.due is Due.OPEN:
            return (self.expect.mover,)
        missing = tuple(seat for seat in SEATS if self.sides[seat].commit is None)
        return missing or tuple(seat for seat in SEATS if self.sides[seat].reveal is None)

    def _owed_finals(self) -> tuple[str, ...]:
        missing = tuple(seat for seat in SEATS if self.sides[seat].final is None)
        if self.expect.due is not Due.OVER:
            # The one who resigned waits for the other's final.
            first = tuple(seat for seat in missing if not self.sides[seat].resign)
            return first or missing
        return missing

    @property
    def complete(self) -> bool:
        """Whether the finals that prove the result are in: the winner's, or both after a draw."""
        if not self.decided:
            return False
        winner = self.result()["winner"]
        return all(self.sides[seat].final for seat in (SEATS if winner == "draw" else (winner,)))

    def commitments(self) -> tuple[bytes, bytes]:
        """Both commitments of the present round."""
        commits = {seat: side.commit for seat, side in self.sides.items() if side.commit}
        return tuple_of(commits, lambda m: m.body["commitment"])

    def store(self, message: Message, acked: int) -> None:
        """Book a message that passed every check."""
        side = self.sides[message.seat]
        side.sent.append(message)
        side.acked = acked
        self.lines.append(message)
        match message.type:
            case "commit":
                side.commit = side.commits[self.round] = message
            case "reveal":
                side.reveal = side.turn = message
                side.nonces[message.body["nonce"]] = message
            case "move":
                side.turn = message
            case "resign":
                side.resign = message
            case "final":
                side.final = message

    def end_round(self, step: RoundDone, position: str) -> None:
        """Book a completed round: hands, chain, and the next round's number."""
        reveals = {seat: side.reveal for seat, side in self.sides.items() if side.reveal}
        commits = {seat: side.commit for seat, side in self.sides.items() if side.commit}
        for seat, side in self.sides.items():
            self._end_hand(seat, side, commits[seat], reveals[OTHER[seat]], step.actions[seat])
        nonces = tuple_of(reveals, lambda m: m.body["nonce"])
        actions = (step.actions[HOST], step.actions[GUEST])
        self.chain = chain_after_round(self.chain, step.number, self.commitments(), nonces, actions, position)
        self.settled_by = (reveals[HOST], reveals[GUEST])
        self.round += 1
        for side in self.sides.values():
            side.commit = side.reveal = None

    def _end_hand(self, seat: str, side: Side, commit: Message, dealing: Message, action: dict[str, Any]) -> None:
        """Book the card played, and the hand dealt in this round (fair-play 5: when the round is complete)."""
        if side.hand and "card" in action:
            side.hand = side.hand.with_played(action["card"])
        if not commit.body["deal"]:
            return
        committed, nonce = bytes.fromhex(commit.body["deal"]), bytes.fromhex(dealing.body["nonce"])
        side.hand = side.hand.after(committed, nonce) if side.hand else Hand(self.game, seat, 0, committed, nonce)
        side.dealt_by = (commit, dealing)


def tuple_of(by_seat: dict[str, Message], get: Callable[[Message], str]) -> tuple[bytes, bytes]:
    """One 32-byte value of the host's message and one of the guest's."""
    return bytes.fromhex(get(by_seat[HOST])), bytes.fromhex(get(by_seat[GUEST]))
