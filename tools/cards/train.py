"""Learn by self-play what the cards game's computer knows: `python -m tools.cards.train`.

Every sweep plays one hand of six in all rows of the field. Each pitch is solved for hands drawn
from the decks, and what those hands turn out to be worth is averaged into the tables that the
next sweeps look ahead by. Two tables are learned: one against an equal, and one against a side
that plays its cards in any order, which is what a strong player turns to when it meets one.

The work is saved after every round and goes on where it stopped; the same seed gives the same
table. Needs numpy, and about half an hour.
"""

from __future__ import annotations

import datetime
import pickle
from pathlib import Path
from typing import NamedTuple

import click
import numpy as np

from tools.cards.beliefs import draw, with_own
from tools.cards.field import Field
from tools.cards.hands import SIZES
from tools.cards.rules import RANKS, SHIFTS
from tools.cards.solver import (
    BATTER,
    COUNTS,
    PITCHER,
    Futures,
    Hands,
    Left,
    Pitches,
    Solved,
    answer,
    column,
    left_after,
    shares,
    solve,
    worths,
)
from tools.cards.store import TABLE, dump
from tools.cards.table import Counts, Habits, Table

ROLES = (BATTER, PITCHER)
PRIOR_CALLS = np.array([45, 46, 23, 55]) / 169
FORGET_ROUNDS = 10
"""Rounds whose learning counts half as much with every round after: they looked ahead by poor tables."""


class Sums:
    """Running sums of what the sweeps found."""

    def __init__(self) -> None:
        self.worth = [np.zeros((2, 2, COUNTS, size)) for size in SIZES[:6]]
        self.seen = [np.zeros((2, COUNTS, size)) for size in SIZES[:6]]
        self.calls = np.zeros((2, SHIFTS, COUNTS, 4))
        self.pays = np.zeros((2, 7, COUNTS, RANKS))
        self.chances = np.zeros((2, 7, COUNTS, 4, RANKS))
        self.share = np.zeros((2, 7, COUNTS, RANKS))
        self.times = np.zeros((2, 7, COUNTS))

    def forget(self) -> None:
        """Halve everything."""
        for array in (*self.worth, *self.seen, self.calls, self.pays, self.chances, self.share, self.times):
            array *= 0.5

    def add(self, role: int, pitches: Pitches, hands: Hands, solved: Solved) -> None:
        """Take in one role of solved pitches; the hand that is really held stands first and does not count."""
        side, k = solved.sides[role], hands.ranks.shape[2]
        sign = 1.0 if role == BATTER else -1.0
        np.add.at(self.calls[role], (pitches.shift + 1, pitches.count), np.einsum("mcr,mr->mc", side.calls, side.share))
        pays = sign * np.einsum("mc,mcr->mr", pitches.call, side.calls) / np.maximum(pitches.stake, 1e-9)[:, None]
        np.add.at(self.pays[role, k], pitches.count, pays - pays.mean(1, keepdims=True))
        np.add.at(self.chances[role, k], pitches.count, side.calls)
        np.add.at(self.share[role, k], pitches.count, side.share)
        np.add.at(self.times[role, k], pitches.count, 1)
        if k == len(SIZES) - 1:
            return
        worth = worths(pitches, hands, solved, role)
        cells = (pitches.count[:, None] * SIZES[k] + worth.number)[:, 1:].ravel()
        weight = hands.weight[:, 1:].ravel()
        for part, values in enumerate((worth.here, worth.later)):
            found = np.bincount(cells, values[:, 1:].ravel() * weight, COUNTS * SIZES[k])
            self.worth[k][part, role] += found.reshape(COUNTS, -1)
        self.seen[k][role] += np.bincount(cells, weight, COUNTS * SIZES[k]).reshape(COUNTS, -1)

    def table(self) -> Table:
        """What is known by now; hands hardly seen count as average."""
        worth = [total / (seen + 0.5) for total, seen in zip(self.worth, self.seen, strict=True)]
        futures = Futures([w[0].astype(np.float32) for w in worth], [w[1].astype(np.float32) for w in worth])
        calls = self.calls + PRIOR_CALLS
        times = np.maximum(self.times, 1)[..., None]
        habits = Habits(self.pays / times, self.chances / times[..., None], self.share / times)
        return Table.of(Counts.of(calls / calls.sum(-1, keepdims=True)), futures, habits)


