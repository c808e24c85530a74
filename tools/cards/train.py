"""Learn what the cards game's computer knows: `python -m tools.cards.train`.

Against an equal: in every round the all-star's solver plays itself for some sweeps, a hand of six
in each row of the field, and how often it plays each rank (by role, cards left and count) is
averaged with the rounds before. One sweep backward over all hands then finds what every hand is
worth against just that (the best response of tools/cards/abstract.py), and the next round looks
ahead by these worths. So the worths know which cards are left late in a hand, and nothing is left
for a best response to find.

Against two other kinds of opponent the answer is simpler: their shares are watched, and the best
response to them is found once.

The work is saved after every round and goes on where it stopped; the same seed gives the same
table. Needs numpy, and about ten minutes.
"""

from __future__ import annotations

import datetime
import pickle
from collections.abc import Callable
from pathlib import Path

import click
import numpy as np

from tools.cards import chance
from tools.cards.abstract import EVERY_RANK, Game
from tools.cards.beliefs import draw, with_own
from tools.cards.field import Field
from tools.cards.rules import RANKS
from tools.cards.solver import BATTER, PITCHER, Answerer, Hands, Pitches, Side, left_after, solve
from tools.cards.store import TABLE, dump
from tools.cards.sums import Sums
from tools.cards.table import Table, average_line

ROLES = (BATTER, PITCHER)
PINCH_SHARE = 0.02
"""How often a pinch hitter comes up before a pitch: often enough to learn what he is worth."""
HEAT = 0.01
TURNS = 8
"""More than at run time: here the habits that a solution starts from are still poor."""
HANDS = 16
EARLY = 4
"""Rounds that are forgotten: they looked ahead by poor worths."""

Habit = Callable[[Field, int], np.ndarray]
"""The places of the cards that a kind of opponent plays in a role: row."""


def loose(field: Field, role: int) -> np.ndarray:
    """Any card."""
    return field.rng.integers(0, field.hands.shape[2], field.rows)


