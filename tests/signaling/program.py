"""The relay as a process of its own, for tests and campaigns: its port, its log, its memory."""

import asyncio
import contextlib
import json
import os
import sys
from collections.abc import AsyncIterator
from pathlib import Path

from tests.signaling.clients import WAIT


class Relay:
    """A relay process and what it logged."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self.process, self.port, self.log = process, 0, []

    def kib(self) -> int:
        """Its resident memory."""
        status = Path(f"/proc/{self.process.pid}/status").read_text(encoding="ascii")
        return int(status.partition("VmRSS:")[2].split()[0])

    def cpu(self) -> float:
        """Seconds of processor time it has taken."""
        threads = Path(f"/proc/{self.process.pid}/task").glob("*/schedstat")
        return sum(int(thread.read_text(encoding="ascii").split()[0]) for thread in threads) / 1e9

    async def line(self) -> dict:
        assert self.process.stderr is not None
        raw = await asyncio.wait_for(self.process.stderr.readline(), WAIT)
        assert raw, "the relay ended"
        self.log.append(json.loads(raw))
        return self.log[-1]

    async def end(self) -> int:
        assert self.process.stderr is not None
        rest = await asyncio.wait_for(self.process.stderr.read(), WAIT)
        self.log += [json.loads(raw) for raw in rest.splitlines()]
        return await asyncio.wait_for(self.process.wait(), WAIT)


@contextlib.asynccontextmanager
async def process(*args: str, **variables: str) -> AsyncIterator[Relay]:
    """`python -m signaling`, ended with the test."""
    started = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "signaling", *args), stderr=asyncio.subprocess.PIPE, env=os.environ | variables
    )
    relay = Relay(started)
    try:
        while (listening := await relay.line())["event"] != "listening":
            pass
        relay.port = listening["port"]
        yield relay
    finally:
        if started.returncode is None:
            started.kill()
            await started.wait()
