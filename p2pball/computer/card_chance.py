"""The chance to win a position of the cards game: an estimate, as if both sides played cards at random from here on.

Exact under that supposition but for three things left out: which cards are still in the hands,
steals to come, and that a pitcher's character stays for the half (the average one is taken after this batter).
"""

from __future__ import annotations

from functools import lru_cache

from p2pball.engine.card_odds import appearance_odds, mean_odds
from p2pball.engine.card_rules import PINCH_BONUS
from p2pball.engine.events import Outcome
from p2pball.engine.plays import Bases, hit, walk
from p2pball.engine.state import Phase, State
from p2pball.engine.terms import Side, Terms

_CLIP = 20
_HITS = {Outcome.SINGLE: 1, Outcome.DOUBLE: 2, Outcome.TRIPLE: 3, Outcome.HOME_RUN: 4}
_MASKS = range(8)


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
