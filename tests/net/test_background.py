"""What nobody waits for any more may fail; it never complains in the player's terminal."""

from __future__ import annotations

import asyncio
import gc
import sys
from typing import Any

import pytest

from p2pball.net.background import settle
from p2pball.net.prepare import Preparation
from p2pball.net.ways import ANY_NETWORK


@pytest.fixture
async def complaints() -> list[dict[str, Any]]:
    """What asyncio would print."""
    heard: list[dict[str, Any]] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: heard.append(context))
    return heard


async def test_a_first_attempt_that_fails_untaken(
    complaints: list[dict[str, Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "p2pball.net.webrtc", None)  # importing it fails
    preparation = Preparation(ANY_NETWORK)
    await asyncio.sleep(0.2)
    preparation.discard()
    del preparation
    await settle()
    gc.collect()
    assert complaints == []
