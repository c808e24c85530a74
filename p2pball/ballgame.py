"""One seat's game: the public game, this seat's secrets, and what it must say next; no disk, clock or network."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from p2pball.engine.ledger import Transition
from p2pball.engine.moves import PASS, PLAY_CARD, Choice, IllegalMove, Result, choice_to_json
from p2pball.engine.state import Phase
from p2pball.engine.terms import Seat
from p2pball.engine.view import View
from p2pball.errors import P2PBallError
from p2pball.frozen import frozen
from p2pball.game import Game
from p2pball.private import LostSecret, Private, Secrets, decline, hello_body
from p2pball.protocol.books import Cheat, Due, Side
from p2pball.protocol.messages import Malformed, Message
from p2pball.protocol.resume import catch_up, resume_body

__all__ = ["Ballgame", "LostSecret", "NotBegun", "NotYourTurn", "Progress", "Secrets", "decline", "hello_body"]


class NotYourTurn(P2PBallError):
    """No choice is due from you now."""


class NotBegun(P2PBallError):
    """This game was left before both sides had met, so there is nothing to resume and nothing lost: start it anew."""


@frozen
class Progress:
    """What is new since the last time: `lines` to store before the own ones among them are sent."""

    lines: tuple[Message, ...]
    transitions: tuple[Transition, ...]


class Ballgame:
    """One seat of one game, sans I/O.

    Feed it `receive`d messages and the player's `choose`; after each, `drain` what is new, store
    its lines durably, then send those of the own seat. A game begins with the host's `propose`
    and the guest's `join`; one read from a journal signs nothing until `wake`.
    """

    def __init__(self, seat: Seat, secrets: Secrets) -> None:
        self.seat = seat
        self.game = Game()
        self.stopped: Cheat | None = None
        """The proof that the other seat cheated; nothing goes on after it."""
        self._private = Private(seat.value, secrets, self.game.exchange)
        self._awake = True
        self._recover_to = -1
        self._lines: list[Message] = []
        self._transitions: list[Transition] = []

    @classmethod
    def propose(cls, secrets: Secrets, hello: dict[str, Any]) -> Ballgame:
        """The host's seat, its hello made."""
        ballgame = cls(Seat.HOST, secrets)
        ballgame._say("hello", hello)
        return ballgame

    @classmethod
    def join(cls, secrets: Secrets, host_hello: Message, hello: dict[str, Any]) -> Ballgame:
        """The guest's seat, the host's hello answered with its own; raises Malformed for a bad one."""
        ballgame = cls(Seat.GUEST, secrets)
        ballgame.receive(host_hello)
        ballgame._say("hello", hello)
        ballgame._automatic()
        return ballgame

    @classmethod
    def load(cls, seat: Seat, secrets: Secrets, lines: Iterable[Message]) -> Ballgame:
        """A seat's game as its journal left it: every line checked again, nothing signed until `wake`.

        Raises Malformed when the journal is damaged and LostSecret when it is not of this identity; a
        journal that ends in proof of a cheat loads `stopped`.
        """
        ballgame = cls(seat, secrets)
        ballgame._awake = False
        for line in lines:
            try:
                ballgame._accept(line)
            except Cheat as cheat:
                ballgame.stopped = cheat
                break
        ballgame._lines.clear()
        ballgame._transitions.clear()
        ballgame._private.check_key()
        ballgame._recover_action()
        return ballgame

    # -- reading ---------------------------------------------------------------------------

    @property
    def view(self) -> View:
        """What this seat sees."""
        return View(self.game.state, self.seat, self._private.held(), tuple(self.game.pitches))

    @property
    def moves(self) -> tuple[Choice, ...]:
        """The choices due from this seat now, the clock's first; empty when none is.

        A batter's roll in the dice game is due too, with passing the only choice: its player may take time (D5).
        """
        books, mine = self.game.exchange, self._mine
        if not books.begun or not self._awake or self.stopped or mine.commit or books.resigned or mine.final:
            return ()
        return self.view.moves()

    @property
    def finished(self) -> bool:
        """Whether nothing more is to be said: both finals are in, or a cheat stopped the game."""
        sides = self.game.exchange.sides.values()
        return self.stopped is not None or all(side.final is not None for side in sides)

    @property
    def result(self) -> Result | None:
        """The result once the game is over or a seat has resigned."""
        return self.game.result() if self.game.exchange.decided else None

    @property
    def waiting_for_other(self) -> bool:
        """Whether this seat has done its part and the other has not."""
        return not self.finished and self.seat.value not in self.game.exchange.owed()

    def private_seed(self, purpose: str) -> bytes:
        """32 bytes that only this seat can know, the same whenever the game stands where it stands now.

        For the randomness of whoever plays the seat; nothing of the protocol is derived so.
        """
        return self._private.seed(purpose)

    # -- doing -----------------------------------------------------------------------------

    def choose(self, choice: Choice) -> None:
        """Make this seat's choice; raises NotYourTurn or IllegalMove, and then nothing has changed."""
        moves = self.moves
        if not moves:
            raise NotYourTurn("No choice is due from you now.")
        if choice not in moves:
            raise IllegalMove("That is not one of your choices now.")
        if self.game.exchange.expect.due is Due.OPEN:
            self._say("move", {"chain": self.game.exchange.chain.hex(), "move": choice_to_json(choice)})
        else:
            self._say("commit", self._private.commit(choice))
        self._automatic()

    def resign(self) -> None:
        """Give the game up (fair-play 3); raises NotYourTurn before round 0 is complete or after the end."""
        books = self.game.exchange
        if not self._awake:
            raise NotYourTurn("The game is only being picked up again: try once more when the other player is there.")
        if not books.round or books.decided or self.stopped:
            raise NotYourTurn("There is no game to resign now.")
        self._say("resign", {})
        self._automatic()

    def receive(self, message: Message) -> None:
        """Take in a message of the other seat.

        Raises Malformed (refuse: close the connection, nothing is stored) or Cheat (the message is
        stored as the last line and proves it).
        """
        if self.stopped:
            raise self.stopped
        own = message.seat == self.seat.value
        if own and not (self._recovering and message.seq == len(self._mine.sent)) and not self._known(message):
            raise Malformed("a message in the name of this very seat")
        try:
            self._accept(message)
        except Cheat as cheat:
            self._lines.append(message)
            self.stopped = cheat
            raise
        if self._awake:
            self._automatic()
        elif self._recover_to >= 0 and not self._recovering:
            self.wake()

    def drain(self) -> Progress:
        """What is new since the last call: lines to store, then to send those of this seat, then to show."""
        progress = Progress(tuple(self._lines), tuple(self._transitions))
        self._lines.clear()
        self._transitions.clear()
        return progress

    # -- resuming (fair-play 6) ------------------------------------------------------------

    def resume(self) -> Message:
        """This seat's resume message; signed, never stored. From here on nothing is signed until the other's is in.

        Raises NotBegun before both hellos are in.
        """
        if not self.game.begun:
            raise NotBegun
        self._awake = False
        return self._private.resume(resume_body(self.game.exchange, self.seat.value))

    def resumed(self, message: Message) -> tuple[Message, ...]:
        """The lines to send after the other seat's resume; raises Malformed or Fork.

        Wakes at once, unless the other seat holds messages of this one that were lost here: then
        they come back first.
        """
        plan = catch_up(self.game.exchange, self.seat.value, message)
        self._recover_to = plan.recover_to
        if not self._recovering:
            self.wake()
        return plan.send

    def wake(self) -> None:
        """Go on: say what is due. For a game without a partner to ask, or once nothing is lost."""
        self._awake = True
        self._recover_to = -1
        self._recover_action()
        self._automatic()

    @property
    def _recovering(self) -> bool:
        return self._recover_to >= len(self._mine.sent)

    # -- inside ----------------------------------------------------------------------------

    @property
    def _mine(self) -> Side:
        return self.game.exchange.sides[self.seat.value]

    def _known(self, message: Message) -> bool:
        sent = self._mine.sent
        return 0 <= message.seq < len(sent) and sent[message.seq].payload == message.payload

    def _accept(self, message: Message, *, signed: bool = False) -> None:
        count = len(self.game.exchange.lines)
        transition = self.game.accept(message, signed=signed)
        self._lines += self.game.exchange.lines[count:]
        if transition:
            self._transitions.append(transition)
            self._private.look()

    def _say(self, kind: str, body: dict[str, Any]) -> None:
        self._accept(self._private.message(kind, body), signed=True)

    def _automatic(self) -> None:
        """Say everything that needs no choice: passes, reveals, the final."""
        while self._awake and not self.stopped and self._next():
            pass

    def _next(self) -> bool:
        """Say the one next thing due by itself, if there is one."""
        books = self.game.exchange
        mine, other = self._mine, books.sides[self.seat.other.value]
        if not books.begun or mine.final:
            return False
        if books.expect.due is Due.OVER or (other.final or other.resign if mine.resign else other.resign):
            self._say("final", self._private.final())
            return True
        if mine.resign or books.expect.due is not Due.SEALED:
            return False
        if mine.commit and other.commit and not mine.reveal:
            self._say("reveal", self._private.reveal())
            return True
        rolls = self.game.state.phase is Phase.ROLL and self.view.batting
        if not mine.commit and self.moves == (PASS,) and not rolls:
            self._say("commit", self._private.commit(PASS))
            return True
        return False

    def _recover_action(self) -> None:
        pitch = self.game.exchange.expect.pitch
        self._private.recover([PLAY_CARD[card] for card in self._private.held()] if pitch else [PASS])
