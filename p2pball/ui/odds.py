"""The odds of both games in words and bars: the chart, the matchups, the steals."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from p2pball.engine.card_rules import PICKOFF_NEEDS, STEAL_NEEDS, call, contact
from p2pball.engine.cards import RANKS
from p2pball.engine.chart import CHART
from p2pball.engine.chart_odds import ODDS
from p2pball.engine.events import Call, Outcome
from p2pball.engine.moves import PITCHES
from p2pball.scorebook.phrases import OUTCOMES, needs

_BAR = 36
_CALLS = {
    Call.BALL: "3 or more above the pitch: you let it go",
    Call.IN_PLAY: "1 or 2 above: beaten by a hair",
    Call.FOUL: "level to 3 below: just short",
    Call.STRIKE: "4 or more below: well short",
}


def chart_lines(*, ascii_only: bool) -> Iterator[str]:
    """The dice game's chart by sum, then each pitch's outcomes in 36ths with bars (D4)."""
    yield "DICE: the pitch and the sum of two dice (D4)"
    yield f"{'':<12}" + "".join(f"{total:>4}" for total in range(2, 13))
    for pitch in PITCHES:
        yield f"{pitch.value:<12}" + "".join(f"{CHART[pitch][total].value:>4}" for total in range(2, 13))
    short = [f"{outcome.value} {words}" for outcome, words in OUTCOMES.items()]
    yield ", ".join(short[:6])
    yield ", ".join(short[6:])
    for pitch in PITCHES:
        yield ""
        yield f"{pitch.value}, of 36 rolls"
        for outcome, odds in sorted(ODDS[pitch].items(), key=lambda pair: -pair[1]):
            if odds:
                yield _bar(OUTCOMES[outcome], odds, 36, ascii_only=ascii_only)


def card_lines(*, ascii_only: bool) -> Iterator[str]:
    """The cards game's matchups, contact, characters and steals (C4 to C13)."""
    yield "CARDS: batter's card minus pitcher's card, of 169 pairs of ranks (C4)"
    calls = [call(batter - pitcher) for batter in range(1, 14) for pitcher in range(1, 14)]
    for verdict, why in _CALLS.items():
        yield f"{_bar(verdict.value, Fraction(calls.count(verdict), 169), 169, ascii_only=ascii_only)}  {why}"
    yield ""
    yield "The batter plays / the pitcher plays: B ball, H in play, f foul, S strike"
    yield "    " + "".join(f"{rank:>2}" for rank in RANKS)
    letters = {Call.BALL: "B", Call.IN_PLAY: "H", Call.FOUL: "f", Call.STRIKE: "S"}
    for batter, rank in enumerate(RANKS, start=1):
        yield f"  {rank} " + "".join(f"{letters[call(batter - pitcher)]:>2}" for pitcher in range(1, 14))
    yield ""
    yield "In play, of 36 pairs of rolls; caught when the pitcher's is as high (C6)"
    for own, theirs, whose in ((0, 0, "no bonus"), (1, 0, "batter's jack or ace"), (0, 1, "pitcher's jack or ace")):
        rolls = [contact(first + theirs, second + own) for first in range(1, 7) for second in range(1, 7)]
        told = ", ".join(f"{_caught(o)} {rolls.count(o)}" for o in Outcome if o in rolls)
        yield f"  {whose}: {told}"
    yield ""
    yield "Characters: jack +1 on the own roll, queen +1 on the own card, ace both (C8, C9)"
    yield f"  King on the mound: before any steal a pickoff on {needs(PICKOFF_NEEDS)} (C10)"
    yield "  King at bat: after a pitcher's jack, queen or king a runner may go, one harder (C13)"
    yield "  Pinch hitter, once a game: +2 on the card and on the roll (C11)"
    yield ""
    yield "Steals, one die (C12)"
    for base, low in STEAL_NEEDS.items():
        for king in (0, 1):
            what = f"{'to 2nd' if base == 2 else 'to 3rd'}, safe on {needs(low + king)}"
            yield _bar(f"{'King: ' if king else ''}{what}", Fraction(7 - low - king, 6), 6, ascii_only=ascii_only)


def _caught(outcome: Outcome) -> str:
    return "caught" if outcome is Outcome.FLY_OUT else OUTCOMES[outcome]


def _bar(label: str, odds: Fraction, of: int, *, ascii_only: bool) -> str:
    filled = round(odds * _BAR)
    return f"  {label:<30}{int(odds * of):>4}  {('#' if ascii_only else '█') * filled}".rstrip()
