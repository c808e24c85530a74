"""Meetings for the tests: the same code, secret and bytes every time."""

from __future__ import annotations

import random
from collections.abc import Callable

from p2pball.protocol.meeting import Code, Meeting, Role

CODE = Code("4821", ("crisp", "wolf"))
SECRET = bytes(range(32))


def entropy(seed: int) -> Callable[[int], bytes]:
    """Repeatable bytes: nothing in a meeting may come from anywhere but its argument."""
    return random.Random(seed).randbytes


def meet(host: Meeting, guest: Meeting) -> None:
    """Carry both openings and confirmations across."""
    (from_host,), _ = host.receive(guest.opening)
    (from_guest,), _ = guest.receive(host.opening)
    host.receive(from_guest)
    guest.receive(from_host)


def pair(code: Code = CODE) -> tuple[Meeting, Meeting]:
    return Meeting.by_code(Role.HOST, code, entropy(1)), Meeting.by_code(Role.GUEST, code, entropy(2))


def met() -> tuple[Meeting, Meeting]:
    host, guest = pair()
    meet(host, guest)
    return host, guest
