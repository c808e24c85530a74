"""The glue between socket and WebSocket library: any cut of the bytes has the same effect, and no bytes break it."""

import gc
import weakref

import pytest

from signaling.wire import Role
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
