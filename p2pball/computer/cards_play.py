"""How the regular and the all-star play the cards game: cards by the solver, windows by win chance."""

from __future__ import annotations

from collections.abc import Iterator

from p2pball.computer import rookie
from p2pball.computer.cards_pitch import Four, Ranks, call_chances, left_after, read
from p2pball.computer.cards_solver import Holding, card_futures, rank_pays, soft, solve
from p2pball.computer.cards_table import BATTER, PITCHER, RANKS, Knowledge, trained
from p2pball.computer.opponent import even_share, judge
from p2pball.computer.stream import Stream, weighted
from p2pball.computer.window import best as best_in_window
from p2pball.engine.cards import cards_in, rank
from p2pball.engine.moves import PLAY_CARD, Choice
from p2pball.engine.state import Phase
from p2pball.engine.view import View

HANDS = 12
"""Hands drawn for each side of a pitch."""
TURNS = 4
"""Steps of each solution."""
COLD = 0.005
"""How soft the answer of the real hand is, in stakes."""
NOTICED = 0.02
"""How sure another kind of opponent than an equal must be before it changes anything."""

Odds = tuple[tuple[Choice, float], ...]
"""Choices and how often each is made."""


def regular(view: View, stream: Stream) -> Choice:
    """The solver half of the time, else any card; its windows are the all-star's."""
    if view.state.phase is Phase.PITCH and stream.below(2):
        return rookie.choose(view, stream)
    return all_star(view, stream)


def all_star(view: View, stream: Stream) -> Choice:
    """The full solver, and steals and the pinch hitter by win chance."""
    return weighted(stream, odds(view, stream))


def odds(view: View, stream: Stream) -> Odds:
    """What the all-star would do, choice by choice; the stream draws the hands it imagines."""
    if view.state.phase is not Phase.PITCH:
        return ((best_in_window(view), 1.0),)
    if len(view.hand) == 1:
        return ((PLAY_CARD[view.hand[0]], 1.0),)
    held = sorted(view.hand, key=rank)
    return tuple(zip((PLAY_CARD[card] for card in held), card_odds(view, held, stream), strict=True))


def card_odds(view: View, held: list[int], stream: Stream) -> list[float]:
    """How often to play each of the cards held, which rise by rank."""
    state, know, role = view.state, trained().equal, BATTER if view.batting else PITCHER
    pitch = read(state, know, role)
    ranks = tuple(rank(card) - 1 for card in held)
    drawn = {}
    seed = stream.below(1 << 53)
    for who, side in ((BATTER, state.batting), (PITCHER, state.batting.other)):
        hands = imagined(state.decks[side].unseen, len(held), seed + who)
        drawn[who] = [Holding(hand, left_after(pitch, know, hand, who)) for hand in hands]
    start = tuple(know.share[who][len(held)][pitch.count] for who in (BATTER, PITCHER))
    shares = solve(pitch, drawn[BATTER], drawn[PITCHER], (start[0], start[1]), TURNS)
    chances = call_chances(pitch.shift, shares[1 - role], view.batting)
    pays = card_pays(rank_pays(pitch, chances, view.batting), ranks, left_after(pitch, know, ranks, role), chances)
    belief = judge(view)
    if belief.equal < 1 - NOTICED:
        _, loose, minded = trained()
        habit = minded.share[1 - role][len(held)][pitch.count]
        against_loose = answer(view, loose, even_share(view), ranks, role)
        against_minded = answer(view, minded, habit, ranks, role)
        answers = zip(pays, against_loose, against_minded, strict=True)
        pays = [belief.equal * a + belief.loose * b + belief.minded * c for a, b, c in answers]
    return soft(pays, COLD * pitch.stake)


def answer(view: View, know: Knowledge, other: list[float], ranks: Ranks, role: int) -> list[float]:
    """What each card pays against a side that plays ranks by `other`, and its hands so."""
    pitch = read(view.state, know, role)
    chances = call_chances(pitch.shift, other, view.batting)
    return card_pays(rank_pays(pitch, chances, view.batting), ranks, left_after(pitch, know, ranks, role), chances)


def card_pays(pays: list[float], ranks: Ranks, lefts: list[Four], chances: list[Four]) -> list[float]:
    """What each card of a hand pays, what is left of the hand included."""
    futures = card_futures(Holding(ranks, lefts), chances)
    return [pays[r] + future for r, future in zip(ranks, futures, strict=True)]


def imagined(unseen: int, k: int, seed: int) -> Iterator[Ranks]:
    """HANDS hands of k ranks out of the unseen cards, cut one after the other from shuffles of them.

    So the hands cover the deck evenly. The numbers come from a plain congruential generator:
    a stream's own are worth more than this needs.
    """
    cards = [card % RANKS for card in cards_in(unseen)]
    n, at = len(cards), 0
    for _ in range(HANDS):
        if at + k > n:
            at = 0
        for place in range(at, at + k):
            seed = (seed * 6364136223846793005 + 1442695040888963407) & 0xFFFFFFFFFFFFFFFF
            other = place + ((seed >> 33) * (n - place) >> 31)
            cards[place], cards[other] = cards[other], cards[place]
        yield tuple(sorted(cards[at : at + k]))
        at += k
