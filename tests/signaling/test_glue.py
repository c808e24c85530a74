"""The glue between socket and WebSocket library: any cut of the bytes has the same effect, and no bytes break it."""

import gc
import random
import weakref

import pytest

from signaling.limits import LINGER
from signaling.wire import Code, Outcome, Role
from tests.signaling import glue
from tests.signaling.clients import frame, handshake


@pytest.mark.parametrize("batch", range(8))
async def test_streams_cut_and_broken_in_every_way(batch):
    for seed in range(batch * 50, batch * 50 + 50):
        try:
            await glue.fuzz(seed)
        except AssertionError as error:
            raise AssertionError(f"seed {seed}") from error


@pytest.fixture
def no_collector():
    gc.disable()
    yield
    gc.enable()


@pytest.mark.usefixtures("no_collector")
@pytest.mark.parametrize(
    "last", [b"", frame(8, b"\x03\xe8"), frame(3, b"no such frame")], ids=["lost", "closed", "broken"]
)
async def test_what_is_gone_does_not_wait_for_the_collector(last):
    client = glue.Client(glue.server())
    await client.sit("1234", Role.HOST)
    client.feed(frame(9, b""))  # no client of ours pings: from here on the library is in charge
    client.feed(last)
    held = weakref.ref(client.conn._ws)
    client.lost()
    del client
    assert held() is None


@pytest.mark.usefixtures("no_collector")
@pytest.mark.parametrize(
    "asked",
    [
        b"GET / HTTP/1.1\r\n\r\n",
        b"junk\r\n",
        b"GET /" + b"a" * 9000 + b" HTTP/1.1\r\n\r\n",
        b"GET /v1/room/1234?role=host HTTP/1.1\r\n\r\n",
        b"GET /v1/room/1234?role=host HT",
        handshake("/v1/room/1234?role=host").replace(b"-Key: ", b"-Key: ?"),
    ],
    ids=["page", "junk", "long", "no upgrade", "half", "no key"],
)
async def test_what_came_to_no_seat_does_not_wait_for_the_collector_either(asked):
    client = glue.Client(glue.server())
    client.feed(asked)
    client.conn.eof_received()
    held = weakref.ref(client.conn._ws)
    client.lost()
    del client
    assert held() is None


async def test_two_faults_in_one_read_are_one_refusal():
    house = glue.server()
    client = glue.Client(house)
    await client.sit("1234", Role.HOST)
    client.feed(frame(1, b"text") + frame(3, b"no such frame"))
    assert house.metrics.refusals.total() == 1
    client.lost()


@pytest.mark.parametrize("by_the_library", [False, True])
@pytest.mark.parametrize("last", [b"", frame(8, b"\x03\xe8")], ids=["no more", "closed"])
async def test_whoever_ends_and_reads_nothing_more_is_dropped_soon(last, by_the_library):
    client = glue.Client(glue.server())
    await client.sit("1234", Role.HOST)
    if by_the_library:
        client.feed(frame(9, b""))
    if last:
        client.feed(last)
    else:
        client.conn.eof_received()
        client.wire.close()  # as loops do, once all is written; the client takes none of it
    client.conn.tick(client.server.now() + LINGER)
    assert client.wire.aborted
    client.lost()


async def test_a_refusal_that_comes_when_the_client_is_gone_needs_no_library():
    client = glue.Client(glue.server())
    await client.sit("1234", Role.HOST)
    client.lost()
    client.conn.close(Code.FULL)  # as when a store answers late
    assert client.conn._ws is None


async def test_whoever_is_held_after_a_ping_cannot_answer_it():
    house = glue.server()
    host, guest = glue.Client(house), glue.Client(house)
    for client, role in ((host, Role.HOST), (guest, Role.GUEST)):
        await client.sit("1234", role)
    guest.conn.tick(1e9)
    host.conn.pause_writing()
    assert guest.wire.paused
    guest.conn.tick(2e9)
    host.conn.resume_writing()
    guest.conn.tick(3e9)  # asks anew
    assert house.metrics.refusals.total() == 0
    guest.conn.tick(4e9)
    assert house.metrics.refusals["no_answer"] == 1
    for client in (host, guest):
        client.lost()


def talk(draw: random.Random) -> bytes:
    """What a client sends at once: mostly what is read at a glance."""
    choices = [frame(2, draw.randbytes(draw.choice((0, 50, 125, 126, 3000)))), frame(10, b""), frame(10, b"late")]
    rare = [
        frame(8, draw.choice(list(Outcome)).to_bytes(2, "big")),
        frame(8, b"\x03\xe9"),
        frame(8, b""),
        frame(9, b"?"),
    ]
    rare += [frame(2, bytes(16385)), frame(1, b"text"), frame(2, b"x", fin=False), frame(2, b"a") + frame(2, b"b")]
    return draw.choice(choices if draw.random() < 0.9 else rare)


async def told(seed: int, by_the_library: bool) -> tuple[object, ...]:
    """All that two clients were told and all that the relay counted, in a room where they send what the seed says."""
    draw, house = random.Random(seed), glue.server(messages=20, total_bytes=30_000)
    clients = [glue.Client(house) for _ in Role]
    for client, role in zip(clients, Role, strict=True):
        await client.sit("1234", role)
        if by_the_library:
            client.conn._core()
    for _ in range(60):
        client = draw.choice(clients)
        data, lost = talk(draw), draw.random() < 0.01
        if lost and not client.wire.closing:
            client.conn.eof_received()
            client.wire.close()
            client.lost()
        client.feed(data)
        await client.settle()
    closing = [client.wire.closing for client in clients]
    for client in clients:
        client.conn.tick(1e9)
        client.lost()
    after = [bytes(one.wire.written).partition(b'"seated"')[2][60:] for one in clients]  # without the token
    metrics = house.metrics
    counted = (metrics.outcomes, metrics.refusals, metrics.messages, metrics.message_bytes)
    return *after, *closing, *counted


@pytest.mark.parametrize("seed", range(100))
async def test_a_glance_changes_nothing(seed):
    assert await told(seed, by_the_library=False) == await told(seed, by_the_library=True)
