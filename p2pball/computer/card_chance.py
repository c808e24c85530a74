"""The chance to win a position of the cards game: an estimate, as if both sides played cards at random from here on.

Exact under that supposition but for three things left out: which cards are still in the hands,
steals to come, and that a pitcher's character stays for the half (the average one is taken after this batter).
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from p2pball.engine.card_rules import PINCH_BONUS, call, card_bonus, contact, roll_bonus
from p2pball.engine.cards import DECK, is_joker
from p2pball.engine.events import Call, Outcome
from p2pball.engine.plays import Bases, hit, walk
from p2pball.engine.state import Phase, State
from p2pball.engine.terms import Side, Terms

Odds = Mapping[Outcome, float]
_CLIP = 20
_HITS = {Outcome.SINGLE: 1, Outcome.DOUBLE: 2, Outcome.TRIPLE: 3, Outcome.HOME_RUN: 4}
_MASKS = range(8)


@lru_cache(maxsize=256)
def count_odds(card: int, balls: int, strikes: int) -> tuple[float, float, float]:
    """Chances of strikeout, walk and ball in play from a count (C4, C5); `card` is batter's bonus minus pitcher's."""
    if strikes == 3:
        return 1.0, 0.0, 0.0
    if balls == 4:
        return 0.0, 1.0, 0.0
    calls = [call(batter + card - pitcher) for batter in range(1, 14) for pitcher in range(1, 14)]
    strike, foul, play, ball = (calls.count(c) / 169 for c in (Call.STRIKE, Call.FOUL, Call.IN_PLAY, Call.BALL))
    if strikes == 2:
        stays, struck = foul, count_odds(card, balls, 3)
    else:
        stays, struck, strike = 0.0, count_odds(card, balls, strikes + 1), strike + foul
    walked = count_odds(card, balls + 1, strikes)
    out, walks, hit_fair = (strike * s + ball * b for s, b in zip(struck, walked, strict=True))
    return out / (1 - stays), walks / (1 - stays), (hit_fair + play) / (1 - stays)


@lru_cache(maxsize=32)
def contact_odds(pitcher: int, batter: int) -> dict[Outcome, float]:
    """What a ball in play comes to, by the bonuses of both rolls (C6)."""
    rolls = [(first + pitcher, second + batter) for first in range(1, 7) for second in range(1, 7)]
    outcomes = [contact(*totals) for totals in rolls]
    return {outcome: outcomes.count(outcome) / 36 for outcome in (*_HITS, Outcome.FLY_OUT)}


@lru_cache(maxsize=1024)
def appearance_odds(pitcher: int, batter: int, balls: int = 0, strikes: int = 0, pinch: int = 0) -> Odds:
    """What a plate appearance comes to, by both characters (-1 for nobody), the count and the pinch hitter's bonus."""
    card = card_bonus(batter) + pinch - card_bonus(pitcher)
    struck, walks, fair = count_odds(card, balls, strikes)
    fielded = contact_odds(roll_bonus(pitcher), roll_bonus(batter) + pinch)
    return {Outcome.STRIKEOUT: struck, Outcome.WALK: walks, **{o: fair * p for o, p in fielded.items()}}


@lru_cache(maxsize=1)
def mean_odds() -> Odds:
    """What a plate appearance comes to before either character is drawn, jokers included (C7)."""
    total = dict.fromkeys((Outcome.STRIKEOUT, Outcome.WALK, *_HITS, Outcome.FLY_OUT), 0.0)
    for pitcher in range(13):
        for batter in range(54):
            odds: Odds = {Outcome.WALK: 1.0} if is_joker(batter) else appearance_odds(pitcher, batter % 13)
            for outcome, p in odds.items():
                total[outcome] += p / 13 / 54
    assert DECK == 52  # four suits of thirteen, whose suits do nothing
    return total


def _bases(mask: int) -> Bases:
    return (mask & 1, mask >> 1 & 1, mask >> 2 & 1)


