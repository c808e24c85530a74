"""One game as everybody can see it: the exchange and the engine joined, folded from signed messages."""

from __future__ import annotations

from typing import Any, assert_never

from p2pball.engine.events import CardsPlayed, Event
from p2pball.engine.ledger import Transition, apply, awaited, begin
from p2pball.engine.moves import Choice, IllegalMove, Open, Over, Result, Sealed, choice_from_json
from p2pball.engine.position import position
from p2pball.engine.state import Phase, State
from p2pball.engine.terms import Seat, Terms
from p2pball.protocol.books import Due, Expect, Moved, RoundDone
from p2pball.protocol.exchange import Exchange
from p2pball.protocol.messages import Message
from p2pball.protocol.streams import RoundDice

SEATS = {seat.value: seat for seat in Seat}
_START, _PITCH, _OPEN, _SEALED = Phase.START, Phase.PITCH, Due.OPEN, Due.SEALED


def expectation(state: State) -> Expect:
    """What the engine waits for, in the exchange's words."""
    visitors, home = state.runs
    runs, waits = (home, visitors), awaited(state)
    match waits:
        case Open(mover, moves):
            return Expect(_OPEN, lambda _, action: _choice(action) in moves, mover=mover.value, runs=runs)
        case Sealed():
            pitch = state.phase is _PITCH
            return Expect(
                _SEALED, lambda seat, action: _choice(action) in waits.moves(SEATS[seat]), pitch=pitch, runs=runs
            )
        case Over(result):
            winner = result.winner.value if result.winner else "draw"
            return Expect(Due.OVER, lambda _, __: False, winner=winner, runs=runs)
        case _:
            assert_never(waits)


def _choice(action: Any) -> Choice | None:
    """The choice an action spells, or None, which is never legal."""
    try:
        return choice_from_json(action)
    except IllegalMove:
        return None


class Game:
    """The public game: its exchange, its state, and every transition so far.

    `state` is the one before round 0 until both hellos are in, with default terms.
    """

    def __init__(self) -> None:
        self.state = begin(Terms())
        self.exchange = Exchange(expectation(self.state))
        self.transitions: list[Transition] = []
        self.pitches: list[tuple[State, CardsPlayed]] = []
        """Every pitch of the cards game, with the state before it."""

    @property
    def begun(self) -> bool:
        """Whether both hellos are in."""
        return self.exchange.begun

    @property
    def position(self) -> str:
        """The position line; empty before round 0 is complete, when there is none."""
        return "" if self.state.phase is _START else str(position(self.state))

    @property
    def over(self) -> bool:
        """Whether the game was played to its end."""
        return self.state.phase is Phase.OVER

    @property
    def events(self) -> tuple[Event, ...]:
        """Everything that happened."""
        return tuple(event for transition in self.transitions for event in transition.events)

    def result(self) -> Result:
        """How the game ends if it ends here: the winner, and the runs of both."""
        stated = self.exchange.result()
        return Result(SEATS.get(stated["winner"]), stated["visitors"], stated["home"])

    def hello(self, seat: Seat) -> dict[str, Any]:
        """The body of a seat's hello; IndexError before it is in."""
        return self.exchange.lines[0 if seat is Seat.HOST else 1].body

    def accept(self, message: Message, *, signed: bool = False) -> Transition | None:
        """Check, store and carry out a message; the transition it completes, if any.

        `signed` says that the signature was made here just now. Raises Malformed or Cheat, and
        then nothing has changed.
        """
        begun = self.begun
        step = self.exchange.accept(message, signed=signed)
        match step:
            case Moved(seat, action):
                transition = apply(self.state, {SEATS[seat]: choice_from_json(action)})
            case RoundDone(_, actions, seed):
                choices: dict[Seat, Choice] = {SEATS[seat]: choice_from_json(a) for seat, a in actions.items()}
                transition = apply(self.state, choices, RoundDice(seed))
            case None:
                if self.begun and not begun:
                    self.state = begin(Terms.from_json(message.body["terms"]))
                    self.exchange.expect = expectation(self.state)
                return None
            case _:
                assert_never(step)
        self._book(transition)
        return transition

    def _book(self, transition: Transition) -> None:
        for event in transition.events:
            if isinstance(event, CardsPlayed):
                self.pitches.append((self.state, event))
        self.state = transition.state
        self.transitions.append(transition)
        self.exchange.settle(expectation(self.state), self.position)
