"""Bench `pitch`: from the last lock to the outcome, against a bare ping-pong of the same size, at once and at 60 ms."""

from __future__ import annotations

import asyncio
from statistics import median

from tests.bench import ROUNDS, Comparison, Figure
from tests.bench.two import Player, Slow, connect, players

PITCHES = 40
DELAY = 0.06
"""Seconds that a round trip takes longer."""


async def ours(host: Player, guest: Player, slow: Slow | None) -> tuple[float, int, int]:
    """Median seconds from lock to outcome over a game's first pitches; bytes sent and heard in one."""
    await connect("link", host, guest, slow)
    keys = [(await player.do("key"))["key"] for player in (host, guest)]
    host.tell("pitches", count=PITCHES, peer=keys[1])
    told = await guest.do("pitches", count=PITCHES, peer=keys[0])
    await host.told()
    await host.do("link-close")
    return median(told["times"]), int(told["sent"]), int(told["heard"])


async def bare(host: Player, guest: Player, slow: Slow | None, ping: int, pong: int) -> float:
    """Median seconds of as many ping-pongs of that size."""
    await connect("bare", host, guest, slow)
    host.tell("ping", rounds=PITCHES, ping=ping, pong=pong)
    told = await guest.do("ping", rounds=PITCHES, ping=ping, pong=pong)
    await host.told()
    await asyncio.gather(host.do("bare-close"), guest.do("bare-close"))
    return median(told["times"])


async def measure(delay: float) -> tuple[Comparison, int, int]:
    """Both in turn, in the same two processes; a first round is not counted."""
    pairs: list[tuple[float, float]] = []
    ping = pong = 0
    async with players() as (host, guest):
        for _ in range(ROUNDS + 1):
            slow = Slow(delay / 2) if delay else None
            seconds, ping, pong = await ours(host, guest, slow)
            pairs.append((seconds, await bare(host, guest, slow, ping, pong)))
            if slow:
                slow.close()
    return Comparison(tuple(a for a, _ in pairs[1:]), tuple(b for _, b in pairs[1:])), ping, pong


def run() -> list[Figure]:
    """The two ratios, with the times behind them."""
    figures = []
    for delay, bar in ((0.0, 3.0), (DELAY, 1.1)):
        found, ping, pong = asyncio.run(measure(delay))
        where = f"at {delay * 1000:.0f} ms" if delay else "on loopback"
        detail = {**found.detail, "ping_bytes": ping, "pong_bytes": pong}
        figures += [
            Figure(f"lock to outcome {where}", 1000 * median(found.ours), "ms"),
            Figure(f"bare ping-pong {where}, {ping} and {pong} B", 1000 * median(found.theirs), "ms"),
            Figure(f"lock to outcome / bare {where}", found.ratio, "x", at_most=bar, detail=detail),
        ]
    return figures
