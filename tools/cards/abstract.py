"""The cards game made small enough for tables: what is known is the role, the count and the own hand.

Ranks are put into buckets, characters are averaged, and the other side is met as the shares of
buckets it plays on average with so many cards left and such a count. A pitch pays what it adds to
the plate appearance, in stakes (a walk less a strikeout); a hand is played to its end.

With five buckets, counterfactual regret minimisation gives a strategy table to spar with. With a
bucket for every rank, one sweep gives the best response to a player whose shares were measured.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from p2pball.computer.steps import CONTACT
from tools.cards.hands import every, number
from tools.cards.rules import BALL, CALL_IS, FO, FOUL, IN_PLAY, RANKS, STRIKE
from tools.cards.solver import BATTER, COUNTS, PITCHER

ROLES = (BATTER, PITCHER)
FIVE = (0, 0, 0, 1, 1, 2, 2, 2, 3, 3, 4, 4, 4)
"""The five buckets: ace to 3, 4 and 5, 6 to 8, 9 and 10, and the faces."""
EVERY_RANK = tuple(range(RANKS))
SHIFT_ODDS = (22 / 169, 125 / 169, 22 / 169)
"""How often a Queen or an Ace of the pitcher, neither or both, or one of the batter's shifts a matchup (C9)."""
THIRD_OUT = 1 / 3
"""How often an out ends the half."""
HIT = 1.1
"""What a ball in play is worth above a strikeout on average, in stakes."""


class Size(NamedTuple):
    """All hands of one size."""

    left: np.ndarray
    """The number of the hand without one card of a bucket, -1 where it holds none: hand, bucket."""
    many: np.ndarray
    """How many cards of each bucket: hand, bucket."""


class Game:
    """The abstract game over a map of ranks to buckets; `ends` as in Counts, of one role and no shift."""

    def __init__(self, buckets: tuple[int, ...], ends: np.ndarray) -> None:
        self.buckets, self.n = np.array(buckets), max(buckets) + 1
        self.sizes = [self._size(k) for k in range(7)]
        self.calls = self._calls()
        self.gain, self.after, self.ended, self.turned = self._pays(ends)
        self.prior = self._prior()

    def _size(self, k: int) -> Size:
        hands = every(k, self.n)
        many = np.zeros((len(hands), self.n), np.int64)
        left = np.full((len(hands), self.n), -1)
        for card in range(k):
            np.add.at(many, (np.arange(len(hands)), hands[:, card]), 1)
            left[np.arange(len(hands)), hands[:, card]] = number(np.delete(hands, card, 1).T) if k > 1 else 0
        return Size(left, many)

    def _calls(self) -> np.ndarray:
        """Chance of each call by the batter's and the pitcher's bucket: call, batter, pitcher."""
        mean = sum(odds * CALL_IS[at] for at, odds in enumerate(SHIFT_ODDS))
        result = np.zeros((4, self.n, self.n))
        for b in range(self.n):
            for p in range(self.n):
                cells = mean[:, self.buckets == p][:, :, self.buckets == b]
                result[:, b, p] = cells.mean((1, 2))
        return result

    def _pays(self, ends: np.ndarray) -> tuple[np.ndarray, ...]:
        """By call and count: what the batter gains, the count after, whether the plate appearance ended, turned."""
        worth = ends @ np.array([0.0, 1.0, HIT])
        gain, turned = np.zeros((4, COUNTS)), np.zeros((4, COUNTS))
        after, ended = np.zeros((4, COUNTS), np.int64), np.zeros((4, COUNTS), bool)
        for count in range(COUNTS):
            balls, strikes = divmod(count, 3)
            goes = {STRIKE: count + 1, FOUL: count if strikes == 2 else count + 1, BALL: count + 3}
            over = {IN_PLAY: HIT, **({STRIKE: 0.0} if strikes == 2 else {}), **({BALL: 1.0} if balls == 3 else {})}
            for call in range(4):
                ended[call, count] = call in over
                after[call, count] = 0 if call in over else goes[call]
                gain[call, count] = (over[call] if call in over else worth[goes[call]]) - worth[count]
        turned[STRIKE] = ended[STRIKE] * THIRD_OUT
        turned[IN_PLAY] = CONTACT[0][0][FO] * THIRD_OUT
        return gain, after, ended, turned

    def _prior(self) -> np.ndarray:
        """Chance of every hand of six."""
        rng = np.random.default_rng(1)
        dealt = np.sort(self.buckets[np.argsort(rng.random((200_000, 52)), -1)[:, :6] % RANKS], -1)
        found = np.bincount(number(dealt.T), minlength=len(self.sizes[6].left)).astype(float)
        return found / found.sum()

    def pays(self, k: int, role: int, other: np.ndarray, futures: np.ndarray) -> np.ndarray:
        """What each bucket pays a hand of k: count, hand, bucket; minus infinity where it holds none.

        `other` are the other side's shares (count, bucket), `futures` what hands of k - 1 are
        worth by role, count and hand.
        """
        calls = self._chances(role, other)
        left = self.sizes[k].left
        sign = 1.0 if role == BATTER else -1.0
        total = np.broadcast_to(
            (sign * np.einsum("ctb,tc->cb", calls, self.gain))[:, None], (COUNTS, *left.shape)
        ).copy()
        for call in range(4):
            mine = futures[role][self.after[call]]
            theirs = futures[1 - role][self.after[call]]
            turned = self.turned[call][:, None]
            worth = mine + turned * (theirs - mine)
            total += calls[:, call][:, None] * worth[:, left]
        return np.where(left < 0, -np.inf, total)

    def _chances(self, role: int, other: np.ndarray) -> np.ndarray:
        """Chance of each call: count, call, own bucket."""
        table = self.calls if role == BATTER else self.calls.transpose(0, 2, 1)
        return np.einsum("tab,cb->cta", table, other)

    def best_response(self, shares: np.ndarray) -> list[np.ndarray]:
        """What hands of 0 to 5 are worth against a side that plays `shares` (role, size, count, bucket)."""
        futures = [np.zeros((2, COUNTS, 1))]
        for k in range(1, 6):
            worth = [self.pays(k, role, shares[1 - role, k], futures[-1]).max(-1) for role in ROLES]
            futures.append(np.stack(worth))
        return [worth.astype(np.float32) for worth in futures]


