"""What the relay gives a pair to find its way, and the ways to the relay: STUN, TURN by a real coturn, TLS, IPv6."""

import asyncio
import base64
import contextlib
import datetime
import hashlib
import hmac
import ipaddress
import secrets
import socket
import ssl
import time

import pytest
from aioice import ice, stun, turn
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from websockets.asyncio.client import connect

from signaling.ice import Ice, own_host
from signaling.metrics import Metrics
from signaling.options import Options
from signaling.server import Server
from signaling.stun import StunResponder
from signaling.wire import IceServer, Paired, Role, hear
from tests import needs
from tests.signaling.clients import WAIT, Seat, frame, handshake, metric, pair, raw, relay, sit

SECRET = "a secret shared with coturn"


def free_port(kind: int = socket.SOCK_DGRAM) -> int:
    with socket.socket(socket.AF_INET, kind) as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


class Asker(asyncio.DatagramProtocol):
    """A bare UDP client."""

    def __init__(self) -> None:
        self.got: asyncio.Queue[bytes] = asyncio.Queue()

    def datagram_received(self, data, addr):
        self.got.put_nowait(data)


async def ask(port: int, *packets: bytes, host: str = "127.0.0.1") -> tuple[list[bytes], tuple]:
    """Send packets from one port; what came back within a moment, and that port."""
    transport, asker = await asyncio.get_running_loop().create_datagram_endpoint(Asker, remote_addr=(host, port))
    for packet in packets:
        transport.sendto(packet)
    answers = []
    with contextlib.suppress(TimeoutError):
        while len(answers) < len(packets):
            answers.append(await asyncio.wait_for(asker.got.get(), 0.5))
    own = transport.get_extra_info("sockname")
    transport.close()
    return answers, own


@contextlib.asynccontextmanager
async def responder(host="127.0.0.1", **limits):
    from signaling.limits import Limits

    served = StunResponder(Limits(**limits), Metrics())
    port = await served.start(host, 0)
    try:
        yield served, port
    finally:
        served.close()


def binding() -> bytes:
    return bytes(stun.Message(stun.Method.BINDING, stun.Class.REQUEST))


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


@pytest.mark.parametrize(
    ("header", "host"),
    [
        ("relay.example.org", "relay.example.org"),
        ("relay.example.org:443", "relay.example.org"),
        ("192.0.2.1:8765", "192.0.2.1"),
        ("[2001:db8::1]:8765", "[2001:db8::1]"),
        ("", ""),
        ("evil host", ""),
        ('x","urls":["', ""),
        ("a:b:c", ""),
    ],
)
def test_the_relays_own_name_is_what_the_client_called_it(header, host):
    assert own_host(header) == host
    servers = Ice(stun_port=3478).servers(host, None)
    assert servers == ((IceServer((f"stun:{host}:3478",)),) if host else ())


async def test_credentials_are_given_to_pairs_only_last_ten_minutes_and_have_a_quota():
    offer = Ice(stun_urls=("stun:s.example:3478",), turn_urls=("turn:t.example:3478",), turn_secret=SECRET)
    async with relay(options={"ice": offer}, turn=3) as server:
        host, guest = await sit(server, "1234", Role.HOST), await sit(server, "1234", Role.GUEST)
        names = set()
        for seat in (host, guest):
            paired = await seat.word()
            plain, given = paired.ice
            assert plain == IceServer(("stun:s.example:3478",))
            expiry = int(given.username.partition(":")[0])
            assert 590 <= expiry - time.time() <= 600
            wanted = base64.b64encode(hmac.new(SECRET.encode(), given.username.encode(), hashlib.sha1).digest())
            assert given.credential == wanted.decode()
            names.add(given.username)
        assert len(names) == 2
        assert await metric(server, "turn_credentials_total") == 2
        host, guest = await sit(server, "4321", Role.HOST), await sit(server, "4321", Role.GUEST)
        assert len((await host.word()).ice) == 2
        assert len((await guest.word()).ice) == 1  # the quota of this source is used up
        other, _ = await sit(server, "5555", Role.HOST, source="127.0.0.2"), await sit(server, "5555", Role.GUEST)
        assert len((await other.word()).ice) == 2


