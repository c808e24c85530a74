"""Bench `strength`: how often the levels win, with standard errors, and how long a decision takes.

Games are kept in .bench/strength.jsonl, one a line, and never played twice: the bench goes on where
it stopped. P2PBALL_STRENGTH_GAMES is how many of each thousand games are wanted (1000 by default),
P2PBALL_STRENGTH_SECONDS when to stop for this time. The sparring partners are trained by
`python -m tools.cards.spar`, and here when they are missing.
"""

from __future__ import annotations

import json
import multiprocessing
import os
import random
import sys
import time
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from math import sqrt
from pathlib import Path

from p2pball.computer import Level
from p2pball.computer.game import SourceStream, play_out
from p2pball.engine.terms import Rules, Seat, Terms
from p2pball.engine.view import View
from tests import harness
from tests.bench import Figure
from tools.cards import spar, sparring
from tools.cards.sparring import Opponent

GAMES = harness.ROOT / ".bench" / "strength.jsonl"
BATCH = 4
AHEAD = 4
SLOW = 0.99
"""The part of the decisions that must be quicker than the bar."""

PLAYERS: dict[str, Callable[[], Opponent]] = {
    "rookie": lambda: sparring.level(Level.ROOKIE),
    "regular": lambda: sparring.level(Level.REGULAR),
    "all-star": lambda: sparring.level(Level.ALL_STAR),
    "always-high": lambda: sparring.ALWAYS_HIGH,
    "count-aware": lambda: sparring.COUNT_AWARE,
    "regret table": sparring.strategy_table,
    "best response": sparring.trained_response,
}


@cache
def player(name: str) -> Opponent:
    """The player of a name, its tables loaded once."""
    return PLAYERS[name]()


@dataclass(frozen=True)
class Match:
    """Two players, how many games, and the bar for the first one's share of wins."""

    rules: Rules
    ours: str
    theirs: str
    games: int = 1000
    at_least: float | None = None

    @property
    def name(self) -> str:
        """The match in words."""
        return f"{self.rules.value}: {self.ours} v {self.theirs}"


MATCHES = (
    Match(Rules.CARDS, "all-star", "rookie", at_least=0.70),
    Match(Rules.CARDS, "all-star", "count-aware", at_least=0.60),
    Match(Rules.CARDS, "all-star", "regret table", 3000, at_least=0.52),
    Match(Rules.CARDS, "all-star", "always-high"),
    Match(Rules.CARDS, "all-star", "regular"),
    Match(Rules.CARDS, "best response", "all-star"),
    Match(Rules.CARDS, "regular", "rookie"),
    Match(Rules.CARDS, "regular", "always-high"),
    Match(Rules.CARDS, "regular", "count-aware"),
    Match(Rules.CARDS, "rookie", "always-high"),
    Match(Rules.CARDS, "rookie", "count-aware"),
    Match(Rules.DICE, "all-star", "rookie"),
    Match(Rules.DICE, "all-star", "regular"),
    Match(Rules.DICE, "regular", "rookie"),
)


@dataclass(frozen=True)
class Played:
    """One game: the runs of both, and the 99th percentile of the first one's decisions in seconds."""

    match: str
    number: int
    ours: int
    theirs: int
    slow: float


def play(match: Match, number: int) -> Played:
    """The game of one number: nine innings, home and away in turn, no steals."""
    source = random.Random(f"{match.name}/{number}")
    stream = SourceStream(source)
    ours, theirs = player(match.ours), player(match.theirs)
    seat = list(Seat)[number % 2]
    took: list[float] = []

    def timed(view: View) -> object:
        began = time.thread_time()
        choice = ours(view, stream)
        took.append(time.thread_time() - began)
        return choice

    result = play_out(Terms(match.rules, 9), {seat: timed, seat.other: lambda view: theirs(view, stream)}, source)
    runs = {Seat.HOST: result.home, Seat.GUEST: result.visitors}
    slow = sorted(took)[int(SLOW * len(took))]
    return Played(match.name, number, runs[seat], runs[seat.other], round(slow, 6))


def _batch(work: tuple[Match, list[int]]) -> list[Played]:
    match, numbers = work
    return [play(match, number) for number in numbers]


def played_before() -> dict[str, dict[int, Played]]:
    """The games kept, by match and number."""
    found: dict[str, dict[int, Played]] = defaultdict(dict)
    if GAMES.exists():
        for line in GAMES.read_text(encoding="utf-8").splitlines():
            game = Played(**json.loads(line))
            found[game.match][game.number] = game
    return found


def missing(share: float) -> list[tuple[Match, list[int]]]:
    """Batches of games still to play, the matches in step; those with a bar are ahead of the others."""
    done = played_before()
    batches = []
    for match in MATCHES:
        numbers = [n for n in range(round(match.games * share)) if n not in done[match.name]]
        batches += [(match, numbers[at : at + BATCH]) for at in range(0, len(numbers), BATCH)]
    return sorted(batches, key=lambda batch: batch[1][0] / batch[0].games * (1 if batch[0].at_least else AHEAD))


def play_missing(share: float, seconds: float) -> None:
    """Play what is missing on every core until it is done or the time is over."""
    work = missing(share)
    GAMES.parent.mkdir(exist_ok=True)
    until = time.monotonic() + seconds
    with multiprocessing.get_context("spawn").Pool() as pool, GAMES.open("a", encoding="utf-8") as kept:
        for count, batch in enumerate(pool.imap(_batch, work), start=1):
            kept.writelines(json.dumps(game.__dict__) + "\n" for game in batch)
            kept.flush()
            print(f"\rbatches {count} of {len(work)}", end="", file=sys.stderr)
            if time.monotonic() > until:
                pool.terminate()
                break
    print(file=sys.stderr)


def figure(match: Match, games: list[Played]) -> Figure:
    """The first player's share of the games, a draw counting as none."""
    n = len(games)
    share = sum(game.ours > game.theirs for game in games) / n
    draws = sum(game.ours == game.theirs for game in games)
    lead = sum(game.ours - game.theirs for game in games) / n
    error = sqrt(share * (1 - share) / n)
    detail = {"games": n, "wanted": match.games, "error": round(error, 4), "draws": draws, "lead": round(lead, 3)}
    name = f"{match.name} ({n} games, +- {error:.3f})"
    return Figure(name, share, "won", at_least=match.at_least, detail=detail)


def run() -> list[Figure]:
    """Play what is missing and tell what all games kept come to."""
    if not Path(sparring.TABLE).exists():
        sparring.BUILD.mkdir(exist_ok=True)
        spar.make_table(1000)
    if not Path(sparring.RESPONSE).exists():
        spar.make_response(3, 100, 1)
    share = int(os.environ.get("P2PBALL_STRENGTH_GAMES", "1000")) / 1000
    play_missing(share, float(os.environ.get("P2PBALL_STRENGTH_SECONDS", "1e9")))
    done = played_before()
    figures = [figure(match, list(done[match.name].values())) for match in MATCHES if done[match.name]]
    slow = [game.slow for match in MATCHES if match.ours == "all-star" for game in done[match.name].values()]
    if slow:
        worst = sorted(slow)[int(SLOW * (len(slow) - 1))] * 1000
        figures.append(Figure("slowest 1 % of all-star decisions", worst, "ms", at_most=20))
    size = sum(path.stat().st_size for path in (harness.ROOT / "p2pball" / "computer" / "data").iterdir()) / 1e6
    return [*figures, Figure("tables", size, "MB", at_most=5)]
