"""The relay's STUN: the address and nothing else, its rates, and clients that know it from elsewhere."""

import asyncio
import contextlib
import secrets
import socket

import pytest
from aioice import ice, stun

from signaling.metrics import Metrics
from signaling.options import Options
from signaling.server import Server
from signaling.stun import StunResponder
from signaling.wire import IceServer, Paired, Role
from tests import needs
from tests.signaling.clients import WAIT, metric, pair, sit
from tests.signaling.ways import Asker, ask, binding


@contextlib.asynccontextmanager
async def responder(host="127.0.0.1", **limits):
    from signaling.limits import Limits

    served = StunResponder(Limits(**limits), Metrics())
    port = await served.start(host, 0)
    try:
        yield served, port
    finally:
        served.close()


async def test_a_binding_request_is_answered_with_the_address_and_nothing_else():
    async with responder() as (_, port):
        (answer,), own = await ask(port, binding())
        reply = stun.parse_message(answer)
        assert reply.message_class is stun.Class.RESPONSE
        assert reply.attributes == {"XOR-MAPPED-ADDRESS": own[:2]}
        assert len(answer) == 32  # RFC 8489: header and one attribute; there is no shorter reply


@pytest.mark.parametrize("host", ["::", "::1"])
async def test_stun_over_ipv6(host):
    if not socket.has_ipv6:
        needs.missing("no IPv6 here")
    async with responder(host) as (_, port):
        (answer,), own = await ask(port, binding(), host="::1")
        assert stun.parse_message(answer).attributes == {"XOR-MAPPED-ADDRESS": own[:2]}
        if host == "::":  # and IPv4 on the same socket, named as IPv4
            (answer,), own = await ask(port, binding())
            assert stun.parse_message(answer).attributes == {"XOR-MAPPED-ADDRESS": own[:2]}


@pytest.mark.parametrize(
    "packet",
    [
        b"hello",
        bytes(range(0xC8, 0xDC)),
        binding()[:19],
        binding() + b"x" * 600,
        bytes(stun.Message(stun.Method.BINDING, stun.Class.RESPONSE)),
        bytes(stun.Message(stun.Method.ALLOCATE, stun.Class.REQUEST)),
        bytes(stun.Message(stun.Method.BINDING, stun.Class.INDICATION)),
        bytes(stun.Message(stun.Method.BINDING, stun.Class.REQUEST)).replace(b"\x21\x12", b"\0\0"),
        binding()[:2] + b"\0\x08" + binding()[4:] + b"\0\x24\0\x02\0\0\0\0",  # PRIORITY has four bytes
    ],
    ids=[
        *("words", "noise", "cut off", "too long", "an answer", "another method", "an indication", "no cookie"),
        "a short attribute",
    ],
)
async def test_anything_else_is_not_answered(packet):
    async with responder() as (served, port):
        answers, _ = await ask(port, packet)
        assert answers == []
        assert served._metrics.stun_dropped == 1


async def test_stun_is_rate_limited_for_a_source_and_for_all():
    async with responder(stun=3) as (served, port):
        assert len((await ask(port, *(binding() for _ in range(10))))[0]) == 3
        assert served._metrics.stun_dropped == 7
        await asyncio.sleep(0.6)
        assert len((await ask(port, binding()))[0]) == 1
    async with responder(stun=100, stun_all=5) as (_, port):
        assert len((await ask(port, *(binding() for _ in range(10))))[0]) == 5


async def test_aioice_finds_its_address_by_the_relay():
    server = Server(Options(host="127.0.0.1", port=0, stun_port=0))
    await server.start()
    try:
        host = await sit(server, "1234", Role.HOST)
        await sit(server, "1234", Role.GUEST)
        paired = await host.word()
        assert paired == Paired((IceServer((f"stun:127.0.0.1:{server.port}",)),))
        loop = asyncio.get_running_loop()
        connection = ice.Connection(ice_controlling=True)
        transport, protocol = await loop.create_datagram_endpoint(
            lambda: ice.StunProtocol(connection), local_addr=("127.0.0.1", 0)
        )
        protocol.local_candidate = ice.Candidate(
            "1", 1, "udp", 1, *transport.get_extra_info("sockname")[:2], type="host"
        )
        mapped, _ = await asyncio.wait_for(ice.server_reflexive_candidate(protocol, ("127.0.0.1", server.port)), WAIT)
        assert (mapped.host, mapped.port) == transport.get_extra_info("sockname")[:2]
        transport.close()
        assert await metric(server, "stun_replies_total") == 1
    finally:
        await server.stop()


async def test_coturns_own_client_finds_its_address_by_the_relay():
    program = needs.program("turnutils_stunclient")
    async with responder() as (_, port):
        client = await asyncio.create_subprocess_exec(
            program, "-p", str(port), "127.0.0.1", stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT
        )
        try:
            said, _ = await asyncio.wait_for(client.communicate(), WAIT)
        finally:
            if client.returncode is None:
                client.kill()
        assert b"UDP reflexive addr: 127.0.0.1:" in said


async def test_pairs_go_on_while_stun_is_flooded():
    server = Server(Options(host="127.0.0.1", port=0, stun_port=0))
    await server.start()
    try:
        transport, _ = await asyncio.get_running_loop().create_datagram_endpoint(
            Asker, remote_addr=("127.0.0.1", server.port)
        )
        for number in range(20):
            for _ in range(200):
                transport.sendto(secrets.choice((binding(), secrets.token_bytes(100))))
            host, guest = await pair(server, f"{number:04}", source=f"127.0.1.{number}")
            await host.close()
            await guest.close()
        transport.close()
        assert 10 <= await metric(server, "stun_replies_total") <= 100
        assert await metric(server, "stun_dropped_total") > 100  # the system drops some itself
    finally:
        await server.stop()
