"""Booking facts: the state after each, and nothing else; no fact is questioned here.

To copy a state costs more than to book a fact, so a run of facts is booked into one copy: `book` writes to a state that
nobody else has, and what `evolve` and `fold` are given is never touched.
"""

from __future__ import annotations

from collections.abc import Iterable
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
from p2pball.engine.state import Deck, Phase, State, make_tuple
from p2pball.engine.terms import Rules

_CHOOSE, _ROLL, _PITCH, _CONTACT = Phase.CHOOSE, Phase.ROLL, Phase.PITCH, Phase.CONTACT
_HALF_DUE, _BATTER_DUE, _COUNT_FULL = Phase.HALF_DUE, Phase.BATTER_DUE, Phase.COUNT_FULL
_CARDS = Rules.CARDS
_IN_PLAY, _BALL, _STRIKE, _WILD_PITCH = Call.IN_PLAY, Call.BALL, Call.STRIKE, Outcome.WILD_PITCH

_TOLD = (DiceRolled, ContactRolled)
"""Facts told for their own sake: the play that follows carries the result."""
_CLEARED: dict[str, Any] = {"balls": 0, "strikes": 0, "batter": -1, "pinch_up": False}
"""Nobody at the plate: count, character and the pinch hitter's bonus go with the plate appearance (C5, C7, C11)."""


def evolve(state: State, event: Event) -> State:
    """The state after one fact."""
    after = state.copy()
    book(after, event)
    return after


def fold(state: State, events: Iterable[Event]) -> State:
    """The state after a run of facts."""
    after = state.copy()
    for event in events:
        book(after, event)
    return after


def book(state: State, event: Event) -> None:
    """Write one fact into a state that nobody else has yet; the facts of every pitch are asked for first, for speed."""
    fields = state.__dict__
    if isinstance(event, CardsPlayed):
        _book_cards(state, fields, event)
    elif isinstance(event, Play):
        _book_play(state, fields, event)
    elif isinstance(event, BatterCameUp):
        _book_batter(state, fields, event.character)
    elif isinstance(event, PitchChosen):
        fields["phase"], fields["pitch"] = _ROLL, event.pitch
    elif isinstance(event, _TOLD):
        pass
    else:
        match event:
            case HandsDealt():
                visitors, home = state.decks
                fields["decks"] = (visitors.dealt(), home.dealt())
            case WindowHeld(king):
                fields["phase"] = card_rules.before_pitch(state) if king else _PITCH
            case RunnerSent(_, base, king):
                phases = (Phase.KING2, Phase.KING3) if king else (Phase.STEAL2, Phase.STEAL3)
                fields["phase"] = phases[base - 2]
            case StealSettled():
                _book_steal(state, fields, event)
            case PinchHitterSent(side):
                fields["pinch_used"] = (state.pinch_used[0], True) if side else (True, state.pinch_used[1])
                fields["pinch_up"] = True
                fields["phase"] = card_rules.before_pitch(state)  # C14: the skip test is made again
            case HalfBegan(inning, side, pitcher):
                pitcher = -1 if pitcher is None else pitcher
                fields.update(inning=inning, batting=side, outs=0, bases=(0, 0, 0), pitcher=pitcher, phase=_BATTER_DUE)
            case GameBegan(home):
                fields.update(home=home, phase=_HALF_DUE)
            case GameEnded():
                fields["phase"] = Phase.OVER
            case _:
                assert_never(event)


def _book_cards(state: State, fields: dict[str, Any], event: CardsPlayed) -> None:
    thrown, swung = event.pitcher_card, event.batter_card
    (away_unseen, away_left), (home_unseen, home_left) = state.decks
    away, home = (thrown, swung) if state.batting else (swung, thrown)
    fields["decks"] = (
        make_tuple(Deck, (away_unseen ^ 1 << away, away_left - 1)),
        make_tuple(Deck, (home_unseen ^ 1 << home, home_left - 1)),
    )
    call, strikes = event.call, state.strikes
    if call is _IN_PLAY:
        fields["phase"] = _CONTACT
        return
    full = False
    if call is _BALL:
        fields["balls"] = balls = state.balls + 1
        full = balls == 4
    elif call is _STRIKE or strikes < 2:  # C5: a foul is a strike unless there are two already
        fields["strikes"] = strikes + 1
        full = strikes == 2
    fields["phase"] = _COUNT_FULL if full else card_rules.after_pitch(state, thrown)


def _book_play(state: State, fields: dict[str, Any], play: Play) -> None:
    runs, outs, side = state.runs, play.outs, play.side
    if play.advances or len(outs) > 1:
        scored = play.runs
        fields["bases"] = moved(state.bases, play)
        fields["runs"] = (runs[0], runs[1] + scored) if side else (runs[0] + scored, runs[1])
    if play.outcome is _WILD_PITCH:
        fields["phase"], fields["pitch"] = _CHOOSE, None  # B10: the batter bats on
        return
    slots, after = state.slots, play.slot % 9 + 1
    fields["slots"] = (slots[0], after) if side else (after, slots[1])
    fields["outs"] = all_out = state.outs + len(outs)
    fields["phase"] = _HALF_DUE if all_out >= 3 else _BATTER_DUE
    if state.terms.rules is _CARDS:
        fields.update(_CLEARED)
    else:
        fields["pitch"] = None


def _book_batter(state: State, fields: dict[str, Any], character: int | None) -> None:
    if character is None:
        fields["phase"] = _CHOOSE
        return
    fields["batter"] = character
    if character < DECK:  # C7: else the joker's walk follows
        fields["phase"] = card_rules.before_pitch(state)


def _book_steal(state: State, fields: dict[str, Any], event: StealSettled) -> None:
    bases, outs = list(state.bases), state.outs + (not event.safe)
    bases[event.base - 2] = 0
    if event.safe:
        bases[event.base - 1] = event.slot
    fields["outs"], fields["bases"] = outs, (bases[0], bases[1], bases[2])
    if outs >= 3:  # C11, B4: the plate appearance is void, the same slot leads off next time
        fields.update(_CLEARED, phase=_HALF_DUE)
    else:
        king = state.phase in (Phase.KING2, Phase.KING3)
        fields["phase"] = card_rules.before_pitch(state) if king else _PITCH