@contextlib.asynccontextmanager
async def coturn(tmp_path):
    """A real TURN server with the shared secret; its port."""
    program, port = needs.program("turnserver"), free_port()
    log = tmp_path / "turn.log"
    arguments = [
        *("-n", "--listening-ip=127.0.0.1", "--relay-ip=127.0.0.1", f"--listening-port={port}", "--realm=p2pball"),
        *("--use-auth-secret", f"--static-auth-secret={SECRET}", "--no-tls", "--no-dtls", "--no-cli", "--fingerprint"),
        *("--allow-loopback-peers", f"--log-file={log}", "--simple-log", f"--pidfile={tmp_path / 'turn.pid'}"),
        *(f"--userdb={tmp_path / 'turn.db'}", "--min-port=40000", "--max-port=40100", "-v"),
    ]
    process = await asyncio.create_subprocess_exec(
        program, *arguments, stdout=asyncio.subprocess.DEVNULL, stderr=asyncio.subprocess.DEVNULL
    )
    try:
        for _ in range(50):
            answers, _ = await ask(port, binding())
            if answers:
                break
        else:
            pytest.fail(f"coturn did not start: {log.read_text() if log.exists() else ''}")
        yield port
    finally:
        process.terminate()
        await asyncio.wait_for(process.wait(), WAIT)


@pytest.mark.parametrize("transport", ["udp", "tcp"])
async def test_a_real_coturn_takes_the_credentials_and_carries_data(tmp_path, transport):
    async with coturn(tmp_path) as port:
        offer = Ice(turn_urls=(f"turn:127.0.0.1:{port}?transport={transport}",), turn_secret=SECRET)
        async with relay(options={"ice": offer}) as server:
            host, _ = await sit(server, "1234", Role.HOST), await sit(server, "1234", Role.GUEST)
            (given,) = (await host.word()).ice
        received: asyncio.Queue[tuple[bytes, tuple]] = asyncio.Queue()

        class End(asyncio.DatagramProtocol):
            def datagram_received(self, data, addr):
                received.put_nowait((data, addr))

        async def allocate(username, password):
            return await asyncio.wait_for(
                turn.create_turn_endpoint(
                    End, server_addr=("127.0.0.1", port), username=username, password=password, transport=transport
                ),
                WAIT,
            )

        way, _ = await allocate(given.username, given.credential)
        relayed = way.get_extra_info("sockname")
        peer, asker = await asyncio.get_running_loop().create_datagram_endpoint(Asker, local_addr=("127.0.0.1", 0))
        way.sendto(b"through coturn", peer.get_extra_info("sockname"))
        assert await asyncio.wait_for(asker.got.get(), WAIT) == b"through coturn"
        peer.sendto(b"and back", relayed)
        assert (await asyncio.wait_for(received.get(), WAIT))[0] == b"and back"
        way.close()
        peer.close()
        for username, password in [
            (given.username, "wrong"),
            (f"{int(time.time()) + 9999}:x", given.credential),  # a longer life than was signed
        ]:
            with pytest.raises(stun.TransactionFailed):
                await allocate(username, password)
        expired = f"{int(time.time()) - 10}:x"
        signed = base64.b64encode(hmac.new(SECRET.encode(), expired.encode(), hashlib.sha1).digest()).decode()
        with pytest.raises(stun.TransactionFailed):
            await allocate(expired, signed)


