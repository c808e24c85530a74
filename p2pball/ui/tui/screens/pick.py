"""Lists to pick from: a menu with a key for every line, and games to open, watch or go on with."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from textual.app import ComposeResult

from p2pball.scorebook.cells import fit
from p2pball.ui.tui.ink import Ink, Line, Tone, dim, fitted, line, strong
from p2pball.ui.tui.keymap import DOWN, PAGE_DOWN, PAGE_UP, THEME, UP, Act, Key
from p2pball.ui.tui.outside import words
from p2pball.ui.tui.panel import Panel
from p2pball.ui.tui.screens.base import Keyed
from p2pball.ui.tui.scroll import Scroll
from p2pball.ui.tui.views.status import rule


class Pick(Keyed):
    """Lines of which one is marked; `pick` is told what a key wants done with which."""

    DEFAULT_CSS = """
    Pick .one { height: 1; }
    """

    def __init__(
        self,
        title: str,
        texts: Sequence[str],
        keys: tuple[Key, ...],
        pick: Callable[[Act, int], None],
        *,
        empty: str = "",
    ) -> None:
        super().__init__()
        self._pick = pick
        self._title, self._texts, self._keys, self._empty = title, texts, keys, empty
        self.at = 0

    def compose(self) -> ComposeResult:
        """Title, list, keys."""
        yield Panel(id="title", classes="one")
        yield Panel(id="rule", classes="one")
        with Scroll(can_focus=False):
            yield Panel(id="page")
        yield Panel(id="keys", classes="one")

    @property
    def keys(self) -> tuple[Key, ...]:
        """What can be done with the marked line, and moving the mark."""
        return (*self._keys, UP, DOWN, PAGE_UP, PAGE_DOWN, THEME)

    def act(self, key: Key) -> None:
        """Move the mark, or answer."""
        match key.does:
            case Act.UP | Act.DOWN | Act.PAGE_UP | Act.PAGE_DOWN:
                page = max(self.size.height - 4, 1)
                step = {Act.UP: -1, Act.DOWN: 1, Act.PAGE_UP: -page}.get(key.does, page)
                self.at = min(max(self.at + step, 0), max(len(self._texts) - 1, 0))
                self.redraw()
                self.query_one(Scroll).scroll_to(y=self.at - self.size.height // 2, animate=False)
            case Act.CLOSE:
                self.dismiss(None)
            case Act.THEME:
                super().act(key)
            case Act() as does if self._texts:
                self._pick(does, self.at)
            case _:
                self.dismiss(None)

    def press(self, pressed: str) -> bool:
        """A click on a line opens it."""
        if pressed.startswith("line "):
            self.at = int(pressed.removeprefix("line "))
            pressed = "enter"
        return super().press(pressed)

    def draw(self, *names: str) -> None:
        """Draw everything."""
        room, glyphs = self.app.size.width, self.theatre.glyphs
        self.query_one("#title", Panel).show((fitted(line(" ", strong(self._title)), room),))
        self.query_one("#rule", Panel).show((rule(room, glyphs),))
        rows: list[Line] = [
            line(
                Ink(f" {glyphs.pointer if n == self.at else ' '} ", Tone.KEY),
                Ink(fit(words(text, room - 5), room - 5), Tone.STRONG if n == self.at else Tone.PLAIN, f"line {n}"),
            )
            for n, text in enumerate(self._texts)
        ]
        self.query_one("#page", Panel).show(tuple(rows) or (line("  ", dim(self._empty)),))
        arrows = "up/down" if glyphs.ascii else "↑↓"
        keys = self.key_line((*self._keys, THEME), room, f"{arrows} choose")
        self.query_one("#keys", Panel).show((fitted(keys, room),))
