"""Sentences for a terminal: broken between words, where the terminal itself would break them anywhere."""

from __future__ import annotations

import os
import textwrap
from typing import TextIO


def folded(text: str, stream: TextIO, hang: int = 0) -> str:
    """A text for a stream, its further lines `hang` columns in; as it is where no terminal shows it or a narrow one."""
    if not stream.isatty():
        return text
    room = os.get_terminal_size(stream.fileno()).columns or 80  # shutil asks the same, and loads compressors to do so
    if room < 3 * hang:
        return text
    return textwrap.fill(
        text,
        room,
        subsequent_indent=" " * hang,
        break_long_words=False,
        break_on_hyphens=False,
    )
