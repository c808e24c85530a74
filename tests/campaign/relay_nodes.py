"""Two relay processes on a real Redis, and one part dies or stalls: every client ends paired or with a clear error."""

from __future__ import annotations

import asyncio
import contextlib
import random
import secrets
import signal
import tempfile
from pathlib import Path

from websockets.exceptions import ConnectionClosed, WebSocketException

from signaling.wire import Again, Back, Code, Door, Left, Outcome, Paired, Role, Seated, closing, hear
from tests.campaign import Tally
from tests.signaling.clients import Seat, open_ws
from tests.signaling.cluster import Node, RedisServer

CASES = 40

PAIRS = 5
"""Pairs that are about to meet when it happens."""

SECONDS = 150
"""After which a client that has come to no end counts as hung: a dozen tries on a machine that is busy."""

EVENTS = (
    "nothing",
    "a relay is killed",
    "Redis is killed",
    "Redis is paused",
    "a relay is paused",
    "a relay is told to stop",
)


class Obedient:
    """A client that does what the relay's closes tell it, until it has swapped a message with its partner."""

    def __init__(self, nodes: list[Node], door: Door, source: str, draw: random.Random) -> None:
        self.nodes, self.door, self.source, self.draw = nodes, door, source, draw
        self.retold = False  # told once to try the same code again
        self.patience = 12
        self.waits = False  # seated, alone so far

    async def run(self) -> str:
        """How it ended: `paired`, or the name of the code whose sentence its player would read."""
        while True:
            try:
                return await self.visit()
            except ConnectionClosed as error:
                read = closing(error.rcvd.code if error.rcvd else None, error.rcvd.reason if error.rcvd else "")
            except (OSError, TimeoutError, WebSocketException):
                read = closing(None, "")  # nobody there: a balancer would have sent it elsewhere
            self.patience -= 1
            again = read.again
            if read.code is Code.NO_ROOM and self.retold:
                again = Again.SAME_CODE
            if again in (Again.NO, Again.OTHER_NAMEPLATE) or self.patience < 0:
                return read.code.name if read.code else "relay down"
            if again is not Again.SEAT:
                self.door = Door(self.door.nameplate, self.door.role)
            self.retold = True
            await asyncio.sleep(max(self.draw.uniform(0.2, 1.0), min(read.retry or 0, 2)))

    async def visit(self) -> str:
        """One connection, at any of the relays as a balancer would choose."""
        seat = Seat(await open_ws(self.draw.choice(self.nodes).port, self.door, source=self.source))
        try:
            word = await seat.word()
            assert isinstance(word, Seated), word
            self.waits = True
            self.door = Door(self.door.nameplate, self.door.role, word.token)
            async with asyncio.timeout(SECONDS):
                while (said := await seat.ws.recv()) != b"hello":
                    word = hear(said) if isinstance(said, str) else None
                    if isinstance(word, Paired | Back):
                        self.waits = False
                        await seat.send(b"hello")
                    elif isinstance(word, Left):
                        return "partner left"
            await seat.close(Outcome.DIRECT)
            return "paired"
        finally:
            self.waits = False
            seat.ws.transport.abort()


async def _happen(event: str, redis: RedisServer, nodes: list[Node], draw: random.Random) -> None:
    node = draw.choice(nodes)
    assert node.process is not None
    match event:
        case "a relay is killed":
            await node.kill()
            await asyncio.sleep(draw.uniform(0.5, 4))
            await node.start(redis, node.port)
        case "a relay is told to stop":
            node.process.terminate()
            await node.process.wait()
            await node.start(redis, node.port)
        case "a relay is paused":
            node.process.send_signal(signal.SIGSTOP)
            await asyncio.sleep(draw.uniform(0.5, 6))
            node.process.send_signal(signal.SIGCONT)
        case "Redis is killed":
            await redis.kill()
            await asyncio.sleep(draw.uniform(0.1, 3))
            await redis.start()
        case "Redis is paused":
            redis.pause()
            await asyncio.sleep(draw.uniform(0.2, 4))
            redis.go_on()


async def _case(event: str, draw: random.Random, folder: Path) -> tuple[dict[str, int], str | None]:
    redis, nodes = RedisServer(folder), [Node(), Node()]
    await redis.start()
    try:
        await asyncio.gather(*(node.start(redis) for node in nodes))
        clients = []
        for number in range(PAIRS):
            plate = f"{number:04}" if number % 2 else secrets.token_hex(16)
            for role in Role:
                clients.append(Obedient(nodes, Door(plate, role), f"127.0.{number}.{len(clients) + 1}", draw))

        async def start(client: Obedient) -> str:
            # A guest has the code from its host, who has seen the room open.
            await asyncio.sleep(draw.uniform(0, 0.8) + (1.0 if client.door.role is Role.GUEST else 0.0))
            return await client.run()

        runs = [asyncio.create_task(start(client)) for client in clients]
        await asyncio.sleep(draw.uniform(0, 2))
        await _happen(event, redis, nodes, draw)
        for _ in range(SECONDS):
            done, hung = await asyncio.wait(runs, timeout=1.0)
            # Whoever was cut off with the last word under way opens the room again and waits for one who needs it no
            # more: the relay ends that wait when its ten minutes are over.
            alone = {runs[at] for at, client in enumerate(clients) if client.waits and runs[at ^ 1] in done} - done
            if hung == alone:
                break
        for run in hung:
            run.cancel()
        await asyncio.gather(*runs, return_exceptions=True)
        if hung - alone:
            return {}, f"{len(hung - alone)} of {len(runs)} clients hung"
        ends: dict[str, int] = {"alone": len(alone)} if alone else {}
        for run in done:
            if (error := run.exception()) is not None:
                return {}, f"{type(error).__name__}: {error}"
            ends[run.result()] = ends.get(run.result(), 0) + 1
        if event == "nothing" and ends != {"paired": len(runs)}:
            return ends, f"nothing happened, and yet: {ends}"
        return ends, None
    finally:
        for node in nodes:
            if node.process is not None and node.process.returncode is None:
                node.process.send_signal(signal.SIGCONT)
            await node.kill()
        with contextlib.suppress(ProcessLookupError):
            redis.go_on()
        await redis.kill()


def run(cases: int, seed: int) -> Tally:
    """So many cases, the events in turn, each at a random moment."""
    tally = Tally()
    for case in range(cases):
        event = EVENTS[case % len(EVENTS)]
        with tempfile.TemporaryDirectory() as folder:
            ends, wrong = asyncio.run(_case(event, random.Random(seed * 1000 + case), Path(folder)))
        tally.rows.append({"event": event, "ends": ends})
        if wrong is None:
            tally.hold()
        else:
            tally.fail(f"{event} (case {case} of seed {seed}): {wrong}")
    return tally
