"""The diamond: bases, runners by name, the batter, and runners on their way between bases."""

from __future__ import annotations

from collections.abc import Mapping

from p2pball.scorebook.cells import width
from p2pball.ui.tui.glyphs import Glyphs
from p2pball.ui.tui.ink import Ink, Line, Lines, Tone, fitted
from p2pball.ui.tui.outside import words
from p2pball.ui.tui.scene import Scene

STEPS = 3
"""Steps of a runner from one base to the next."""
_ROWS_OF_PATH = (6, 5, 4, 3, 2, 1, 0, 1, 2, 3, 4, 5, 6)
_COLUMNS_OF_PATH = (12, 13, 14, 15, 14, 13, 12, 11, 10, 9, 10, 11, 12)
PATH = tuple(zip(_ROWS_OF_PATH, _COLUMNS_OF_PATH, strict=True))
"""Row and column of every step from the plate around to it again."""
_BASES = {1: (3, 15), 2: (0, 12), 3: (3, 9)}
_LINES = {(1, 11): "up", (1, 13): "down", (2, 10): "up", (2, 14): "down"}
_LINES |= {(4, 10): "down", (4, 14): "up", (5, 11): "down", (5, 13): "up"}
ROWS = 7

Cells = dict[tuple[int, int], Ink]


def diamond(scene: Scene, room: int, glyphs: Glyphs, running: Mapping[int, int] | None = None) -> Lines:
    """Seven rows; `running` are runners under way, slot to step, who are shown there instead of on a base."""
    state, moving = scene.state, running or {}
    drawn: Cells = {at: Ink(getattr(glyphs, name), Tone.RULE) for at, name in _LINES.items()}
    runners = {base: slot for base, slot in enumerate(state.bases, start=1) if slot and slot not in moving}
    names = {base: scene.lineup.name(state.batting, slot) for base, slot in runners.items()}
    for base, at in _BASES.items():
        drawn[at] = Ink(glyphs.occupied, Tone.KEY) if base in runners else Ink(glyphs.free, Tone.DIM)
    drawn[6, 12] = Ink(glyphs.plate, Tone.STRONG)
    _put(drawn, 0, 14, "2B", Tone.DIM)
    _put(drawn, 0, 17, words(names.get(2, ""), room - 17))
    _put(drawn, 3, 17, "1B", Tone.DIM)
    _put(drawn, 3, 20, words(names.get(1, ""), room - 20))
    _put(drawn, 3, 6, "3B", Tone.DIM)
    third = words(names.get(3, ""), 8)
    _put(drawn, 4, 9 - width(third), third)
    if state.inning and not scene.over and state.slot not in moving:
        _put(drawn, 6, 14, words(scene.lineup.name(state.batting, state.slot), room - 14), Tone.STRONG)
    for step in moving.values():
        drawn[PATH[step]] = Ink(glyphs.runner, Tone.KEY)
    return tuple(_row(drawn, row, room) for row in range(ROWS))


def _put(drawn: Cells, row: int, column: int, text: str, tone: Tone = Tone.PLAIN) -> None:
    if text:
        drawn[row, column] = Ink(text, tone)


def _row(drawn: Cells, row: int, room: int) -> Line:
    found: list[Ink] = []
    at = 0
    for (_, column), ink in sorted(((key, ink) for key, ink in drawn.items() if key[0] == row), key=lambda d: d[0]):
        found += [Ink(" " * (column - at)), ink]
        at = column + width(ink.text)
    return fitted(tuple(found), room)
