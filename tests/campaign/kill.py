"""kill -9 of either client, of both, or of the relay, at a random moment of a real game over WebRTC."""

from __future__ import annotations

import random
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tests.campaign import Tally
from tests.e2e.match import SEATS, Match
from tests.e2e.relays import free_port, relay

CASES = 100
AT_ONCE = 4
"""Most of a case is waiting for a silence to be noticed."""
GAME_SECONDS = 4.0


def case(seed: int) -> str:
    """One game with one kill; empty when it held, else what went wrong."""
    rng = random.Random(seed)
    rules = rng.choice(("dice", "cards"))
    victims = rng.choice((("host",), ("guest",), ("host", "guest"), ("relay",)))
    moment = rng.uniform(0, GAME_SECONDS)
    what = f"case {seed} ({rules}, {' and '.join(victims)} after {moment:.2f} s)"
    port = free_port()
    with tempfile.TemporaryDirectory() as room, relay(port) as server:
        try:
            with Match(Path(room), port, rules=rules, pace=0.1) as match:
                match.begin()
                time.sleep(moment)
                kept = {}
                if "relay" in victims:
                    server.kill()
                    server.wait(10)
                for seat in victims:
                    if seat in SEATS:
                        kept[seat] = match.kill(seat)
                if kept and not all(match.has_both_finals(seat) for seat in SEATS):
                    for seat in kept:
                        match.resume(seat)
                match.finish()
                for seat, before in kept.items():
                    assert match.record(seat).startswith(before), f"{seat}: the record before the kill is no prefix"
        except AssertionError as error:
            return f"{what}: {error}"
    return ""


def run(cases: int, seed: int) -> Tally:
    """Play that many games, each with one kill."""
    with ThreadPoolExecutor(AT_ONCE) as pool:
        results = list(pool.map(case, range(seed * 1000, seed * 1000 + cases)))
    failures = [result for result in results if result]
    return Tally(cases - len(failures), failures)
