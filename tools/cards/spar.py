"""Train the sparring partners: `python -m tools.cards.spar`.

The strategy table comes of regret minimisation on the five-bucket game. The best response is
trained in rounds: games against the all-star measure how often it plays each rank with so many
cards left and such a count, one sweep finds the best answer to that, and that plays the next
round, for the all-star watches whom it plays. Both are saved under .build/ for the bench.
"""

from __future__ import annotations

import random
from collections.abc import Mapping

import click
import numpy as np

from p2pball.computer import Level
from p2pball.computer.cards_table import BATTER, PITCHER, trained
from p2pball.computer.game import SourceStream, play_out
from p2pball.engine.cards import rank
from p2pball.engine.moves import Choice, PlayCard
from p2pball.engine.terms import Rules, Seat, Terms
from p2pball.engine.view import View
from tools.cards.abstract import EVERY_RANK, FIVE, Game, Minimiser
from tools.cards.rules import RANKS
from tools.cards.solver import COUNTS
from tools.cards.sparring import BUILD, RESPONSE, TABLE, Opponent, level, response, strategy_table

PRIOR = 20.0
"""How many plays the trained habits count for beside those measured."""


def _ends() -> np.ndarray:
    return np.array(trained().equal.ends)[BATTER, 1]


def make_table(rounds: int) -> None:
    """Minimise regret and save the average strategy."""
    minimiser = Minimiser(Game(FIVE, _ends()))
    with click.progressbar(range(rounds), label="regret") as bar:
        for _ in bar:
            minimiser.round()
    np.savez_compressed(TABLE, **{f"size{k}": minimiser.average(k).astype(np.float32) for k in range(1, 7)})


class Watch:
    """Counts which ranks a player plays."""

    def __init__(self, player: Opponent) -> None:
        self.player = player
        self.seen = np.zeros((2, 7, COUNTS, RANKS))

    def play(self, view: View, stream: SourceStream) -> Choice:
        """The player's own choice, noted."""
        choice = self.player(view, stream)
        if isinstance(choice, PlayCard):
            at = view.state.balls * 3 + view.state.strikes
            self.seen[BATTER if view.batting else PITCHER, len(view.hand), at, rank(choice.card) - 1] += 1
        return choice

    def shares(self) -> np.ndarray:
        """How often each rank was played: role, cards in the hand, count, rank."""
        habits = np.array(trained().equal.share)
        total = self.seen + PRIOR * habits
        return total / np.maximum(total.sum(-1, keepdims=True), 1e-9)


def make_response(rounds: int, games: int, seed: int) -> None:
    """Measure the all-star against its own answer, again and again, and save the last answer."""
    game = Game(EVERY_RANK, _ends())
    opponent = strategy_table()
    watch = Watch(level(Level.ALL_STAR))
    for number in range(rounds):
        with click.progressbar(range(games), label=f"response {number + 1}") as bar:
            for played in bar:
                _play(watch, opponent, random.Random(f"{seed}/{number}/{played}"), played % 2)
        futures = game.best_response(watch.shares())
        opponent = response(watch.shares(), futures)
        sizes: Mapping[str, np.ndarray] = {f"size{k}": size.astype(np.float32) for k, size in enumerate(futures)}
        np.savez_compressed(RESPONSE, shares=watch.shares(), **sizes)
        watch.seen *= 0.5


def _play(watch: Watch, opponent: Opponent, source: random.Random, at: int) -> None:
    stream, home = SourceStream(source), list(Seat)[at]
    players = {home: lambda view: watch.play(view, stream), home.other: lambda view: opponent(view, stream)}
    play_out(Terms(Rules.CARDS, 9), players, source)


@click.command()
@click.option("--regret-rounds", default=1000, show_default=True)
@click.option("--response-rounds", default=3, show_default=True)
@click.option("--games", default=100, show_default=True, help="Games of each round of the response.")
@click.option("--seed", default=1, show_default=True)
def main(regret_rounds: int, response_rounds: int, games: int, seed: int) -> None:
    """Train both sparring partners."""
    BUILD.mkdir(exist_ok=True)
    make_table(regret_rounds)
    make_response(response_rounds, games, seed)


if __name__ == "__main__":
    main()
