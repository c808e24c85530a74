"""Which kind of player the other side is, judged by the ranks it has played in this game."""

from __future__ import annotations

from functools import cache
from math import exp, log
from typing import NamedTuple

from p2pball.computer.cards_table import BATTER, PITCHER, RANKS, trained
from p2pball.engine.cards import rank
from p2pball.engine.view import View

PRIOR = 3.0
"""How much more an equal is believed in than each other kind before the first pitch, as a logarithm of odds."""
LEAST_SHARE = 0.002
"""No rank is believed to be played less often than this."""


class Belief(NamedTuple):
    """How likely each kind of opponent is; see cards_table.Trained."""

    equal: float
    loose: float
    minded: float


def judge(view: View) -> Belief:
    """How likely the other side is of each kind, by Bayes' rule over its pitches so far.

    The last card of a hand is no choice and tells nothing.
    """
    told, me = _told(), view.side
    odds = [PRIOR, 0.0, 0.0]
    for state, played in view.pitches:
        k = state.decks[0].left
        if k == 1:
            continue
        role = PITCHER if state.batting is me else BATTER
        card = played.pitcher_card if role == PITCHER else played.batter_card
        found = told[role][k][state.balls * 3 + state.strikes][rank(card) - 1]
        odds[0] += found[0]
        odds[1] += found[1]
        odds[2] += found[2]
    best = max(odds)
    parts = [exp(odd - best) for odd in odds]
    total = sum(parts)
    return Belief(*(part / total for part in parts))


@cache
def _told() -> list[list[list[list[tuple[float, float, float]]]]]:
    """What a rank tells of each kind, as a logarithm: by role, hand size, count and rank."""
    equal, loose, minded = (know.share for know in trained())
    return [
        [
            [
                [
                    (_log(equal[role][k][count][r]), _log(loose[role][k][count][r]), _log(minded[role][k][count][r]))
                    for r in range(RANKS)
                ]
                for count in range(len(equal[role][k]))
            ]
            for k in range(len(equal[role]))
        ]
        for role in (BATTER, PITCHER)
    ]


def _log(share: float) -> float:
    return log(max(share, LEAST_SHARE))


def even_share(view: View) -> list[float]:
    """How often a side that plays any card plays each rank: as often as its unseen cards have it."""
    unseen = view.state.decks[view.side.other].unseen
    total = unseen.bit_count()
    return [sum(unseen >> (suit * RANKS + r) & 1 for suit in range(4)) / total for r in range(RANKS)]
