"""The game's bookkeeping: what is awaited, what choices come to, and what follows from it.

Theory of operation. A step has two kinds of transition, kept apart as in a protocol state machine.
The first, here, resolves the choices and dice of one round or move into the first facts: only
there do odds and rolls decide anything. Everything after that is forced: `evolve` (bookkeeping.py)
books one fact into the state, and `follow_up` (consequences.py) reads the booked state for the
next fact that must come of it (ball four brings a walk, the third out retires the side, a new
batter draws a character), until the state is at rest and a player is awaited again. So the state
is the fold of its events, and an event is all that anyone who tells, scores or exports a game needs.

Order after a pitch (B11): a count that is full becomes its play, hands that are played out are
dealt (C2), then the walk-off and the third out are tested, then a new half or a new batter
draws. Hidden hands, seeds, signatures and resignations are *not* handled here.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

from p2pball.engine import card_rules, dice_rules
from p2pball.engine.bookkeeping import book, evolve, fold
from p2pball.engine.consequences import follow_up
from p2pball.engine.events import Event, GameBegan, PinchHitterSent, PitchChosen, RunnerSent, WindowHeld
from p2pball.engine.moves import (
    HOLD,
    PASS,
    PINCH,
    PITCH_CHOICES,
    Awaited,
    CardSet,
    Choice,
    ChoosePitch,
    Hold,
    IllegalMove,
    Open,
    Over,
    PinchHit,
    PlayCard,
    Result,
    Sealed,
    StealBase,
)
from p2pball.engine.plays import Bases, Dice
from p2pball.engine.state import Phase, State, make_tuple
from p2pball.engine.terms import Seat, Side, Terms

__all__ = ["NO_CHANCE", "NoChance", "Transition", "apply", "awaited", "begin", "evolve", "fold", "follow_up"]

_HOST, _GUEST = Seat
_START, _CHOOSE, _ROLL, _WINDOW = Phase.START, Phase.CHOOSE, Phase.ROLL, Phase.WINDOW
_PITCH, _KING, _OVER = Phase.PITCH, Phase.KING, Phase.OVER
# By plain names, here and elsewhere: in Python 3.11 a look-up in an Enum class costs as much as a call.

_PASSES = Sealed((PASS,), (PASS,))
_CHOOSING = {home: (Open(home, PITCH_CHOICES), Open(home.other, PITCH_CHOICES)) for home in Seat}
"""The pitching seat's open move, by home seat and then side at bat (D5)."""
_CHOSEN = {choice.pitch: PitchChosen(choice.pitch) for choice in PITCH_CHOICES}
_HELD = (WindowHeld(king=False), WindowHeld(king=True))
_ILLEGAL = "that is not one of the choices now"


class Transition(NamedTuple):
    """What choices came to: the new state and the facts that lead to it."""

    state: State
    events: tuple[Event, ...]


class NoChance:
    """The dice of an open move: there are none, by the rules."""

    def below(self, purpose: str, n: int) -> int:
        """Never called by a correct engine."""
        raise AssertionError(f"an open move draws no chance, least of all {purpose}")


NO_CHANCE = NoChance()


def begin(terms: Terms) -> State:
    """The state before round 0 (B12)."""
    return State(terms)


def awaited(state: State) -> Awaited:
    """What the game waits for: an open move, a sealed round, or nothing any more."""
    phase = state.phase
    if phase is _ROLL:
        return _PASSES
    if phase is _PITCH:
        (unseen, _), (home_unseen, _) = state.decks
        away, home = CardSet(unseen), CardSet(home_unseen)
        return make_tuple(Sealed, (home, away) if state.home is _HOST else (away, home))
    batting = state.batting
    if phase is _CHOOSE:
        return _CHOOSING[state.home][batting]
    if phase is _WINDOW:
        return _window(state.seat(batting), not state.pinch_used[batting], state.bases)
    if phase is _KING:
        return _window(state.seat(batting), False, state.bases)  # C13: hold or a steal
    if phase is _OVER:
        return Over(_result(state))
    return _PASSES


