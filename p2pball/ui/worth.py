"""What a position is worth: a state made of its line, the win chance there, and every choice with what it leaves."""

from __future__ import annotations

import random
from collections.abc import Iterator
from fractions import Fraction
from typing import assert_never

from p2pball.computer.cards_table import BATTER, PITCHER, trained
from p2pball.computer.dice_play import thrown
from p2pball.computer.game import SourceStream
from p2pball.computer.player import advice
from p2pball.engine.card_rules import PICKOFF_NEEDS, STEAL_NEEDS, is_king
from p2pball.engine.cards import RANKS, rank
from p2pball.engine.events import StealSettled
from p2pball.engine.ledger import apply, awaited, evolve, follow_up
from p2pball.engine.moves import (
    PITCHES,
    STEALS,
    Choice,
    ChoosePitch,
    Hold,
    IllegalMove,
    Open,
    Pass,
    PinchHit,
    PlayCard,
    Sealed,
    StealBase,
    card_from_name,
)
from p2pball.engine.position import Position
from p2pball.engine.state import Deck, Phase, State
from p2pball.engine.terms import Rules, Side, Terms
from p2pball.engine.view import View
from p2pball.errors import P2PBallError
from p2pball.scorebook.phrases import card_words, ordinal
from p2pball.scorebook.winchance import Chance, home_chance
from p2pball.ui.curve import chance_for, chance_words

_BAR = 36
NO_HELP = 1
"""Number of a card without a character's help, a two of spades."""


class NoSuchPosition(P2PBallError):
    """That position cannot come up in such a game."""


def state_at(position: Position, terms: Terms) -> State:
    """A state with this position line: runners from the slots before the batter's, characters of any suit.

    Raises NoSuchPosition when a game on these terms has no such inning or is over there.
    """
    if position.inning > terms.innings + terms.extra_innings:
        raise NoSuchPosition(
            f"Inning {position.inning} is beyond a game of {terms.innings} innings and {terms.extra_innings} extra: "
            "say how long it is with --innings and --extra-innings."
        )
    if position.hands[0] != position.hands[1]:
        raise NoSuchPosition("Both teams hold as many cards: every pitch costs each of them one (C2).")
    leads = position.runs[Side.HOME] > position.runs[Side.VISITORS]
    if terms.walk_off and leads and not position.over and position.inning >= terms.innings and position.batting:
        raise NoSuchPosition(
            f"The home team leads in the bottom of inning {position.inning}: a game of {terms.innings} is over (B3). "
            "For a longer game say --innings, for one that is played out --no-walk-off."
        )
    at_bat = position.slots[position.batting]
    filled = iter((at_bat - 2 - n) % 9 + 1 for n in range(3))
    first, second, third = (next(filled) if runner else 0 for runner in position.bases)
    decks = (Deck(left=position.hands[0]), Deck(left=position.hands[1]))
    return State(
        terms,
        phase=position.phase,
        inning=position.inning,
        batting=position.batting,
        runs=position.runs,
        outs=position.outs,
        bases=(first, second, third),
        slots=position.slots,
        balls=position.balls,
        strikes=position.strikes,
        pitcher=_card(position.pitcher) if position.rules is Rules.CARDS else -1,
        batter=_card(position.batter) if position.rules is Rules.CARDS else -1,
        pinch_used=position.pinch_used,
        pinch_up=position.pinch_up,
        decks=decks,
    )


def _card(character: str) -> int:
    return NO_HELP if character == "-" else RANKS.index(character)


def position_lines(state: State, hand: tuple[int, ...] = (), *, ascii_only: bool) -> Iterator[str]:
    """Win chance and the best choice in a state at rest; `hand` are the cards to choose from in a pitch."""
    chance = chance_for(state.terms.rules)
    home, due = home_chance(state, chance), awaited(state)
    if isinstance(due, Open):
        side = state.side(due.seat)
        worth = {move: home_chance_after(state, move, chance) for move in due.moves}
        if state.terms.rules is Rules.DICE:
            # The table has four places; the best choice, which is exactly this, has some more.
            home = max(worth.values()) if side is Side.HOME else min(worth.values())
        if side is Side.VISITORS:
            worth = {move: 1 - value for move, value in worth.items()}
    yield f"{chance_words(state.terms.rules)}, a draw counting half: home {home:.1%}, visitors {1 - home:.1%}"
    match due:
        case Open():
            yield from _ranked(side, worth, ascii_only=ascii_only)
        case Sealed() if state.phase is Phase.ROLL:
            yield "The pitch is thrown. A position line does not tell which: all six count as likely."
        case Sealed() if state.phase is Phase.PITCH:
            yield from _hand(state, hand) if hand else _ranks(state)
        case _:
            pass


