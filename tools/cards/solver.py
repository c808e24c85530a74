"""Many pitches solved at once: the equilibrium of two hidden hands that play one card each.

The decks are apart, so the hands are independent, and a pitch pays by the two ranks alone. All a
hand has to know of the other side is therefore how often it plays each rank; and an equilibrium is
two such rank shares, each the answer of all hands on one side to the other's. It is found by smooth
fictitious play: every hand answers softly (logit), the shares move a step towards the answers, and
the answers harden.

Arrays of cards have the card first (card, row, hand): numpy adds up a first axis quickly.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from tools.cards.hands import SIZES, numbers_without
from tools.cards.rules import BALL, CALL_IS, FOUL, IN_PLAY, RANKS, STRIKE

BATTER, PITCHER = 0, 1
COUNTS = 12
FRESH = 0
"""The count 0-0; a count is balls * 3 + strikes."""
REFRESH = 4
"""Turns between two looks at how the calls weigh the hands that are left: that changes slowly."""


Futures = list[np.ndarray]
"""What a hand left after a pitch is worth to its holder, in stakes, by hand size: role, count, hand number."""


def no_futures() -> Futures:
    """Every hand as good as the others."""
    return [np.zeros((2, COUNTS, size), np.float32) for size in SIZES[:6]]


class Pitches(NamedTuple):
    """Situations before a pitch, one a row; worths are the batting side's.

    `call` what each call is worth before any regard to hands (row, call); `stake` and `run` the
    scale of futures within this plate appearance and after it; `third` the chance that a ball in
    play is the third out; `out` whether a strikeout is.
    """

    shift: np.ndarray
    count: np.ndarray
    call: np.ndarray
    stake: np.ndarray
    run: np.ndarray
    third: np.ndarray
    out: np.ndarray


class Hands(NamedTuple):
    """Possible hands of one side: ranks 0 to 12 rising (card, row, hand), and their weights (row, hand)."""

    ranks: np.ndarray
    weight: np.ndarray

    @property
    def places(self) -> np.ndarray:
        """Where each card finds its rank in a flattened array of row and rank."""
        return self.ranks + (np.arange(self.ranks.shape[1]) * RANKS)[:, None]


class Side(NamedTuple):
    """One side of a solved pitch: what its hands do, and what the calls are by rank."""

    play: np.ndarray
    """Chance of each card: card, row, hand."""
    share: np.ndarray
    """How often each rank is played: row, rank."""
    calls: np.ndarray
    """Chance of each call when a rank is played: call, row, rank."""


def _column(by_row: np.ndarray) -> np.ndarray:
    return by_row[:, None].astype(np.float32)


def left_after(futures: Futures, pitches: Pitches, hands: Hands, role: int, stake: float) -> np.ndarray:
    """What the hand left is worth: call, card, row, hand; `stake` is that of the next plate appearance."""
    k = len(hands.ranks)
    left = numbers_without(hands.ranks)
    balls, strikes = pitches.count // 3, pitches.count % 3
    table = futures[k - 1]
    after = stake * _column(pitches.run)
    same, turned = after * table[role, FRESH][left], after * table[1 - role, FRESH][left]

    def goes_on(count: np.ndarray) -> np.ndarray:
        return np.asarray(_column(pitches.stake) * table[role][count[:, None], left])

    def unless(ends: np.ndarray, ended: np.ndarray, count: np.ndarray) -> np.ndarray:
        return np.where(ends[:, None], ended, goes_on(np.where(ends, 0, count)))

    worth: list[np.ndarray] = [left] * 4
    worth[STRIKE] = unless(strikes == 2, np.where(pitches.out[:, None], turned, same), pitches.count + 1)
    worth[FOUL] = goes_on(np.where(strikes == 2, pitches.count, pitches.count + 1))
    worth[BALL] = unless(balls == 3, same, pitches.count + 3)
    worth[IN_PLAY] = same + _column(pitches.third) * (turned - same)
    return np.stack(worth).astype(np.float32)


def call_chances(shift: np.ndarray, share: np.ndarray, role: int) -> np.ndarray:
    """Chance of each call by the rank that `role` plays, the other side playing ranks by `share`: call, row, rank."""
    table = CALL_IS[shift + 1]
    if role == BATTER:
        return np.einsum("mcpb,mp->cmb", table, share, optimize=True)
    return np.einsum("mcpb,mb->cmp", table, share, optimize=True)


def shares(places: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """How often each rank is played, of plays weighted card by card: row, rank."""
    rows = places.shape[1]
    total = np.bincount(places.ravel(), weights.ravel(), rows * RANKS).reshape(rows, RANKS)
    return (total / total.sum(1, keepdims=True)).astype(np.float32)


class Answerer:
    """One side's hands in one batch of pitches, ready to answer the other side's rank shares."""

    def __init__(self, pitches: Pitches, hands: Hands, future: np.ndarray, role: int) -> None:
        self.pitches, self.hands, self.future, self.role = pitches, hands, future, role
        self.places = hands.places
        self.call = (pitches.call if role == BATTER else -pitches.call).astype(np.float32).T[:, :, None]
        self.left = np.zeros(self.places.shape, np.float32)

    def pays(self, calls: np.ndarray) -> np.ndarray:
        """What each rank pays before any regard to hands: row, rank."""
        return np.asarray((calls * self.call).sum(0))

    def look(self, calls: np.ndarray) -> None:
        """Weigh what the hands leave by these call chances."""
        self.left = sum(c.ravel()[self.places] * f for c, f in zip(calls, self.future, strict=True))

    def answer(self, other: np.ndarray, heat: np.ndarray, look: bool) -> Side:
        """What the hands do about rank shares, softened by `heat` (row)."""
        calls = call_chances(self.pitches.shift, other, self.role)
        if look:
            self.look(calls)
        pays = self.pays(calls).ravel()[self.places] + self.left
        pays -= pays.max(0)
        pays *= _column(1.0 / heat)
        play = np.exp(pays, out=pays)
        play /= play.sum(0)
        return Side(play, shares(self.places, play * self.hands.weight), calls)


def solve(
    pitches: Pitches,
    hands: tuple[Hands, Hands],
    futures: Futures,
    stake: float,
    start: tuple[np.ndarray, np.ndarray],
    heat: float = 0.01,
    turns: int = 14,
) -> tuple[Side, Side]:
    """Both sides of the equilibrium from a first guess at the shares; `heat` is the last softness, in stakes."""
    batter, pitcher = (
        Answerer(pitches, hands[role], left_after(futures, pitches, hands[role], role, stake), role)
        for role in (BATTER, PITCHER)
    )
    bats, throws = start
    scale = heat * np.maximum(pitches.stake, 1e-9)
    for turn in range(turns):
        warm = scale * max(1.0, 4.0 - 6.0 * turn / turns)
        pace = 2.0 / (turn + 4.0)
        look = turn % REFRESH == 0
        bats = bats + pace * (batter.answer(throws, warm, look).share - bats)
        throws = throws + pace * (pitcher.answer(bats, warm, look).share - throws)
    return batter.answer(throws, scale, True), pitcher.answer(bats, scale, True)
