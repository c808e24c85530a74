"""A widget that shows lines of ink, redraws only the rows that changed, and says which key a click meant."""

from __future__ import annotations

from collections import Counter
from itertools import zip_longest

from rich.segment import Segment
from rich.style import Style
from textual.events import Click
from textual.geometry import Region, Size
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from p2pball.scorebook.cells import width
from p2pball.ui.tui.ink import Line, Lines, cells
from p2pball.ui.tui.outside import harmless


class Panel(Widget):
    """Rows of text in the tones of its screen; as high as they are many unless the style says otherwise."""

    DEFAULT_CSS = "Panel { height: auto; width: 1fr; }"

    class Pressed(Message):
        """A click on something that a key does too."""

        def __init__(self, key: str) -> None:
            super().__init__()
            self.key = key

    def __init__(self, lines: Lines = (), *, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(id=id, classes=classes)
        self._lines = lines
        self._blank = Style()
        self.drawn: Counter[int] = Counter()
        """How often each row was drawn, for the test that only what changed is."""

    def show(self, lines: Lines) -> None:
        """Show other lines."""
        before, self._lines = self._lines, lines
        if len(before) != len(lines) and self.styles.height is not None and self.styles.height.is_auto:
            self.refresh(layout=True)
            return
        rows = (y for y, pair in enumerate(zip_longest(before, lines)) if pair[0] != pair[1])
        regions = [Region(0, y, self.size.width, 1) for y in rows]
        if regions:
            self.refresh(*regions)

    @property
    def lines(self) -> Lines:
        """What is shown."""
        return self._lines

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """One row a line."""
        return len(self._lines)

    def get_content_width(self, container: Size, viewport: Size) -> int:
        """The longest line."""
        return max((cells(row) for row in self._lines), default=0)

    def render_lines(self, crop: Region) -> list[Strip]:
        """Some rows; what they stand on is worked out once for all of them."""
        self._blank = self.rich_style
        return super().render_lines(crop)

    def render_line(self, y: int) -> Strip:
        """One row; nothing is taken for markup, and control characters never pass (experience.md, fact 1)."""
        self.drawn[y] += 1
        blank, tone = self._blank, self.screen.get_component_rich_style
        row: Line = self._lines[y] if y < len(self._lines) else ()
        segments = [
            Segment(harmless(ink.text), blank + tone(ink.tone.component, partial=True)) for ink in row if ink.text
        ]
        return Strip(segments).adjust_cell_length(self.size.width, blank)

    def on_click(self, event: Click) -> None:
        """Press the key that stands for what was clicked on."""
        at = event.get_content_offset(self)
        if at is None or at.y >= len(self._lines):
            return
        x = 0
        for ink in self._lines[at.y]:
            x += width(ink.text)
            if at.x < x:
                if ink.key:
                    self.post_message(self.Pressed(ink.key))
                return
