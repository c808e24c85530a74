"""The title screen: everything that can be begun, a key each."""

from __future__ import annotations

from p2pball.ui.tui.bigtext import big
from p2pball.ui.tui.glyphs import Glyphs
from p2pball.ui.tui.ink import Ink, Line, Tone, line, wrapped
from p2pball.ui.tui.keymap import DOWN, HELP, THEME, TITLE_KEYS, UP, Act, Key
from p2pball.ui.tui.screens.lobby import Page

_ROOMY = 20
"""Rows from which the large title is drawn."""
_ABOUT = 46
"""Cells that the longest word about a line of the menu needs."""


class Title(Page):
    """The first screen of `p2pball` alone; it stays below all others."""

    def __init__(self) -> None:
        super().__init__()
        self._at = 0

    @property
    def keys(self) -> tuple[Key, ...]:
        """The menu, and moving through it."""
        chosen = TITLE_KEYS[self._at]
        enter = Key("enter", chosen.word, chosen.about, chosen.does)
        return (*TITLE_KEYS, UP, DOWN, enter, HELP, THEME)

    def act(self, key: Key) -> None:
        """Move, or begin."""
        match key.does:
            case Act.UP | Act.DOWN:
                self._at = (self._at + (1 if key.does is Act.DOWN else -1)) % len(TITLE_KEYS)
                self.redraw()
            case Act.THEME | Act.HELP:
                super().act(key)
            case _:
                self.theatre.begin(key)

    def rows(self, room: int) -> list[Line]:
        """The name of the game, what it is, and the menu."""
        glyphs = self.theatre.glyphs
        found = _name(glyphs) if self.app.size.height >= _ROOMY and room >= 40 else [line(Ink("p2pball", Tone.OWN))]
        found += [
            line(),
            *(line(row) for row in wrapped("Two-player baseball, peer to peer, provably fair", room)),
            line(),
        ]
        for n, key in enumerate(TITLE_KEYS):
            marked = n == self._at
            label = Ink(f"{glyphs.pointer if marked else ' '} [{key.cap}]", Tone.KEY, key.key)
            word = Ink(f" {key.word:<10}", Tone.STRONG if marked else Tone.PLAIN, key.key)
            about = f"{key.about:<{_ABOUT}}" if room >= _ABOUT + 17 else ""
            found.append(line(label, word, Ink(about, Tone.DIM, key.key)))
        return [*found, line(), self.key_line((HELP, THEME), room)]


def _name(glyphs: Glyphs) -> list[Line]:
    drawn = big("p2pball", glyphs)
    size = max(len(row) for row in drawn)
    return [line(Ink(f"{row:<{size}}", Tone.OWN)) for row in drawn]
