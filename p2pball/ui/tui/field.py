"""The playing field: every panel of the game screen, placed for the size there is, each drawn from a scene."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.widget import Widget

from p2pball.ui.tui.glyphs import Glyphs
from p2pball.ui.tui.ink import Lines
from p2pball.ui.tui.logbook import log_lines
from p2pball.ui.tui.motion import Frame
from p2pball.ui.tui.panel import Panel
from p2pball.ui.tui.scene import Scene
from p2pball.ui.tui.views import diamond, folded, hand, score, side, status

WIDE, SMALLEST = (80, 24), (40, 12)
"""Columns and rows of the whole form, and of the smallest one that can be played on."""
_FIXED = 19
"""Rows of the whole form but those of the log."""
STILL = Frame()


class Field(Widget):
    """Status, diamond, score, log, side panel, hand, prompt and footer; folded or replaced on small screens."""

    DEFAULT_CSS = """
    Field { layout: vertical; height: 100%; width: 100%; }
    Field #top { height: 7; }
    Field #middle { height: 1fr; }
    Field #status, Field .rule, Field #prompt, Field #footer { height: 1; }
    Field #diamond { width: 31; height: 7; }
    Field .bar { width: 1; height: 100%; }
    Field #score, Field #log { height: 100%; }
    Field #side { width: 33; height: 100%; }
    Field #hand { height: 5; }
    Field #folded { height: 1fr; display: none; }
    Field #small { height: 100%; display: none; }
    Field.narrow #top, Field.narrow #middle, Field.narrow #hand, Field.narrow .rule { display: none; }
    Field.narrow #folded { display: block; }
    Field.small Panel, Field.small Horizontal { display: none; }
    Field.small #small { display: block; }
    """

    def __init__(self, glyphs: Glyphs) -> None:
        super().__init__()
        self._glyphs = glyphs

    def compose(self) -> ComposeResult:
        """Every panel, of which a size shows only some."""
        yield Panel(id="status")
        yield Panel(id="rule1", classes="rule")
        with Horizontal(id="top"):
            yield Panel(id="diamond")
            yield Panel(id="bar1", classes="bar")
            yield Panel(id="score")
        yield Panel(id="rule2", classes="rule")
        with Horizontal(id="middle"):
            yield Panel(id="log")
            yield Panel(id="bar2", classes="bar")
            yield Panel(id="side")
        yield Panel(id="rule3", classes="rule")
        yield Panel(id="hand")
        yield Panel(id="rule4", classes="rule")
        yield Panel(id="folded")
        yield Panel(id="prompt")
        yield Panel(id="footer")
        yield Panel(id="small")

    def draw(self, scene: Scene, names: Iterable[str] = (), frame: Frame = STILL) -> None:
        """Draw a scene, only the panels of these names if there are any; `frame` is where its motion is."""
        columns, rows = self.screen.size
        small = columns < SMALLEST[0] or rows < SMALLEST[1]
        narrow = not small and (columns < WIDE[0] or rows < WIDE[1])
        self.set_class(small, "small")
        self.set_class(narrow, "narrow")
        wanted = set(names)
        views = self._views(scene, columns, rows, frame)
        if small:
            shown = {"small"}
        elif narrow:
            shown = {"status", "folded", "prompt", "footer"}
            if wanted - shown:
                wanted.add("folded")
        else:
            shown = set(views) - {"small", "folded"}
        for name in sorted(shown & wanted if wanted else shown):
            self.query_one(f"#{name}", Panel).show(views[name]())

    def _views(self, scene: Scene, columns: int, rows: int, frame: Frame) -> dict[str, Callable[[], Lines]]:
        """What each panel shows, drawn only when called."""
        glyphs, left, right = self._glyphs, status.DIAMOND, columns - status.SIDE - 1
        middle = rows - _FIXED
        running = dict(frame.running)
        return {
            "status": lambda: (status.status(scene, columns, glyphs),),
            "rule1": lambda: (status.rule(columns, glyphs, tees=(left,)),),
            "diamond": lambda: diamond.diamond(scene, left, glyphs, running),
            "bar1": lambda: status.bar(7, glyphs),
            "score": lambda: score.score(scene, columns - left - 1, glyphs),
            "rule2": lambda: (status.rule(columns, glyphs, tees=(right,), feet=(left,)),),
            "log": lambda: log_lines(scene.log, right - 1, middle),
            "bar2": lambda: status.bar(middle, glyphs),
            "side": lambda: side.side(scene, status.SIDE, glyphs, frame.dice),
            "rule3": lambda: (status.rule(columns, glyphs, feet=(right,)),),
            "hand": lambda: hand.hand(scene, columns, glyphs),
            "rule4": lambda: (status.rule(columns, glyphs),),
            "folded": lambda: folded.folded(scene, columns, rows - 3, glyphs, running),
            "prompt": lambda: (status.prompt(scene, columns, glyphs),),
            "footer": lambda: (status.footer(scene, columns, glyphs),),
            "small": lambda: status.too_small(columns, rows),
        }
