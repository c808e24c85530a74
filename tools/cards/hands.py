"""Hands as sets of ranks with repeats, each size numbered from zero without a gap."""

from __future__ import annotations

from math import comb

import numpy as np

from tools.cards.rules import RANKS

SIZES = tuple(comb(RANKS + k - 1, k) for k in range(7))
"""How many different hands of k ranks there are."""

CHOOSE = np.array([[comb(n, k) for k in range(8)] for n in range(RANKS + 7)], dtype=np.int32)


def number(hands: np.ndarray) -> np.ndarray:
    """The numbers of hands whose ranks (0 to 12) stand in rising order along the last axis."""
    k = hands.shape[-1]
    at = np.arange(k)
    return CHOOSE[hands + at, at + 1].sum(-1)


def numbers_without(hands: np.ndarray) -> np.ndarray:
    """For each card of rising hands, the number of the hand that is left without it; same shape."""
    k = hands.shape[-1]
    at = np.arange(k)
    stay, shifted = CHOOSE[hands + at, at + 1], CHOOSE[hands + at - 1, at]
    before = np.cumsum(stay, -1) - stay
    after = shifted[..., ::-1].cumsum(-1)[..., ::-1] - shifted
    return before + after
