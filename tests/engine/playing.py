"""Whole games for the tests: dice that are the same forever, random legal choices, hands dealt."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from hashlib import sha256

from p2pball.engine.cards import FULL_DECK
from p2pball.engine.events import HandsDealt
from p2pball.engine.ledger import Transition, apply, awaited, begin
from p2pball.engine.moves import HOLD, PINCH, PLAY_CARD, CardSet, Choice, Open, Over, Sealed
from p2pball.engine.state import Deck, State
from p2pball.engine.terms import Rules, Seat, Terms

Picker = Callable[[Sequence[Choice]], Choice]


@dataclass
class HashedDice:
    """One round's streams, made of a seed's hash the same in every Python; it logs what it gave."""

    seed: str
    log: dict[str, list[tuple[int, int]]] = field(default_factory=dict)

    def below(self, purpose: str, n: int) -> int:
        """The next number of a purpose's stream; its bias (under 2^-60) is of no matter here."""
        drawn = self.log.setdefault(purpose, [])
        digest = sha256(f"{self.seed}/{purpose}/{len(drawn)}".encode()).digest()
        value = int.from_bytes(digest[:8], "big") % n
        drawn.append((n, value))
        return value


class QuickDice:
    """Cheap dice for many games."""

    def __init__(self, rng: random.Random) -> None:
        self._random = rng.random

    def below(self, purpose: str, n: int) -> int:
        """The next number, whatever the purpose."""
        return int(self._random() * n)


@dataclass
class Hands:
    """Both teams' hidden hands by seat, as in a real game: six from the remaining deck, drawn by `rng`."""

    rng: random.Random
    held: dict[Seat, list[int]] = field(default_factory=dict)

    def deal(self, state: State) -> None:
        """Six new cards for each seat."""
        for side, deck in enumerate(state.decks):
            seat = state.home if side else state.home.other
            self.held[seat] = self.rng.sample([card for card in range(52) if deck.unseen >> card & 1], 6)


@dataclass(frozen=True)
class Step:
    """One application of the engine: before, what was chosen, and what came of it."""

    before: State
    choices: dict[Seat, Choice]
    after: Transition
    dice: HashedDice


def choose(state: State, hands: Hands, pick: Picker) -> dict[Seat, Choice] | None:
    """Choices of everyone who has to choose, cards from the hidden hands; None when the game is over."""
    match awaited(state):
        case Open(seat, moves):
            return {seat: pick(list(moves))}
        case Sealed() as sealed:
            chosen: dict[Seat, Choice] = {}
            for seat in Seat:
                moves = sealed.moves(seat)
                if isinstance(moves, CardSet):
                    card = pick([PLAY_CARD[card] for card in hands.held[seat]])
                    hands.held[seat].remove(card.card)  # type: ignore[union-attr] # a CardSet has cards alone
                    chosen[seat] = card
                else:
                    chosen[seat] = pick(list(moves))
            return chosen
        case Over():
            return None


def playthrough(terms: Terms, seed: str, pick: Picker | None = None) -> Iterator[Step]:
    """A whole game, step by step; the same seed makes the same game (choices are random unless `pick` makes them)."""
    rng = random.Random(sha256(seed.encode()).digest())
    hands, state, number = Hands(rng), begin(terms), 0
    picker: Picker = pick or (lambda moves: moves[int(rng.random() * len(moves))])
    while (choices := choose(state, hands, picker)) is not None:
        dice = HashedDice(f"{seed}/{number}")
        after = apply(state, choices, dice)
        yield Step(state, choices, after, dice)
        state, number = after.state, number + 1
        if any(isinstance(event, HandsDealt) for event in after.events):
            hands.deal(state)


def patient(seed: str) -> Picker:
    """Random choices, but the window before a pitch is mostly held, so that runners are on when a King bats."""
    rng = random.Random(seed)

    def pick(moves: Sequence[Choice]) -> Choice:
        held = PINCH in moves and rng.random() < 0.9
        return HOLD if held else rng.choice([move for move in moves if move != PINCH])

    return pick


def every_terms() -> list[Terms]:
    """Terms that differ in everything that the engine looks at, short enough to play often."""
    return [
        Terms(rules, innings, extra, walk_off, home)
        for rules in Rules
        for innings, extra in ((1, 0), (1, 2), (3, 3))
        for walk_off in (True, False)
        for home in ("coin", "guest")
    ]


def fresh_deck(left: int) -> Deck:
    """A deck from which nothing but six minus `left` cards were played (canonical first ones)."""
    return Deck(FULL_DECK & ~((1 << (6 - left)) - 1), left)
