"""Sentences for a terminal: broken between words, where the terminal itself would break them anywhere."""

from __future__ import annotations

import contextlib
import os
import textwrap
from typing import TextIO


def folded(text: str, stream: TextIO, hang: int = 0) -> str:
    """A text for a stream, its further lines `hang` columns in; as it is where no terminal shows it or a narrow one."""
    room = _columns(stream)
    if not stream.isatty() or room < 3 * hang:
        return text
    return textwrap.fill(
        text,
        room,
        subsequent_indent=" " * hang,
        break_long_words=False,
        break_on_hyphens=False,
    )


def _columns(stream: TextIO) -> int:
    """The width of a terminal. As shutil tells it, which loads what packs files to do so."""
    with contextlib.suppress(KeyError, ValueError):
        return int(os.environ["COLUMNS"])
    with contextlib.suppress(OSError, ValueError):
        return os.get_terminal_size(stream.fileno()).columns or 80
    return 80
