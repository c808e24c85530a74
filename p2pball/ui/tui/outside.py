"""Words from outside (names, chat, errors of a peer) made fit to stand on a screen (experience.md, fact 1)."""

from __future__ import annotations

import unicodedata
from functools import lru_cache

from rich.cells import cell_len

from p2pball.protocol.chat import clean
from p2pball.scorebook.cells import fit, width

_MARKS = 2
"""Combining marks that may follow one character; more would climb over the lines above."""
_CONTROLS = ("Cc", "Cf", "Cs", "Co")


def words(text: str, cells: int) -> str:
    """A text from outside in at most so many cells."""
    bare = harmless(clean(text))
    if width(bare) <= cells:
        return bare
    return f"{fit(bare, max(cells - 2, 0)).rstrip()}.."[:cells]


@lru_cache(maxsize=4096)
def harmless(text: str) -> str:
    """A text without control characters, and as wide for every program that measures it.

    Every panel passes all it draws through here, so that nobody has to remember to.
    """
    if text.isascii() and text.isprintable():
        return text
    bare = _few_marks("".join("?" if unicodedata.category(char) in _CONTROLS else char for char in text))
    if cell_len(bare) != width(bare):
        bare = "".join(char if _sure(char) else "?" for char in bare)
    return bare


def _few_marks(text: str) -> str:
    kept, marks = [], 0
    for char in text:
        marks = marks + 1 if unicodedata.category(char) in ("Mn", "Me") else 0
        if marks <= _MARKS:
            kept.append(char)
    return "".join(kept)


def _sure(char: str) -> bool:
    """Whether a character alone has one width everywhere: letters, digits, punctuation, blanks, simple symbols."""
    return unicodedata.category(char) not in ("Mn", "Me", "Sk", "So") and cell_len(char) == width(char)
