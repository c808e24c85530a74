"""Booking facts: the state after each, and nothing else; no fact is questioned here."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Any, assert_never

from p2pball.engine import card_rules
from p2pball.engine.cards import DECK
from p2pball.engine.events import (
    BatterCameUp,
    Call,
    CardsPlayed,
    ContactRolled,
    DiceRolled,
    Event,
    GameBegan,
    GameEnded,
    HalfBegan,
    HandsDealt,
    Outcome,
    PinchHitterSent,
    PitchChosen,
    Play,
    RunnerSent,
    StealSettled,
    WindowHeld,
)
from p2pball.engine.plays import moved
from p2pball.engine.state import Deck, Phase, State
from p2pball.engine.terms import Rules

_CHOOSE, _ROLL, _PITCH, _CONTACT = Phase.CHOOSE, Phase.ROLL, Phase.PITCH, Phase.CONTACT
_HALF_DUE, _BATTER_DUE, _COUNT_FULL = Phase.HALF_DUE, Phase.BATTER_DUE, Phase.COUNT_FULL
_CARDS = Rules.CARDS
_IN_PLAY, _BALL, _STRIKE, _WILD_PITCH = Call.IN_PLAY, Call.BALL, Call.STRIKE, Outcome.WILD_PITCH

_deck = partial(tuple.__new__, Deck)
"""Deck(...) without the call in Python that a NamedTuple's constructor is."""
_CLEARED: dict[str, Any] = {"balls": 0, "strikes": 0, "batter": -1, "pinch_up": False}
"""Nobody at the plate: count, character and the pinch hitter's bonus go with the plate appearance (C5, C7, C11)."""


def evolve(state: State, event: Event) -> State:
    """The state after one fact; those of every pitch are asked for first, in the quicker way."""
    if isinstance(event, DiceRolled):
        return state  # told for its own sake: the play that follows carries the result
    if isinstance(event, Play):
        return _played(state, event)
    if isinstance(event, CardsPlayed):
        return _pitched(state, event)
    if isinstance(event, PitchChosen):
        return state.but(phase=_ROLL, pitch=event.pitch)
    if isinstance(event, BatterCameUp):
        return _came_up(state, event)
    match event:
        case ContactRolled():
            return state  # as with DiceRolled
        case WindowHeld(king):
            return state.but(phase=card_rules.before_pitch(state) if king else _PITCH)
        case RunnerSent(_, base, king):
            phases = (Phase.KING2, Phase.KING3) if king else (Phase.STEAL2, Phase.STEAL3)
            return state.but(phase=phases[base - 2])
        case StealSettled():
            return _stole(state, event)
        case HandsDealt():
            visitors, home = state.decks
            return state.but(decks=(visitors.dealt(), home.dealt()))
        case PinchHitterSent(side):
            used = (state.pinch_used[0], True) if side else (True, state.pinch_used[1])
            sent = state.but(pinch_used=used, pinch_up=True)
            return sent.but(phase=card_rules.before_pitch(sent))  # C14: the skip test is made again
        case HalfBegan(inning, side, pitcher):
            pitcher = -1 if pitcher is None else pitcher
            return state.but(inning=inning, batting=side, outs=0, bases=(0, 0, 0), pitcher=pitcher, phase=_BATTER_DUE)
        case GameBegan(home):
            return state.but(home=home, phase=_HALF_DUE)
        case GameEnded():
            return state.but(phase=Phase.OVER)
        case _:
            assert_never(event)


def fold(state: State, events: Iterable[Event]) -> State:
    """The state after a run of facts."""
    for event in events:
        state = evolve(state, event)
    return state


def _pitched(state: State, event: CardsPlayed) -> State:
    thrown, swung = event.pitcher_card, event.batter_card
    (away_remaining, away_played, away_left), (home_remaining, home_played, home_left) = state.decks
    away, home = (thrown, swung) if state.batting else (swung, thrown)
    decks = (
        _deck((away_remaining, away_played | 1 << away, away_left - 1)),
        _deck((home_remaining, home_played | 1 << home, home_left - 1)),
    )
    call, balls, strikes = event.call, state.balls, state.strikes
    if call is _IN_PLAY:
        return state.but(decks=decks, phase=_CONTACT)
    if call is _BALL:
        balls += 1
    elif call is _STRIKE or strikes < 2:
        strikes += 1  # C5: a foul is a strike unless there are two already
    full = balls == 4 or strikes == 3
    phase = _COUNT_FULL if full else card_rules.after_pitch(state, thrown)
    return state.but(decks=decks, balls=balls, strikes=strikes, phase=phase)


def _played(state: State, play: Play) -> State:
    runs, bases, outs, side = state.runs, state.bases, state.outs + len(play.outs), play.side
    if play.advances or len(play.outs) > 1:
        bases, scored = moved(bases, play), play.runs
        runs = (runs[0], runs[1] + scored) if side else (runs[0] + scored, runs[1])
    if play.outcome is _WILD_PITCH:
        return state.but(runs=runs, bases=bases, phase=_CHOOSE, pitch=None)  # B10: the batter bats on
    slots, after = state.slots, play.slot % 9 + 1
    slots = (slots[0], after) if side else (after, slots[1])
    phase = _HALF_DUE if outs >= 3 else _BATTER_DUE
    if state.terms.rules is _CARDS:
        return state.but(runs=runs, outs=outs, bases=bases, slots=slots, phase=phase, **_CLEARED)
    return state.but(runs=runs, outs=outs, bases=bases, slots=slots, phase=phase, pitch=None)


def _came_up(state: State, event: BatterCameUp) -> State:
    character = event.character
    if character is None:
        return state.but(phase=_CHOOSE)
    if character >= DECK:
        return state.but(batter=character)  # C7: the joker's walk follows
    return state.but(batter=character, phase=card_rules.before_pitch(state))


def _stole(state: State, event: StealSettled) -> State:
    bases = list(state.bases)
    bases[event.base - 2] = 0
    if event.safe:
        bases[event.base - 1] = event.slot
    outs = state.outs + (not event.safe)
    after = state.but(outs=outs, bases=(bases[0], bases[1], bases[2]))
    if outs >= 3:  # C11, B4: the plate appearance is void, the same slot leads off next time
        return after.but(phase=_HALF_DUE, **_CLEARED)
    king = state.phase in (Phase.KING2, Phase.KING3)
    return after.but(phase=card_rules.before_pitch(after) if king else _PITCH)
