"""Many games between two levels or programs on every core, and the table of what they came to."""

from __future__ import annotations

import multiprocessing
import os
import random
import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, fields
from math import sqrt
from multiprocessing.pool import Pool
from typing import TYPE_CHECKING, Any

from p2pball.computer.game import play_game
from p2pball.computer.levels import Level
from p2pball.engine.terms import Rules, Terms
from p2pball.frozen import frozen

if TYPE_CHECKING:
    from p2pball.ui.programs import Program

BATCH = {Rules.DICE: 32, Rules.CARDS: 8}
"""Games handed to a core at a time, at most: some tenths of a second, so that handing out costs next to nothing."""
TURNS = 16
"""How often a core comes for more, at least: one is done before the others by a batch."""


@frozen
class Plan:
    """What is to be played; the game of a number is the same whoever plays it and beside what."""

    terms: Terms
    home: Level | Program
    away: Level | Program
    seed: int


@frozen
class Totals:
    """What games came to; the squares are for the standard errors, `why` is why one was forfeited."""

    games: int = 0
    home_wins: int = 0
    away_wins: int = 0
    draws: int = 0
    home_runs: int = 0
    away_runs: int = 0
    home_squares: int = 0
    away_squares: int = 0
    forfeits: int = 0
    why: str = ""

    def plus(self, other: Totals) -> Totals:
        """Both together."""
        sums: dict[str, Any] = {name: getattr(self, name) + getattr(other, name) for name in _SUMMED}
        return Totals(**sums, why=self.why or other.why)


_SUMMED = [one.name for one in fields(Totals) if one.name != "why"]


def play(plan: Plan, number: int) -> Totals:
    """Play the game of one number."""
    source, why = random.Random(f"{plan.seed}/{number}"), ""  # noqa: S311 -- cheap dice
    if isinstance(plan.home, Level) and isinstance(plan.away, Level):
        result = play_game(plan.terms, plan.home, plan.away, source)
    else:
        from p2pball.ui import programs

        result, why = programs.play(plan.terms, plan.home, plan.away, source)
    home, away = result.home, result.visitors
    won = (home > away, away > home, home == away)
    return Totals(1, *won, home, away, home * home, away * away, bool(why), why)


def _batch(work: tuple[Plan, range]) -> Totals:
    plan, numbers = work
    totals = Totals()
    for number in numbers:
        totals = totals.plus(play(plan, number))
    return totals


def play_all(plan: Plan, games: int, cores: int) -> Iterator[Totals]:
    """Play games 0 to games - 1 on so many cores; batches as they are done, in no fixed order.

    Sums do not care for the order, so the same seed gives the same totals on any machine.
    """
    size = max(1, min(BATCH[plan.terms.rules], games // (TURNS * cores)))
    batches = [(plan, range(first, min(first + size, games))) for first in range(0, games, size)]
    if cores == 1 or len(batches) == 1:
        yield from map(_batch, batches)
        return
    with _workers(min(cores, len(batches)), plan) as pool:
        yield from pool.imap_unordered(_batch, batches)


@contextmanager
def _workers(count: int, plan: Plan) -> Iterator[Pool]:
    """So many processes that leave Ctrl-C to this one, which ends them; the programs that they let play end too."""
    ours = signal.signal(signal.SIGINT, signal.SIG_IGN)  # from their first moment on: they inherit it
    try:
        with multiprocessing.get_context("spawn").Pool(count, _begin, (plan,)) as pool:
            signal.signal(signal.SIGINT, ours)
            try:
                yield pool
            finally:
                signal.signal(signal.SIGINT, signal.SIG_IGN)  # once is enough: the ending is short
    finally:
        signal.signal(signal.SIGINT, ours)


def _begin(plan: Plan) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Windows inherits nothing
    if sys.platform != "win32" and not (isinstance(plan.home, Level) and isinstance(plan.away, Level)):
        told, tells = os.pipe()
        os.set_blocking(tells, False)
        signal.set_wakeup_fd(tells)
        for number in (signal.SIGTERM, signal.SIGHUP):
            if signal.getsignal(number) is signal.SIG_DFL:  # nohup has it ignored
                signal.signal(number, lambda *_: None)  # would wait for ever for a call that never returns
        threading.Thread(target=_end_when, args=(told,), daemon=True).start()


def _end_when(told: int) -> None:
    """End this process, and the programs that it lets play, as soon as a signal says so."""
    from p2pball.ui import programs

    os.read(told, 1)
    programs.abandon()


@frozen
class Report:
    """A finished simulation."""

    plan: Plan
    totals: Totals
    seconds: float

    def to_json(self) -> dict[str, Any]:
        """The object of `simulate --json`."""
        totals = asdict(self.totals)
        del totals["home_squares"], totals["away_squares"]
        if not self.totals.forfeits:
            del totals["forfeits"], totals["why"]
        return {
            **totals,
            "home_level": self.plan.home.value,
            "away_level": self.plan.away.value,
            "rules": self.plan.terms.rules.value,
            "innings": self.plan.terms.innings,
            "seconds": round(self.seconds, 3),
            "seed": self.plan.seed,
        }

    def lines(self) -> list[str]:
        """The table; the number after +- is the standard error."""
        t, terms = self.totals, self.plan.terms
        length = f"{terms.innings} inning{'s' * (terms.innings > 1)}"
        head = f"{t.games} game{'s' * (t.games > 1)} of {terms.rules.value}, {length}, seed {self.plan.seed}"
        rows = [f"{head}, in {self.seconds:.1f} s", f"{'':<16} {'wins':>7} {'share':>16} {'runs a game':>16}"]
        for name, level, wins, runs, squares in (
            ("home", self.plan.home, t.home_wins, t.home_runs, t.home_squares),
            ("away", self.plan.away, t.away_wins, t.away_runs, t.away_squares),
        ):
            share, mean = wins / t.games, runs / t.games
            share_error = sqrt(share * (1 - share) / t.games)
            mean_error = sqrt(max(squares / t.games - mean * mean, 0.0) / t.games)
            won = f"{100 * share:.1f} +- {100 * share_error:.1f} %"
            rows.append(f"{name + ' ' + level.value:<16} {wins:>7} {won:>16} {f'{mean:.2f} +- {mean_error:.2f}':>16}")
        rows.append(f"{'draws':<16} {t.draws:>7}")
        return [*rows, f"{'forfeits':<16} {t.forfeits:>7}   {t.why}"] if t.forfeits else rows


def timed(plan: Plan, games: int, cores: int) -> Iterator[tuple[int, Report]]:
    """The games done at each step, and the report so far."""
    began, totals = time.monotonic(), Totals()
    for batch in play_all(plan, games, cores):
        totals = totals.plus(batch)
        yield batch.games, Report(plan, totals, time.monotonic() - began)
