"""Two levels play one game against each other on the engine alone, with cheap dice."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Protocol

from p2pball.computer.levels import Level
from p2pball.computer.player import choose
from p2pball.engine.cards import HAND, cards_in
from p2pball.engine.events import CardsPlayed, HandsDealt
from p2pball.engine.ledger import apply, awaited, begin
from p2pball.engine.moves import Choice, Open, Over, PlayCard, Result, Sealed
from p2pball.engine.state import State
from p2pball.engine.terms import Seat, Side, Terms
from p2pball.engine.view import View
from p2pball.frozen import frozen


class Source(Protocol):
    """The caller's randomness; random.Random is one."""

    def randrange(self, stop: int, /) -> int:
        """A number, 0 to stop - 1."""
        ...


@frozen
class SourceDice:
    """Dice out of one source: nobody has to be convinced here."""

    source: Source

    def below(self, purpose: str, n: int) -> int:
        """The next number of any purpose."""
        return self.source.randrange(n)


@frozen
class SourceStream:
    """A level's stream out of the same source."""

    source: Source

    def below(self, n: int) -> int:
        """The next number, 0 to n - 1."""
        return self.source.randrange(n)


Player = Callable[[View], Choice]


def play_game(terms: Terms, home: Level, away: Level, source: Source) -> Result:
    """Play one game out, levels against each other; the host's seat is the home team whatever the terms say.

    The same terms, levels and source give the same game.
    """
    stream = SourceStream(source)

    def seat(level: Level) -> Player:
        return lambda view: choose(view, level, stream)

    return play_out(terms, {Seat.HOST: seat(home), Seat.GUEST: seat(away)}, source)


def play_out(terms: Terms, players: Mapping[Seat, Player], source: Source) -> Result:
    """Play one game out between any two players; each is shown its own view and nothing else."""
    fixed = Terms(terms.rules, terms.innings, terms.extra_innings, terms.walk_off, home=Seat.HOST.value)
    table = Table(begin(fixed), SourceDice(source))
    while True:
        match awaited(table.state):
            case Over(result):
                return result
            case Open(seat):
                table.step({seat: players[seat](table.view(seat))})
            case Sealed():
                table.step({seat: players[seat](table.view(seat)) for seat in Seat})


class Table:
    """Where both hands lie: the state, the cards held by each seat and every pitch so far."""

    def __init__(self, state: State, dice: SourceDice) -> None:
        self.state, self.dice = state, dice
        self.hands: dict[Seat, tuple[int, ...]] = dict.fromkeys(Seat, ())
        self.pitches: tuple[tuple[State, CardsPlayed], ...] = ()

    def view(self, seat: Seat) -> View:
        """What one seat sees."""
        return View(self.state, seat, self.hands[seat], self.pitches)

    def step(self, choices: Mapping[Seat, Choice]) -> None:
        """Carry out the awaited choices, and deal when a hand is played out."""
        before = self.state
        transition = apply(before, choices, self.dice)
        self.state = transition.state
        for seat, choice in choices.items():
            if isinstance(choice, PlayCard):
                self.hands[seat] = tuple(card for card in self.hands[seat] if card != choice.card)
        for event in transition.events:
            match event:
                case CardsPlayed():
                    self.pitches = (*self.pitches, (before, event))
                case HandsDealt():
                    self._deal()
                case _:
                    pass

    def _deal(self) -> None:
        """Six new cards each, of those not dealt yet (C2); the state tells which these are."""
        for side in Side:
            cards = list(cards_in(self.state.decks[side].unseen))
            self.hands[self.state.seat(side)] = tuple(
                cards.pop(self.dice.below("deal", len(cards))) for _ in range(HAND)
            )