def minded(field: Field, role: int) -> np.ndarray:
    """By the count alone: high when an out or a walk is near, low when nothing is, else the middle card."""
    own, balls, strikes = field.held(role), field.count // 3, field.count % 3
    k = own.shape[1]
    high = (strikes == 2) | ((balls == 3) & (role == PITCHER))
    early = (strikes == 0) & (balls < 2)
    low = ~high & (early if role == PITCHER else balls == 3)
    place = np.where(high, k - 1, np.where(low, 0, k // 2))
    return np.asarray(np.argsort(own, -1)[field.at, place])


KINDS: dict[str, Habit] = {"loose": loose, "minded": minded}


def choose(rng: np.random.Generator, hand: np.ndarray, play: np.ndarray) -> np.ndarray:
    """Places in hands of cards drawn by the chances of the sorted hand."""
    total = play.cumsum(-1)
    drawn = (rng.random(len(play))[:, None] * total[:, -1:] >= total).sum(1)
    return np.asarray(np.argsort(hand, -1)[np.arange(len(hand)), np.minimum(drawn, play.shape[1] - 1)])


def sweep(field: Field, sums: Sums, table: Table, habit: Habit | None) -> None:
    """One hand of six in every row: equals, or a learner that meets a habit in the other seat.

    Calls are booked for the learner, plays for the side that is watched: the habit, or both equals.
    """
    field.pinch_used[:] = False
    for k in range(6, 0, -1):
        field.send_pinch(field.rng.random(field.rows) < PINCH_SHARE)
        pitches = table.pitches(field)
        seats = (field.batting, 1 - field.batting)
        hands = [with_own(draw(field, seats[role], HANDS), field.held(role)) for role in ROLES]
        start = [table.share[role, k][pitches[role].count].astype(np.float32) for role in ROLES]
        if habit is None:
            pair = (hands[BATTER], hands[PITCHER])
            turns = 0 if k == 1 else TURNS
            sides = solve(pitches[BATTER], pair, table.futures, table.stake, (start[0], start[1]), HEAT, turns)
        else:
            batter = respond(pitches[BATTER], hands[BATTER], table, BATTER, start[PITCHER])
            sides = batter, respond(pitches[PITCHER], hands[PITCHER], table, PITCHER, start[BATTER])
        places = [choose(field.rng, field.held(role), sides[role].play[:, :, 0].T) for role in ROLES]
        for role in ROLES:
            learns = np.ones(field.rows, bool) if habit is None else seats[role] == field.at % 2
            watched = learns if habit is None else ~learns
            if habit is not None:
                places[role] = np.where(learns, places[role], habit(field, role))
            sums.add_calls(role, pitches[role], sides[role], learns)
            sums.add_plays(role, k, pitches[role], field.held(role)[field.at, places[role]], watched)
        field.pitch(*places)


def respond(pitches: Pitches, hands: Hands, table: Table, role: int, other: np.ndarray) -> Side:
    """The best answer of every hand to the other side's shares."""
    left = left_after(table.futures, pitches, hands, role, table.stake)
    return Answerer(pitches, hands, left, role).answer(other, HEAT * np.maximum(pitches.stake, 1e-9), True)


def learn_equal(game: Game, field: Field, table: Table, sums: Sums, sweeps: int, number: int) -> Table:
    """One round against an equal."""
    seen = Sums()
    for _ in range(sweeps):
        sweep(field, seen, table, None)
    pace = 0.6 if number < EARLY else 1.0 / (number - EARLY + 2)
    share = table.share + pace * (seen.share(table.share) - table.share)
    sums.calls += seen.calls
    if number < EARLY:
        sums.calls *= 0.5
    return Table.of(sums.counts(), game.best_response(share), share)


def learn_kind(game: Game, equal: Table, habit: Habit, seed: list[int], rows: int, sweeps: int) -> Table:
    """Watch a kind of opponent, answer it, and learn how counts go on then."""
    field = Field(rows, np.random.default_rng(seed))
    table = equal
    for _ in range(2):
        sums = Sums()
        for _ in range(sweeps):
            sweep(field, sums, table, habit)
        share = sums.share(np.full(table.share.shape, 1 / RANKS))
        table = Table.of(sums.counts(), game.best_response(share), share)
    return table._replace(runs=equal.runs)


@click.command()
@click.option("--seed", default=1, show_default=True)
@click.option("--rounds", default=16, show_default=True)
@click.option("--sweeps", default=20, show_default=True, help="Hands of six a round.")
@click.option("--rows", default=512, show_default=True, help="Games side by side.")
@click.option("--work", "path", default=Path(".build/cards.pickle"), show_default=True, type=click.Path(path_type=Path))
def main(seed: int, rounds: int, sweeps: int, rows: int, path: Path) -> None:
    """Train, or go on training, and write the tables that the package ships."""
    path.parent.mkdir(exist_ok=True)
    if path.exists():
        done, field, table, sums = pickle.loads(path.read_bytes())
    else:
        done, field, table, sums = 0, Field(rows, np.random.default_rng(seed)), Table.blank(), Sums()
    with click.progressbar(range(done, rounds), label="rounds") as bar:
        for number in bar:
            game = Game(EVERY_RANK, table.counts.ends[BATTER, 1])
            table = learn_equal(game, field, table, sums, sweeps, number)
            part = path.with_suffix(".part")
            part.write_bytes(pickle.dumps((number + 1, field, table, sums)))
            part.replace(path)
    game = Game(EVERY_RANK, table.counts.ends[BATTER, 1])
    tables = {"equal": table}
    for number, (name, habit) in enumerate(KINDS.items(), start=1):
        tables[name] = learn_kind(game, table, habit, [seed, number], rows, sweeps)
    facts = {"seed": seed, "rounds": rounds, "date": datetime.date.today().isoformat()}
    TABLE.write_text(dump(tables, facts))
    chance.write(average_line(table.counts))


if __name__ == "__main__":
    main()
