"""Sentences for a terminal: broken between words, where the terminal itself would break them anywhere."""

from __future__ import annotations

import shutil
import textwrap
from typing import TextIO


def folded(text: str, stream: TextIO, hang: int = 0) -> str:
    """A text for a stream, its further lines `hang` columns in; as it is where no terminal shows it or a narrow one."""
    room = shutil.get_terminal_size().columns
    if not stream.isatty() or room < 3 * hang:
        return text
    return textwrap.fill(
        text,
        room,
        subsequent_indent=" " * hang,
        break_long_words=False,
        break_on_hyphens=False,
    )
