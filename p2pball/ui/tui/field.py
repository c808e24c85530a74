"""The playing field: every view of the game screen, placed for the size there is, drawn from a scene."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from p2pball.ui.tui.glyphs import Glyphs
from p2pball.ui.tui.ink import Line, Lines, fitted
from p2pball.ui.tui.logbook import log_lines
from p2pball.ui.tui.motion import Frame
from p2pball.ui.tui.panel import Panel
from p2pball.ui.tui.scene import Scene
from p2pball.ui.tui.views import diamond, folded, hand, score, side, status

WIDE, SMALLEST = (80, 24), (40, 12)
"""Columns and rows of the whole form, and of the smallest one that can be played on."""
_FIXED = 19
"""Rows of the whole form but those of the log."""
_BRIEF = {"status", "prompt", "footer"}
"""What stands by itself in the narrow form; all else is folded into one view."""
STILL = Frame()

Views = dict[str, Callable[[], Lines]]


class Field(Panel):
    """Status, diamond, score, log, side panel, hand, prompt and footer; folded or replaced on small screens.

    One widget, not one a view: to make, style and place twenty took as long as all else before the first frame.
    """

    DEFAULT_CSS = "Field { height: 100%; }"

    def __init__(self, glyphs: Glyphs) -> None:
        super().__init__()
        self._glyphs = glyphs
        self._placed_for = (0, 0)
        self._drawn: dict[str, Lines] = {}

    def draw(self, scene: Scene, names: Iterable[str] = (), frame: Frame = STILL) -> None:
        """Draw a scene, only the views of these names if there are any; `frame` is where its motion is."""
        columns, rows = size = self.screen.size
        wanted = set(names)
        if size != self._placed_for or not wanted:
            self._placed_for, self._drawn = size, {}
        if columns < SMALLEST[0] or rows < SMALLEST[1]:
            self.show(status.too_small(columns, rows))
        elif columns < WIDE[0] or rows < WIDE[1]:
            self._draw(self._narrow(scene, columns, rows, frame), wanted | ({"folded"} if wanted - _BRIEF else set()))
            self.show(tuple(row for lines in self._drawn.values() for row in lines))
        else:
            self._draw(self._wide(scene, columns, rows, frame), wanted)
            self.show(self._placed(columns, rows))

    def _draw(self, views: Views, wanted: set[str]) -> None:
        self._drawn = {
            name: view() if name in wanted or name not in self._drawn else self._drawn[name]
            for name, view in views.items()
        }

    def _narrow(self, scene: Scene, columns: int, rows: int, frame: Frame) -> Views:
        """The narrow form from top to bottom."""
        glyphs, running = self._glyphs, dict(frame.running)
        return {
            "status": lambda: (status.status(scene, columns, glyphs),),
            "folded": lambda: folded.folded(scene, columns, rows - 3, glyphs, running),
            "prompt": lambda: (status.prompt(scene, columns, glyphs),),
            "footer": lambda: (status.footer(scene, columns, glyphs),),
        }

    def _wide(self, scene: Scene, columns: int, rows: int, frame: Frame) -> Views:
        """The whole form."""
        glyphs, left, right = self._glyphs, status.DIAMOND, columns - status.SIDE - 1
        return {
            "status": lambda: (status.status(scene, columns, glyphs),),
            "diamond": lambda: diamond.diamond(scene, left, glyphs, dict(frame.running)),
            "score": lambda: score.score(scene, columns - left - 1, glyphs),
            "log": lambda: log_lines(scene.log, right - 1, rows - _FIXED),
            "side": lambda: side.side(scene, status.SIDE, glyphs, frame.dice),
            "hand": lambda: hand.hand(scene, columns, glyphs),
            "prompt": lambda: (status.prompt(scene, columns, glyphs),),
            "footer": lambda: (status.footer(scene, columns, glyphs),),
        }

    def _placed(self, columns: int, rows: int) -> Lines:
        """The views of the whole form, each in its place between the rules."""
        drawn, glyphs, left, right = self._drawn, self._glyphs, status.DIAMOND, columns - status.SIDE - 1
        return (
            *drawn["status"],
            status.rule(columns, glyphs, tees=(left,)),
            *self._beside(drawn["diamond"], drawn["score"], left, diamond.ROWS),
            status.rule(columns, glyphs, tees=(right,), feet=(left,)),
            *self._beside(drawn["log"], drawn["side"], right, rows - _FIXED),
            status.rule(columns, glyphs, feet=(right,)),
            *(_row(drawn["hand"], n) for n in range(hand.ROWS)),
            status.rule(columns, glyphs),
            *drawn["prompt"],
            *drawn["footer"],
        )

    def _beside(self, left: Lines, right: Lines, room: int, rows: int) -> Lines:
        """Two views with a bar between them, the one on the left in so many cells."""
        bar = status.bar(self._glyphs)
        return tuple((*fitted(_row(left, n), room), bar, *_row(right, n)) for n in range(rows))


def _row(lines: Lines, n: int) -> Line:
    """A row of a view that may have fewer."""
    return lines[n] if n < len(lines) else ()
