"""Fixtures of the network tests: the loopback counts as a network, a real relay in this process, a real coturn."""

from __future__ import annotations

import asyncio
import contextlib
import socket
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from p2pball.net.addresses import LOOPBACK_TOO
from p2pball.net.background import settle
from p2pball.net.embedded import EmbeddedRelay
from tests import needs
from tests.net.lab.stage import coturn


@pytest.fixture(autouse=True)
def loopback(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine without a network runs these tests too."""
    monkeypatch.setenv(LOOPBACK_TOO, "1")


@pytest.fixture(autouse=True)
async def settled() -> AsyncIterator[None]:
    """Nothing of one test runs on into the next."""
    yield
    await settle()


@pytest.fixture
async def relay() -> AsyncIterator[str]:
    """The URL of a relay of this test's own."""
    async with EmbeddedRelay(host="127.0.0.1", port=0) as running:
        yield f"ws://127.0.0.1:{running.port}"


@pytest.fixture
def unused_tcp_port() -> int:
    """A port on which nobody listens."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest.fixture
async def turn(tmp_path: Path, unused_tcp_port: int) -> AsyncIterator[tuple[str, asyncio.subprocess.Process]]:
    """A coturn on the loopback that shares its secret with the relay; its address as HOST:PORT, and its process."""
    needs.program("turnserver")
    command = [*coturn("127.0.0.1", unused_tcp_port, tmp_path), "--allow-loopback-peers"]
    process = await asyncio.create_subprocess_exec(
        *command, stdout=asyncio.subprocess.DEVNULL, stderr=asyncio.subprocess.DEVNULL
    )
    try:
        for _ in range(100):
            with contextlib.suppress(OSError):
                _, writer = await asyncio.open_connection("127.0.0.1", unused_tcp_port)
                writer.close()
                break
            await asyncio.sleep(0.1)
        yield f"127.0.0.1:{unused_tcp_port}", process
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()
