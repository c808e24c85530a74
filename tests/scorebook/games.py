"""Whole games for the scorebook's tests: random choices, now daring and now careful, the same for the same seed."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence

from p2pball.engine.events import Event
from p2pball.engine.moves import HOLD, Choice
from p2pball.engine.terms import Rules, Terms
from p2pball.scorebook.game import Game
from p2pball.scorebook.teams import DEFAULT_TEAMS, Teams
from tests.engine.playing import Picker, playthrough


def picker(seed: str) -> Picker:
    """Choices at random; how often a window is held is a matter of the seed, so that steals do not rule every game."""
    rng = random.Random(f"choices of {seed}")
    caution = rng.random()

    def pick(moves: Sequence[Choice]) -> Choice:
        return HOLD if HOLD in moves and rng.random() < caution else rng.choice(moves)

    return pick


def random_events(terms: Terms, seed: str) -> list[Event]:
    """The facts of a whole game."""
    return [event for step in playthrough(terms, seed, picker(seed)) for event in step.after.events]


def random_game(terms: Terms, seed: str, teams: Teams = DEFAULT_TEAMS) -> Game:
    """A whole game."""
    return Game.of(terms, teams, random_events(terms, seed))


def random_terms(rng: random.Random) -> Terms:
    """Terms of any kind, both rule sets and every length."""
    return Terms(
        rules=rng.choice(tuple(Rules)),
        innings=rng.randint(1, 9),
        extra_innings=rng.randint(0, 3),
        walk_off=rng.random() < 0.8,
        home=rng.choice(("host", "guest", "coin")),
    )


def random_games(cases: int, seed: int) -> Iterable[Game]:
    """So many games of every kind, the same for the same seed."""
    rng = random.Random(seed)
    for case in range(cases):
        yield random_game(random_terms(rng), f"{seed}/{case}")
