"""The relay-abuse campaign in its short form: every attack once, on a few clients instead of thousands."""

import asyncio
import random

import pytest

from tests.campaign.relay_abuse import ATTACKS, Ground, suffer

_TEN_SECONDS = {"slow_handshakes", "trickles"}  # the time of a handshake; test_server has them with a shorter one


@pytest.mark.parametrize(
    "attack", [one for one in ATTACKS if one.__name__ not in _TEN_SECONDS], ids=lambda one: one.__name__
)
def test_attack(attack):
    assert asyncio.run(suffer(attack, Ground(None, random.Random(attack.__name__), 0.03))) is None
