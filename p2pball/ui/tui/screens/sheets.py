"""Pages to read over the game: help, box score, log, and any other lines of text."""

from __future__ import annotations

from collections.abc import Sequence

from textual.app import ComposeResult

from p2pball.engine.terms import Rules
from p2pball.scorebook.boxscore import Box
from p2pball.scorebook.boxtext import box_lines
from p2pball.scorebook.cells import width
from p2pball.ui.helptext import CARDS, DICE
from p2pball.ui.tui.ink import Ink, Line, Lines, Tone, dim, fitted, line, strong, wrapped
from p2pball.ui.tui.keymap import CLOSE, LOG_KEYS, THEME, Act, Key
from p2pball.ui.tui.logbook import Entry, log_lines
from p2pball.ui.tui.panel import Panel
from p2pball.ui.tui.screens.base import Keyed
from p2pball.ui.tui.scroll import Scroll
from p2pball.ui.tui.views.status import rule


class Sheet(Keyed):
    """A page with a title that scrolls; `lines` makes its rows for a width."""

    DEFAULT_CSS = """
    Sheet .one { height: 1; }
    """

    def __init__(self, title: str) -> None:
        super().__init__()
        self._title = title

    def lines(self, room: int) -> Lines:
        """The rows of the page."""
        raise NotImplementedError

    @property
    def keys(self) -> tuple[Key, ...]:
        """Esc closes."""
        return (CLOSE, THEME)

    def compose(self) -> ComposeResult:
        """Title, rule, the page, rule, keys."""
        yield Panel(id="title")
        yield Panel(id="rule", classes="one")
        with Scroll():
            yield Panel(id="page")
        yield Panel(id="keys", classes="one")

    def on_mount(self) -> None:
        """Draw, and take the arrow keys for scrolling."""
        super().on_mount()
        self.query_one(Scroll).focus()

    def draw(self, *names: str) -> None:
        """Draw everything; one still being put together is drawn when it stands."""
        if not self.query("#page"):
            return
        room = self.size.width
        title = wrapped(self._title, max(room - 2, 1))
        self.query_one("#title", Panel).show(tuple(fitted(line(" ", strong(row)), room) for row in title))
        self.query_one("#rule", Panel).show((rule(room, self.theatre.glyphs),))
        self.query_one("#page", Panel).show(self.lines(room - 1))
        arrows = "up/down" if self.theatre.glyphs.ascii else "↑↓"
        keys = self.key_line(self.keys, room, f"{arrows} scroll")
        self.query_one("#keys", Panel).show((fitted(keys, room),))


class TextSheet(Sheet):
    """Lines that are ready."""

    def __init__(self, title: str, texts: Sequence[str]) -> None:
        super().__init__(title)
        self._texts = texts

    def lines(self, room: int) -> Lines:
        """As they are; sentences that are too long go on in the next row, tables are cut."""
        return tuple(line(" ", row) for text in self._texts for row in _rows(text, room - 2))


def _rows(text: str, room: int) -> list[str]:
    bare = text.strip()
    if width(text) <= room or "  " in bare:
        return [text]
    indent = " " * (len(text) - len(text.lstrip()))
    return [indent + row for row in wrapped(bare, max(room - len(indent), 1), 2)]


class HelpSheet(Sheet):
    """The keys of the moment, then the rule card of the game, or of both when none is played (experience.md)."""

    def __init__(self, keys: tuple[Key, ...], rules: Rules | None) -> None:
        super().__init__("Help: the keys of the moment, and the rules")
        self._keys, self._rules = keys, rules

    def lines(self, room: int) -> Lines:
        """Keys, then rules."""
        rows: list[Line] = []
        for key in self._grouped():
            told = wrapped(key[1], room - 12)
            rows.append(line("  ", Ink(f"{key[0]:<9}", Tone.KEY), told[0]))
            rows += [line(" " * 11, text) for text in told[1:]]
        rows.append(line("  ", Ink(f"{'Ctrl+C':<9}", Tone.KEY), "leave at once; the game is saved"))
        if self._rules:
            rows.append(line("  ", Ink(f"{'chain':<9}", Tone.KEY), "the same digits for both: the same game"))
        for rules in (self._rules,) if self._rules else Rules:
            rows += [line(), line(" ", strong(f"The {rules.value} game"))]
            for text in CARDS if rules is Rules.CARDS else DICE:
                indent = 2 + len(text) - len(text.lstrip())
                told = wrapped(text.strip(), room - indent - 3, 2)
                rows += [line(" " * indent, row) for row in told]
        return tuple(rows)

    def _grouped(self) -> list[tuple[str, str]]:
        """Each key with what it does; the cards as one range."""
        cards = [key for key in self._keys if key.key.isdigit() and key.word == "play"]
        found = []
        if cards:
            span = f"1-{len(cards)}" if len(cards) > 1 else "1"
            hold = ": hold, and play it" if self._keys and _holds(cards[0]) else ""
            found.append((span, f"play the card above that number{hold}"))
        found += [(key.cap, key.about) for key in self._keys if key not in cards]
        return found


def _holds(key: Key) -> bool:
    return getattr(key.does, "then", None) is not None


class BoxSheet(Sheet):
    """The box score so far."""

    def __init__(self, box: Box) -> None:
        super().__init__("Box score")
        self._box = box

    def lines(self, room: int) -> Lines:
        """As wide as there is room."""
        rows = box_lines(self._box, max(min(room - 2, 100), 37))
        if self.theatre.glyphs.ascii:
            rows = [row.replace("·", ".") for row in rows]
        return tuple(line(" ", row) for row in rows)


class LogSheet(Sheet):
    """Everything that has happened; `!` shows scoring plays only."""

    def __init__(self, log: Sequence[Entry]) -> None:
        super().__init__("Log")
        self._log = tuple(log)
        self._scoring = False

    @property
    def keys(self) -> tuple[Key, ...]:
        """The toggle beside closing."""
        return (*LOG_KEYS, THEME)

    def lines(self, room: int) -> Lines:
        """The log, whole or scoring plays only."""
        shown = tuple(entry for entry in self._log if entry.scoring) if self._scoring else self._log
        return log_lines(shown, room) or (line("  ", dim("Nothing yet.")),)

    def act(self, key: Key) -> None:
        """Toggle, or close."""
        if key.does is Act.SCORING:
            self._scoring = not self._scoring
            self._title = "Log: scoring plays" if self._scoring else "Log"
            self.redraw()
        else:
            super().act(key)

    def on_mount(self) -> None:
        """Begin at the end, where the news is."""
        super().on_mount()
        self.query_one(Scroll).scroll_end(animate=False)
