"""One player as a process of its own: meets the other, plays ping-pong over the link, prints what it measured as JSON.

    python -m tests.net.peer host URL [SETTINGS]     prints {"code": ...} first
    python -m tests.net.peer join URL CODE [SETTINGS]

SETTINGS is a JSON object: turn_only, servers (objects of urls, username, credential), rounds, bytes.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from typing import Any

from p2pball.errors import P2PBallError
from p2pball.net.introduce import Introduction
from p2pball.net.prepare import load
from p2pball.net.rendezvous import host, join
from p2pball.net.ways import Network
from p2pball.protocol.meeting import parse
from signaling.wire import IceServer


def say(**fields: Any) -> None:
    print(json.dumps(fields), flush=True)


async def introduction(role: str, url: str, code: str, network: Network) -> Introduction:
    started = time.monotonic()

    def report(sentence: str) -> None:
        print(f"{time.monotonic() - started:.2f} {sentence}", file=sys.stderr)

    if role == "host":
        return await host(url, b"h" * 32, opened=lambda drawn: say(code=str(drawn)), report=report, network=network)
    return await join(url, parse(code), b"g" * 32, report=report, network=network)


async def play(met: Introduction, rounds: int, size: int) -> list[float]:
    """Round trips in seconds, as the host measures them."""
    times = []
    for _ in range(rounds):
        started = time.monotonic()
        if met.role == "host":
            await met.link.send(b"x" * size)
        frame = await asyncio.wait_for(met.link.receive(), 60)
        if met.role == "guest":
            await met.link.send(frame)
        times.append(time.monotonic() - started)
    return times


async def main(role: str, url: str, *rest: str) -> int:
    code, settings = (rest[0], rest[1:]) if role == "join" else ("", rest)
    wanted = json.loads(settings[0]) if settings else {}
    servers = tuple(
        IceServer(tuple(s["urls"]), s.get("username"), s.get("credential")) for s in wanted.get("servers", ())
    )
    network = Network(servers, wanted.get("turn_only", False))
    await load()
    started = time.monotonic()
    try:
        met = await introduction(role, url, code, network)
    except P2PBallError as error:
        say(error=type(error).__name__, text=str(error))
        return 1
    seconds = time.monotonic() - started
    times = await play(met, wanted.get("rounds", 20), wanted.get("bytes", 500))
    if met.role == "guest":
        await asyncio.sleep(0.2)  # the last pong is under way
    await met.link.close()
    say(way=met.link.way, seconds=seconds, median=sorted(times)[len(times) // 2], sas=met.sas, peer=met.peer_key.hex())
    return 0


if __name__ == "__main__":
    raise SystemExit(asyncio.run(main(*sys.argv[1:])))
