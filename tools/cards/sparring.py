"""Opponents to measure the cards levels by: simple rules, a trained strategy table, and a trained best response.

Each is made from a stream and plays a view as the levels do. None of them steals.
"""

from __future__ import annotations

from collections.abc import Callable
from math import comb
from pathlib import Path
from typing import NamedTuple

import numpy as np

from p2pball.computer import Level, Stream, choose, rookie, window
from p2pball.computer.cards_pitch import call_chances, left_after, read
from p2pball.computer.cards_play import card_pays
from p2pball.computer.cards_solver import rank_pays
from p2pball.computer.cards_table import BATTER, FUTURE_UNIT, PITCHER, Knowledge, trained
from p2pball.computer.stream import pick, weighted
from p2pball.engine.cards import rank
from p2pball.engine.moves import HOLD, PLAY_CARD, Choice, StealBase
from p2pball.engine.state import Phase
from p2pball.engine.view import View
from tools.cards.abstract import FIVE

Opponent = Callable[[View, Stream], Choice]
BUILD = Path(__file__).resolve().parent.parent.parent / ".build"
TABLE = BUILD / "cards-regret.npz"
RESPONSE = BUILD / "cards-response.npz"


def level(which: Level) -> Opponent:
    """One of the levels, without its steals."""

    def play(view: View, stream: Stream) -> Choice:
        choice = choose(view, which, stream)
        return HOLD if isinstance(choice, StealBase) else choice

    return play


def _cards(play: Callable[[View, Stream], Choice], windows: Opponent) -> Opponent:
    """A player that picks its cards so, and its windows otherwise."""

    def whole(view: View, stream: Stream) -> Choice:
        moves = view.moves()
        if len(moves) == 1:
            return moves[0]
        if view.state.phase is Phase.PITCH:
            return play(view, stream)
        choice = windows(view, stream)
        return HOLD if isinstance(choice, StealBase) else choice

    return whole


def by_chance(view: View, stream: Stream) -> Choice:
    """The all-star's windows: the pinch hitter by win chance."""
    return window.best(view)


def _high(view: View, stream: Stream) -> Choice:
    return PLAY_CARD[max(view.hand, key=rank)]


def _aware(view: View, stream: Stream) -> Choice:
    held = sorted(view.hand, key=rank)
    balls, strikes = view.state.balls, view.state.strikes
    if view.batting:
        high, low = strikes == 2, balls == 3 and strikes < 2
    else:
        high = strikes == 2 or balls == 3
        low = not high and strikes == 0 and balls < 2
    return PLAY_CARD[held[-1] if high else held[0] if low else held[len(held) // 2]]


ALWAYS_HIGH = _cards(_high, rookie.choose)
"""The highest card, always."""
COUNT_AWARE = _cards(_aware, rookie.choose)
"""The rule of the count: the pitcher high with two strikes or three balls, low with no strike and under two balls;
the batter high with two strikes, low with three balls; else the middle card."""


def hand_number(hand: list[int]) -> int:
    """The number of a rising hand among all of its size, as tools.cards.hands has it."""
    return sum(comb(value + at, at + 1) for at, value in enumerate(hand))


def strategy_table() -> Opponent:
    """The table trained by regret minimisation; it must have been made."""
    plays = np.load(TABLE)
    sizes = [plays[f"size{k}"] if k else None for k in range(7)]

    def play(view: View, stream: Stream) -> Choice:
        role = BATTER if view.batting else PITCHER
        hand = sorted(FIVE[rank(card) - 1] for card in view.hand)
        size = sizes[len(hand)]
        assert size is not None
        row = size[role, view.state.balls * 3 + view.state.strikes, hand_number(hand)]
        bucket = weighted(stream, tuple((b, float(row[b])) for b in sorted(set(hand))))
        return PLAY_CARD[pick(stream, tuple(card for card in view.hand if FIVE[rank(card) - 1] == bucket))]

    return _cards(play, by_chance)


class Response(NamedTuple):
    """A best response: what it expects of the other side, and what its own hands are worth against that."""

    shares: np.ndarray
    """How often the other side plays each rank: role, cards in the hand, count, rank."""
    know: Knowledge

    def play(self, view: View, stream: Stream) -> Choice:
        """The card that pays best, by the win chance here and now."""
        role = BATTER if view.batting else PITCHER
        held = sorted(view.hand, key=rank)
        ranks = tuple(rank(card) - 1 for card in held)
        pitch = read(view.state, self.know, role)
        other = self.shares[1 - role, len(held), pitch.count].tolist()
        chances = call_chances(pitch.shift, other, view.batting)
        lefts = left_after(pitch, self.know, ranks, role)
        pays = card_pays(rank_pays(pitch, chances, view.batting), ranks, lefts, chances)
        return PLAY_CARD[held[pays.index(max(pays))]]


def response(shares: np.ndarray, futures: list[np.ndarray]) -> Opponent:
    """A player of a best response whose hands are worth `futures` (by size: role, count, hand), in stakes."""
    base = trained().equal
    here = [[[row.tolist() for row in role] for role in size * FUTURE_UNIT] for size in futures]
    know = Knowledge(here, base.ends, base.share, base.runs)
    return _cards(Response(shares, know).play, by_chance)


def trained_response() -> Opponent:
    """The best response trained against the all-star; it must have been made."""
    saved = np.load(RESPONSE)
    return response(saved["shares"], [saved[f"size{k}"] for k in range(6)])
