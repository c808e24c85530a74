"""Processes in the laboratory: relay and TURN server on the public side, the line's forwarder, two players."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import sys
import tempfile
import time
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from signaling.ice import credential
from tests.net.lab.networks import SERVER, Lab, Site

RELAY = f"ws://{SERVER}:8765"
SECRET = "laboratory"


@dataclass
class Player:
    """A program at one site: the lines it has printed, when each came, and how it ended."""

    process: Process
    lines: list[dict[str, Any]] = field(default_factory=list)
    times: list[float] = field(default_factory=list)
    talk: list[str] = field(default_factory=list)
    _readers: list[asyncio.Task[None]] = field(default_factory=list)
    _news: asyncio.Event = field(default_factory=asyncio.Event)

    @classmethod
    async def start(cls, lab: Lab, site: Site, *command: str, home: Path | None = None) -> Player:
        """Run a command at a site; what it prints as JSON lines is kept."""
        env = os.environ | {"P2PBALL_HOME": str(home), "PYTHONUNBUFFERED": "1"} if home else dict(os.environ)
        env.pop("P2PBALL_LOOPBACK", None)
        process = await asyncio.create_subprocess_exec(
            *lab.inside(site.host), *command, stdout=PIPE, stderr=PIPE, stdin=asyncio.subprocess.DEVNULL, env=env
        )
        player = cls(process)
        player._readers = [asyncio.create_task(player._read()), asyncio.create_task(player._listen())]
        return player

    async def until(self, wanted: str, seconds: float) -> dict[str, Any]:
        """The first line with a field of this name, past or to come. Raises TimeoutError, or EOFError at the end."""
        async with asyncio.timeout(seconds):
            while True:
                for line in self.lines:
                    if wanted in line:
                        return line
                if self._readers[0].done():
                    raise EOFError(f"no {wanted}: {self.talk[-3:]}")
                self._news.clear()
                await self._news.wait()

    async def end(self, seconds: float) -> int:
        """Wait for the end; -1 when it had to be killed."""
        try:
            async with asyncio.timeout(seconds):
                await self.process.wait()
                await asyncio.gather(*self._readers)
        except TimeoutError:
            await self.kill()
            return -1
        return self.process.returncode or 0

    async def kill(self) -> None:
        """At once, if it still runs."""
        if self.process.returncode is None:
            self.process.kill()
        await self.process.wait()
        await asyncio.gather(*self._readers)

    async def _read(self) -> None:
        assert self.process.stdout is not None
        async for raw in self.process.stdout:
            with contextlib.suppress(ValueError):
                self.lines.append(json.loads(raw))
                self.times.append(time.monotonic())
            self._news.set()
        self._news.set()

    async def _listen(self) -> None:
        assert self.process.stderr is not None
        async for raw in self.process.stderr:
            self.talk.append(raw.decode(errors="replace").rstrip())


class Line:
    """Site A's line to the Internet, when the laboratory has `lines`."""

    def __init__(self, process: Process) -> None:
        self._process = process

    def set(self, **settings: float | bool) -> None:
        """Change `delay` (seconds one way), `loss` (0 to 1) or `down`."""
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(settings).encode() + b"\n")


@contextlib.asynccontextmanager
async def line(lab: Lab) -> AsyncIterator[Line]:
    """The forwarder between site A and the Internet."""
    ends = (lab.sites["A"].nat, "wan", lab.core, "wanA")
    process = await asyncio.create_subprocess_exec(sys.executable, "-m", "tests.net.lab.forwarder", *ends, stdin=PIPE)
    try:
        yield Line(process)
    finally:
        await _stop(process)


@contextlib.asynccontextmanager
async def servers(lab: Lab, turn: bool) -> AsyncIterator[None]:
    """A relay with its STUN port and, when wanted, a coturn that shares its secret."""
    relay = [sys.executable, "-m", "signaling", "--host", SERVER, "--port", "8765"]
    if turn:
        for transport in ("udp", "tcp"):
            relay += ["--turn-url", f"turn:{SERVER}:3478?transport={transport}"]
        relay += ["--turn-secret", SECRET]
    with tempfile.TemporaryDirectory() as folder:
        commands = [relay]
        if turn:
            commands.append(coturn(SERVER, 3478, Path(folder)))
        inside = lab.inside(lab.server)
        quiet = {"stdout": asyncio.subprocess.DEVNULL, "stderr": asyncio.subprocess.DEVNULL}
        running = [await asyncio.create_subprocess_exec(*inside, *command, **quiet) for command in commands]
        try:
            for port in [8765, 3478][: len(running)]:
                await _listening(lab, port)
            yield
        finally:
            await asyncio.gather(*map(_stop, running))


def coturn(address: str, port: int, folder: Path) -> list[str]:
    """The command of a coturn with the shared secret, over UDP and TCP, that keeps its files in a folder."""
    return [
        "turnserver",
        "-n",
        *("--listening-ip", address, "--relay-ip", address, "--listening-port", str(port)),
        *("--use-auth-secret", "--static-auth-secret", SECRET, "--realm", "laboratory"),
        *("--no-tls", "--no-dtls", "--no-cli", "--userdb", str(folder / "db"), "--pidfile", str(folder / "pid")),
        *("--log-file", str(folder / "log"), "--simple-log", "--min-port", "50000", "--max-port", "50200"),
    ]


def credentials() -> tuple[str, str]:
    """Good for an hour, by the rule that coturn checks."""
    name = f"{int(time.time()) + 3600}:test"
    return name, credential(SECRET, name)


async def _listening(lab: Lab, port: int) -> None:
    for _ in range(150):
        if f":{port}" in await asyncio.to_thread(_sockets, lab):
            return
        await asyncio.sleep(0.1)
    raise TimeoutError(f"nothing listens on {port}")


def _sockets(lab: Lab) -> str:
    """The TCP ports on which somebody listens at the server, as :PORT; read from /proc, where `ss` is no must."""
    import subprocess

    table = subprocess.run(
        [*lab.inside(lab.server), "cat", "/proc/net/tcp"], capture_output=True, text=True, check=True, timeout=10
    ).stdout
    rows = [row.split() for row in table.splitlines()[1:]]
    return " ".join(f":{int(row[1].partition(':')[2], 16)}" for row in rows if row[3] == "0A")


async def _stop(process: Process) -> None:
    if process.returncode is None:
        process.terminate()
        try:
            await asyncio.wait_for(process.wait(), 3)
        except TimeoutError:
            process.kill()
            await process.wait()
