"""Hands that a side may hold, drawn from the cards of its deck not seen yet."""

from __future__ import annotations

import numpy as np

from tools.cards.field import HAND, Field
from tools.cards.solver import Hands


def draw(field: Field, side: np.ndarray, many: int) -> Hands:
    """`many` hands of each row's side, every one as likely as the others.

    They are cut from shuffles of the unseen cards, one after the other, so that they cover
    the deck evenly: fewer of them tell as much.
    """
    rest = field.unseen(side)
    k = field.hands.shape[2]
    cards = np.concatenate([field.hands[field.at, side], rest[:, HAND:]], 1)
    rows, n = cards.shape
    a_shuffle = n // k
    shuffles = -(-many // a_shuffle)
    order = np.argsort(field.rng.random((rows, shuffles, n), np.float32), -1)[:, :, : a_shuffle * k]
    chosen = order.reshape(rows, shuffles * a_shuffle, k)[:, :many]
    ranks = np.sort(cards[field.at[:, None, None], chosen], -1)
    return Hands(ranks.transpose(2, 0, 1), np.ones((rows, many), np.float32))


def with_own(hands: Hands, own: np.ndarray) -> Hands:
    """The same with the hand really held put first, without weight: it must not tell the other side anything."""
    ranks = np.concatenate([np.sort(own, -1).T[:, :, None], hands.ranks], 2)
    weight = np.concatenate([np.zeros((len(own), 1), np.float32), hands.weight], 1)
    return Hands(ranks, weight)
