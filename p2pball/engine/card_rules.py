"""The cards game: matchups, contact, characters, steals and the windows (rules section 3)."""

from __future__ import annotations

from p2pball.engine.cards import JACK, KING, QUEEN, rank
from p2pball.engine.events import Call, CardsPlayed, ContactRolled, Event, Outcome, StealSettled
from p2pball.engine.moves import HOLD, PINCH, STEALS, Choice
from p2pball.engine.plays import Dice, die, make_play
from p2pball.engine.state import Phase, State

ACE = 1
STEAL_NEEDS = {2: 4, 3: 5}
"""Lowest safe die by base (C12); one more by the King's window (C13)."""
PICKOFF_NEEDS = 5
PINCH_BONUS = 2


def call(difference: int) -> Call:
    """What a pitch comes to, by batter's value minus pitcher's (C4)."""
    if difference <= -4:
        return Call.STRIKE
    if difference <= 0:
        return Call.FOUL
    return Call.IN_PLAY if difference <= 2 else Call.BALL


def contact(pitcher_total: int, batter_total: int) -> Outcome:
    """What a ball in play comes to, by both rolls with their bonuses (C6)."""
    if pitcher_total >= batter_total:
        return Outcome.FLY_OUT
    if batter_total >= 6:
        return Outcome.HOME_RUN
    return {5: Outcome.TRIPLE, 4: Outcome.DOUBLE}.get(batter_total, Outcome.SINGLE)


def card_bonus(character: int) -> int:
    """What a character adds to its own card (C9); -1 is nobody."""
    return int(character >= 0 and rank(character) in (QUEEN, ACE))


def roll_bonus(character: int) -> int:
    """What a character adds to its own roll (C8); -1 is nobody."""
    return int(character >= 0 and rank(character) in (JACK, ACE))


def is_king(character: int) -> bool:
    """Whether a character is a King (C10)."""
    return character >= 0 and rank(character) == KING


def pitch(state: State, pitcher_card: int, batter_card: int, dice: Dice) -> tuple[Event, ...]:
    """One pitch: both cards, and the contact and its play when the ball is hit (C4, C6)."""
    pinch = PINCH_BONUS if state.pinch_up else 0
    pitcher_value = rank(pitcher_card) + card_bonus(state.pitcher)
    batter_value = rank(batter_card) + card_bonus(state.batter) + pinch
    verdict = call(batter_value - pitcher_value)
    played = CardsPlayed(pitcher_card, batter_card, pitcher_value, batter_value, verdict)
    if verdict is not Call.IN_PLAY:
        return (played,)
    pitcher_die, batter_die = die(dice, "contact"), die(dice, "contact")
    rolled = ContactRolled(
        pitcher_die,
        batter_die,
        pitcher_die + roll_bonus(state.pitcher),
        batter_die + roll_bonus(state.batter) + pinch,
    )
    outcome = contact(rolled.pitcher_total, rolled.batter_total)
    return played, rolled, make_play(state, outcome, dice)


def settle_steal(state: State, base: int, *, king: bool, dice: Dice) -> StealSettled:
    """The pickoff of a King on the mound, then the runner's die (C10, C12, C13)."""
    slot, need = state.bases[base - 2], STEAL_NEEDS[base] + king
    pickoff = die(dice, "pickoff") if is_king(state.pitcher) else None
    if pickoff is not None and pickoff >= PICKOFF_NEEDS:
        return StealSettled(slot, base, pickoff, None, need, safe=False)
    rolled = die(dice, "steal")
    return StealSettled(slot, base, pickoff, rolled, need, safe=rolled >= need)


def steals(state: State) -> tuple[Choice, ...]:
    """The steals open to the batting side: first to an empty second, second to an empty third (C12)."""
    first, second, third = state.bases
    return (*((STEALS[2],) if first and not second else ()), *((STEALS[3],) if second and not third else ()))


def window(state: State) -> tuple[Choice, ...]:
    """The choices of the window before a pitch (C14)."""
    pinch = () if state.pinch_used[state.batting] else (PINCH,)
    return (HOLD, *pinch, *steals(state))


def before_pitch(state: State) -> Phase:
    """The window, or the pitch at once when holding is the only choice (C14)."""
    return Phase.WINDOW if len(window(state)) > 1 else Phase.PITCH


def after_pitch(state: State, pitcher_card: int) -> Phase:
    """The King's window when it applies and a steal is possible, else a new window (C13, C14)."""
    king = is_king(state.batter) and rank(pitcher_card) >= JACK and steals(state)
    return Phase.KING if king else before_pitch(state)
