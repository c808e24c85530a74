"""The three servers of the `relay` bench behind one face: start, open a seat, pair two, send, leave."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import time
import venv
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from signaling.wire import Outcome
from tests.signaling.clients import frame, handshake
from tests.signaling.cluster import free_port

PAYLOAD = "x" * 2048


class Socket:
    """A WebSocket client of a few lines, the same and as cheap for every server."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader, self.writer = reader, writer

    @classmethod
    async def open(cls, port: int, target: str, source: str) -> Socket:
        """Shake hands."""
        reader, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=(source, 0))
        writer.write(handshake(target))
        head = await reader.readuntil(b"\r\n\r\n")
        assert b" 101 " in head, head
        return cls(reader, writer)

    def say(self, **words: object) -> None:
        """Send JSON as text."""
        self.writer.write(frame(1, json.dumps(words).encode()))

    async def frame(self) -> tuple[int, bytes]:
        """The next data frame or close; pings are answered."""
        while True:
            first, size = await self.reader.readexactly(2)
            if size >= 126:
                size = int.from_bytes(await self.reader.readexactly(2 if size == 126 else 8), "big")
            data = await self.reader.readexactly(size)
            if first & 15 != 9:
                return first & 15, data
            self.writer.write(frame(10, data))

    async def hear(self, kind: str) -> dict[str, object]:
        """Read on until a JSON word of that type."""
        while True:
            opcode, data = await self.frame()
            assert opcode != 8, data
            if opcode == 1:
                said: dict[str, object] = json.loads(data)
                if kind in (said.get("t"), said.get("type")):
                    return said

    async def close(self, code: int = 1000) -> None:
        """Close in order."""
        self.writer.write(frame(8, code.to_bytes(2, "big")))
        with contextlib.suppress(asyncio.IncompleteReadError, ConnectionError):
            while (await self.frame())[0] != 8:
                pass
        self.writer.close()


@dataclass
class Side:
    """A server of one kind."""

    name: str
    command: list[str]
    environment: dict[str, str] = field(default_factory=dict)
    port: int = 0
    process: subprocess.Popen[bytes] | None = None
    sources: int = 0

    def source(self) -> str:
        """A client's address, a new one each time."""
        self.sources += 1
        return f"127.{20 + self.sources // 62500}.{self.sources // 250 % 250}.{self.sources % 250 + 1}"

    def cpu(self) -> float:
        """CPU seconds that the server has used: by the scheduler in nanoseconds, since a clock tick is 10 ms."""
        assert self.process is not None
        threads = Path(f"/proc/{self.process.pid}/task").glob("*/schedstat")
        return sum(int(thread.read_text(encoding="ascii").split()[0]) for thread in threads) / 1e9

    def kib(self) -> int:
        """Its resident memory."""
        assert self.process is not None
        status = Path(f"/proc/{self.process.pid}/status").read_text(encoding="ascii")
        return int(status.partition("VmRSS:")[2].split()[0])

    @contextlib.contextmanager
    def running(self) -> Iterator[Side]:
        """A fresh server on a core of its own where there are two; the load keeps to the other."""
        self.port = free_port()
        words = [word.replace("PORT", str(self.port)) for word in self.command]
        cores = sorted(os.sched_getaffinity(0))
        self.process = subprocess.Popen(
            words,
            env=os.environ | self.environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            preexec_fn=lambda: os.sched_setaffinity(0, {cores[0]}),  # no threads yet
        )
        os.sched_setaffinity(0, {cores[-1]})
        try:
            self._wait()
            yield self
        finally:
            os.sched_setaffinity(0, set(cores))
            self.process.send_signal(signal.SIGKILL)
            self.process.wait()

    def _wait(self) -> None:
        for _ in range(200):
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", self.port)):
                time.sleep(0.3)
                return
            time.sleep(0.1)
        raise AssertionError(f"{self.name} did not start")

    # What differs

    async def seat(self, room: str, first: bool) -> Socket:
        """One seat of a room, confirmed by the server."""
        raise NotImplementedError

    async def met(self, one: Socket, other: Socket) -> None:
        """Wait until both know of each other, where the server tells."""

    def send(self, seat: Socket, room: str, first: bool) -> None:
        """A message of 2 KiB to the other."""
        raise NotImplementedError

    async def receive(self, seat: Socket, room: str, first: bool) -> None:
        """The other's message."""
        raise NotImplementedError

    async def leave(self, seat: Socket) -> None:
        """Go, telling the server."""
        await seat.close()

    async def room(self) -> None:
        """The work of the bench: two seats, four messages of 2 KiB, leave."""
        name = secrets.token_hex(16)
        one, other = await self.seat(name, True), await self.seat(name, False)
        await self.met(one, other)
        for _ in range(2):
            self.send(one, name, True)
            await self.receive(other, name, False)
            self.send(other, name, False)
            await self.receive(one, name, True)
        await asyncio.gather(self.leave(one), self.leave(other))


