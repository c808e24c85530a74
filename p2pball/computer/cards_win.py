"""The chance to win a position of the cards game, when both sides play well from there on."""

from __future__ import annotations

import pkgutil
import zlib
from array import array
from functools import cache

from p2pball.computer.cards_table import BATTER, trained
from p2pball.computer.dice_play import decided
from p2pball.computer.dice_table import UNIT, inning_index, place, unpack
from p2pball.computer.steps import CONTACT, OUT, STEPS, STRIKEOUT, WALK, cell
from p2pball.engine.card_rules import PINCH_BONUS, card_bonus, roll_bonus
from p2pball.engine.state import Phase, State
from p2pball.engine.terms import Side


@cache
def _chances() -> array[int]:
    data = pkgutil.get_data("p2pball.computer", "data/cards_chance.bin")
    assert data is not None
    return unpack(zlib.decompress(data)).chances


def batting_chance(state: State, scored: int, after: int) -> float:
    """The batting side's chance at the next plate appearance, `scored` runs more and `after` the cell or OUT.

    A draw counts half. The next batter and the hands are average ones.
    """
    batting, inning, terms = state.batting, state.inning, state.terms
    lead = state.runs[batting] - state.runs[1 - batting] + scored
    last = inning >= terms.innings
    if last and batting is Side.HOME and lead > 0:
        return 1.0  # B3, and without a walk-off it is as good as won
    if after != OUT:
        return _chances()[place(inning_index(terms, inning), batting, after, lead)] / UNIT
    if batting is Side.VISITORS:
        if last and lead < 0:
            return 0.0
        return 1 - _chances()[place(inning_index(terms, inning), Side.HOME, 0, -lead)] / UNIT
    if last and lead:
        return 0.0
    if inning >= terms.innings + terms.extra_innings:
        return 0.5
    return 1 - _chances()[place(inning_index(terms, inning + 1), Side.VISITORS, 0, -lead)] / UNIT


def shift(state: State) -> int:
    """Card bonuses at the plate, the batter's less the pitcher's, -1 to 3 (C9, C11)."""
    return card_bonus(state.batter) + PINCH_BONUS * state.pinch_up - card_bonus(state.pitcher)


def contact(state: State) -> tuple[float, ...]:
    """Chance of each play of a ball in play now, by steps.PLAYS (C6)."""
    return CONTACT[roll_bonus(state.batter) + PINCH_BONUS * state.pinch_up][roll_bonus(state.pitcher)]


def appearance_chance(state: State) -> float:
    """The batting side's chance with this batter at the plate and this count."""
    here = STEPS[cell(state.outs, state.bases)]
    ends = trained().equal.ends[BATTER][shift(state) + 1][state.balls * 3 + state.strikes]
    hit = sum(odds * batting_chance(state, *went) for odds, went in zip(contact(state), here, strict=True) if odds)
    walked, out = batting_chance(state, *here[WALK]), batting_chance(state, *here[STRIKEOUT])
    return ends[0] * out + ends[1] * walked + ends[2] * hit


def visitors_chance(state: State) -> float:
    """The visitors' chance in any state at rest, a draw counting half; a runner on his way counts as still on base."""
    match state.phase:
        case Phase.OVER:
            return decided(state)
        case Phase.START:
            return 0.5
        case _:
            batting = appearance_chance(state)
            return batting if state.batting is Side.VISITORS else 1 - batting
