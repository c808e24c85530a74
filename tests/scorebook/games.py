"""Whole games for the scorebook's tests: random choices, now daring and now careful, the same for the same seed."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from itertools import islice

from p2pball.engine.events import Event
from p2pball.engine.moves import HOLD, PINCH, Choice
from p2pball.engine.terms import Rules, Terms
from p2pball.scorebook.game import Game
from p2pball.scorebook.teams import DEFAULT_TEAMS, Teams
from tests.engine.playing import Picker, playthrough


def picker(seed: str, *, pinch: bool = True) -> Picker:
    """Choices at random; how often a window is held is a matter of the seed, so that steals do not rule every game.

    Without `pinch` nobody is ever pinch hit for.
    """
    rng = random.Random(f"choices of {seed}")
    caution = rng.random()

    def pick(moves: Sequence[Choice]) -> Choice:
        if HOLD in moves and rng.random() < caution:
            return HOLD
        return rng.choice([move for move in moves if pinch or move != PINCH])

    return pick


def random_events(terms: Terms, seed: str, *, pinch: bool = True) -> list[Event]:
    """The facts of a whole game."""
    return [event for step in playthrough(terms, seed, picker(seed, pinch=pinch)) for event in step.after.events]


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


def called_early(game: Game, rounds: int) -> Game:
    """The game as if it had been resigned after so many rounds and moves."""
    kept = islice(game.rounds(), rounds)
    events = [moment.event for moments in kept for moment in moments]
    return Game.of(game.terms, game.teams, events).call("by resignation")


def random_games(cases: int, seed: int) -> Iterable[Game]:
    """So many games of every kind, the same for the same seed; one in five is resigned somewhere."""
    rng = random.Random(seed)
    for case in range(cases):
        game = random_game(random_terms(rng), f"{seed}/{case}")
        yield called_early(game, rng.randrange(1, sum(1 for _ in game.rounds()))) if rng.random() < 0.2 else game