@cache
def _window(seat: Seat, pinch: bool, bases: Bases) -> Open:
    """The batting seat's window, of which there are some hundreds (C11 to C14)."""
    return Open(seat, (HOLD, *((PINCH,) if pinch else ()), *card_rules.steals(bases)))


def _result(state: State) -> Result:
    visitors, home = state.runs
    winner = None if visitors == home else state.seat(Side.HOME if home > visitors else Side.VISITORS)
    return Result(winner, visitors, home)


def apply(state: State, choices: Mapping[Seat, Choice], dice: Dice = NO_CHANCE) -> Transition:
    """The state and facts after the awaited choices: one seat's for an open move, both for a sealed round.

    Raises IllegalMove when a choice is missing, not legal in the public state, or nothing is awaited.
    """
    phase = state.phase
    if phase is _PITCH:
        events = _pitched(state, choices, dice)
    elif phase is _CHOOSE:
        events = _chose(state, choices)
    else:
        events = _chosen(state, choices, dice)
    after = state.copy()
    for event in events:
        book(after, event)
    while following := follow_up(after, dice):
        book(after, following)
        events.append(following)
    return make_tuple(Transition, (after, tuple(events)))


def _chose(state: State, choices: Mapping[Seat, Choice]) -> list[Event]:
    """The fact that a pitch chosen makes (D1): any of them is legal, so its kind is all there is to know."""
    choice = choices.get(_CHOOSING[state.home][state.batting].seat)
    if not isinstance(choice, ChoosePitch) or len(choices) != 1:
        raise IllegalMove(_ILLEGAL)
    return [_CHOSEN[choice.pitch]]


def _chosen(state: State, choices: Mapping[Seat, Choice], dice: Dice) -> list[Event]:
    """The facts that choices make which are among those awaited."""
    waiting = awaited(state)
    if isinstance(waiting, Sealed):
        if choices.get(_HOST) not in waiting.host or choices.get(_GUEST) not in waiting.guest:
            raise IllegalMove(_ILLEGAL)
        return _settled(state, dice)
    if isinstance(waiting, Open):
        choice = choices.get(waiting.seat)
        if choice is None or choice not in waiting.moves or len(choices) != 1:
            raise IllegalMove(_ILLEGAL)
        return [_moved(state, choice)]
    raise IllegalMove("the game is over")


def _pitched(state: State, choices: Mapping[Seat, Choice], dice: Dice) -> list[Event]:
    """The facts that two cards make, each of those its seat may hold; both sets need not be made to know that."""
    host, guest = choices.get(_HOST), choices.get(_GUEST)
    if not isinstance(host, PlayCard) or not isinstance(guest, PlayCard):
        raise IllegalMove(_ILLEGAL)
    away, home = (guest.card, host.card) if state.home is _HOST else (host.card, guest.card)
    (unseen, _), (home_unseen, _) = state.decks
    if not (away >= 0 <= home and unseen >> away & home_unseen >> home & 1):
        raise IllegalMove(_ILLEGAL)
    thrown, swung = (away, home) if state.batting else (home, away)
    return card_rules.pitch(state, thrown, swung, dice)


def _moved(state: State, choice: Choice) -> Event:
    """The fact that the move of a window makes (C14)."""
    king = state.phase is _KING
    if isinstance(choice, Hold):
        return _HELD[king]
    if isinstance(choice, PinchHit):
        return PinchHitterSent(state.batting, state.slot)
    assert isinstance(choice, StealBase)  # no other is ever awaited as an open move
    return RunnerSent(state.bases[choice.base - 2], choice.base, king)


def _settled(state: State, dice: Dice) -> list[Event]:
    """The facts that the dice make of a round in which both pass."""
    phase = state.phase
    if phase is _ROLL:
        return dice_rules.roll(state, dice)
    if phase is _START:
        return [_toss(state.terms, dice)]
    return [card_rules.settle_steal(state, dice)]


def _toss(terms: Terms, dice: Dice) -> GameBegan:
    if terms.home != "coin":
        return GameBegan(Seat(terms.home), tossed=False)
    return GameBegan((_HOST, _GUEST)[dice.below("home", 2)], tossed=True)  # B12
