"""Bench `connect`: from `join` to the first prompt, relay on the loopback, against a bare offer, answer and open."""

from __future__ import annotations

import asyncio
import time

from tests.bench import ROUNDS, Comparison, Figure
from tests.bench.two import Player, connect, players
from tests.e2e.relays import free_port, relay


async def ours(host: Player, guest: Player, url: str) -> float:
    """Seconds from `join` to the first prompt; meeting, keys, hellos and the first round included."""
    code = (await host.do("host", relay=url))["code"]
    seconds: float = (await guest.do("join", relay=url, code=code))["seconds"]
    await host.do("host-ended")
    return seconds


async def bare(host: Player, guest: Player) -> float:
    """Seconds from nothing to a channel open on both sides."""
    started = time.perf_counter()
    await connect("bare", host, guest)
    seconds = time.perf_counter() - started
    await asyncio.gather(host.do("bare-close"), guest.do("bare-close"))
    return seconds


async def measure(url: str) -> Comparison:
    """Both in turn, in the same two processes; a first round is not counted."""
    pairs = []
    async with players() as (host, guest):
        for _ in range(ROUNDS + 3):
            pairs.append((await ours(host, guest, url), await bare(host, guest)))
    return Comparison(tuple(a for a, _ in pairs[1:]), tuple(b for _, b in pairs[1:]))


def run() -> list[Figure]:
    """The ratio, with the times behind it."""
    port = free_port()
    with relay(port):
        found = asyncio.run(measure(f"ws://127.0.0.1:{port}"))
    return [
        Figure("join to the first prompt", 1000 * sorted(found.ours)[len(found.ours) // 2], "ms"),
        Figure("bare offer, answer, open", 1000 * sorted(found.theirs)[len(found.theirs) // 2], "ms"),
        Figure("join to the first prompt / bare", found.ratio, "x", at_most=2.0, detail=found.detail),
    ]
