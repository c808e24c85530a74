"""What the relay gives a pair to find its way: its own STUN, and credentials that a real coturn takes."""

import asyncio
import base64
import contextlib
import hashlib
import hmac
import socket
import time

import pytest
from aioice import stun, turn

from signaling.ice import Ice, own_host
from signaling.wire import IceServer, Role
from tests import needs
from tests.signaling.clients import WAIT, metric, relay, sit
from tests.signaling.ways import Asker, ask, binding

SECRET = "a secret shared with coturn"


def free_port(kind: int = socket.SOCK_DGRAM) -> int:
    with socket.socket(socket.AF_INET, kind) as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


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
