"""Where two players meet: what the host's own relay tells the guest to type."""

from __future__ import annotations

import asyncio

import pytest

from p2pball.clubhouse.errors import BadSettings
from p2pball.clubhouse.settings import Settings
from p2pball.net.addresses import lan_address
from p2pball.ui.places import Where, meeting_place
from signaling.wire import IceServer


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


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        (Settings(stun="stun.example.org"), "'stun.example.org' is no address of a STUN server. Write stun:HOST:PORT."),
        (Settings(stun="turn:a"), "'turn:a' is no address of a STUN server. Write stun:HOST:PORT."),
        (
            Settings(stun="stun:a", turn="stun:a"),
            "'stun:a' is no address of a TURN server. Write turn:HOST:PORT?transport=udp.",
        ),
        (Settings(turn="turn:a:65536"), "'turn:a:65536' is no address of a TURN server."),
    ],
)
def test_what_is_no_server_of_ones_own_is_said(settings: Settings, says: str) -> None:
    with pytest.raises(BadSettings) as told:
        Where.of(settings)
    assert str(told.value).startswith(says)


def test_servers_of_ones_own() -> None:
    settings = Settings(stun="stun:a", turn="turns:b", turn_user="name", turn_password="secret")
    assert Where.of(settings).network.servers == (
        IceServer(("stun:a",)),
        IceServer(("turns:b",), "name", "secret"),
    )