class Work(NamedTuple):
    """One learner's field and sums."""

    field: Field
    sums: Sums


def choose(rng: np.random.Generator, hand: np.ndarray, play: np.ndarray) -> np.ndarray:
    """Places in hands of cards drawn by the chances of the sorted hand."""
    total = play.cumsum(-1)
    drawn = (rng.random(len(play))[:, None] * total[:, -1:] >= total).sum(1)
    return np.argsort(hand, -1)[np.arange(len(hand)), np.minimum(drawn, play.shape[1] - 1)]


def sweep(work: Work, table: Table, many: int, heat: float, turns: int, equal: bool) -> None:
    """One hand of six in every row; against an equal, or against cards in any order."""
    field, sums = work
    learner = field.at % 2
    for k in range(6, 0, -1):
        pitches = table.pitches(field)
        seats = (field.batting, 1 - field.batting)
        own = [field.hands[field.at, seat] for seat in seats]
        hands = [with_own(draw(field, seat, many), held) for seat, held in zip(seats, own, strict=True)]
        if equal:
            solved = solve(pitches[BATTER], *hands, table.futures, table.stake, heat, 1 if k == 1 else turns)
        else:
            solved = spar(pitches, hands, table, heat)
        for role in ROLES:
            sums.add(role, pitches[role], hands[role], solved)
        places = [choose(field.rng, own[role], solved.sides[role].play[:, 0]) for role in ROLES]
        if not equal:
            loose = field.rng.integers(0, k, field.rows)
            places = [np.where(seats[role] == learner, places[role], loose) for role in ROLES]
        field.pitch(*places)


def spar(pitches: tuple[Pitches, Pitches], hands: list[Hands], table: Table, heat: float) -> Solved:
    """Each role's best answer to a side that plays any card."""
    lefts: list[Left] = []
    sides = []
    for role in ROLES:
        other = hands[1 - role]
        loose = shares(other.ranks, np.broadcast_to(other.weight[:, :, None], other.ranks.shape))
        left = left_after(table.futures, pitches[role], hands[role], role, table.stake)
        future = left.here * column(pitches[role].stake) + left.later * column(pitches[role].run)
        hot = heat * np.maximum(pitches[role].stake, 1e-9)
        sides.append(answer(pitches[role], hands[role], future, loose, role, hot))
        lefts.append(left)
    return Solved((sides[0], sides[1]), (lefts[0], lefts[1]))


@click.command()
@click.option("--seed", default=1, show_default=True)
@click.option("--rounds", default=60, show_default=True)
@click.option("--sweeps", default=8, show_default=True, help="Hands of six a round.")
@click.option("--rows", default=512, show_default=True, help="Games side by side.")
@click.option("--many", default=24, show_default=True, help="Hands drawn for each side of a pitch.")
@click.option("--heat", default=0.01, show_default=True, help="Softness of play, in stakes.")
@click.option("--turns", default=20, show_default=True, help="Steps of each solution.")
@click.option("--work", "path", default=Path(".build/cards.pickle"), show_default=True, type=click.Path(path_type=Path))
def main(seed: int, rounds: int, sweeps: int, rows: int, many: int, heat: float, turns: int, path: Path) -> None:
    """Train, or go on training, and write the table that the package ships."""
    path.parent.mkdir(exist_ok=True)
    if path.exists():
        done, equal, spare = pickle.loads(path.read_bytes())
    else:
        done = 0
        equal, spare = (Work(Field(rows, np.random.default_rng([seed, n])), Sums()) for n in range(2))
    with click.progressbar(range(done, rounds), label="rounds") as bar:
        for number in bar:
            for work, is_equal in ((equal, True), (spare, False)):
                table = work.sums.table() if number else Table.blank()
                for _ in range(sweeps):
                    sweep(work, table, many, heat, turns, is_equal)
                if number < FORGET_ROUNDS:
                    work.sums.forget()
            part = path.with_suffix(".part")
            part.write_bytes(pickle.dumps((number + 1, equal, spare)))
            part.replace(path)
    facts = {"seed": seed, "rounds": rounds, "date": datetime.date.today().isoformat()}
    TABLE.write_text(dump(equal.sums.table(), spare.sums.table(), facts))


if __name__ == "__main__":
    main()
