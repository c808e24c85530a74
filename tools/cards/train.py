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

import click
import numpy as np

from tools.cards import chance
from tools.cards.beliefs import draw, with_own
from tools.cards.field import Field
from tools.cards.solver import (
    BATTER,
    PITCHER,
    Answerer,
    Hands,
    Left,
    Pitches,
    Solved,
    left_after,
    shares,
    solve,
)
from tools.cards.store import TABLE, dump
from tools.cards.sums import Sums, Work
from tools.cards.table import Table, average_line

ROLES = (BATTER, PITCHER)
FORGET_ROUNDS = 10
"""Rounds whose learning counts half as much with every round after: they looked ahead by poor tables."""
PINCH_SHARE = 0.02
"""How often a pinch hitter comes up before a pitch: often enough to learn what he is worth."""


def choose(rng: np.random.Generator, hand: np.ndarray, play: np.ndarray) -> np.ndarray:
    """Places in hands of cards drawn by the chances of the sorted hand."""
    total = play.cumsum(-1)
    drawn = (rng.random(len(play))[:, None] * total[:, -1:] >= total).sum(1)
    return np.argsort(hand, -1)[np.arange(len(hand)), np.minimum(drawn, play.shape[1] - 1)]


def sweep(work: Work, table: Table, many: int, heat: float, turns: int, equal: bool) -> None:
    """One hand of six in every row; against an equal, or against cards in any order."""
    field, sums = work
    field.pinch_used[:] = False
    learner = field.at % 2
    for k in range(6, 0, -1):
        field.send_pinch(field.rng.random(field.rows) < PINCH_SHARE)
        pitches = table.pitches(field)
        seats = (field.batting, 1 - field.batting)
        own = [field.hands[field.at, seat] for seat in seats]
        hands = [with_own(draw(field, seat, many), held) for seat, held in zip(seats, own, strict=True)]
        if equal:
            start = tuple(table.share[role, k][pitches[role].count] for role in ROLES)
            pair = (hands[BATTER], hands[PITCHER])
            solved = solve(pitches[BATTER], pair, table.futures, table.stake, start, heat, 0 if k == 1 else turns)
        else:
            solved = spar(pitches, hands, table, heat)
        for role in ROLES:
            sums.add(role, pitches[role], hands[role], solved)
        places = [choose(field.rng, own[role], solved.sides[role].play[:, :, 0].T) for role in ROLES]
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
        loose = shares(other.places, np.broadcast_to(other.weight, other.ranks.shape))
        left = left_after(table.futures, pitches[role], hands[role], role, table.stake)
        answerer = Answerer(pitches[role], hands[role], left.runs(pitches[role]), role)
        sides.append(answerer.answer(loose, heat * np.maximum(pitches[role].stake, 1e-9), True))
        lefts.append(left)
    return Solved((sides[0], sides[1]), (lefts[0], lefts[1]))


@click.command()
@click.option("--seed", default=1, show_default=True)
@click.option("--rounds", default=60, show_default=True)
@click.option("--sweeps", default=8, show_default=True, help="Hands of six a round.")
@click.option("--rows", default=512, show_default=True, help="Games side by side.")
@click.option("--many", default=24, show_default=True, help="Hands drawn for each side of a pitch.")
@click.option("--heat", default=0.01, show_default=True, help="Softness of play, in stakes.")
@click.option("--turns", default=14, show_default=True, help="Steps of each solution.")
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
    learned = equal.sums.table()
    facts = {"seed": seed, "rounds": rounds, "date": datetime.date.today().isoformat()}
    TABLE.write_text(dump(learned, spare.sums.table(), facts))
    chance.write(average_line(learned.counts))


if __name__ == "__main__":
    main()
