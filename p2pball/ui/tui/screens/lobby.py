"""Screens around a game: waiting for the partner, and the curtain between two people at one keyboard."""

from __future__ import annotations

from collections.abc import Callable

from textual.app import ComposeResult

from p2pball.ui.tui.bigtext import COLUMNS, big
from p2pball.ui.tui.ink import Ink, Line, Tone, centred, dim, line, strong, wrapped
from p2pball.ui.tui.keymap import THEME, WAITING_KEYS, Act, Key
from p2pball.ui.tui.outside import words
from p2pball.ui.tui.panel import Panel
from p2pball.ui.tui.screens.base import Keyed

NEWS = 6
"""The latest reports that are shown."""


class Page(Keyed):
    """Lines in the middle of an empty screen."""

    DEFAULT_CSS = """
    Page { align: center middle; }
    Page Panel { width: 100%; }
    """

    def compose(self) -> ComposeResult:
        """One panel."""
        yield Panel(id="page")

    def draw(self, *names: str) -> None:
        """Draw everything."""
        room, height = self.app.size
        rows = self.rows(room - 2)
        if len(rows) > height:  # what is said comes before the space around it
            rows = [row for row in rows if row]
        self.query_one("#page", Panel).show(tuple(centred(row, room) for row in rows))

    def rows(self, room: int) -> list[Line]:
        """What the page says; lines with nothing in them are left out on a screen that is too low."""
        raise NotImplementedError


class Waiting(Page):
    """Waiting: for a guest with the code large and the line to type, or for whatever the title says."""

    def __init__(self, title: str, give_up: Callable[[], None]) -> None:
        super().__init__()
        self._title, self._give_up = title, give_up
        self._code = self._join = ""
        self._news: list[str] = []

    @property
    def keys(self) -> tuple[Key, ...]:
        """Giving up."""
        return WAITING_KEYS

    def act(self, key: Key) -> None:
        """Give up."""
        if key.does is Act.CLOSE:
            self._give_up()
        else:
            super().act(key)

    def open(self, code: str, join: str) -> None:
        """The room is open."""
        self._title, self._code, self._join = "Waiting for the other player", code, join
        self.redraw()

    def report(self, text: str) -> None:
        """The latest news."""
        self._news = [*self._news, words(" ".join(text.split()), 400)][-NEWS:]
        self.redraw()

    @property
    def news(self) -> str:
        """What was reported last."""
        return self._news[-1] if self._news else ""

    def rows(self, room: int) -> list[Line]:
        """Title, code, join line, news, keys."""
        rows: list[Line] = [line(strong(self._title)), line()]
        if self._code:
            rows += self._large(room)
            rows += [line(), line("Tell the other player to type:")]
            rows += [line(Ink(row, Tone.OWN)) for row in wrapped(self._join, room)] + [line()]
        news = [line(dim(row)) for text in self._news for row in wrapped(text, room)]
        kept = sum(map(bool, rows)) + 1
        spare = max(self.app.size.height - kept, 0)
        return [*rows, *news[max(len(news) - spare, 0) :], line(), self.key_line(self.keys, room)]

    def _large(self, room: int) -> list[Line]:
        """The code in large letters, in as many rows of them as it needs; plain where even that is too wide."""
        rows: list[Line] = []
        number, _, secret = self._code.partition("-")
        whole = len(self._code) * COLUMNS <= room
        parts = [self._code] if whole else [number, *secret.split("-")]
        roomy = self.app.size.height >= len(parts) * 6 + 10
        if roomy and all(len(part) * COLUMNS <= room for part in parts):
            for part in parts:
                drawn = big(part, self.theatre.glyphs)
                size = max(len(row) for row in drawn)
                rows += [*(line(Ink(f"{row:<{size}}", Tone.KEY)) for row in drawn), line()]
        return [*rows, line(Ink(self._code, Tone.KEY))]


class Curtain(Page):
    """Hides a hand while the keyboard changes hands; dismissed when the next one is alone with the screen."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self._name = name

    @property
    def keys(self) -> tuple[Key, ...]:
        """Enter, and nothing by accident."""
        return (Key("enter", f"{self._name} plays", "show the hand", Act.CLOSE), THEME)

    def rows(self, room: int) -> list[Line]:
        """Whose turn it is."""
        return [
            *(line(strong(row)) for row in wrapped(f"{self._name}, it is your turn.", room)),
            line(),
            *(line(row) for row in wrapped("Press Enter when only you can see the screen.", room)),
        ]
