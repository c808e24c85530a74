"""The short, calm animation of a play: dice that tumble, then runners on their way; only ever for show."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import NamedTuple

from p2pball.engine.events import DiceRolled, HalfBegan, Play
from p2pball.scorebook.game import Moment
from p2pball.ui.tui.views.diamond import STEPS

SECONDS = 0.06
"""One frame."""
TUMBLES = 7


class Frame(NamedTuple):
    """One picture: where runners are (batting slot to step around the bases), or what the dice show meanwhile."""

    running: Mapping[int, int] = MappingProxyType({})
    dice: tuple[int, int] | None = None


def frames(moments: Iterable[Moment]) -> tuple[Frame, ...]:
    """The pictures of what has just happened, the dice first; none when nobody moves and nothing rolls."""
    found: list[Frame] = []
    for moment in moments:
        match moment.event:
            case DiceRolled(_, _, first, second):
                found += (_tumbling(first, second, n) for n in range(TUMBLES))
            case Play(advances=advances) if advances:
                longest = max(STEPS * (a.end - a.start) for a in advances)
                for step in range(1, longest + 1):
                    running = {a.slot: min(STEPS * a.start + step, STEPS * a.end) for a in advances}
                    found.append(Frame(running))
            case HalfBegan():
                found = [frame for frame in found if frame.dice]  # nobody is on base any more
            case _:
                pass  # the rest has no motion
    return tuple(found)


def _tumbling(first: int, second: int, n: int) -> Frame:
    """Faces on the way to those that were rolled: every one another than the last, and never a hint."""
    return Frame(dice=((first + 5 * n + 2) % 6 + 1, (second + n + 3) % 6 + 1))
