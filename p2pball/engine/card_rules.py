"""The cards game: matchups, contact, characters, steals and the windows (rules section 3)."""

from __future__ import annotations

from functools import cache

from p2pball.engine.cards import DECK, JACK, KING, QUEEN, rank
from p2pball.engine.events import Call, CardsPlayed, ContactRolled, Event, Outcome, StealSettled
from p2pball.engine.moves import STEALS, Choice
from p2pball.engine.plays import Bases, Dice, die, make_play
from p2pball.engine.state import Phase, State

ACE = 1
STEAL_NEEDS = {2: 4, 3: 5}
"""Lowest safe die by base (C12); one more by the King's window (C13)."""
PICKOFF_NEEDS = 5
PINCH_BONUS = 2


_WINDOW, _PITCH, _IN_PLAY = Phase.WINDOW, Phase.PITCH, Call.IN_PLAY
_HITS = {4: Outcome.DOUBLE, 5: Outcome.TRIPLE}


def call(difference: int) -> Call:
    """What a pitch comes to, by batter's value minus pitcher's (C4)."""
    if difference <= -4:
        return Call.STRIKE
    if difference <= 0:
        return Call.FOUL
    return Call.IN_PLAY if difference <= 2 else Call.BALL


_CARD_BONUS = tuple(int(card < DECK and rank(card) in (QUEEN, ACE)) for card in range(DECK + 3))
_ROLL_BONUS = tuple(int(card < DECK and rank(card) in (JACK, ACE)) for card in range(DECK + 3))
_IS_KING = tuple(card < DECK and rank(card) == KING for card in range(DECK + 3))
"""By character: the 52, both jokers and, last so that -1 finds it, nobody."""


def contact(pitcher_total: int, batter_total: int) -> Outcome:
    """What a ball in play comes to, by both rolls with their bonuses (C6)."""
    if pitcher_total >= batter_total:
        return Outcome.FLY_OUT
    return Outcome.HOME_RUN if batter_total >= 6 else _HITS.get(batter_total, Outcome.SINGLE)


def card_bonus(character: int) -> int:
    """What a character adds to its own card (C9); -1 is nobody."""
    return _CARD_BONUS[character]


def roll_bonus(character: int) -> int:
    """What a character adds to its own roll (C8); -1 is nobody."""
    return _ROLL_BONUS[character]


def is_king(character: int) -> bool:
    """Whether a character is a King (C10)."""
    return _IS_KING[character]


def pitch(state: State, pitcher_card: int, batter_card: int, dice: Dice) -> list[Event]:
    """One pitch: both cards, and the contact and its play when the ball is hit (C4, C6)."""
    pinch = PINCH_BONUS if state.pinch_up else 0
    played = _played(pitcher_card, batter_card, _CARD_BONUS[state.pitcher], _CARD_BONUS[state.batter] + pinch)
    if played.call is not _IN_PLAY:
        return [played]
    pitcher_die, batter_die = die(dice, "contact"), die(dice, "contact")
    rolled = _rolled(pitcher_die, batter_die, roll_bonus(state.pitcher), roll_bonus(state.batter) + pinch)
    outcome = contact(rolled.pitcher_total, rolled.batter_total)
    return [played, rolled, make_play(state, outcome, dice)]


@cache
def _played(pitcher_card: int, batter_card: int, pitcher_bonus: int, batter_bonus: int) -> CardsPlayed:
    """One of the 21,632 matchups there are."""
    pitcher_value, batter_value = rank(pitcher_card) + pitcher_bonus, rank(batter_card) + batter_bonus
    return CardsPlayed(pitcher_card, batter_card, pitcher_value, batter_value, call(batter_value - pitcher_value))


@cache
def _rolled(pitcher_die: int, batter_die: int, pitcher_bonus: int, batter_bonus: int) -> ContactRolled:
    """One of the 288 contacts there are."""
    return ContactRolled(pitcher_die, batter_die, pitcher_die + pitcher_bonus, batter_die + batter_bonus)


_GOING = {Phase.STEAL2: (2, 0), Phase.STEAL3: (3, 0), Phase.KING2: (2, 1), Phase.KING3: (3, 1)}
"""Base and what the King's window adds to the need, by phase."""


def settle_steal(state: State, dice: Dice) -> StealSettled:
    """The pickoff of a King on the mound, then the runner's die (C10, C12, C13)."""
    base, king = _GOING[state.phase]
    slot, need = state.bases[base - 2], STEAL_NEEDS[base] + king
    pickoff = die(dice, "pickoff") if is_king(state.pitcher) else None
    if pickoff is not None and pickoff >= PICKOFF_NEEDS:
        return StealSettled(slot, base, pickoff, None, need, safe=False)
    rolled = die(dice, "steal")
    return StealSettled(slot, base, pickoff, rolled, need, safe=rolled >= need)


@cache
def steals(bases: Bases) -> tuple[Choice, ...]:
    """The steals open to the batting side: first to an empty second, second to an empty third (C12)."""
    first, second, third = bases
    return (*((STEALS[2],) if first and not second else ()), *((STEALS[3],) if second and not third else ()))


def before_pitch(state: State) -> Phase:
    """The window, or the pitch at once when holding is the only choice (C14)."""
    more = not state.pinch_used[state.batting] or steals(state.bases)
    return _WINDOW if more else _PITCH


def after_pitch(state: State, pitcher_card: int) -> Phase:
    """The King's window when it applies and a steal is possible, else a new window (C13, C14)."""
    king = _IS_KING[state.batter] and rank(pitcher_card) >= JACK and steals(state.bases)
    return Phase.KING if king else before_pitch(state)