def hand_of(text: str, state: State) -> tuple[int, ...]:
    """The cards that a text names (`4S 7H TD`); raises NoSuchPosition unless they are as many as the position has."""
    try:
        hand = tuple(card_from_name(name) for name in text.upper().split())
    except IllegalMove:
        raise NoSuchPosition(f"{text!r} is no hand: cards are written rank and suit, as 4S 7H TD KC (C3).") from None
    if state.phase is not Phase.PITCH or len(set(hand)) != len(hand) or len(hand) != state.decks[0].left:
        raise NoSuchPosition(
            f"A hand of {len(hand)} does not go there: the position has to be a @pitch with as many cards as h says."
        )
    return hand


def _hand(state: State, hand: tuple[int, ...]) -> Iterator[str]:
    """How often an all-star plays each card of a hand, at bat and on the mound."""
    yield "What an all-star would do with this hand"
    yield f"  {'':<24}at bat  on the mound"
    shares = {side: _mixture(View(state, state.seat(side), hand)) for side in Side}
    batting = state.batting
    for card in sorted(hand, key=rank):
        yield f"  {card_words(card):<22}{shares[batting][card]:>7.0%}{shares[batting.other][card]:>12.0%}"


def _mixture(view: View) -> dict[int, float]:
    """The all-star's chances of each card, over many hands imagined for the other side."""
    stream = SourceStream(random.Random(0))  # noqa: S311 -- the same answer to the same question
    return {choice.card: share for choice, share in advice(view, stream) if isinstance(choice, PlayCard)}


def _ranks(state: State) -> Iterator[str]:
    """How often an all-star plays each rank when nothing is known of its hand."""
    count, left = state.balls * 3 + state.strikes, state.decks[0].left
    share = [trained().equal.share[role][left][count] for role in (BATTER, PITCHER)]
    yield "How often an all-star plays each rank here, over all hands; --hand tells it for one"
    yield f"  {'':<8}at bat  on the mound"
    for place, name in enumerate(RANKS):
        yield f"  {name:<6}{share[0][place]:>7.0%}{share[1][place]:>12.0%}"


def _ranked(side: Side, worth: dict[Choice, float], *, ascii_only: bool) -> Iterator[str]:
    """Choices by what they are worth to the side that makes them, the best first."""
    whose, glyph = ("home team", "visitors")[side is Side.VISITORS], "#" if ascii_only else "█"
    ranked = sorted(worth.items(), key=lambda pair: -pair[1])
    yield f"Best choice of the {whose}: {choice_words(ranked[0][0])}. Their chance after"
    for choice, value in ranked:
        yield f"  {choice_words(choice):<16}{value:>7.1%}  {glyph * round(value * _BAR)}".rstrip()


def choice_words(choice: Choice) -> str:
    """An open choice in words."""
    match choice:
        case ChoosePitch(pitch):
            return pitch.value if pitch else "random"
        case StealBase(base):
            return f"steal {ordinal(base)}"
        case PinchHit():
            return "pinch hitter"
        case Hold():
            return "hold"
        case Pass():
            return "pass"
        case PlayCard(card):
            return card_words(card)
        case _:
            assert_never(choice)


def home_chance_after(state: State, choice: Choice, chance: Chance) -> float:
    """The home team's chance once an open choice is made, the dice it calls for averaged."""
    match choice:
        case ChoosePitch(pitch):
            visitors = [thrown(state, one) for one in (PITCHES if pitch is None else (pitch,))]  # D2
            return 1 - sum(visitors) / len(visitors)
        case StealBase(base):
            return _steal(state, base, chance)
        case _:
            after = apply(state, {state.seat(state.batting): choice}).state
            return home_chance(after, chance)


def _steal(state: State, base: int, chance: Chance) -> float:
    """Both ends of a try, weighed by the dice of C10, C12 and C13."""
    king = state.phase is Phase.KING
    need = STEAL_NEEDS[base] + king
    on_the_way = apply(state, {state.seat(state.batting): STEALS[base]}).state
    safe = Fraction(7 - need, 6)
    if is_king(state.pitcher):
        safe *= Fraction(PICKOFF_NEEDS - 1, 6)
    slot = state.bases[base - 2]

    def after(*, there: bool) -> float:
        settled = StealSettled(slot, base, None, None, need, safe=there)
        return home_chance(_rest(evolve(on_the_way, settled)), chance)

    return float(safe) * after(there=True) + float(1 - safe) * after(there=False)


class _NoHelp:
    """Dice for what follows a steal that was only thought of: whoever comes up draws a card without help."""

    def below(self, purpose: str, n: int) -> int:
        """The number of such a card."""
        return NO_HELP


def _rest(state: State) -> State:
    while following := follow_up(state, _NoHelp()):
        state = evolve(state, following)
    return state
