"""The program in a pseudo-terminal whose screen is kept by a terminal emulator, and whose modes are watched."""

from __future__ import annotations

import fcntl
import os
import re
import select
import signal
import struct
import sys
import termios
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import pyte

from tests.terminal import COMMAND, Terminal, environment

CHILD = (sys.executable, "-m", "tests.ui.child")
MODES = {"1049": False, "1000": False, "1003": False, "1006": False, "2004": False, "25": True}
"""Private modes of a terminal, and how they must be left: no second screen, no mouse, no paste marks, a cursor."""
COLOUR = re.compile(r"\x1b\[(?:[0-9]*;)*(?:3[0-8]|4[0-8]|9[0-7]|10[0-7])(?:;[0-9]*)*m")


class Screen(Terminal):
    """A terminal of some columns and rows; `lines` is what stands on it."""

    def __init__(
        self,
        home: Path,
        arguments: Sequence[str],
        *,
        size: tuple[int, int] = (80, 24),
        command: Sequence[str] = COMMAND,
        **variables: str,
    ) -> None:
        self.raw = b""
        self._emulator = pyte.Screen(*size)
        self._stream = pyte.ByteStream(self._emulator)
        env = environment(home, **{"TERM": "xterm-256color", "P2PBALL_NAME": "Ann", "LANG": "C.UTF-8", **variables})
        super().__init__(arguments, env, size=(size[1], size[0]), command=command)

    @property
    def lines(self) -> list[str]:
        """The screen, row by row."""
        return [row.rstrip() for row in self._emulator.display]

    def pump(self, seconds: float) -> bool:
        """Take in what is drawn."""
        ready, _, _ = select.select([self._master], [], [], seconds)
        if not ready:
            return True
        try:
            data = os.read(self._master, 65536)
        except OSError:
            return False
        self.raw += data
        self.said += data.decode(errors="replace")
        self._stream.feed(data)
        return bool(data)

    def shows(self, text: str, seconds: float = 60) -> None:
        """Wait until a text stands on the screen."""
        self.until(lambda: any(text in line for line in self.lines), f"{text!r} on the screen", seconds)

    def until(self, what: Callable[[], bool], words: str, seconds: float = 60) -> None:
        """Wait until something is so."""
        end = time.monotonic() + seconds
        while not what():
            assert time.monotonic() < end, f"no {words}:\n" + "\n".join(self.lines)
            assert self.pump(0.05) or what(), f"ended without {words}:\n" + "\n".join(self.lines)

    def resize(self, columns: int, rows: int) -> None:
        """Another size of the window."""
        fcntl.ioctl(self._master, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        self._emulator.resize(rows, columns)
        self.process.send_signal(signal.SIGWINCH)

    def restored(self) -> None:
        """Assert that the terminal is as it was: modes, echo and line by line."""
        for mode, wanted in MODES.items():
            found = re.findall(rf"\x1b\[\?{mode}([hl])", self.said)
            assert not found or (found[-1] == "h") is wanted, f"mode {mode} is left {found[-1]}"
        flags = termios.tcgetattr(self._master)[3]
        assert flags & termios.ECHO, "no echo"
        assert flags & termios.ICANON, "no lines"
        assert flags & termios.ISIG, "no signals"
