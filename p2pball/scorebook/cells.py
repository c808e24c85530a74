"""Text in columns of a terminal: how wide it is, and padding to a width."""

from __future__ import annotations

import unicodedata
from functools import lru_cache


def width(text: str) -> int:
    """Cells that a text takes: wide and full-width characters two, combining marks none."""
    if text.isascii():
        return len(text)
    return sum(_cells(character) for character in text)


@lru_cache(maxsize=1024)
def _cells(character: str) -> int:
    if unicodedata.category(character) in ("Mn", "Me"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def fit(text: str, cells: int) -> str:
    """A text cut and padded with blanks to exactly so many cells."""
    kept, used = "", 0
    for character in text:
        if used + _cells(character) > cells:
            break
        kept, used = kept + character, used + _cells(character)
    return kept + " " * (cells - used)
