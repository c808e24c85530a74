"""How often a dice game between two policies is where: a forward sweep, the solver's inverse, as its oracle."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from typing import NamedTuple

from p2pball.computer.dice_table import CLIP
from p2pball.computer.steps import OUT
from tools.solve_dice import ORDER, STEPS

Mix = Callable[[int, int, int], tuple[int, ...]]
"""Pitches, each as likely as the others, by inning, cell and the batting side's lead."""

RARE = 1e-7


class Figures(NamedTuple):
    """What a game comes to on average; `home` counts a draw as half."""

    home: float
    runs: tuple[float, float]
    use: tuple[float, ...]


def play_through(home: Mix, visitors: Mix, innings: int, extra: int) -> Figures:
    """Carry the whole distribution of games through every half, none ending early (walk-off off)."""
    runs, use, won = [0.0, 0.0], [0.0] * 6, 0.0
    leads = {0: 1.0}
    for inning in range(1, innings + extra + 1):
        for half, pitching in enumerate((home, visitors)):
            begun = {lead if half else -lead: share for lead, share in leads.items()}
            ended = _half(begun, lambda c, lead, by=pitching, at=inning: by(at, c, lead), runs, half, use)
            leads = {lead if half else -lead: share for lead, share in ended.items()}
        if inning >= innings:
            won += sum(share for lead, share in leads.items() if lead > 0)
            leads = {0: leads.get(0, 0.0)}
    total = sum(use)
    return Figures(won + leads[0] / 2, (runs[0], runs[1]), tuple(share / total for share in use))


def _half(
    begun: dict[int, float],
    mix: Callable[[int, int], tuple[int, ...]],
    runs: list[float],
    half: int,
    use: list[float],
) -> dict[int, float]:
    at: dict[int, list[float]] = defaultdict(lambda: [0.0] * 24)
    for lead, share in begun.items():
        at[lead][0] += share
    ended: dict[int, float] = defaultdict(float)
    for lead in range(-3 * CLIP, 3 * CLIP):
        if lead not in at:
            continue
        for c in reversed(ORDER):
            share = at[lead][c]
            if share < RARE:
                continue
            pitches = mix(c, max(-CLIP, min(CLIP, lead)))
            ways = [(odds / len(pitches), go) for number in pitches for odds, go in STEPS[c][number]]
            stay = sum(odds for odds, go in ways if go.cell == c and not go.runs)
            for number in pitches:
                use[number] += share / len(pitches) / (1 - stay)
            for odds, (scored, then) in ways:
                if then == c and not scored:
                    continue
                part = share * odds / (1 - stay)
                runs[half] += part * scored
                if then == OUT:
                    ended[lead] += part
                else:
                    at[lead + scored][then] += part
    return ended
