"""Bench `simulate`: games a second on every core, against one core."""

from __future__ import annotations

import os
from time import perf_counter

from p2pball.computer.levels import Level
from p2pball.engine.terms import Rules, Terms
from p2pball.ui.simulation import Plan, timed
from tests.bench import Figure, compare

GAMES = {Rules.DICE: 6000, Rules.CARDS: 120}
"""Enough for several seconds on every core at once, so that the cores' start is not what is measured."""
LEVELS = {Rules.DICE: Level.ALL_STAR, Rules.CARDS: Level.REGULAR}


def rate(rules: Rules, cores: int) -> float:
    """Games a second."""
    terms, level, games = Terms(rules, rules.default_innings), LEVELS[rules], GAMES[rules]
    started = perf_counter()
    for _ in timed(Plan(terms, level, level, seed=1), games, cores):
        pass
    return games / (perf_counter() - started)


def run() -> list[Figure]:
    """Both games, all cores against one; the bar is for two cores."""
    cores = os.cpu_count() or 1
    figures = []
    for rules in Rules:
        measured = compare(lambda rules=rules: rate(rules, cores), lambda rules=rules: rate(rules, 1))
        name = f"simulate, {rules.value}: {cores} cores / 1 core"
        figures.append(Figure(name, measured.ratio, "x", at_least=1.7, detail=measured.detail))
    return figures