class Ours(Side):
    """Our relay."""

    async def seat(self, room: str, first: bool) -> Socket:
        role = "host" if first else "guest"
        seat = await Socket.open(self.port, f"/v1/room/{room}?role={role}", self.source())
        await seat.hear("seated")
        return seat

    async def met(self, one: Socket, other: Socket) -> None:
        await one.hear("paired")
        await other.hear("paired")

    def send(self, seat: Socket, room: str, first: bool) -> None:
        seat.writer.write(frame(2, PAYLOAD.encode()))

    async def receive(self, seat: Socket, room: str, first: bool) -> None:
        opcode, data = await seat.frame()
        assert (opcode, len(data)) == (2, 2048)

    async def leave(self, seat: Socket) -> None:
        await seat.close(Outcome.DIRECT)


class PeerJS(Side):
    """PeerJS's server: a room is two peers who know each other's id."""

    async def seat(self, room: str, first: bool) -> Socket:
        target = f"/peerjs?key=peerjs&id={room}{first:d}&token=t&version=1"
        seat = await Socket.open(self.port, target, self.source())
        await seat.hear("OPEN")
        return seat

    def send(self, seat: Socket, room: str, first: bool) -> None:
        seat.say(type="OFFER", dst=f"{room}{not first:d}", payload=PAYLOAD)

    async def receive(self, seat: Socket, room: str, first: bool) -> None:
        assert (await seat.hear("OFFER"))["payload"] == PAYLOAD


@dataclass
class Mailbox(Side):
    """magic-wormhole's mailbox: a room is a nameplate, then a mailbox that both open; as its own clients do it."""

    nameplates: dict[str, object] = field(default_factory=dict)

    async def seat(self, room: str, first: bool) -> Socket:
        seat = await Socket.open(self.port, "/v1", self.source())
        await seat.hear("welcome")
        seat.say(type="bind", appid="bench", side=self._side(room, first))
        if first:
            seat.say(type="allocate")
            self.nameplates[room] = (await seat.hear("allocated"))["nameplate"]
        seat.say(type="claim", nameplate=self.nameplates[room])
        seat.say(type="open", mailbox=(await seat.hear("claimed"))["mailbox"])
        return seat

    def _side(self, room: str, first: bool) -> str:
        return f"{room[:9]}{first:d}"  # ten hex digits of one's own, as with its clients

    def send(self, seat: Socket, room: str, first: bool) -> None:
        seat.say(type="add", phase=secrets.token_hex(4), body=PAYLOAD)

    async def receive(self, seat: Socket, room: str, first: bool) -> None:
        while (await seat.hear("message"))["side"] == self._side(room, first):  # it echoes one's own
            pass

    async def leave(self, seat: Socket) -> None:
        seat.say(type="release")
        await seat.hear("released")
        seat.say(type="close", mood="happy")
        await seat.hear("closed")
        await seat.close()


def ours(loop: str) -> Ours:
    """Our relay on that event loop."""
    options = ["--host", "127.0.0.1", "--port", "PORT", "--no-stun", "--loop", loop]
    return Ours(f"ours ({loop})", [sys.executable, "-m", "signaling", *options])


def peerjs(folder: Path) -> PeerJS:
    """PeerJS's server, installed from npm into a folder."""
    npm = shutil.which("npm")
    assert npm, "npm is not installed"
    (folder / "package.json").write_text('{"name": "bench", "private": true}', encoding="ascii")
    subprocess.run([npm, "install", "--no-audit", "--no-fund", "peer"], cwd=folder, check=True, capture_output=True)
    program = folder / "node_modules" / "peer" / "dist" / "bin" / "peerjs.js"
    return PeerJS("PeerJS", ["node", str(program), "--port", "PORT", "--host", "127.0.0.1", "-c", "20000"])


def mailbox(folder: Path) -> Mailbox:
    """magic-wormhole's mailbox server with its database in memory, installed from PyPI into a folder."""
    venv.create(folder, with_pip=True)
    python = folder / "bin" / "python"
    install = [python, "-m", "pip", "install", "-q", "magic-wormhole-mailbox-server"]
    subprocess.run(install, check=True, capture_output=True)
    options = ["wormhole-mailbox", "--port", "tcp:PORT:interface=127.0.0.1", "--channel-db", ":memory:"]
    return Mailbox("mailbox", [str(folder / "bin" / "twist"), *options])


@contextlib.asynccontextmanager
async def pair(side: Side) -> AsyncIterator[tuple[str, Socket, Socket]]:
    """Two seats of a room who know of each other."""
    room = secrets.token_hex(16)
    one, other = await side.seat(room, True), await side.seat(room, False)
    await side.met(one, other)
    try:
        yield room, one, other
    finally:
        for seat in (one, other):
            seat.writer.transport.abort()
