"""Where two players meet: what the host's own relay tells the guest to type."""

from __future__ import annotations

import asyncio

import pytest

from p2pball.net.addresses import lan_address
from p2pball.ui.places import Where, meeting_place


class Seen(Exception):
    """The host has seen the join line."""


class Screen:
    """A display as far as a room."""

    def room(self, code: str, relay: str, join: str) -> None:
        raise Seen(relay, join)

    def notice(self, text: str) -> None:
        """Nobody reads it."""


async def test_a_relay_of_ones_own_is_told_by_the_address_that_the_lan_knows() -> None:
    with pytest.raises(Seen) as seen:
        async with asyncio.timeout(30), meeting_place(Where()) as place:
            await place.host(bytes(32), Screen(), None)  # type: ignore[arg-type]  # neither is asked for more
    relay, join = seen.value.args
    assert relay.rpartition(":")[0] == lan_address()
    assert join.endswith(f"@{relay}")
