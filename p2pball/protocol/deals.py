"""Hidden hands: the private, jointly seeded deal and its audit (fair-play 5)."""

from __future__ import annotations

import hmac

from p2pball.frozen import frozen
from p2pball.protocol.encoding import M
from p2pball.protocol.streams import Stream

DECK: tuple[str, ...] = tuple(rank + suit for suit in "SHDC" for rank in "A23456789TJQK")
"""The 52 names in canonical order (C3)."""
HAND = 6


def hand_secret(master: bytes, game: bytes, seat: str, number: int) -> bytes:
    """The secret s of a seat's hand."""
    return M(master, "hand-secret", game, seat, number)


def deal_commitment(secret: bytes, game: bytes, seat: str, number: int) -> bytes:
    """The deal commitment K that travels in the dealing round's commit."""
    return M(secret, "deal-commit", game, seat, number)


def deal(
    secret: bytes, game: bytes, seat: str, number: int, nonce: bytes, remaining: tuple[str, ...]
) -> tuple[str, ...]:
    """The six cards of a hand; `nonce` is the other seat's of the dealing round."""
    seed = M(secret, "deal", game, seat, number, nonce)
    return tuple(Stream(seed, "shuffle").shuffled(remaining)[:HAND])


@frozen
class Hand:
    """What everybody knows of a seat's present hand.

    `remaining` is the deck it was dealt from, `commitment` its K, `nonce` the other seat's
    nonce of the dealing round, `played` the cards of it turned up in completed rounds.
    """

    game: bytes
    seat: str
    number: int
    commitment: bytes
    nonce: bytes
    remaining: tuple[str, ...] = DECK
    played: tuple[str, ...] = ()

    def with_played(self, card: str) -> Hand:
        """This hand after one more of its cards was turned up."""
        return Hand(
            self.game, self.seat, self.number, self.commitment, self.nonce, self.remaining, (*self.played, card)
        )

    @property
    def last_card(self) -> bool:
        """Whether the next card played is the hand's last, so that the audit is due with it."""
        return len(self.played) == HAND - 1

    def after(self, commitment: bytes, nonce: bytes) -> Hand:
        """The hand dealt next, this one played out: from what remains, or all 52 when under six do."""
        rest = tuple(card for card in self.remaining if card not in self.played)
        remaining = rest if len(rest) >= HAND else DECK
        return Hand(self.game, self.seat, self.number + 1, commitment, nonce, remaining)

    def cards(self, secret: bytes) -> tuple[str, ...]:
        """The six cards that a secret deals, in the order dealt."""
        return deal(secret, self.game, self.seat, self.number, self.nonce, self.remaining)

    def audit(self, secret: bytes, *more: str) -> bool:
        """Whether a secret opens K, and every card played from this hand (and `more`) was in it."""
        committed = deal_commitment(secret, self.game, self.seat, self.number)
        if not hmac.compare_digest(committed, self.commitment):
            return False
        played = (*self.played, *more)
        return len(set(played)) == len(played) and set(played) <= set(self.cards(secret))
