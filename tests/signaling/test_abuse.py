"""The relay-abuse campaign in its short form: every attack once, on a few clients instead of thousands."""

import asyncio
import random

import pytest

from tests.campaign.relay_abuse import ATTACKS, Ground, suffer

# Two take the ten seconds of a handshake: test_connection has them with a shorter one. The last is test_glue.
_ELSEWHERE = {"slow_handshakes", "trickles", "bytes_cut_and_broken"}


@pytest.mark.parametrize(
    "attack", [one for one in ATTACKS if one.__name__ not in _ELSEWHERE], ids=lambda one: one.__name__
)
def test_attack(attack):
    assert asyncio.run(suffer(attack, Ground(None, random.Random(attack.__name__), 0.02))) is None
