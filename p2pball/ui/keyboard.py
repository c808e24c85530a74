"""Lines from standard input, read in a thread: the one way that works for terminals, pipes and every platform."""

from __future__ import annotations

import asyncio
import sys
import threading
from typing import TextIO


class Keyboard:
    """Lines as they are typed or piped in; an ended input gives None for ever."""

    def __init__(self, stream: TextIO | None = None) -> None:
        self._stream = stream or sys.stdin
        self._lines: asyncio.Queue[str | None] = asyncio.Queue()
        self._started = False

    @property
    def interactive(self) -> bool:
        """Whether a person types; a pipe holds its lines ready long before they are asked for."""
        return self._stream.isatty()

    async def line(self) -> str | None:
        """The next line without its newline, or None at the end of the input."""
        if not self._started:
            self._started = True
            loop = asyncio.get_running_loop()
            threading.Thread(target=self._read, args=(loop,), daemon=True).start()
        line = await self._lines.get()
        if line is None:
            self._lines.put_nowait(None)
        return line

    def _read(self, loop: asyncio.AbstractEventLoop) -> None:
        while True:
            try:
                line = self._stream.readline()
            except (OSError, ValueError):  # the terminal has gone, or the bytes are no text
                line = ""
            try:
                loop.call_soon_threadsafe(self._lines.put_nowait, line.rstrip("\r\n") if line else None)
            except RuntimeError:  # the loop has ended; nobody listens any more
                return
            if not line:
                return
