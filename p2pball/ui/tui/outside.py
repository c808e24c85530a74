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
_SHADES = dict.fromkeys((0xFE0E, 0xFE0F, *range(0x1F3FB, 0x1F400)))
"""The choice between sign and picture, and the skin tones: without them a picture is still what was meant."""
_JOINED = ("Mn", "Me", "Sk", "So")


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
    # No more of the text is lost than must be: what shades its neighbour, then what is measured in two ways by itself,
    # and only then every sign that may join with others.
    if cell_len(bare) != width(bare):
        bare = bare.translate(_SHADES)
    if cell_len(bare) != width(bare):
        bare = "".join(char if cell_len(char) == width(char) else "?" for char in bare)
    if cell_len(bare) != width(bare):
        bare = "".join("?" if unicodedata.category(char) in _JOINED else char for char in bare)
    return bare


def _few_marks(text: str) -> str:
    kept, marks = [], 0
    for char in text:
        marks = marks + 1 if unicodedata.category(char) in ("Mn", "Me") else 0
        if marks <= _MARKS:
            kept.append(char)
    return "".join(kept)
