"""Which kind of player the other side is, judged by the ranks it has played in this game."""

from __future__ import annotations

from functools import cache
from math import exp, log

from p2pball.computer.cards_table import BATTER, PITCHER, RANKS, trained
from p2pball.engine.cards import rank
from p2pball.engine.view import View

PRIOR = 1.0
"""How much an equal is believed in before the first pitch, as a logarithm of odds."""
LEAST_SHARE = 0.05
"""What a rank never seen in training counts for, as a part of an even share."""


def looseness(view: View) -> float:
    """How sure it is, 0 to 1, that the other side plays any card whatever the count.

    A trained player of either role saves some ranks for some counts; the last card of a
    hand is no choice and tells nothing.
    """
    told, odds, me = _told(), PRIOR, view.side
    for state, played in view.pitches:
        k = state.decks[0].left
        if k == 1:
            continue
        role = PITCHER if state.batting is me else BATTER
        card = played.pitcher_card if role == PITCHER else played.batter_card
        count = state.balls * 3 + state.strikes
        odds += told[role][k][count][rank(card) - 1]
    return 1 / (1 + exp(min(odds, 50.0)))


@cache
def _told() -> list[list[list[list[float]]]]:
    """What a rank tells, as a logarithm of odds for an equal: by role, hand size, count and rank."""
    return [
        [[[log(max(RANKS * part, LEAST_SHARE)) for part in ranks] for ranks in counts] for counts in sizes]
        for sizes in trained().equal.share
    ]


def even_share(view: View) -> list[float]:
    """How often a side that plays any card plays each rank: as often as its unseen cards have it."""
    unseen = view.state.decks[view.side.other].unseen
    total = unseen.bit_count()
    return [sum(unseen >> (suit * RANKS + r) & 1 for suit in range(4)) / total for r in range(RANKS)]
