"""Hands that a side may hold, drawn from the cards of its deck not seen yet."""

from __future__ import annotations

import numpy as np

from tools.cards.field import HAND, Field
from tools.cards.solver import Hands


def draw(field: Field, side: np.ndarray, many: int) -> Hands:
    """`many` hands of each row's side, every one as likely as the others."""
    rest = field.unseen(side)
    k = field.hands.shape[2]
    rows, n = rest.shape
    held = np.sort(field.hands[field.at, side], -1)
    cards = np.concatenate([held, rest[:, HAND:]], 1)
    keys = field.rng.random((rows, many, cards.shape[1]), np.float32)
    chosen = np.argpartition(keys, k - 1, -1)[:, :, :k] if cards.shape[1] > k else np.argsort(keys, -1)
    ranks = np.sort(cards[np.arange(rows)[:, None, None], chosen], -1)
    return Hands(ranks, np.ones((rows, many), np.float32))


def with_own(hands: Hands, own: np.ndarray) -> Hands:
    """The same with the hand really held put first, without weight: it must not tell the other side anything."""
    ranks = np.concatenate([np.sort(own, -1)[:, None], hands.ranks], 1)
    weight = np.concatenate([np.zeros((len(own), 1), np.float32), hands.weight], 1)
    return Hands(ranks, weight)
