"""The game's bookkeeping: what is awaited, what choices come to, and what follows from it.

Theory of operation. A step has two kinds of transition, kept apart as in a protocol state machine.
`resolve` turns the choices and dice of one round or move into the first facts: only there do
odds and rolls decide anything. Everything after that is forced: `evolve` books one fact into
the state, and `follow_up` reads the booked state for the next fact that must come of it (ball
four brings a walk, the third out retires the side, a new batter draws a character), until the
state is at rest and a player is awaited again. So the state is the fold of its events, and an
event is all that anyone who tells, scores or exports a game needs.

Order after a pitch (B11): a count that is full becomes its play, hands that are played out are
dealt (C2), then the walk-off and the third out are tested, then a new half or a new batter
draws. Hidden hands, seeds, signatures and resignations are *not* handled here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import assert_never

from p2pball.engine import card_rules, dice_rules
from p2pball.engine.cards import DECK, HAND, is_joker
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
    Pass,
    PinchHit,
    PlayCard,
    Result,
    Sealed,
    StealBase,
)
from p2pball.engine.plays import Dice, make_play, moved
from p2pball.engine.state import Deck, Pair, Phase, State
from p2pball.engine.terms import Seat, Side, Terms

_PASSES = Sealed((PASS,), (PASS,))
_CHOOSING = {seat: Open(seat, PITCH_CHOICES) for seat in Seat}
_HOST, _GUEST = Seat
_ILLEGAL = "that is not one of the choices now"


@dataclass(frozen=True, slots=True)
class Transition:
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
    return _AWAITED[state.phase](state)


def _cards_awaited(state: State) -> Sealed:
    visitors, home = state.decks
    sets = CardSet(visitors.unseen), CardSet(home.unseen)
    return Sealed(sets[1], sets[0]) if state.home is _HOST else Sealed(*sets)


@cache
def _open(seat: Seat, pinch: bool, bases: tuple[int, int, int]) -> Open:
    """The window of a seat that may send its pinch hitter or not; at most a few hundred there are."""
    return Open(seat, (HOLD, *((PINCH,) if pinch else ()), *card_rules.steals(bases)))


def _window_awaited(state: State) -> Open:
    batting = state.batting
    return _open(state.seat(batting), not state.pinch_used[batting], state.bases)


_AWAITED: dict[Phase, Callable[[State], Awaited]] = {
    Phase.START: lambda _: _PASSES,
    Phase.CHOOSE: lambda state: _CHOOSING[state.seat(state.batting.other)],
    Phase.ROLL: lambda _: _PASSES,
    Phase.WINDOW: _window_awaited,
    Phase.STEAL2: lambda _: _PASSES,
    Phase.STEAL3: lambda _: _PASSES,
    Phase.PITCH: _cards_awaited,
    Phase.KING: lambda state: _open(state.seat(state.batting), False, state.bases),
    Phase.KING2: lambda _: _PASSES,
    Phase.KING3: lambda _: _PASSES,
    Phase.OVER: lambda state: Over(_result(state)),
}


def _result(state: State) -> Result:
    visitors, home = state.runs
    winner = None if visitors == home else state.seat(Side.HOME if home > visitors else Side.VISITORS)
    return Result(winner, visitors, home)


def apply(state: State, choices: Mapping[Seat, Choice], dice: Dice = NO_CHANCE) -> Transition:
    """The state and facts after the awaited choices: one seat's for an open move, both for a sealed round.

    Raises IllegalMove when a choice is missing, not legal in the public state, or nothing is awaited.
    """
    match awaited(state):
        case Sealed() as sealed:
            if choices.get(_HOST) not in sealed.host or choices.get(_GUEST) not in sealed.guest:
                raise IllegalMove(_ILLEGAL)
            events = _resolve(state, choices, dice)
        case Open(seat, moves):
            if len(choices) != 1 or choices.get(seat) not in moves:
                raise IllegalMove(_ILLEGAL)
            events = [_moved(state, choices[seat])]
        case Over():
            raise IllegalMove("the game is over")
    for event in events:
        state = evolve(state, event)
    while following := follow_up(state, dice):
        state = evolve(state, following)
        events.append(following)
    return Transition(state, tuple(events))


def _moved(state: State, choice: Choice) -> Event:
    """The fact that an open move makes (D5, C14)."""
    match choice:
        case ChoosePitch():
            return _CHOSEN[choice.pitch]
        case Hold():
            return _HELD[state.phase is Phase.KING]
        case PinchHit():
            return PinchHitterSent(state.batting, state.slot)
        case StealBase(base):
            return RunnerSent(state.bases[base - 2], base, state.phase is Phase.KING)
        case Pass() | PlayCard():
            raise IllegalMove(_ILLEGAL)
        case _:
            assert_never(choice)


_CHOSEN = {choice.pitch: PitchChosen(choice.pitch) for choice in PITCH_CHOICES}
_HELD = (WindowHeld(king=False), WindowHeld(king=True))
_DEALT = HandsDealt()


def _resolve(state: State, choices: Mapping[Seat, Choice], dice: Dice) -> list[Event]:
    """The facts that both sealed choices and the dice make."""
    match state.phase:
        case Phase.ROLL:
            return dice_rules.roll(state, dice)
        case Phase.PITCH:
            batter = state.seat(state.batting)
            thrown, swung = choices[batter.other], choices[batter]
            assert isinstance(thrown, PlayCard)
            assert isinstance(swung, PlayCard)
            return card_rules.pitch(state, thrown.card, swung.card, dice)
        case Phase.START:
            return [_toss(state.terms, dice)]
        case _:
            return [card_rules.settle_steal(state, dice)]


def _toss(terms: Terms, dice: Dice) -> GameBegan:
    if terms.home != "coin":
        return GameBegan(Seat(terms.home), tossed=False)
    return GameBegan((_HOST, _GUEST)[dice.below("home", 2)], tossed=True)  # B12


_NOTHING_FOLLOWS = frozenset((Phase.OVER, Phase.START, Phase.CONTACT, Phase.ROLL))


def follow_up(state: State, dice: Dice) -> Event | None:
    """The next fact that must come of a state, or None at rest (B11)."""
    phase = state.phase
    if phase in _NOTHING_FOLLOWS:
        return None
    if phase is Phase.COUNT_FULL:
        return make_play(state, Outcome.WALK if state.balls == 4 else Outcome.STRIKEOUT, dice)  # C5
    if not state.decks[0].left and state.in_cards:
        return _DEALT  # C2
    if _walked_off(state):
        return GameEnded(Side.HOME)
    if phase is Phase.BATTER_DUE:
        if state.batter >= DECK:
            return make_play(state, Outcome.WALK, dice, joker=True)  # C7
        drawn = dice.below("batter-character", 54) if state.in_cards else None
        return _up(state.batting, state.slot, drawn)
    return _next_half(state, dice) if phase is Phase.HALF_DUE else None


@cache
def _up(side: Side, slot: int, character: int | None) -> BatterCameUp:
    """A batter coming up; there are 990 of them."""
    return BatterCameUp(side, slot, character)


def _walked_off(state: State) -> bool:
    visitors, home = state.runs
    terms = state.terms
    return home > visitors and state.inning >= terms.innings and terms.walk_off and state.batting is Side.HOME  # B3


def _next_half(state: State, dice: Dice) -> Event:
    """The half or the end that follows a third out (B1 to B3)."""
    terms, (visitors, home) = state.terms, state.runs
    last = state.inning >= terms.innings
    if state.batting is Side.VISITORS and state.inning > 0:
        if last and terms.walk_off and home > visitors:
            return GameEnded(Side.HOME)
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


def evolve(state: State, event: Event) -> State:
    """The state after one fact."""
    match event:
        case CardsPlayed():
            return _pitched(state, event)
        case Play():
            return _played(state, event)
        case DiceRolled() | ContactRolled():
            return state  # told for its own sake: the play that follows carries the result
        case BatterCameUp():
            return _came_up(state, event)
        case PitchChosen(pitch):
            return state.but(phase=Phase.ROLL, pitch=pitch)
        case WindowHeld(king):
            return state.but(phase=card_rules.before_pitch(state) if king else Phase.PITCH)
        case RunnerSent(_, base, king):
            phases = (Phase.KING2, Phase.KING3) if king else (Phase.STEAL2, Phase.STEAL3)
            return state.but(phase=phases[base - 2])
        case StealSettled():
            return _stole(state, event)
        case HandsDealt():
            visitors, home = (Deck(deck.audited().remaining, 0, HAND) for deck in state.decks)
            return state.but(decks=(visitors, home))
        case PinchHitterSent(side):
            used = (True, state.pinch_used[1]) if side is Side.VISITORS else (state.pinch_used[0], True)
            sent = state.but(pinch_used=used, pinch_up=True)
            return sent.but(phase=card_rules.before_pitch(sent))  # C14: the skip test is made again
        case HalfBegan(inning, side, pitcher):
            return state.but(
                inning=inning,
                batting=side,
                outs=0,
                bases=(0, 0, 0),
                pitcher=-1 if pitcher is None else pitcher,
                batter=-1,
                phase=Phase.BATTER_DUE,
            )
        case GameBegan(home):
            return state.but(home=home, phase=Phase.HALF_DUE)
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
    thrown, swung = 1 << event.pitcher_card, 1 << event.batter_card
    visitors, home = state.decks
    away_card, home_card = (thrown, swung) if state.batting is Side.HOME else (swung, thrown)
    decks = (
        Deck(visitors.remaining, visitors.played | away_card, visitors.left - 1),
        Deck(home.remaining, home.played | home_card, home.left - 1),
    )
    balls, strikes = state.balls, state.strikes
    match event.call:
        case Call.IN_PLAY:
            return state.but(decks=decks, phase=Phase.CONTACT)
        case Call.BALL:
            balls += 1
        case Call.STRIKE:
            strikes += 1
        case Call.FOUL:
            strikes = min(strikes + 1, 2)  # C5
    full = balls == 4 or strikes == 3
    phase = Phase.COUNT_FULL if full else card_rules.after_pitch(state, event.pitcher_card)
    return state.but(decks=decks, balls=balls, strikes=strikes, phase=phase)


def _played(state: State, play: Play) -> State:
    runs = _plus(state.runs, play.side, play.runs) if play.advances else state.runs
    outs, bases = state.outs + len(play.outs), moved(state.bases, play)
    if play.outcome is Outcome.WILD_PITCH:
        return state.but(runs=runs, bases=bases, phase=Phase.CHOOSE, pitch=None)  # B10: the batter bats on
    after = play.slot % 9 + 1
    slots = (after, state.slots[1]) if play.side is Side.VISITORS else (state.slots[0], after)
    phase = Phase.HALF_DUE if outs >= 3 else Phase.BATTER_DUE
    return state.but(
        runs=runs,
        outs=outs,
        bases=bases,
        slots=slots,
        phase=phase,
        pitch=None,
        balls=0,
        strikes=0,
        batter=-1,
        pinch_up=False,
    )


def _came_up(state: State, event: BatterCameUp) -> State:
    if event.character is None:
        return state.but(phase=Phase.CHOOSE)
    if is_joker(event.character):
        return state.but(batter=event.character)  # C7: the walk follows
    return state.but(batter=event.character, phase=card_rules.before_pitch(state))


def _stole(state: State, event: StealSettled) -> State:
    bases = list(state.bases)
    bases[event.base - 2] = 0
    if event.safe:
        bases[event.base - 1] = event.slot
    outs = state.outs + (not event.safe)
    after = state.but(outs=outs, bases=(bases[0], bases[1], bases[2]))
    if outs >= 3:  # C11, B4: the plate appearance is void, the same slot leads off next time
        return after.but(phase=Phase.HALF_DUE, balls=0, strikes=0, batter=-1, pinch_up=False)
    king = state.phase in (Phase.KING2, Phase.KING3)
    return after.but(phase=card_rules.before_pitch(after) if king else Phase.PITCH)


def _plus(runs: Pair, side: Side, scored: int) -> Pair:
    return (runs[0] + scored, runs[1]) if side is Side.VISITORS else (runs[0], runs[1] + scored)
