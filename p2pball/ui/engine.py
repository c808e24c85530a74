"""Anyone's program in a seat: the objects of the JSON front end over its standard input and output."""

from __future__ import annotations

import asyncio
import contextlib
import os
import shlex
import signal
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process
from pathlib import Path
from typing import NoReturn

from p2pball.ballgame import Ballgame, NotYourTurn
from p2pball.engine.moves import Choice, Result
from p2pball.engine.view import View
from p2pball.errors import P2PBallError
from p2pball.session import Controls, Ended
from p2pball.ui.jsonl import MAX_LINE, Json

PATIENCE = 30.0
"""Seconds that a program may think about one choice."""
MISTAKES = 20
"""Answers that are no legal choice before the program has lost its game."""
UNREAD = 1024 * 1024
"""Bytes that a program may leave unread."""

MOMENT = 1.0
"""Seconds that a program has to end by itself after its game, and again when it is told to."""


class NoEngine(P2PBallError):
    """The program cannot be started."""


class Engine(Json):
    """A program that plays: one that hangs, crashes or talks nonsense resigns its own game, and nothing else."""

    def __init__(self, process: Process, command: str) -> None:
        super().__init__(self._tell, self._hear)
        self._process, self._command = process, command
        self._mistakes = 0
        self.failed = ""
        """Why its game was resigned for it."""

    @classmethod
    async def start(cls, command: str, *, silent: bool = False) -> Engine:
        """Start a command line, split as a shell would; raises NoEngine.

        `silent` drops what it says on its standard error, for a screen that has no place for it.
        """
        errors = DEVNULL if silent else None
        try:
            words = shlex.split(command)
            # A session of its own: its children end with it, and Ctrl-C is p2pball's to deal with.
            process = await asyncio.create_subprocess_exec(
                *words, stdin=PIPE, stdout=PIPE, stderr=errors, limit=MAX_LINE, start_new_session=True
            )
        except (OSError, ValueError, IndexError, TypeError) as error:
            raise NoEngine(f"The engine {command!r} cannot be started: {error}.") from None
        return cls(process, command)

    async def choose(self, view: View, moves: tuple[Choice, ...], seconds: float | None) -> Choice:
        """The program's choice; when it fails the game is resigned for it."""
        try:
            return await asyncio.wait_for(super().choose(view, moves, seconds), PATIENCE)
        except TimeoutError:
            self._fail(f"did not answer within {PATIENCE:.0f} seconds")
        return await self._resigned()

    def send(self, kind: str, **fields: object) -> None:
        """Write one object; answers that were no choice are counted."""
        self._mistakes = self._mistakes + 1 if kind == "error" else 0
        if self._mistakes >= MISTAKES:
            self._fail(f"gave {MISTAKES} answers in a row that are no legal choice")
        super().send(kind, **fields)

    def over(self, ended: Ended, record: Path, why: str) -> None:
        """Say so, and let the program go."""
        super().over(ended, record, why)
        self.stop()

    def seated(self, ballgame: Ballgame, controls: Controls) -> None:
        """A game begins or goes on."""
        super().seated(ballgame, controls)
        self._mistakes = 0

    def alone(self, controls: Controls) -> None:
        """A simulated game begins: nothing but choices and the result is told."""
        self._controls = controls

    def finish(self, result: Result, ended: Ended, why: str) -> None:
        """Say how a simulated game ended, and let the program go."""
        self.send("over", result=result.to_json(), ended=ended.value, **({"why": why} if why else {}))
        self.stop()

    async def gone(self) -> None:
        """Return when the program has ended, and what it started with it: by itself, when told to, or by force."""
        self.stop()
        try:
            if self.failed or not await self._ends():
                self._signal(signal.SIGTERM)
                await self._ends()
        finally:
            self.kill()
            await self._closed()

    async def _closed(self) -> None:
        """Let go of the pipes, which a child that left the session may hold, and of the process.

        What is open when its loop is closed complains on standard error as it is collected.
        """
        transport = self._process._transport  # type: ignore[attr-defined]
        stdin, stdout = (transport.get_pipe_transport(fd) for fd in (0, 1))
        if stdin.get_write_buffer_size():
            stdin.abort()
        stdout.close()
        await self._process.wait()
        transport.close()

    async def _ends(self) -> bool:
        """Whether the program ends within a moment; what it still says is lost."""
        assert self._process.stdout
        try:
            async with asyncio.timeout(MOMENT):
                while await self._process.stdout.read(MAX_LINE):
                    pass
                await self._process.wait()
        except TimeoutError:
            return False
        return True

    def kill(self) -> None:
        """End it by force, and all that it has started in its session."""
        self._signal(getattr(signal, "SIGKILL", signal.SIGTERM))

    def _signal(self, number: signal.Signals) -> None:
        with contextlib.suppress(OSError):
            if sys.platform == "win32":
                self._process.kill()
            else:  # not by asyncio, which then may find it gone and say so
                os.killpg(self._process.pid, number)

    def stop(self) -> None:
        """Tell the program that nothing more comes: the end of its input."""
        with contextlib.suppress(OSError, RuntimeError):
            if self._process.stdin:
                self._process.stdin.close()

    def _tell(self, line: str) -> None:
        stdin = self._process.stdin
        if stdin is None or stdin.is_closing():
            return
        if stdin.transport.get_write_buffer_size() > UNREAD:
            self._fail("does not read what it is told")
            return
        with contextlib.suppress(OSError):
            stdin.write(line.encode() + b"\n")

    async def _hear(self) -> str | None:
        assert self._process.stdout
        try:
            line = await self._process.stdout.readline()
        except ValueError:
            self._fail(f"wrote a line of more than {MAX_LINE} bytes")
            line = b""
        if not line:
            self._fail("ended before its game did")
            await self._resigned()
        return line.decode(errors="replace")

    async def _resigned(self) -> NoReturn:
        """Never comes back: the resignation ends the wait for a choice."""
        await asyncio.Event().wait()
        raise AssertionError

    def _fail(self, what: str) -> None:
        if self.failed or self._controls is None:
            return
        self.failed = f"The engine {self._command!r} {what}: its game is resigned."
        try:
            self._controls.resign()
        except NotYourTurn:
            self._controls.leave()
