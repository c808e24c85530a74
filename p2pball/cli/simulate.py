"""`p2pball simulate`: computers and programs against each other, many games on every core."""

from __future__ import annotations

import json
import os
import secrets
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from typing import TYPE_CHECKING

import click

from p2pball.cli.options import LEVELS
from p2pball.computer.levels import Level
from p2pball.engine.terms import Rules, Terms
from p2pball.ui.simulation import Plan, Report, timed

if TYPE_CHECKING:
    from p2pball.ui.programs import Program


@click.command()
@click.option(
    "--rules", type=click.Choice([r.value for r in Rules]), default="dice", show_default=True, help="Which game."
)
@click.option("--innings", type=click.IntRange(1, 9), help="Innings: 9 in dice, 3 in cards by default.")
@click.option("--games", type=click.IntRange(1), default=1000, show_default=True, help="How many games.")
@click.option("--home-level", type=LEVELS, default="all-star", show_default=True, help="Who plays the home team.")
@click.option("--away-level", type=LEVELS, default="all-star", show_default=True, help="Who plays the visitors.")
@click.option("--home-engine", metavar="CMD", help="A program plays the home team in place of a level.")
@click.option("--away-engine", metavar="CMD", help="A program plays the visitors in place of a level.")
@click.option("--seed", type=click.IntRange(0), help="The same seed plays the same games, on any number of cores.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def simulate(
    rules: str,
    innings: int | None,
    games: int,
    home_level: str,
    away_level: str,
    home_engine: str | None,
    away_engine: str | None,
    seed: int | None,
    as_json: bool,
) -> None:
    """Play computer against computer on the engine alone, and print who won how often.

    The levels are rookie, regular and all-star; a program is started anew for every game, and one that
    fails has forfeited it. The number after +- is the standard error.
    """
    kind = Rules(rules)
    terms = Terms(kind, innings or kind.default_innings)
    home, away = _player(home_level, home_engine), _player(away_level, away_engine)
    plan = Plan(terms, home, away, secrets.randbelow(1 << 32) if seed is None else seed)
    report: Report | None = None
    shown = click.progressbar(length=games, label="games", file=sys.stderr) if sys.stderr.isatty() else nullcontext()
    with _ended_by_sigterm(), shown as bar:
        for done, so_far in timed(plan, games, os.cpu_count() or 1):
            report = so_far
            if bar:
                bar.update(done)
    assert report is not None
    print(json.dumps(report.to_json()) if as_json else "\n".join(report.lines()))


@contextmanager
def _ended_by_sigterm() -> Iterator[None]:
    """Let a termination end the block as Ctrl-C does."""
    before = signal.signal(signal.SIGTERM, lambda *_: signal.raise_signal(signal.SIGINT))
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _player(level: str, command: str | None) -> Level | Program:
    if command is None:
        return Level(level)
    from p2pball.ui.programs import Program

    return Program(command)
