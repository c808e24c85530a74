"""Which servers each way uses, and which ways there are."""

from __future__ import annotations

import socket

import pytest

from p2pball.net.ways import Network, Way, server_urls
from signaling.wire import IceServer

STUN = IceServer(("stun:192.0.2.1:3478",))
UDP = IceServer(("turn:192.0.2.1:3478",), "name", "secret")
TCP = IceServer(("turn:192.0.2.1:3478?transport=tcp",), "name", "secret")
TLS = IceServer(("turns:localhost:5349",), "name", "secret")
ALL = IceServer((*UDP.urls, *TCP.urls), "name", "secret")


def test_the_direct_way_needs_no_server_unless_addresses_stay_hidden() -> None:
    assert Network().ways == (Way.DIRECT,)
    assert Network((STUN,)).ways == (Way.DIRECT,)
    assert Network((STUN,), turn_only=True).ways == ()
    assert Network((UDP,), turn_only=True).ways == (Way.DIRECT,)
    assert Network((TLS,), turn_only=True).ways == (Way.TURN_TCP,)
    assert Network((ALL,)).ways == (Way.DIRECT, Way.TURN_TCP)


async def test_first_stun_and_turn_over_udp_then_turn_over_tcp_without_stun() -> None:
    network = Network((STUN, ALL))
    assert await network.servers_for(Way.DIRECT) == (IceServer(UDP.urls, "name", "secret"), STUN)
    assert await network.servers_for(Way.TURN_TCP) == (IceServer(TCP.urls, "name", "secret"),)


async def test_of_several_turn_servers_over_tcp_or_tls_the_first_that_can_be_reached() -> None:
    with socket.create_server(("127.0.0.1", 0)) as open_port, socket.create_server(("127.0.0.1", 0)) as gone:
        closed = gone.getsockname()[1]
        gone.close()
        tcp = IceServer((f"turn:127.0.0.1:{closed}?transport=tcp",), "name", "secret")
        tls = IceServer((f"turns:localhost:{open_port.getsockname()[1]}",), "name", "secret")
        last = IceServer((f"turns:localhost:{closed}",), "name", "secret")
        assert await Network((tcp, tls, last)).servers_for(Way.TURN_TCP) == (tls,)
        assert await Network((tls, last)).servers_for(Way.TURN_TCP) == (tls,)
        # Where none can be, the first is tried all the same.
        assert await Network((tcp, last)).servers_for(Way.TURN_TCP) == (tcp,)


async def test_stun_is_not_asked_when_addresses_stay_hidden() -> None:
    assert await Network((STUN, UDP), turn_only=True).servers_for(Way.DIRECT) == (UDP,)


async def test_own_servers_come_before_the_relays() -> None:
    own = IceServer(("turn:192.0.2.77",), "me", "mine")
    assert (await Network((own,)).with_relay([UDP]).servers_for(Way.DIRECT))[0] == own


async def test_names_are_resolved_but_for_tls_and_what_cannot_be_is_passed_over() -> None:
    gone, named = IceServer(("turn:no-such-name.invalid",), "a", "b"), IceServer(("turn:localhost:1",), "a", "b")
    assert await Network((gone, named)).servers_for(Way.DIRECT) == (IceServer(("turn:127.0.0.1:1",), "a", "b"),)
    assert await Network((TLS,)).servers_for(Way.TURN_TCP) == (TLS,)
    assert await Network((gone,)).servers_for(Way.DIRECT) == ()


async def test_a_server_may_be_named_as_its_scheme_is(monkeypatch: pytest.MonkeyPatch) -> None:
    ask = socket.getaddrinfo
    monkeypatch.setattr(socket, "getaddrinfo", lambda _, *rest, **named: ask("192.0.2.1", *rest, **named))
    network = Network((IceServer(("turn:turn:3478",), "name", "secret"), IceServer(("stun:t:3478",))))
    assert await network.servers_for(Way.DIRECT) == (UDP, STUN)


@pytest.mark.parametrize(
    "url",
    [
        *("stuns:a", "turn:a?transport=sctp", "turns:a?transport=udp", "stun:a?transport=udp", "http:a"),
        *("stun:127.0.0.1:65536", "turn:127.0.0.1:99999", "turn:127.0.0.1:0?transport=tcp"),
    ],
)
async def test_a_url_that_the_library_cannot_use_is_never_given_to_it(url: str) -> None:
    network = Network((IceServer((url,), "a", "b"),))
    assert network.ways == (Way.DIRECT,)
    assert await network.servers_for(Way.DIRECT) == await network.servers_for(Way.TURN_TCP) == ()
    assert await server_urls(network, {"stun", "udp", "tcp", "tls"}) == []


async def test_the_library_reads_every_url_as_we_do() -> None:
    from aiortc.rtcconfiguration import RTCIceServer
    from aiortc.rtcicetransport import connection_kwargs

    for server, wanted in [(UDP, ("udp", False)), (TCP, ("tcp", False)), (TLS, ("tcp", True))]:
        heard = connection_kwargs([RTCIceServer(list(server.urls), "name", "secret")])
        assert (heard["turn_transport"], heard["turn_ssl"]) == wanted