def certificate(folder):
    """A certificate for localhost, made for this run."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "localhost")])
    now = datetime.datetime.now(datetime.UTC)
    names = x509.SubjectAlternativeName([x509.DNSName("localhost"), x509.IPAddress(ipaddress.ip_address("127.0.0.1"))])
    made = x509.CertificateBuilder().subject_name(name).issuer_name(name).public_key(key.public_key())
    made = made.serial_number(x509.random_serial_number()).not_valid_before(now - datetime.timedelta(days=1))
    made = made.not_valid_after(now + datetime.timedelta(days=1)).add_extension(names, critical=False)
    cert, secret = folder / "cert.pem", folder / "key.pem"
    cert.write_bytes(made.sign(key, hashes.SHA256()).public_bytes(serialization.Encoding.PEM))
    secret.write_bytes(
        key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    )
    return cert, secret


async def test_tls(tmp_path):
    cert, key = certificate(tmp_path)
    async with relay(options={"cert": cert, "key": key}, handshake=0.5) as server:
        trust = ssl.create_default_context(cafile=str(cert))
        seats = []
        for role in Role:
            address = f"wss://localhost:{server.port}/v1/room/1234?role={role.value}"
            seats.append(Seat(await connect(address, ssl=trust, host="127.0.0.1", proxy=None)))
            await seats[-1].word()
        host, guest = seats
        assert isinstance(await host.word(), Paired)
        assert isinstance(await guest.word(), Paired)
        for _ in range(10):
            await host.send(b"x" * 16384)
            assert await guest.data() == b"x" * 16384
        await guest.ws.send("text")
        assert await guest.closed() == 4015
        # Whoever starts no TLS, or starts it and stops, is gone after the time of a handshake.
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
        assert await asyncio.wait_for(reader.read(), WAIT) == b""
        writer.close()
        await host.close()


async def test_records_of_tls_read_at_once_come_whole_and_in_order(tmp_path):
    cert, key = certificate(tmp_path)
    async with relay(options={"cert": cert, "key": key}) as server:
        trust = ssl.create_default_context(cafile=str(cert))
        streams = []
        for role in Role:
            reader, writer = await asyncio.open_connection(
                "127.0.0.1", server.port, ssl=trust, server_hostname="localhost"
            )
            asked = handshake(f"/v1/room/1234?role={role.value}")
            for piece in (asked[:40], asked[40:]):
                writer.write(piece)
            streams.append((reader, writer))
            await asyncio.wait_for(reader.readuntil(b"seated"), WAIT)
        (heard, _), (_, told) = streams
        for piece in (b"one", b"two", b"three"):  # each a record, all in the socket before the relay reads
            told.write(frame(2, piece))
        await asyncio.wait_for(heard.readuntil(b"\x82\x03one\x82\x03two\x82\x05three"), WAIT)
        for _, writer in streams:
            writer.transport.abort()


async def test_whoever_starts_no_tls_counts_all_the_same(tmp_path):
    cert, key = certificate(tmp_path)
    async with relay(options={"cert": cert, "key": key}, source_connections=2, handshake=2.0) as server:
        flood = [await raw(server, "127.0.0.9") for _ in range(10)]
        for _, writer in flood:
            writer.write(b"\x16\x03\x01\x02\x00")
        await asyncio.sleep(0.5)
        assert (server.metrics.refusals["flood"], len(server._conns)) == (6, 4)
        trust = ssl.create_default_context(cafile=str(cert))
        address = f"wss://localhost:{server.port}/v1/room/1234?role=host"
        async with connect(address, ssl=trust, host="127.0.0.1", proxy=None) as ws:
            await Seat(ws).word()
            for reader, writer in flood:
                with contextlib.suppress(ConnectionError):
                    assert await asyncio.wait_for(reader.read(), WAIT) == b""
                writer.close()
            assert (server.metrics.refusals["handshake"], len(server._conns)) == (4, 1)
        _, writer = await raw(server)  # still there when the relay stops
        await asyncio.sleep(0.1)
    assert not server._conns
    assert not server._sources
    writer.close()


async def test_who_comes_as_a_relay_with_tls_stops_is_no_fault(tmp_path):
    cert, key = certificate(tmp_path)
    loop, faults = asyncio.get_running_loop(), []
    async with relay(options={"cert": cert, "key": key}) as server:
        await asyncio.sleep(0.1)
        loop.set_exception_handler(lambda loop, context: faults.append(context))
        with socket.create_connection(("127.0.0.1", server.port)):  # heard of in the turn of the loop in which it stops
            loop.call_soon(server._listener.close)
            await asyncio.sleep(0.1)
    loop.set_exception_handler(None)
    assert faults == []


async def test_every_address_means_ipv4_and_ipv6_on_one_port():
    if not socket.has_dualstack_ipv6():
        needs.missing("no dual-stack sockets here")
    server = Server(Options(port=0))
    await server.start()
    try:
        hosts = []
        for host in ("127.0.0.1", "[::1]"):
            role = Role.HOST if not hosts else Role.GUEST
            ws = await connect(f"ws://{host}:{server.port}/v1/room/1234?role={role.value}", proxy=None)
            hosts.append(Seat(ws))
            await hosts[-1].word()
        assert isinstance(hear(await hosts[0].ws.recv()), Paired)
        for seat in hosts:
            await seat.close()
    finally:
        await server.stop()


async def test_an_ipv6_network_is_one_source():
    if not socket.has_ipv6:
        needs.missing("no IPv6 here")
    async with relay(options={"host": "::1"}, source_rooms=1) as server:
        ws = await connect(f"ws://[::1]:{server.port}/v1/room/0001?role=host", proxy=None)
        await Seat(ws).word()
        ws = await connect(f"ws://[::1]:{server.port}/v1/room/0002?role=host", proxy=None)
        assert await Seat(ws).closed() == 4008


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
