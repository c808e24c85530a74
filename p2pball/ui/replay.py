"""Going through a recorded game: forward, back, to the next half and to the next run."""

from __future__ import annotations

from collections.abc import Callable

from p2pball.engine.events import HalfBegan
from p2pball.engine.terms import Seat
from p2pball.frozen import frozen
from p2pball.scorebook.game import Game, Moment
from p2pball.scorebook.words import is_scoring, tell


@frozen
class Step:
    """What is shown at once: the facts of a round or an open move that have words, and those words line by line."""

    moments: tuple[Moment, ...]
    lines: tuple[str, ...]

    @property
    def begins_half(self) -> bool:
        """Whether a half begins in it."""
        return any(isinstance(moment.event, HalfBegan) for moment in self.moments)

    @property
    def scores(self) -> bool:
        """Whether a run scores in it."""
        return any(is_scoring(moment) for moment in self.moments)


def steps(game: Game, seat: Seat | None = None) -> tuple[Step, ...]:
    """A game step by step, told to a seat or to those who look on; what has no words goes with the next."""
    found: list[Step] = []
    held: tuple[Moment, ...] = ()
    for moments in game.rounds():
        held += moments
        lines = tuple(words for moment in held if (words := tell(moment, seat)))
        if lines:
            found.append(Step(held, lines))
            held = ()
    if held and found:
        found[-1] = Step(found[-1].moments + held, found[-1].lines)
    return tuple(found)


class Replay:
    """A place in a game: `at` steps have been shown. Every way of moving answers the step now shown, None at none."""

    def __init__(self, game: Game, seat: Seat | None = None) -> None:
        self.game = game
        self.steps = steps(game, seat)
        self.at = 0

    @property
    def step(self) -> Step | None:
        """The step shown last; None before the first."""
        return self.steps[self.at - 1] if self.at else None

    @property
    def moment(self) -> Moment | None:
        """The last fact shown; None before the first."""
        return self.step.moments[-1] if self.step else None

    @property
    def ended(self) -> bool:
        """Whether there is nothing more to show."""
        return self.at == len(self.steps)

    def forward(self) -> Step | None:
        """One step on."""
        self.at = min(self.at + 1, len(self.steps))
        return self.step

    def back(self) -> Step | None:
        """One step back."""
        self.at = max(self.at - 1, 0)
        return self.step

    def next_half(self) -> Step | None:
        """On to where the next half begins, or to the end."""
        return self._to(lambda step: step.begins_half)

    def next_score(self) -> Step | None:
        """On to the next run, or to the end."""
        return self._to(lambda step: step.scores)

    def _to(self, wanted: Callable[[Step], bool]) -> Step | None:
        later = (number for number in range(self.at, len(self.steps)) if wanted(self.steps[number]))
        self.at = next(later, len(self.steps) - 1) + 1
        return self.step
