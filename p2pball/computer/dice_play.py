"""How the regular and the all-star pitch in the dice game, and the chance to win a position of it."""

from __future__ import annotations

from p2pball.computer.dice_table import UNIT, batting_chance, best_pitch, blind_pitch
from p2pball.engine.chart_odds import ODDS
from p2pball.engine.ledger import NO_CHANCE, evolve, follow_up
from p2pball.engine.moves import PITCHES, Choice, ChoosePitch, Pitch
from p2pball.engine.plays import make_play
from p2pball.engine.state import Phase, State
from p2pball.engine.terms import Side


def regular(state: State) -> Choice:
    """The pitch of the 24-cell table, which knows the outs and the bases but not the score."""
    return ChoosePitch(blind_pitch(state.outs, state.bases))


def all_star(state: State) -> Choice:
    """The exact policy: the pitch that leaves the batting side the smallest chance to win."""
    return ChoosePitch(best_pitch(state))


def visitors_chance(state: State) -> float:
    """The visitors' chance to win, a draw counting half, when both sides pitch perfectly from here on."""
    match state.phase:
        case Phase.OVER:
            return decided(state)
        case Phase.START:
            return 0.5
        case Phase.ROLL:
            pitches = PITCHES if state.pitch is None else (state.pitch,)  # D2
            return sum(thrown(state, pitch) for pitch in pitches) / len(pitches)
        case _:
            batting = batting_chance(state) / UNIT
            return batting if state.batting is Side.VISITORS else 1 - batting


def decided(state: State) -> float:
    """What an ended game came to for the visitors: one, nothing or a half (B2)."""
    visitors, home = state.runs
    return 0.5 if visitors == home else float(visitors > home)


def thrown(state: State, pitch: Pitch) -> float:
    """The visitors' chance once a pitch is chosen and before the roll."""
    total = 0.0
    for outcome, odds in ODDS[pitch].items():
        if not odds:
            continue
        after = evolve(state, make_play(state, outcome, None))
        while following := follow_up(after, NO_CHANCE):
            after = evolve(after, following)
        total += float(odds) * visitors_chance(after)
    return total
