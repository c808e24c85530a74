"""A form: rows of a name and a value that goes round, for new games and for the settings."""

from __future__ import annotations

from dataclasses import dataclass

from p2pball.scorebook.cells import fit
from p2pball.ui.tui.ink import Ink, Line, Tone, dim, line, strong, wrapped
from p2pball.ui.tui.keymap import CLOSE, DOWN, HELP, LEFT, RIGHT, THEME, UP, Act, Key
from p2pball.ui.tui.outside import words
from p2pball.ui.tui.screens.dialogs import Ask
from p2pball.ui.tui.screens.lobby import Page

_NAME, _VALUE = 18, 26


@dataclass
class Row:
    """One row; with no `values` its text is typed."""

    name: str
    value: str
    values: tuple[str, ...] = ()
    about: str = ""
    longest: int = 24

    def turn(self, step: int) -> None:
        """The next value, or the one before."""
        at = self.values.index(self.value) if self.value in self.values else 0
        self.value = self.values[(at + step) % len(self.values)]


class Form(Page):
    """Dismissed with the values by name, or with None."""

    def __init__(self, title: str, rows: list[Row], done: Key) -> None:
        super().__init__()
        self._title, self._rows, self._done = title, rows, done
        self._at = 0

    @property
    def keys(self) -> tuple[Key, ...]:
        """Moving, changing, done, back."""
        return (self._done, UP, DOWN, LEFT, RIGHT, CLOSE, HELP, THEME)

    def act(self, key: Key) -> None:
        """Move, change, or answer."""
        row = self._rows[self._at]
        match key.does:
            case Act.UP | Act.DOWN:
                self._at = (self._at + (1 if key.does is Act.DOWN else -1)) % len(self._rows)
            case Act.LEFT | Act.RIGHT if row.values:
                row.turn(1 if key.does is Act.RIGHT else -1)
            case Act.LEFT | Act.RIGHT:
                self.app.push_screen(Ask(row.name, row.about, value=row.value, longest=row.longest), self._typed)
            case Act.YES:
                self.dismiss({row.name: row.value for row in self._rows})
            case _:
                super().act(key)
        self.redraw()

    def press(self, pressed: str) -> bool:
        """A click on a row changes it."""
        if pressed.startswith("line "):
            self._at = int(pressed.removeprefix("line "))
            pressed = "right"
        return super().press(pressed)

    def rows(self, room: int) -> list[Line]:
        """The rows, what the marked one means, and the keys."""
        glyphs = self.theatre.glyphs
        found: list[Line] = [line(strong(self._title)), line()]
        size = max(min(_VALUE, room - _NAME - 2), 0)
        for n, row in enumerate(self._rows):
            marked = n == self._at
            name = Ink(f"{row.name:<{_NAME}}", Tone.STRONG if marked else Tone.DIM, f"line {n}")
            value = Ink(fit(words(row.value or "-", size), size), Tone.OWN if marked else Tone.PLAIN, f"line {n}")
            found.append(line(Ink(f"{glyphs.pointer if marked else ' '} ", Tone.KEY), name, value))
        arrows = "arrow keys" if glyphs.ascii else "↑↓ ←→"
        about = [line(dim(row)) for row in wrapped(self._rows[self._at].about, room)]
        return [
            *found,
            line(),
            *about,
            line(),
            self.key_line((self._done, CLOSE, HELP, THEME), room, f"{arrows} change"),
        ]

    def _typed(self, text: str | None) -> None:
        if text is not None:
            self._rows[self._at].value = text.strip()
        self.redraw()
