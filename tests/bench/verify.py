"""Bench `verify`: judging a nine-inning record against its Ed25519 checks alone."""

from __future__ import annotations

import time
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from p2pball.protocol.messages import signature, signed_bytes
from p2pball.verify import Verdict, split, verify
from tests.attacks.forging import message
from tests.bench import Figure, compare

RECORD = Path(__file__).parent.parent / "records" / "dice-nine-innings.p2pball"
ROUNDS = 25


def run() -> list[Figure]:
    """CPU time of both, on the same lines, in turn."""
    record = RECORD.read_bytes()
    lines = [message(line) for line in split(record)[0]]
    keys = {line.seat: Ed25519PublicKey.from_public_bytes(bytes.fromhex(line.body["key"])) for line in lines[:2]}
    checks = [(keys[line.seat], signature(line.sig), signed_bytes(line.payload)) for line in lines]

    def ours() -> float:
        started = time.process_time()
        assert verify(record).verdict is Verdict.COMPLETE
        return time.process_time() - started

    def theirs() -> float:
        started = time.process_time()
        for key, sig, data in checks:
            key.verify(sig, data)
        return time.process_time() - started

    comparison = compare(ours, theirs, ROUNDS)
    return [
        Figure("verify / its Ed25519 checks alone", comparison.ratio, "x", at_most=2.5, detail=comparison.detail),
        Figure("lines a second", len(lines) / min(comparison.ours), "/s"),
    ]
