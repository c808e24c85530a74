"""Scenes set by hand: a state, loaded dice, and the game that one round or move makes of them."""

from __future__ import annotations

from typing import Any

from p2pball.engine.cards import BY_NAME
from p2pball.engine.events import HalfBegan
from p2pball.engine.ledger import apply
from p2pball.engine.moves import HOLD, PASS, Choice, PlayCard
from p2pball.engine.state import Deck, Phase, State
from p2pball.engine.terms import Rules, Seat, Side, Terms
from p2pball.scorebook.game import Game, Lineup, Moment

CARDS = Terms(Rules.CARDS, innings=9)
DICE = Terms(Rules.DICE, innings=9)
_HAND = Deck(left=6)


class Loaded:
    """Dice that fall as told, purpose by purpose: values are what is rolled, 1 to 6 for a die, from 0 elsewhere."""

    def __init__(self, **rolls: int | list[int]) -> None:
        self.rolls = {purpose: [r] if isinstance(r, int) else r for purpose, r in rolls.items()}

    def below(self, purpose: str, n: int) -> int:
        """The next number; a character that nobody asked for is a two, a fielder the first."""
        told = self.rolls.get(purpose.replace("-", "_"))
        if not told:
            return {54: 1}.get(n, 0)
        return told.pop(0) - (n == 6 and purpose != "pitch")


def at_bat(rules: Rules = Rules.CARDS, **changes: Any) -> Game:
    """Bottom of the seventh, 3-4, Brooks on first, Abbott on second, Cruz at bat; `changes` to the state."""
    cards = rules is Rules.CARDS
    state = State(
        CARDS if cards else DICE,
        phase=Phase.PITCH if cards else Phase.CHOOSE,
        home=Seat.HOST,
        inning=7,
        batting=Side.HOME,
        runs=(3, 4),
        bases=(2, 1, 0),
        slots=(5, 3),
        balls=2 if cards else 0,
        strikes=1 if cards else 0,
        pitcher=BY_NAME["2S"] if cards else -1,
        batter=BY_NAME["2S"] if cards else -1,
        decks=(_HAND, _HAND),
    )
    return Game(state.but(**changes), Lineup())


def moved(game: Game, choice: Choice) -> Game:
    """The game after an open move of whoever has it; host bats in `at_bat`."""
    seat = Seat.GUEST if game.state.phase is Phase.CHOOSE else Seat.HOST
    return game.add(apply(game.state, {seat: choice}).events)


def passed(game: Game, **rolls: int | list[int]) -> Game:
    """The game after a round in which both pass."""
    return game.add(apply(game.state, {Seat.HOST: PASS, Seat.GUEST: PASS}, Loaded(**rolls)).events)


def pitched(game: Game, pitcher: str, batter: str, **rolls: int | list[int]) -> Game:
    """The game after the guest's card against the host's; a window that is open is held first."""
    while game.state.phase in (Phase.WINDOW, Phase.KING):
        game = moved(game, HOLD)
    cards = {Seat.GUEST: PlayCard(BY_NAME[pitcher]), Seat.HOST: PlayCard(BY_NAME[batter])}
    return game.add(apply(game.state, cards, Loaded(**rolls)).events)


def started(game: Game) -> Game:
    """The scene with the halves before it begun, as the books of a whole game have them."""
    state = game.start
    halves = [HalfBegan(inning, side, None) for inning in range(1, state.inning + 1) for side in Side]
    begun = tuple(Moment(state.but(batting=half.side), half, state, Lineup()) for half in halves)
    return Game(state, game.lineup, begun + game.moments)
