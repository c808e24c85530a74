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

from tools.cards.hands import SIZES, number, numbers_without
from tools.cards.rules import BALL, CALL_IS, FOUL, IN_PLAY, RANKS, STRIKE

BATTER, PITCHER = 0, 1
COUNTS = 12
FRESH = 0
"""The count 0-0; a count is balls * 3 + strikes."""
REFRESH = 4
"""Turns between two looks at how the calls weigh the hands that are left: that changes slowly."""


class Futures(NamedTuple):
    """What a hand left after a pitch is worth to its holder, above an average one.

    By hand size: arrays of role, count, hand number. `here` is what it does for the present plate
    appearance in stakes (a walk less a strikeout), `later` for what follows, in runs.
    """

    here: list[np.ndarray]
    later: list[np.ndarray]

    @classmethod
    def nothing(cls) -> Futures:
        """Every hand as good as the others."""
        return cls(
            [np.zeros((2, COUNTS, size), np.float32) for size in SIZES[:6]],
            [np.zeros((2, COUNTS, size), np.float32) for size in SIZES[:6]],
        )

    def fresh(self, k: int, stake: float) -> np.ndarray:
        """Worth in runs of a hand of k when a new batter comes up, by role and hand."""
        return stake * self.here[k][:, FRESH] + self.later[k][:, FRESH]


class Pitches(NamedTuple):
    """Situations before a pitch, one a row; worths are the batting side's.

    `call` what each call is worth before any regard to hands (row, call); `stake` and `run` the
    scale of Futures.here and Futures.later; `third` the chance that a ball in play is the third
    out; `out` whether a strikeout is.
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


class Left(NamedTuple):
    """What the hand left after each card is worth to its holder, by call, card, row and hand: in stakes and in runs."""

    here: np.ndarray
    later: np.ndarray

    def runs(self, pitches: Pitches) -> np.ndarray:
        """Both on the scale of the pitches' worths."""
        return self.here * _column(pitches.stake) + self.later * _column(pitches.run)


class Solved(NamedTuple):
    """Both sides of a solved pitch, the batter's first, and what their hands leave."""

    sides: tuple[Side, Side]
    lefts: tuple[Left, Left]


def _column(by_row: np.ndarray) -> np.ndarray:
    return by_row[:, None].astype(np.float32)


def left_after(futures: Futures, pitches: Pitches, hands: Hands, role: int, stake: float) -> Left:
    """Look up every hand that a pitch can leave, after every call; `stake` is that of the next plate appearance."""
    k = len(hands.ranks)
    left = numbers_without(hands.ranks)
    balls, strikes = pitches.count // 3, pitches.count % 3
    fresh = futures.fresh(k - 1, stake)
    same, turned = fresh[role][left], fresh[1 - role][left]
    here, later = (np.zeros((4, *left.shape), np.float32) for _ in range(2))

    def goes_on(call: int, count: np.ndarray) -> None:
        at = count[:, None]
        here[call], later[call] = futures.here[k - 1][role][at, left], futures.later[k - 1][role][at, left]

    def unless(call: int, ends: np.ndarray, ended: np.ndarray, count: np.ndarray) -> None:
        goes_on(call, np.where(ends, 0, count))
        here[call][:, ends], later[call][:, ends] = 0, ended[:, ends]

    third = _column(pitches.third)
    unless(STRIKE, strikes == 2, np.where(pitches.out[:, None], turned, same), pitches.count + 1)
    goes_on(FOUL, np.where(strikes == 2, pitches.count, pitches.count + 1))
    unless(BALL, balls == 3, same, pitches.count + 3)
    later[IN_PLAY] = same + third * (turned - same)
    return Left(here, later)


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
) -> Solved:
    """Both sides of the equilibrium from a first guess at the shares; `heat` is the last softness, in stakes."""
    lefts = [left_after(futures, pitches, hands[role], role, stake) for role in (BATTER, PITCHER)]
    batter, pitcher = (Answerer(pitches, hands[r], lefts[r].runs(pitches), r) for r in (BATTER, PITCHER))
    bats, throws = start
    scale = heat * np.maximum(pitches.stake, 1e-9)
    for turn in range(turns):
        warm = scale * max(1.0, 4.0 - 6.0 * turn / turns)
        pace = 2.0 / (turn + 4.0)
        look = turn % REFRESH == 0
        bats = bats + pace * (batter.answer(throws, warm, look).share - bats)
        throws = throws + pace * (pitcher.answer(bats, warm, look).share - throws)
    sides = batter.answer(throws, scale, True), pitcher.answer(bats, scale, True)
    return Solved(sides, (lefts[0], lefts[1]))


class Worth(NamedTuple):
    """What hands before a pitch turned out to be worth to their holder, above the average: row, hand."""

    number: np.ndarray
    here: np.ndarray
    later: np.ndarray


def worths(pitches: Pitches, hands: Hands, solved: Solved, role: int) -> Worth:
    """Back up the solved pitch into the worth of every hand, in stakes and in runs."""
    side, left = solved.sides[role], solved.lefts[role]
    sign = 1.0 if role == BATTER else -1.0
    calls = pitches.call * (sign / np.maximum(pitches.stake, 1e-9))[:, None]
    here = later = np.zeros(hands.ranks.shape, np.float32)
    places = hands.places
    for call in range(4):
        chance = side.calls[call].ravel()[places]
        here = here + chance * (_column(calls[:, call]) + left.here[call])
        later = later + chance * left.later[call]
    here, later = (side.play * here).sum(0), (side.play * later).sum(0)
    weight = hands.weight / hands.weight.sum(1, keepdims=True)
    mean = [(weight * part).sum(1, keepdims=True) for part in (here, later)]
    return Worth(number(hands.ranks), here - mean[0], later - mean[1])
