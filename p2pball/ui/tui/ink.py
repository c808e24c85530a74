"""Lines of text with meaning: what the views draw, what a panel shows and where a mouse can press."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from enum import Enum
from typing import TypeAlias

from p2pball.frozen import frozen
from p2pball.scorebook.cells import fit, width


class Tone(Enum):
    """What a piece of text is; a theme says how that looks, and nothing is said by the tone alone."""

    PLAIN = "plain"
    DIM = "dim"
    STRONG = "strong"
    KEY = "key"
    OWN = "own"
    RIVAL = "rival"
    GOOD = "good"
    ALARM = "alarm"
    RULE = "rule"

    @property
    def component(self) -> str:
        """Its name in the style sheet."""
        return f"tone--{self.value}"


@frozen
class Ink:
    """A piece of a line; `key` is what a click on it presses."""

    text: str
    tone: Tone = Tone.PLAIN
    key: str = ""


Line: TypeAlias = tuple[Ink, ...]
Lines: TypeAlias = tuple[Line, ...]


def line(*parts: str | Ink) -> Line:
    """A line of its parts; strings are plain."""
    return tuple(part if isinstance(part, Ink) else Ink(part) for part in parts)


def dim(text: str) -> Ink:
    """Text that matters less."""
    return Ink(text, Tone.DIM)


def strong(text: str) -> Ink:
    """Text that matters more."""
    return Ink(text, Tone.STRONG)


def cells(row: Line) -> int:
    """How wide a line is."""
    return sum(width(ink.text) for ink in row)


def fitted(row: Line, room: int) -> Line:
    """A line cut or padded with blanks to exactly so many cells."""
    kept: list[Ink] = []
    left = room
    for ink in row:
        size = width(ink.text)
        if size > left:
            kept.append(replace(ink, text=fit(ink.text, left)))
            return tuple(kept)
        kept.append(ink)
        left -= size
    return (*kept, Ink(" " * left)) if left else tuple(kept)


def spread(left: Line, right: Line, room: int) -> Line:
    """One line at both ends of a row; what stands on the left gives way."""
    size = min(cells(right), room)
    return (*fitted(left, room - size), *fitted(right, size))


def centred(row: Line, room: int) -> Line:
    """A line in the middle of a row."""
    return fitted((Ink(" " * max((room - cells(row)) // 2, 0)), *row), room)


def wrapped(text: str, room: int, indent: int = 0) -> list[str]:
    """A text in lines of at most so many cells, later ones indented; a word that is too long is cut, a path between
    its folders.
    """
    rows: list[str] = []
    row = ""
    for word in text.split(" "):
        rest = word
        while True:
            start = row + " " if row.strip() else row
            if width(start) + width(rest) <= room:
                row = start + rest
                break
            if row.strip():
                rows.append(row)
                row = " " * indent
                continue
            piece = fit(rest, max(room - width(row), 1)).rstrip() or rest[:1]
            piece = piece[: piece.rfind("/") + 1] or piece
            rows.append(row + piece)
            row, rest = " " * indent, rest[len(piece) :]
            if not rest:
                break
    return [*rows, row] if row.strip() or not rows else rows


def joined(parts: Iterable[Line], gap: str = "   ") -> Line:
    """Several lines after one another with a gap between them."""
    found: list[Ink] = []
    for part in parts:
        if found:
            found.append(Ink(gap))
        found += part
    return tuple(found)
