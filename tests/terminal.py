"""A program in a real pseudo-terminal: type to it, wait for what it says."""

from __future__ import annotations

import contextlib
import fcntl
import os
import pty
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

COMMAND = (sys.executable, "-m", "p2pball")


def environment(home: Path, **more: str) -> dict[str, str]:
    """The environment of a player with a folder of their own, on a machine that has only its loopback."""
    # The size of the terminal is its own: xdist sets both variables, and they would go before it.
    bare = {k: v for k, v in os.environ.items() if not k.startswith("P2PBALL_") and k not in ("COLUMNS", "LINES")}
    return bare | {"P2PBALL_HOME": str(home), "P2PBALL_LOOPBACK": "1", "TERM": "xterm", **more}


class Terminal:
    """A process whose standard streams are one pseudo-terminal; `said` is all it has written."""

    def __init__(
        self,
        arguments: Sequence[str],
        env: Mapping[str, str],
        *,
        size: tuple[int, int] = (24, 80),
        command: Sequence[str] = COMMAND,
    ) -> None:
        self._master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", *size, 0, 0))
        self.process = subprocess.Popen(
            [*command, *arguments], stdin=slave, stdout=slave, stderr=slave, env=dict(env), start_new_session=True
        )
        os.close(slave)
        self.said = ""
        self.at = 0
        """Where in `said` the last text that was found ends."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait(30)
        self.hang_up()

    def hang_up(self) -> None:
        """Close the terminal's far end, as a closed window does."""
        with contextlib.suppress(OSError):
            os.close(self._master)

    def type(self, text: str) -> None:
        """Type, Enter included only when the text has it."""
        os.write(self._master, text.encode())

    def interrupt(self) -> None:
        """Ctrl-C, once the program reads: between its question and the reading CPython leaves it to the next key."""
        time.sleep(0.3)
        self.process.send_signal(signal.SIGINT)

    def pump(self, seconds: float) -> bool:
        """Take in what is written within some seconds; False when the program has closed the terminal."""
        ready, _, _ = select.select([self._master], [], [], seconds)
        if not ready:
            return True
        try:
            data = os.read(self._master, 65536)
        except OSError:
            return False
        self.said += data.decode(errors="replace").replace("\r\n", "\n")
        return bool(data)

    def next_of(self, *texts: str) -> str | None:
        """The first of some texts after what was already found, if it is there by now."""
        new = self.said[self.at :]
        found = min(((new.find(text), text) for text in texts if text in new), default=None)
        if found is None:
            return None
        self.at += found[0] + len(found[1])
        return found[1]

    def expect(self, *texts: str, seconds: float = 60) -> str:
        """Wait for the first of some texts after what was already found; which one it was."""
        until = time.monotonic() + seconds
        open_ = True
        while (found := self.next_of(*texts)) is None:
            assert open_, f"ended without {texts}: ...{self.said[-1500:]}"
            assert time.monotonic() < until, f"no {texts} within {seconds} s: ...{self.said[-1500:]}"
            open_ = self.pump(0.05)
        return found

    def wait(self, seconds: float = 60) -> int:
        """Wait for the end of the program; its exit code."""
        until = time.monotonic() + seconds
        while self.process.poll() is None:
            assert time.monotonic() < until, f"does not end: ...{self.said[-1500:]}"
            self.pump(0.05)
        while self.pump(0.05) and select.select([self._master], [], [], 0.05)[0]:
            pass
        return self.process.returncode
