"""The all-star in the small game: its own code, over habits and worths trained there as train.py trains them."""

from __future__ import annotations

from itertools import combinations

import numpy as np

from p2pball.computer.cards_pitch import Pitch, Ranks, call_chances, left_after
from p2pball.computer.cards_play import COLD, TURNS, card_pays
from p2pball.computer.cards_solver import Holding, rank_pays, soft, solve
from p2pball.computer.cards_table import BATTER, FUTURE_UNIT, PITCHER, SIZES, Knowledge
from tools.cards.small import (
    CARDS,
    CHANCES,
    COPIES,
    COUNTS,
    HIT,
    OUT,
    RANKS,
    WALKED,
    Node,
    Pairs,
    outcome,
)
from tools.cards.sparring import hand_number

ROLES = (BATTER, PITCHER)
STAKE = WALKED - OUT
Plays = list[np.ndarray]
"""How often each hand of either role plays each rank: role, then hand and rank."""


def pitch_at(balls: int, strikes: int) -> Pitch:
    """The situation at a count; what comes after the plate appearance is worth nothing here."""
    struck = OUT if strikes == 2 else COUNTS[balls, strikes + 1]
    foul = COUNTS[balls, min(strikes + 1, 2)]
    ball = WALKED if balls == 3 else COUNTS[balls + 1, strikes]
    return Pitch(0, balls * 3 + strikes, (struck, foul, HIT, ball), STAKE, 0.0, 0.0, False)


def unseen_hands(history: Pairs, role: int) -> list[Ranks]:
    """Every hand that a role may hold after a history, as often as it may be dealt; ranks as in Pitch."""
    deck = [rank for rank in range(len(RANKS)) for _ in range(COPIES)]
    for pair in history:
        deck.remove(pair[role])
    return [tuple(RANKS[rank] - 1 for rank in hand) for hand in combinations(deck, CARDS - len(history))]


class Star:
    """What training learns of the small game, and the all-star's play by it."""

    def __init__(self) -> None:
        even = np.zeros(13)
        even[[rank - 1 for rank in RANKS]] = 1 / len(RANKS)
        self.share = np.tile(even, (2, CARDS + 1, 12, 1))
        self.know = self._knowledge()

    def _knowledge(self) -> Knowledge:
        """What every hand is worth to a best response to the habits, one backward sweep."""
        futures = [[[[0.0]] * 12] * 2]
        share: list[list[list[list[float]]]] = self.share.tolist()
        know = Knowledge(futures, [], share, [])
        for k in range(1, CARDS):
            hands = set(combinations([rank - 1 for rank in RANKS for _ in range(COPIES)], k))
            table = [[[0.0] * SIZES[k] for _ in range(12)] for _ in ROLES]
            for role in ROLES:
                for balls, strikes in COUNTS:
                    pitch = pitch_at(balls, strikes)
                    here = COUNTS[balls, strikes] if role == BATTER else -COUNTS[balls, strikes]
                    for hand in hands:
                        best = max(self._pays(know, pitch, hand, role, share[1 - role][k][pitch.count]))
                        table[role][pitch.count][hand_number(list(hand))] = (best - here) / STAKE * FUTURE_UNIT
            futures.append(table)
        return know

    @staticmethod
    def _pays(know: Knowledge, pitch: Pitch, hand: Ranks, role: int, other: list[float]) -> list[float]:
        chances = call_chances(0, other, role == BATTER)
        pays = rank_pays(pitch, chances, role == BATTER)
        return card_pays(pays, hand, left_after(pitch, know, hand, role), chances)

    def plays(self, node: Node) -> Plays:
        """What all hands of both roles do at a history."""
        at = outcome(node.history)
        assert isinstance(at, tuple)
        pitch, k = pitch_at(*at), CARDS - len(node.history)
        imagined = [
            [Holding(hand, left_after(pitch, self.know, hand, role)) for hand in unseen_hands(node.history, role)]
            for role in ROLES
        ]
        start = [self.know.share[role][k][pitch.count] for role in ROLES]
        shares = solve(pitch, imagined[BATTER], imagined[PITCHER], (start[BATTER], start[PITCHER]), TURNS)
        plays = [np.zeros(node.held[role].shape) for role in ROLES]
        for role in ROLES:
            for number in np.flatnonzero(node.alive[role]):
                cards = [rank for rank in range(len(RANKS)) for _ in range(node.held[role][number, rank])]
                hand = tuple(RANKS[rank] - 1 for rank in cards)
                pays = self._pays(self.know, pitch, hand, role, shares[1 - role])
                np.add.at(plays[role][number], cards, soft(pays, COLD * STAKE))
        return plays

    def learn(self, root: Node, rounds: int) -> None:
        """Play against itself, average the habits, and sweep anew; the tree is left with the last play."""
        for number in range(rounds):
            seen = np.zeros(self.share.shape)
            self._walk(root, [CHANCES, CHANCES], seen)
            total = seen.sum(-1, keepdims=True)
            found = np.where(total > 0, seen / np.where(total > 0, total, 1), self.share)
            self.share += (found - self.share) / (number + 2)
            self.know = self._knowledge()

    def _walk(self, node: Node, reach: Plays, seen: np.ndarray) -> None:
        at = outcome(node.history)
        assert isinstance(at, tuple)
        node.total = self.plays(node)
        for role in ROLES:
            played = (reach[role][:, None] * node.total[role]).sum(0) * reach[1 - role].sum()
            np.add.at(seen[role, CARDS - len(node.history), at[0] * 3 + at[1]], [r - 1 for r in RANKS], played)
        for pair, after in node.next.items():
            goes = [reach[role] * node.total[role][:, pair[role]] for role in ROLES]
            if isinstance(after, Node):
                self._walk(after, goes, seen)