def _moves(mask: int, outcome: Outcome) -> tuple[int, int]:
    """Which bases are filled afterwards (bit 0 is first), and the runs (B6 to B8)."""
    if outcome is not Outcome.WALK and outcome not in _HITS:
        return mask, 0
    bases = _bases(mask)
    advances = walk(1, bases) if outcome is Outcome.WALK else hit(1, bases, _HITS[outcome])
    left = mask & ~sum(1 << a.start - 1 for a in advances if a.start)
    return left | sum(1 << a.end - 1 for a in advances if a.end < 4), sum(a.end == 4 for a in advances)


_MOVES = {(m, o): _moves(m, o) for m in _MASKS for o in (*_HITS, Outcome.WALK, Outcome.STRIKEOUT, Outcome.FLY_OUT)}
_FILLING = sorted(_MASKS, key=int.bit_count, reverse=True)


class _Table:
    """The home team's chance before every plate appearance, by backward induction; leads are home minus visitors."""

    def __init__(self, innings: int, extra_innings: int, walk_off: bool) -> None:
        self.innings, self.last, self.walk_off = innings, innings + extra_innings, walk_off
        self.fresh: dict[tuple[int, int, int, int, int], float] = {}
        odds = tuple(mean_odds().items())
        for inning in range(self.last, 0, -1):
            for side in (Side.HOME, Side.VISITORS):
                # Every appearance adds an out, a man on base or a run: so the later ones come first.
                sign = 1 if side else -1
                for lead in range(_CLIP * sign, -(_CLIP + 1) * sign, -sign):
                    for outs in (2, 1, 0):
                        for mask in _FILLING:
                            value = sum(p * self.after(inning, side, outs, mask, lead, o) for o, p in odds)
                            self.fresh[inning, side, outs, mask, lead] = value

    def after(self, inning: int, side: Side, outs: int, mask: int, lead: int, outcome: Outcome) -> float:
        """The home team's chance after an outcome."""
        mask, runs = _MOVES[mask, outcome]
        if runs:
            lead += runs if side else -runs
            if side and self.walk_off and inning >= self.innings and lead > 0:
                return 1.0  # B3
        if outcome is Outcome.STRIKEOUT or outcome is Outcome.FLY_OUT:
            if outs == 2:
                return self.half_over(inning, side, lead)
            outs += 1
        return self.before(inning, side, outs, mask, lead)

    def before(self, inning: int, side: Side, outs: int, mask: int, lead: int) -> float:
        """The home team's chance before a plate appearance; a lead over 20 is as good as won."""
        return float(lead > 0) if abs(lead) > _CLIP else self.fresh[inning, side, outs, mask, lead]

    def half_over(self, inning: int, side: Side, lead: int) -> float:
        """The home team's chance after a third out (B1 to B3)."""
        last = inning >= self.innings
        if side is Side.VISITORS:
            won = last and self.walk_off and lead > 0
            return 1.0 if won else self.before(inning, Side.HOME, 0, 0, lead)
        if last and lead:
            return float(lead > 0)
        return 0.5 if inning >= self.last else self.before(inning + 1, Side.VISITORS, 0, 0, lead)


@lru_cache(maxsize=8)
def _table(innings: int, extra_innings: int, walk_off: bool) -> _Table:
    return _Table(innings, extra_innings, walk_off)


def estimated_home_chance(state: State) -> float:
    """The home team's chance, 0 to 1, in a state of the cards game at rest; a draw counts half."""
    terms: Terms = state.terms
    lead = state.runs[Side.HOME] - state.runs[Side.VISITORS]
    if state.phase is Phase.OVER:
        return 0.5 if not lead else float(lead > 0)
    table = _table(terms.innings, terms.extra_innings, terms.walk_off)
    if state.phase is Phase.START:
        return table.before(1, Side.VISITORS, 0, 0, 0)
    pinch = PINCH_BONUS if state.pinch_up else 0
    odds = appearance_odds(state.pitcher, state.batter, state.balls, state.strikes, pinch)
    mask = sum(1 << base for base, slot in enumerate(state.bases) if slot)
    place = (state.inning, state.batting, state.outs, mask, lead)
    return sum(p * table.after(*place, outcome) for outcome, p in odds.items() if p)
