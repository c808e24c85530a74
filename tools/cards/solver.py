"""Many pitches solved at once: the equilibrium of two hidden hands that play one card each.

The decks are apart, so the hands are independent, and a pitch pays by the two ranks alone. All a
hand has to know of the other side is therefore how often it plays each rank; and an equilibrium is
two such rank shares, each the answer of all hands on one side to the other's. It is found by smooth
fictitious play: every hand answers softly (logit), the shares move a step towards the answers, and
the answers harden.
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

    `call` what each call is worth before any regard to hands; `stake` and `run` the scale of
    Futures.here and Futures.later; `third` the chance that a ball in play is the third out;
    `out` whether a strikeout is.
    """

    shift: np.ndarray
    count: np.ndarray
    call: np.ndarray
    stake: np.ndarray
    run: np.ndarray
    third: np.ndarray
    out: np.ndarray


class Hands(NamedTuple):
    """Possible hands of one side: ranks 0 to 12 rising (row, hand, card), and their weights (row, hand)."""

    ranks: np.ndarray
    weight: np.ndarray


class Side(NamedTuple):
    """One side of a solved pitch: what its hands do, and what rank pays."""

    play: np.ndarray
    """Chance of each card: row, hand, card."""
    share: np.ndarray
    """How often each rank is played: row, rank."""
    pays: np.ndarray
    """Worth of each card to its holder, the future of the hand included: row, hand, card."""
    calls: np.ndarray
    """Chance of each call when a rank is played: row, call, rank."""


class Solved(NamedTuple):
    """Both sides of a solved pitch, the batter's first, and what their hands leave."""

    sides: tuple[Side, Side]
    lefts: tuple[Left, Left]


class Left(NamedTuple):
    """What the hand left after each card is worth to its holder, by call, row, hand and card: in stakes and in runs."""

    here: np.ndarray
    later: np.ndarray


def left_after(futures: Futures, pitches: Pitches, hands: Hands, role: int, stake: float) -> Left:
    """Look up every hand that a pitch can leave, after every call; `stake` is that of the next plate appearance."""
    k = hands.ranks.shape[-1]
    left = numbers_without(hands.ranks)
    balls, strikes = pitches.count // 3, pitches.count % 3
    fresh = futures.fresh(k - 1, stake)
    same, turned = fresh[role][left], fresh[1 - role][left]
    here, later = (np.zeros((4, *left.shape), np.float32) for _ in range(2))

    def goes_on(call: int, count: np.ndarray) -> None:
        at = count[:, None, None]
        here[call], later[call] = futures.here[k - 1][role][at, left], futures.later[k - 1][role][at, left]

    def unless(call: int, ends: np.ndarray, ended: np.ndarray, count: np.ndarray) -> None:
        goes_on(call, np.where(ends, 0, count))
        here[call][ends], later[call][ends] = 0, ended[ends]

    third = pitches.third[:, None, None]
    unless(STRIKE, strikes == 2, np.where(pitches.out[:, None, None], turned, same), pitches.count + 1)
    goes_on(FOUL, np.where(strikes == 2, pitches.count, pitches.count + 1))
    unless(BALL, balls == 3, same, pitches.count + 3)
    later[IN_PLAY] = same + third * (turned - same)
    return Left(here, later)


def call_chances(shift: np.ndarray, share: np.ndarray, role: int) -> np.ndarray:
    """Chance of each call by the rank that `role` plays, the other side playing ranks by `share`: row, call, rank."""
    table = CALL_IS[shift + 1]
    return np.einsum("mcpb,mp->mcb", table, share) if role == BATTER else np.einsum("mcpb,mb->mcp", table, share)


def column(by_row: np.ndarray) -> np.ndarray:
    """A number a row, ready to meet one a card."""
    return by_row[:, None, None].astype(np.float32)


def _gather(by_rank: np.ndarray, ranks: np.ndarray) -> np.ndarray:
    rows = np.arange(len(ranks))[:, None, None]
    return by_rank[rows, ranks]


def shares(ranks: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """How often each rank is played, of plays weighted card by card: row, rank."""
    rows = len(ranks)
    flat = (np.arange(rows)[:, None, None] * RANKS + ranks).ravel()
    total = np.bincount(flat, weights.ravel(), rows * RANKS).reshape(rows, RANKS)
    return (total / total.sum(1, keepdims=True)).astype(np.float32)


def answer(
    pitches: Pitches, hands: Hands, future: np.ndarray, other: np.ndarray, role: int, heat: np.ndarray
) -> Side:
    """What one side's hands do about the other side's rank shares, softened by `heat` (row)."""
    sign = 1.0 if role == BATTER else -1.0
    calls = call_chances(pitches.shift, other, role)
    pays = _gather(sign * np.einsum("mc,mcr->mr", pitches.call, calls), hands.ranks)
    for call in range(4):
        pays = pays + _gather(calls[:, call], hands.ranks) * future[call]
    hot = np.exp((pays - pays.max(-1, keepdims=True)) / heat[:, None, None])
    play = hot / hot.sum(-1, keepdims=True)
    return Side(play, shares(hands.ranks, play * hands.weight[:, :, None]), pays, calls)


def solve(
    pitches: Pitches,
    batter: Hands,
    pitcher: Hands,
    futures: Futures,
    stake: float,
    heat: float = 0.02,
    turns: int = 24,
) -> Solved:
    """Both sides of the equilibrium; `heat` is the last softness, in stakes."""
    lefts = (
        left_after(futures, pitches, batter, BATTER, stake),
        left_after(futures, pitches, pitcher, PITCHER, stake),
    )
    future = [left.here * column(pitches.stake) + left.later * column(pitches.run) for left in lefts]
    even = [np.ones(h.ranks.shape, np.float32) * h.weight[:, :, None] for h in (batter, pitcher)]
    bats, throws = shares(batter.ranks, even[0]), shares(pitcher.ranks, even[1])
    scale = np.maximum(pitches.stake, 1e-9)
    for turn in range(turns):
        warm = heat * scale * max(1.0, 4.0 - 6.0 * turn / turns)
        pace = 2.0 / (turn + 3.0)
        bats = bats + pace * (answer(pitches, batter, future[0], throws, BATTER, warm).share - bats)
        throws = throws + pace * (answer(pitches, pitcher, future[1], bats, PITCHER, warm).share - throws)
    last = heat * scale
    sides = (
        answer(pitches, batter, future[0], throws, BATTER, last),
        answer(pitches, pitcher, future[1], bats, PITCHER, last),
    )
    return Solved(sides, lefts)


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
    for call in range(4):
        chance = _gather(side.calls[:, call], hands.ranks)
        here = here + chance * (calls[:, call][:, None, None] + left.here[call])
        later = later + chance * left.later[call]
    here, later = (side.play * here).sum(-1), (side.play * later).sum(-1)
    weight = hands.weight / hands.weight.sum(1, keepdims=True)
    mean = [(weight * part).sum(1, keepdims=True) for part in (here, later)]
    return Worth(number(hands.ranks), here - mean[0], later - mean[1])
