"""Bench `engine`: pitches a second through `apply`, against plies of python-chess and actions of pokerkit."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import partial
from statistics import median
from time import process_time

import chess
from pokerkit import Automation, NoLimitTexasHoldem

from p2pball.engine.cards import FULL_DECK, HAND
from p2pball.engine.ledger import apply, awaited, begin
from p2pball.engine.moves import PASS, PLAY_CARD, CardSet, Choice, Open, PlayCard, Sealed
from p2pball.engine.state import State
from p2pball.engine.terms import Rules, Seat, Terms
from tests.bench import Figure, compare

SECONDS = 0.4
"""How long one measurement goes on; whole games are played, so it may be a little more."""
CHANCE = (
    Automation.ANTE_POSTING,
    Automation.BET_COLLECTION,
    Automation.BLIND_OR_STRADDLE_POSTING,
    Automation.CARD_BURNING,
    Automation.HOLE_DEALING,
    Automation.BOARD_DEALING,
    Automation.RUNOUT_COUNT_SELECTION,
    Automation.HOLE_CARDS_SHOWING_OR_MUCKING,
    Automation.HAND_KILLING,
    Automation.CHIPS_PUSHING,
    Automation.CHIPS_PULLING,
)
"""Everything that is no player's choice."""

Game = Callable[[random.Random], int]
"""Plays one random game through and returns how many pitches, plies or actions it had."""


class CheapDice:
    """The quickest dice that Python has."""

    def __init__(self, rng: random.Random) -> None:
        self._random = rng.random

    def below(self, purpose: str, n: int) -> int:
        """The next number, whatever the purpose."""
        return int(self._random() * n)


class Decks:
    """A shuffled deck for each seat, played from the top: random hands, played in random order."""

    def __init__(self, rng: random.Random) -> None:
        self._random = rng.random
        self.host: list[PlayCard] = []
        self.guest: list[PlayCard] = []

    def deal(self, state: State) -> None:
        """Shuffle anew when the engine took all 52 again: both teams' at once, by C2."""
        if state.decks[0].unseen == FULL_DECK:
            self.host, self.guest = self._shuffled(), self._shuffled()

    def _shuffled(self) -> list[PlayCard]:
        """All 52 in random order; a sort by random keys is the quickest shuffle that Python has."""
        rand = self._random
        return sorted(PLAY_CARD, key=lambda _: rand())


def dice_game(rng: random.Random) -> int:
    """Nine innings of the dice game."""
    dice, state, pitches, rand = CheapDice(rng), begin(Terms()), 0, rng.random
    both: dict[Seat, Choice] = {Seat.HOST: PASS, Seat.GUEST: PASS}
    while True:
        waiting = awaited(state)
        if isinstance(waiting, Sealed):
            state = apply(state, both, dice).state
            pitches += 1
        elif isinstance(waiting, Open):
            moves = waiting.moves
            state = apply(state, {waiting.seat: moves[int(rand() * len(moves))]}).state  # type: ignore[index] # a tuple
        else:
            return pitches


def cards_game(rng: random.Random) -> int:
    """Nine innings of the cards game, windows, steals and pinch hitters included."""
    dice, state, pitches, rand = CheapDice(rng), begin(Terms(Rules.CARDS)), 0, rng.random
    decks, both = Decks(rng), {Seat.HOST: PASS, Seat.GUEST: PASS}
    while True:
        waiting = awaited(state)
        if isinstance(waiting, Sealed):
            cards = isinstance(waiting.host, CardSet)
            chosen = {Seat.HOST: decks.host.pop(), Seat.GUEST: decks.guest.pop()} if cards else both
            state = apply(state, chosen, dice).state
            if state.decks[0].left == HAND:
                decks.deal(state)
            pitches += cards
        elif isinstance(waiting, Open):
            moves = waiting.moves
            state = apply(state, {waiting.seat: moves[int(rand() * len(moves))]}).state  # type: ignore[index] # a tuple
        else:
            return pitches


def chess_game(rng: random.Random) -> int:
    """Random legal moves to the end of a game of chess."""
    board, plies, rand = chess.Board(), 0, rng.random
    while not board.is_game_over():
        moves = list(board.legal_moves)
        board.push(moves[int(rand() * len(moves))])
        plies += 1
    return plies


def bare_chess_game(rng: random.Random) -> int:
    """The same without asking whether the game is over: until there is no move, or the fifty-move rule."""
    board, plies, rand = chess.Board(), 0, rng.random
    while board.halfmove_clock < 100 and (moves := list(board.legal_moves)):
        board.push(moves[int(rand() * len(moves))])
        plies += 1
    return plies


def poker_hand(rng: random.Random, players: int = 2) -> int:
    """Random legal actions through one hand of no-limit hold'em, two at the table as in our games."""
    hand = NoLimitTexasHoldem.create_state(CHANCE, True, 0, (1, 2), 2, (200,) * players, players)
    actions, rand = 0, rng.random
    while hand.status:
        able: list[Callable[[], object]] = [hand.fold] if hand.can_fold() else []
        able += [hand.check_or_call] if hand.can_check_or_call() else []
        if hand.can_complete_bet_or_raise_to():
            low = hand.min_completion_betting_or_raising_to_amount or 0
            high = hand.max_completion_betting_or_raising_to_amount or 0
            able += [partial(hand.complete_bet_or_raise_to, low + int(rand() * (high - low + 1)))]
        able[int(rand() * len(able))]()
        actions += 1
    return actions


def full_table_hand(rng: random.Random) -> int:
    """The same with six at the table, where the making of a hand is shared by more actions."""
    return poker_hand(rng, players=6)


def rate(game: Game, rng: random.Random) -> Callable[[], float]:
    """A measurement over whole games for about SECONDS: units a second of processor time, for machines are shared."""

    def measure() -> float:
        done, started = 0, process_time()
        while (taken := process_time() - started) < SECONDS:
            done += game(rng)
        return done / taken

    return measure


REFERENCES = (
    ("python-chess plies", chess_game, 3.0),
    ("bare python-chess plies", bare_chess_game, None),
    ("pokerkit actions", poker_hand, 20.0),
    ("six-handed pokerkit actions", full_table_hand, None),
)


def run() -> list[Figure]:
    """Both rule sets against each reference, interleaved, each pair in one run."""
    figures = []
    for name, game in (("dice", dice_game), ("cards", cards_game)):
        for other, reference, bar in REFERENCES:
            pair = compare(rate(game, random.Random(1)), rate(reference, random.Random(2)), rounds=7)
            rates = {f"{name} pitches": median(pair.ours), other: median(pair.theirs)}
            figures += [Figure(f"{what} a second", value, "/s") for what, value in rates.items()]
            figures.append(Figure(f"{name} pitches to {other}", pair.ratio, "x", at_least=bar, detail=pair.detail))
    return figures