class Minimiser:
    """Counterfactual regret minimisation (regrets matched from above zero, later rounds counting more)."""

    def __init__(self, game: Game) -> None:
        self.game = game
        shape = [(2, COUNTS, len(size.left), game.n) for size in game.sizes]
        self.regret = [np.zeros(s) for s in shape]
        self.total = [np.zeros(s) for s in shape]
        self.rounds = 0
        self.start = np.full((2, COUNTS), 1 / COUNTS)

    def strategy(self, k: int) -> np.ndarray:
        """What the regrets say now: role, count, hand, bucket."""
        held = self.game.sizes[k].left >= 0
        good = np.where(held, self.regret[k], 0.0)
        whole = good.sum(-1, keepdims=True)
        even = held / np.maximum(held.sum(-1, keepdims=True), 1)
        return np.where(whole > 0, good / np.where(whole > 0, whole, 1), even)

    def round(self) -> None:
        """One round for both roles: where hands come to be, what their buckets pay, and the regret of it."""
        game, plays = self.game, [self.strategy(k) for k in range(7)]
        reach, shares = self._forward(plays)
        self.rounds += 1
        futures = np.zeros((2, COUNTS, 1))
        for k in range(1, 7):
            worth = []
            for role in ROLES:
                pays = game.pays(k, role, shares[1 - role, k], futures)
                pays = np.where(game.sizes[k].left < 0, 0.0, pays)
                mean = (plays[k][role] * pays).sum(-1)
                gone = np.where(game.sizes[k].left < 0, 0.0, pays - mean[..., None])
                self.regret[k][role] = np.maximum(self.regret[k][role] + gone, 0.0)
                worth.append(mean)
            self.total[k] += self.rounds * (reach[k][..., None] + 1e-12) * plays[k]
            futures = np.stack(worth)

    def _forward(self, plays: list[np.ndarray]) -> tuple[list[np.ndarray], np.ndarray]:
        """How often each hand is where, and how often each bucket is played."""
        game = self.game
        reach = [np.zeros((2, COUNTS, len(size.left))) for size in game.sizes]
        reach[6] = self.start[..., None] * game.prior
        shares = np.zeros((2, 7, COUNTS, game.n))
        for k in range(6, 0, -1):
            played = reach[k][..., None] * plays[k]
            total = played.sum(2)
            shares[:, k] = (total + 1e-9) / (total + 1e-9).sum(-1, keepdims=True)
            left = np.maximum(game.sizes[k].left, 0)
            for role in ROLES:
                calls = game._chances(role, shares[1 - role, k])
                for count in range(COUNTS):
                    for call in range(4):
                        went = played[role, count] * calls[count, call]
                        turned, to = game.turned[call, count], game.after[call, count]
                        found = np.bincount(left.ravel(), went.ravel(), len(game.sizes[k - 1].left))
                        reach[k - 1][role, to] += (1 - turned) * found
                        reach[k - 1][1 - role, to] += turned * found
        begun = reach[0][..., 0]
        self.start = begun / begun.sum(1, keepdims=True)
        return reach, shares

    def average(self, k: int) -> np.ndarray:
        """The strategy that comes out: role, count, hand, bucket."""
        held = self.game.sizes[k].left >= 0
        even = held / np.maximum(held.sum(-1, keepdims=True), 1)
        total = self.total[k] + 1e-9 * even
        return np.asarray(total / np.maximum(total.sum(-1, keepdims=True), 1e-12))
