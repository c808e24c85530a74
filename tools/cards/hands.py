"""Hands as sets of ranks with repeats, each size numbered from zero without a gap; cards along the first axis."""

from __future__ import annotations

from itertools import combinations_with_replacement
from math import comb

import numpy as np

from tools.cards.rules import RANKS

SIZES = tuple(comb(RANKS + k - 1, k) for k in range(7))
"""How many different hands of k ranks there are."""

CHOOSE = np.array([[comb(n, k) for k in range(8)] for n in range(RANKS + 7)], dtype=np.int32)


def _at(hands: np.ndarray) -> np.ndarray:
    return np.arange(len(hands)).reshape(-1, *(1,) * (hands.ndim - 1))


def number(hands: np.ndarray) -> np.ndarray:
    """The numbers of hands whose ranks (0 to 12) stand in rising order along the first axis."""
    at = _at(hands)
    return CHOOSE[hands + at, at + 1].sum(0)


def numbers_without(hands: np.ndarray) -> np.ndarray:
    """For each card of rising hands, the number of the hand that is left without it; same shape."""
    at = _at(hands)
    stay, shifted = CHOOSE[hands + at, at + 1], CHOOSE[hands + at - 1, at]
    before = np.cumsum(stay, 0) - stay
    after = shifted[::-1].cumsum(0)[::-1] - shifted
    return before + after


def every(k: int, ranks: int = RANKS) -> np.ndarray:
    """All hands of k ranks in the order of their numbers: hand, card."""
    found = list(combinations_with_replacement(range(ranks), k))
    hands = np.array(found, dtype=np.int64).reshape(len(found), k)
    return hands[np.argsort(number(hands.T))] if k else hands
