"""Single words and short phrases that the telling is made of: numbers, cards, bases, fielders, scores."""

from __future__ import annotations

from collections.abc import Iterable

from p2pball.engine.cards import JACK, KING, QUEEN, is_joker, rank
from p2pball.engine.events import Outcome
from p2pball.engine.moves import Pitch
from p2pball.engine.state import State
from p2pball.engine.terms import Side
from p2pball.scorebook.game import Lineup

_RANKS = ("ace", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king")
_NUMBERS = ("no", "one", *_RANKS[1:10], "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen")
_SUITS = ("spades", "hearts", "diamonds", "clubs")
_OUTS = ("Nobody out.", "One out.", "Two out.", "Three out.")
_FIELDS = {
    1: "the pitcher",
    2: "the catcher",
    3: "first",
    4: "second",
    5: "third",
    6: "short",
    7: "left",
    8: "center",
    9: "right",
}
OUTCOMES: dict[Outcome, str] = {
    Outcome.SINGLE: "single",
    Outcome.DOUBLE: "double",
    Outcome.TRIPLE: "triple",
    Outcome.HOME_RUN: "home run",
    Outcome.WALK: "walk",
    Outcome.STRIKEOUT: "strikeout",
    Outcome.FLY_OUT: "fly out",
    Outcome.POP_OUT: "pop out",
    Outcome.GROUND_OUT: "ground out",
    Outcome.DOUBLE_PLAY: "double play",
    Outcome.WILD_PITCH: "wild pitch",
}
"""An outcome as a noun."""


def number(n: int) -> str:
    """A number from 0 on as a word, `no` for none."""
    return _NUMBERS[n] if n < len(_NUMBERS) else str(n)


def ordinal(n: int) -> str:
    """1st, 2nd, 3rd, 4th to 12th."""
    return f"{n}{ {1: 'st', 2: 'nd', 3: 'rd'}.get(n, 'th') }"


def count(n: int, noun: str) -> str:
    """`1 ball`, `2 balls`."""
    return f"{n} {noun}{'' if n == 1 else 's'}"


def rank_word(card: int) -> str:
    """A card's rank as a word: ace, two to ten, jack, queen, king (C1)."""
    return _RANKS[rank(card) - 1]


def card_words(card: int) -> str:
    """A card of the 54 in words: the jack of clubs, a joker."""
    return "a joker" if is_joker(card) else f"the {rank_word(card)} of {_SUITS[card // 13]}"


def help_of(card: int, *, pitching: bool) -> str:
    """What a character does for its side (C8 to C10, C13)."""
    match rank(card):
        case 1:
            return "plus 1 on the card and on the roll"
        case r if r == JACK:
            return "plus 1 on the roll"
        case r if r == QUEEN:
            return "plus 1 on the card"
        case r if r == KING:
            return "a pickoff on 5 or 6" if pitching else "a steal after a jack, queen or king"
        case _:
            return "no help"


def needs(low: int) -> str:
    """The rolls of a die from `low` up: `4 to 6`, `5 or 6`, `6`."""
    return {5: "5 or 6", 6: "6"}.get(low, f"{low} to 6")


def pitch_words(pitch: Pitch) -> str:
    """A pitch with its article."""
    return f"a {pitch.value}"


def toward(fielder: int) -> str:
    """Where a ball goes: `to left`, `to short`, `to the pitcher` (rules 5)."""
    return f"to {_FIELDS[fielder]}"


def outs_words(outs: int) -> str:
    """Nobody out. One out. Two out. Three out."""
    return _OUTS[outs]


def half_words(inning: int, side: Side) -> str:
    """Top of the 1st, Bottom of the 9th."""
    return f"{'Top' if side is Side.VISITORS else 'Bottom'} of the {ordinal(inning)}"


def score_words(runs: tuple[int, int], lineup: Lineup, first: Side = Side.VISITORS) -> str:
    """Both teams with their runs: `Kettle Point 3, Riverbend 4`."""
    return ", ".join(f"{lineup.team(side).name} {runs[side]}" for side in (first, first.other))


def situation(state: State, lineup: Lineup) -> str:
    """The state at rest in a line to be read aloud."""
    if not state.inning:
        return "The game has not begun."
    if state.phase.value == "over":
        return f"The game is over. {score_words(state.runs, lineup)}."
    said = [
        f"{half_words(state.inning, state.batting)}.",
        f"{score_words(state.runs, lineup)}.",
        outs_words(state.outs),
        _on_base(state, lineup),
    ]
    batter = lineup.name(state.batting, state.slot)
    if state.in_cards:
        said.append(f"{batter} batting, {count(state.balls, 'ball')} {count(state.strikes, 'strike')}.")
    else:
        said.append(f"{batter} batting.")
    return " ".join(said)


def _on_base(state: State, lineup: Lineup) -> str:
    runners = [
        f"{lineup.name(state.batting, state.bases[base - 1])} on {ordinal(base)}"
        for base in (3, 2, 1)
        if state.bases[base - 1]
    ]
    return f"{', '.join(runners)}." if runners else "Bases empty."


def hand_words(cards: Iterable[int]) -> str:
    """A hand with the number that plays each card: `Your cards: 1 four, 2 seven.`"""
    return f"Your cards: {', '.join(f'{i} {rank_word(card)}' for i, card in enumerate(cards, start=1))}."
