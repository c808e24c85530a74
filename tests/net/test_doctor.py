"""What `doctor` finds: against real servers, and against none."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator

import pytest

from p2pball.net.doctor import Finding, Health, _clock, _shut_in, _stun, _verdict, examine
from p2pball.net.probes import allocate, mapped_addresses
from p2pball.net.ways import ANY_NETWORK, Network
from signaling.ice import Ice
from signaling.options import Options
from signaling.server import Server
from signaling.wire import IceServer
from tests.net.lab.stage import SECRET, credentials


@contextlib.asynccontextmanager
async def relay_with(ice: Ice) -> AsyncIterator[str]:
    server = Server(Options(host="127.0.0.1", port=0, stun_port=0, ice=ice))
    await server.start()
    try:
        yield f"ws://127.0.0.1:{server.port}"
    finally:
        await server.stop()


async def findings(relay: str | None, network: Network = ANY_NETWORK) -> dict[str, Finding]:
    async with asyncio.timeout(60):
        return {finding.what: finding async for finding in examine(relay, network)}


async def test_everything_works_with_a_relay_that_names_its_servers(turn: tuple[str, object]) -> None:
    urls = tuple(f"turn:{turn[0]}?transport={transport}" for transport in ("udp", "tcp"))
    async with relay_with(Ice(turn_urls=urls, turn_secret=SECRET)) as url:
        found = await findings(url)
    good = ["network", "relay", "STUN", "TURN over UDP", "TURN over TCP", "in all"]
    assert {what: found[what].health for what in good} == dict.fromkeys(good, Health.GOOD)
    assert "anyone" in found["in all"].seen
    assert "elsewhere" in found["NAT"].seen  # all of them are on this machine
    assert all(not found[what].advice for what in good)


async def test_wrong_credentials_are_told_from_a_server_that_is_not_there(
    turn: tuple[str, object], unused_tcp_port: int
) -> None:
    host, _, port = turn[0].partition(":")
    assert await allocate((host, int(port)), "udp", "nobody", "nothing") == ("", "it refuses our credentials")
    _, gone = await allocate((host, 9), "tcp", "a", "b")
    assert gone
    assert "credentials" not in gone


async def test_a_turn_server_that_gives_out_addresses_of_its_own_lan_is_not_called_good(
    turn: tuple[str, object], monkeypatch: pytest.MonkeyPatch
) -> None:
    host, _, port = turn[0].partition(":")
    # The loopback stands for the LAN of a machine in a cloud, and for the world that reaches it.
    monkeypatch.setattr("p2pball.net.doctor._shut_in", lambda server, relayed: (server, relayed) == (host, host))
    found = await findings(None, Network((IceServer((f"turn:{host}:{port}",), *credentials()),)))
    assert found["TURN over UDP"].health is Health.BAD
    assert "external-ip" in found["TURN over UDP"].advice
    assert "anyone" not in found["in all"].seen


@pytest.mark.parametrize(
    ("server", "relayed", "shut_in"),
    [
        ("198.51.100.7", "10.9.0.7", True),
        ("198.51.100.7", "198.51.100.8", False),
        ("10.9.0.7", "10.9.0.7", False),
        ("127.0.0.1", "10.9.0.7", False),
        ("turn.example.org", "10.9.0.7", False),
        ("198.51.100.7", "", False),
    ],
)
def test_which_turn_servers_are_shut_in(server: str, relayed: str, shut_in: bool) -> None:
    assert _shut_in(server, relayed) is shut_in


async def test_a_silent_turn_server_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("p2pball.net.probes.TURN_SECONDS", 0.3)
    assert await allocate(("192.0.2.254", 9), "udp", "a", "b") == ("", "no answer")


async def test_a_silent_stun_server_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("p2pball.net.probes.TRY_SECONDS", 0.05)
    assert await mapped_addresses([("192.0.2.254", 9)]) == [None]
    assert await mapped_addresses([]) == []


async def test_stun_answers_that_are_junk_or_anothers_are_passed_over() -> None:
    class Junk(asyncio.DatagramProtocol):
        def connection_made(self, transport: asyncio.BaseTransport) -> None:
            self.transport = transport

        def datagram_received(self, data: bytes, addr: tuple[str, int]) -> None:
            from aioice import stun

            for request in (stun.parse_message(data).transaction_id, b"\0" * 12):
                reply = stun.Message(stun.Method.BINDING, stun.Class.RESPONSE, request)
                reply.attributes["XOR-MAPPED-ADDRESS"] = ("203.0.113.9", 7) if request != b"\0" * 12 else ("1.1.1.1", 1)
                for junk in (b"junk", short):
                    self.transport.sendto(junk, addr)  # type: ignore[attr-defined]
                answers.append(bytes(reply))
            for answer in reversed(answers):
                self.transport.sendto(answer, addr)  # type: ignore[attr-defined]

    answers: list[bytes] = []
    # A response whose only attribute, PRIORITY, has two bytes instead of four.
    short = bytes.fromhex("0101 0008 2112a442 000000000000000000000000 0024 0002 0000 0000")
    transport, _ = await asyncio.get_running_loop().create_datagram_endpoint(Junk, local_addr=("127.0.0.1", 0))
    try:
        assert await mapped_addresses([transport.get_extra_info("sockname")]) == [("203.0.113.9", 7)]
    finally:
        transport.close()


async def test_without_a_relay_it_is_said_what_that_means() -> None:
    found = await findings(None)
    assert found["relay"].health is Health.LIMITED
    assert "--by-hand" in found["relay"].advice
    assert found["STUN"].health is Health.UNKNOWN
    assert found["in all"].health is Health.UNKNOWN


async def test_a_relay_that_is_down(unused_tcp_port: int) -> None:
    found = await findings(f"ws://127.0.0.1:{unused_tcp_port}")
    assert found["relay"].health is Health.BAD
    assert str(unused_tcp_port) in found["relay"].seen
    assert "--by-hand" in found["relay"].advice
    assert "--by-hand" not in found["relay"].seen


async def test_a_machine_without_a_network_is_told_first_and_only_that(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("p2pball.net.doctor.host_addresses", lambda: [])
    assert [(what, finding.health) for what, finding in (await findings(None)).items()] == [("network", Health.BAD)]


async def test_servers_of_ones_own_are_tried_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("p2pball.net.probes.TRY_SECONDS", 0.05)
    found = await findings(None, Network((IceServer(("stun:192.0.2.254",)),)))
    assert "UDP is blocked" in found["STUN"].seen
    assert found["in all"].health is Health.BAD


LAN, OPEN = ("192.168.1.2", 7), ("198.51.100.2", 5)
THERE, ELSEWHERE = ("203.0.113.9", 5), ("203.0.113.9", 6)
OWN = ["192.168.1.2", "198.51.100.2"]


@pytest.mark.parametrize(
    ("mapped", "kind", "health"),
    [
        ([OPEN, OPEN], "your own", Health.GOOD),
        ([THERE, THERE], "Friendly", Health.GOOD),
        ([THERE, ELSEWHERE], "Symmetric", Health.LIMITED),
        ([THERE, None], "second STUN server", Health.UNKNOWN),
        ([("127.0.0.1", 5)], "elsewhere", Health.UNKNOWN),
        ([LAN, None], "elsewhere", Health.UNKNOWN),
        ([LAN, THERE, THERE], "Friendly", Health.GOOD),
        ([THERE, LAN], "second STUN server", Health.UNKNOWN),
        ([None], "UDP is blocked", Health.BAD),
        ([], "No server to ask", Health.UNKNOWN),
    ],
)
def test_the_kind_of_nat(mapped: list[tuple[str, int] | None], kind: str, health: Health) -> None:
    nat = _stun(mapped, OWN)[-1]
    assert kind in nat.seen
    assert nat.health is health
    assert bool(nat.advice) is (health is not Health.GOOD)


@pytest.mark.parametrize(
    ("mapped", "relayed", "health"),
    [
        ([THERE, THERE], ["udp"], Health.GOOD),
        ([None], ["tcp"], Health.GOOD),
        ([None], ["udp"], Health.BAD),
        ([None], [], Health.BAD),
        ([THERE, THERE], [], Health.LIMITED),
        ([THERE, ELSEWHERE], [], Health.LIMITED),
        ([LAN], [], Health.UNKNOWN),
        ([LAN], ["udp"], Health.GOOD),
        ([], [], Health.UNKNOWN),
    ],
)
def test_what_it_comes_to(mapped: list[tuple[str, int] | None], relayed: list[str], health: Health) -> None:
    assert _verdict(mapped, OWN, relayed).health is health


def test_a_relay_on_the_lan_does_not_make_a_nat_strict() -> None:
    assert _verdict([THERE, LAN], OWN, []).seen == _verdict([THERE], OWN, []).seen


@pytest.mark.parametrize(
    ("date", "health"),
    [
        ("Mon, 01 Jan 2001 00:00:00 GMT", Health.LIMITED),
        ("nonsense", None),
        (f"Mon, 01 Jan {10**20} 00:00:00 GMT", None),
        (f"Mon, 01 Jan 2001 {10**20}:00:00 GMT", None),
        (f"Mon, 01 Jan 2001 00:00:00 +{10**20}", None),
        (None, None),
    ],
)
def test_the_clock(date: str | None, health: Health | None) -> None:
    finding = _clock(date)
    assert (finding and finding.health) == health
