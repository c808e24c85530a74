"""Fixtures of the network tests: the loopback counts as a network, a real relay in this process."""

from __future__ import annotations

import socket
from collections.abc import AsyncIterator

import pytest

from p2pball.net.addresses import LOOPBACK_TOO
from p2pball.net.background import settle
from p2pball.net.embedded import EmbeddedRelay


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
