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

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import assert_never

from p2pball.engine import card_rules, dice_rules
from p2pball.engine.cards import HAND, is_joker
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
from p2pball.engine.plays import Dice, make_play, moved
from p2pball.engine.state import Deck, Pair, Phase, State
from p2pball.engine.terms import Seat, Side, Terms

_PASSES = Sealed((PASS,), (PASS,))
_STEALING = {Phase.STEAL2: (2, False), Phase.STEAL3: (3, False), Phase.KING2: (2, True), Phase.KING3: (3, True)}


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
    match state.phase:
        case Phase.PITCH:
            sets = (CardSet(state.decks[0].unseen), CardSet(state.decks[1].unseen))
            return Sealed(sets[state.side(Seat.HOST)], sets[state.side(Seat.GUEST)])
        case Phase.CHOOSE:
            return Open(state.seat(state.batting.other), PITCH_CHOICES)
        case Phase.WINDOW:
            return Open(state.seat(state.batting), card_rules.window(state))
        case Phase.KING:
            return Open(state.seat(state.batting), (HOLD, *card_rules.steals(state)))
        case Phase.OVER:
            return Over(_result(state))
        case _:
            return _PASSES


def _result(state: State) -> Result:
    visitors, home = state.runs
    winner = None if visitors == home else state.seat(Side.HOME if home > visitors else Side.VISITORS)
    return Result(winner, visitors, home)


def apply(state: State, choices: Mapping[Seat, Choice], dice: Dice = NO_CHANCE) -> Transition:
    """The state and facts after the awaited choices: one seat's for an open move, both for a sealed round.

    Raises IllegalMove when a choice is missing, not legal in the public state, or nothing is awaited.
    """
    match awaited(state):
        case Open(seat, moves):
            if choices.keys() != {seat} or choices[seat] not in moves:
                raise IllegalMove("that is not one of the choices now")
            first = _moved(state, choices[seat])
        case Sealed(host, guest):
            if choices.get(Seat.HOST) not in host or choices.get(Seat.GUEST) not in guest:
                raise IllegalMove("that is not one of the choices now")
            first = _resolve(state, choices, dice)
        case Over():
            raise IllegalMove("the game is over")
    events = list(first)
    for event in first:
        state = evolve(state, event)
    while following := follow_up(state, dice):
        state = evolve(state, following)
        events.append(following)
    return Transition(state, tuple(events))


def _moved(state: State, choice: Choice) -> tuple[Event, ...]:
    """The fact that an open move makes (D5, C14)."""
    match choice:
        case ChoosePitch(pitch):
            return (PitchChosen(pitch),)
        case Hold():
            return (WindowHeld(state.phase is Phase.KING),)
        case PinchHit():
            return (PinchHitterSent(state.batting, state.slot),)
        case StealBase(base):
            return (RunnerSent(state.bases[base - 2], base, state.phase is Phase.KING),)
        case _:
            raise IllegalMove("that is no open move")


def _resolve(state: State, choices: Mapping[Seat, Choice], dice: Dice) -> tuple[Event, ...]:
    """The facts that both sealed choices and the dice make."""
    match state.phase:
        case Phase.PITCH:
            thrown, swung = choices[state.seat(state.batting.other)], choices[state.seat(state.batting)]
            assert isinstance(thrown, PlayCard)
            assert isinstance(swung, PlayCard)
            return card_rules.pitch(state, thrown.card, swung.card, dice)
        case Phase.ROLL:
            return dice_rules.roll(state, dice)
        case Phase.START:
            return (_toss(state.terms, dice),)
        case _:
            base, king = _STEALING[state.phase]
            return (card_rules.settle_steal(state, base, king=king, dice=dice),)


def _toss(terms: Terms, dice: Dice) -> GameBegan:
    if terms.home != "coin":
        return GameBegan(Seat(terms.home), tossed=False)
    return GameBegan((Seat.HOST, Seat.GUEST)[dice.below("home", 2)], tossed=True)  # B12


def follow_up(state: State, dice: Dice) -> Event | None:
    """The next fact that must come of a state, or None at rest (B11)."""
    match state.phase:
        case Phase.COUNT_FULL:
            return make_play(state, Outcome.WALK if state.balls == 4 else Outcome.STRIKEOUT, dice)  # C5
        case Phase.OVER | Phase.START | Phase.CONTACT:
            return None
    if state.in_cards and not state.decks[0].left:
        return HandsDealt()  # C2
    if _walked_off(state):
        return GameEnded(Side.HOME)
    match state.phase:
        case Phase.HALF_DUE:
            return _next_half(state, dice)
        case Phase.BATTER_DUE if state.batter >= 0 and is_joker(state.batter):
            return make_play(state, Outcome.WALK, dice, joker=True)  # C7
        case Phase.BATTER_DUE:
            drawn = dice.below("batter-character", 54) if state.in_cards else None
            return BatterCameUp(state.batting, state.slot, drawn)
        case _:
            return None


def _walked_off(state: State) -> bool:
    visitors, home = state.runs
    last = state.inning >= state.terms.innings
    return last and home > visitors and state.batting is Side.HOME and state.terms.walk_off  # B3


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
        case BatterCameUp():
            return _came_up(state, event)
        case WindowHeld(king):
            return state.but(phase=card_rules.before_pitch(state) if king else Phase.PITCH)
        case PitchChosen(pitch):
            return state.but(phase=Phase.ROLL, pitch=pitch)
        case DiceRolled() | ContactRolled():
            return state  # told for its own sake: the play that follows carries the result
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
    runs = _plus(state.runs, play.side, play.runs)
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
