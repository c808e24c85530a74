"""What must come of a booked state: plays of a full count, deals, draws, new halves and the end (B11)."""

from __future__ import annotations

from functools import cache

from p2pball.engine.cards import DECK, is_joker
from p2pball.engine.events import BatterCameUp, Event, GameEnded, HalfBegan, HandsDealt, Outcome
from p2pball.engine.plays import Dice, make_play
from p2pball.engine.state import Phase, State
from p2pball.engine.terms import Rules, Side

_CHOOSE, _COUNT_FULL, _BATTER_DUE = Phase.CHOOSE, Phase.COUNT_FULL, Phase.BATTER_DUE
_NOTHING_FOLLOWS = frozenset((Phase.START, Phase.ROLL, Phase.CONTACT, Phase.OVER))
_AT_REST = frozenset((Phase.WINDOW, Phase.PITCH, Phase.KING, Phase.STEAL2, Phase.STEAL3, Phase.KING2, Phase.KING3))
_CARDS = Rules.CARDS
_DEALT, _WON = HandsDealt(), GameEnded(Side.HOME)


def follow_up(state: State, dice: Dice) -> Event | None:
    """The next fact that must come of a state, or None at rest (B11)."""
    phase = state.phase
    if phase is _CHOOSE:
        return _WON if state.batting and _walked_off(state) else None  # a wild pitch can bring in the last run
    if phase in _AT_REST:
        return None if state.decks[0].left else _DEALT  # C2
    if phase in _NOTHING_FOLLOWS:
        return None
    if phase is _COUNT_FULL:
        return make_play(state, Outcome.WALK if state.balls == 4 else Outcome.STRIKEOUT, dice)  # C5
    in_cards = state.terms.rules is _CARDS
    if in_cards and not state.decks[0].left:
        return _DEALT
    if state.batting and _walked_off(state):
        return _WON
    if phase is _BATTER_DUE:
        if state.batter >= DECK:
            return make_play(state, Outcome.WALK, dice, joker=True)  # C7
        batting = state.batting
        return _up(batting, state.slots[batting], dice.below("batter-character", 54) if in_cards else None)
    return _next_half(state, dice)


def _walked_off(state: State) -> bool:
    """Whether the home team, at bat, leads in the last or an extra inning (B3)."""
    visitors, home = state.runs
    return home > visitors and state.inning >= state.terms.innings and state.terms.walk_off


@cache
def _up(side: Side, slot: int, character: int | None) -> BatterCameUp:
    """One of the 990 ways to come up."""
    return BatterCameUp(side, slot, character)


def _next_half(state: State, dice: Dice) -> Event:
    """The half or the end that follows a third out (B1 to B3)."""
    terms, (visitors, home) = state.terms, state.runs
    last = state.inning >= terms.innings
    if not state.batting and state.inning > 0:
        if last and terms.walk_off and home > visitors:
            return _WON
        return _half(state, state.inning, Side.HOME, dice)
    if last and visitors != home:
        return GameEnded(Side.HOME if home > visitors else Side.VISITORS)
    if state.inning >= terms.innings + terms.extra_innings:
        return GameEnded(None)
    return _half(state, state.inning + 1, Side.VISITORS, dice)


def _half(state: State, inning: int, side: Side, dice: Dice) -> HalfBegan:
    if not state.in_cards:
        return HalfBegan(inning, side, None)
    drawn = dice.below("pitcher-character", 54)
    while is_joker(drawn):
        drawn = dice.below("pitcher-character", 54)  # C7
    return HalfBegan(inning, side, drawn)
