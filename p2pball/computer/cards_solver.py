"""The equilibrium of one pitch, in plain Python: two hidden hands that play one card each.

The decks are apart, so the hands are independent and a pitch pays by the two ranks alone. All a hand
has to know of the other side is how often it plays each rank. The equilibrium is two such rank
shares, each the answer of all hands on one side to the other's, found by smooth fictitious play:
every hand answers softly (logit), the shares are the mean of all answers so far, the answers harden.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp
from typing import NamedTuple

from p2pball.computer.cards_pitch import Four, Pitch, Ranks, call_chances
from p2pball.computer.cards_table import RANKS

HEAT = 0.01
"""The last softness of the answers of hands that are only imagined, in stakes."""
GUESS = 4
"""As many answers as the first guess counts for: it was trained, and the few hands drawn are noise beside it."""
REFRESH = 3
"""Turns between two looks at how the calls weigh the hands that are left: that changes slowly."""


class Holding(NamedTuple):
    """A hand that a side may have, and what is left of it after each card and call."""

    ranks: Ranks
    lefts: list[Four]


def rank_pays(pitch: Pitch, chances: list[Four], batting: bool) -> list[float]:
    """What each rank pays its side before any regard to hands."""
    strike, foul, hit, ball = pitch.calls if batting else (-call for call in pitch.calls)
    return [a * strike + b * foul + c * hit + d * ball for a, b, c, d in chances]


def card_futures(holding: Holding, chances: list[Four]) -> list[float]:
    """What is left after each card, the calls weighed by their chances."""
    futures = []
    for rank, (strike, foul, hit, ball) in zip(holding.ranks, holding.lefts, strict=True):
        a, b, c, d = chances[rank]
        futures.append(a * strike + b * foul + c * hit + d * ball)
    return futures


def soft(pays: Sequence[float], heat: float) -> list[float]:
    """How often each choice is made: the better it pays the more often, the colder the more so."""
    best = max(pays)
    hot = [exp((pay - best) / heat) for pay in pays]
    total = sum(hot)
    return [h / total for h in hot]


class _Side:
    """One side's possible hands, answering."""

    def __init__(self, pitch: Pitch, holdings: list[Holding], batting: bool) -> None:
        self.pitch, self.holdings, self.batting = pitch, holdings, batting
        self.cold = 0.0
        self.hands: list[list[tuple[int, float]]] = []

    def answer(self, other: list[float], heat: float, look: bool) -> list[float]:
        """The rank shares that answer the other side's; a new `heat` counts from the next look."""
        chances = call_chances(self.pitch.shift, other, self.batting)
        pays = rank_pays(self.pitch, chances, self.batting)
        if look:
            self._look(chances, 1.0 / heat)
        top = max(pays)
        hot = [exp((pay - top) * self.cold) for pay in pays]
        share = [0.0] * RANKS
        for hand in self.hands:
            weights = [hot[rank] * weight for rank, weight in hand]
            each = 1.0 / (sum(weights) or 1.0)
            for (rank, _), weight in zip(hand, weights, strict=True):
                share[rank] += weight * each
        scale = 1.0 / len(self.hands)
        return [s * scale for s in share]

    def _look(self, chances: list[Four], cold: float) -> None:
        """Weigh every card by the hand it leaves: exp(a + b) is exp(a) times exp(b), so the ranks' part can wait."""
        self.cold = cold
        self.hands = []
        for holding in self.holdings:
            futures = card_futures(holding, chances)
            top = max(futures)
            self.hands.append([(r, exp((f - top) * cold)) for r, f in zip(holding.ranks, futures, strict=True)])


def solve(
    pitch: Pitch,
    batter: list[Holding],
    pitcher: list[Holding],
    start: tuple[list[float], list[float]],
    turns: int,
) -> tuple[list[float], list[float]]:
    """The rank shares of the batter's and the pitcher's side, from a first guess at them."""
    bats, throws = start
    sides = _Side(pitch, batter, True), _Side(pitch, pitcher, False)
    for turn in range(turns):
        heat = HEAT * pitch.stake * max(1.0, 4.0 - 6.0 * turn / turns)
        pace, look = 1.0 / (turn + 1 + GUESS), turn % REFRESH == 0
        bats = _towards(bats, sides[0].answer(throws, heat, look), pace)
        throws = _towards(throws, sides[1].answer(bats, heat, look), pace)
    return bats, throws


def _towards(old: list[float], new: list[float], pace: float) -> list[float]:
    return [a + pace * (b - a) for a, b in zip(old, new, strict=True)]
