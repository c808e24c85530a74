"""Playing cards as numbers: 0 to 51 in canonical order (C3), 52 and 53 the jokers (C7)."""

from __future__ import annotations

RANKS = "A23456789TJQK"
SUITS = "SHDC"
NAMES: tuple[str, ...] = tuple(rank + suit for suit in SUITS for rank in RANKS)
BY_NAME: dict[str, int] = {name: card for card, name in enumerate(NAMES)}
DECK = 52
HAND = 6
FULL_DECK = (1 << DECK) - 1
"""All 52 cards as a bit mask, bit i for card i."""

JACK, QUEEN, KING = 11, 12, 13
FACES = "AJQK"


def rank(card: int) -> int:
    """Rank of a card: ace 1, jack 11, queen 12, king 13 (C1)."""
    return card % 13 + 1


def character(card: int) -> str:
    """What a drawn card does: one of A J Q K, or - for nothing (C8 to C10); -1 is nobody."""
    name = RANKS[card % 13]
    return name if card >= 0 and name in FACES else "-"


def is_joker(card: int) -> bool:
    """Whether a card of the 54 is a joker (C7)."""
    return card >= DECK


def cards_in(mask: int) -> tuple[int, ...]:
    """The cards of a bit mask, in canonical order."""
    return tuple(card for card in range(DECK) if mask >> card & 1)
