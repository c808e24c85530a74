"""A real server on loopback: introductions, seats, refusals, deadlines, pages and drains."""

import asyncio

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from p2pball.net.embedded import EmbeddedRelay
from signaling.wire import Away, Back, Code, Door, Left, Outcome, Paired, Role, Seated
from tests.signaling.clients import WAIT, Seat, get, metric, open_ws, pair, refused, relay, sit

HOST, GUEST = Role.HOST, Role.GUEST
RESUME = "0123456789abcdef" * 2


async def test_two_meet_and_talk_and_say_what_came_of_it():
    async with relay() as server:
        host = await sit(server, "1234", HOST)
        await host.send(b"early")
        guest = await sit(server, "1234", GUEST)
        assert await guest.word() == Paired()
        assert await guest.data() == b"early"
        assert await host.word() == Paired()
        for data in (b"", b"\x00\xff", b"x" * 16384):
            await guest.send(data)
            assert await host.data() == data
        await guest.close(Outcome.DIRECT)
        assert await host.word() == Left(Outcome.DIRECT)
        await host.close(Outcome.DIRECT)
        assert await metric(server, 'outcomes_total{outcome="direct"}') == 2
        assert await metric(server, "pairings_total") == 1
        assert await metric(server, "rooms_paired") == 0


async def test_refusals_have_codes_and_sentences():
    async with relay() as server:
        assert await refused(server, Door("1234", GUEST)) == Code.NO_ROOM
        host, guest = await pair(server)
        assert await refused(server, Door("1234", GUEST)) == Code.FULL
        assert await refused(server, Door("1234", HOST)) == Code.TAKEN
        assert await refused(server, Door("1234", HOST, "0" * 32)) == Code.BAD_TOKEN
        third = Seat(await open_ws(server, Door("1234", GUEST)))
        assert await third.closed() == Code.FULL
        assert "Two players" in (third.ws.close_reason or "")
        assert await metric(server, 'refusals_total{reason="full"}') == 2
        await host.close()
        await guest.close()


async def test_a_room_addressed_wrongly_is_refused_over_websocket_and_http():
    async with relay() as server:
        async with connect(f"ws://127.0.0.1:{server.port}/v1/room/12?role=host", proxy=None) as ws:
            assert await Seat(ws).closed() == Code.BAD_ADDRESS
        assert (await get(server, "/v1/room/12?role=host"))[0] == 400
        assert (await get(server, "/v1/room/1234?role=host"))[0] == 426
        with pytest.raises(InvalidStatus):
            await connect(f"ws://127.0.0.1:{server.port}/elsewhere", proxy=None)


async def test_a_lost_seat_is_taken_back_with_its_token():
    async with relay() as server:
        host, guest = await pair(server)
        guest.lose()
        assert await host.word() == Away()
        await host.send(b"meanwhile")
        again = await sit(server, "1234", GUEST, guest.token)
        assert again.token == guest.token
        assert isinstance(await again.word(), Paired)
        assert await again.data() == b"meanwhile"
        assert await host.word() == Back()
        newer = await sit(server, "1234", GUEST, guest.token)
        assert await again.closed() == Code.REPLACED
        assert isinstance(await newer.word(), Paired)


@pytest.mark.parametrize("first", Role)
async def test_in_a_room_to_resume_in_either_comes_first(first):
    async with relay(failed_joins=1) as server:
        one = await sit(server, RESUME, first)
        other = await sit(server, RESUME, first.other)
        assert isinstance(await one.word(), Paired)
        assert isinstance(await other.word(), Paired)


async def test_a_program_that_died_resumes_without_its_token():
    async with relay() as server:
        host, guest = await pair(server, RESUME)
        guest.lose()
        assert await host.word() == Away()
        again = await sit(server, RESUME, GUEST)
        assert isinstance(await again.word(), Paired)
        assert await host.word() == Back()


async def test_deadlines_of_rooms():
    async with relay(waiting=0.3) as server:
        alone = await sit(server, "0001", HOST)
        assert await alone.closed() == Code.WAITED
    async with relay(silent=0.3) as server:
        host, guest = await pair(server)
        assert await host.closed() == await guest.closed() == Code.SILENT
    async with relay(away=0.3, leave=0.3) as server:
        host, guest = await pair(server)
        guest.lose()
        assert await host.word() == Away()
        assert await host.closed() == Code.GONE
        host, guest = await pair(server)
        await guest.close(Outcome.WRONG_CODE)
        assert await host.closed() == Code.GONE
        assert await refused(server, Door("1234", GUEST)) == Code.NO_ROOM


async def test_pages():
    async with relay() as server:
        status, body = await get(server, "/")
        assert status == 200
        assert "p2pball relay" in body
        assert await get(server, "/health") == (200, "ok\n")
        assert (await get(server, "/nothing"))[0] == 404
        assert (await get(server, "/", "POST"))[0] == 405
        assert (await get(server, "/", "POST", "Content-Length: 5"))[0] == 400
        status, body = await get(server, "/metrics")
        assert status == 200
        for line in body.splitlines():
            assert line.startswith("# ") or line.split()[1].isdigit()
        assert 'p2pball_relay_http_total{status="404"} 1' in body


async def test_draining_sends_waiting_ones_away_and_lets_pairs_finish():
    async with relay() as server:
        waiting = await sit(server, "0001", HOST)
        host, guest = await pair(server)
        draining = asyncio.create_task(server.drain())
        assert await waiting.closed() == Code.DRAINING
        assert await get(server, "/health") == (503, "draining\n")
        assert await refused(server, Door("0002", HOST)) == Code.DRAINING
        await guest.send(b"still")
        assert await host.data() == b"still"
        assert not draining.done()
        await guest.close(Outcome.DIRECT)
        await host.close(Outcome.DIRECT)
        await asyncio.wait_for(draining, WAIT)


async def test_a_pair_that_does_not_finish_is_closed_when_its_time_is_over():
    async with relay(leave=0.3) as server:
        host, guest = await pair(server)
        await asyncio.wait_for(server.drain(), WAIT)
        await server.stop()
        assert await host.closed() == await guest.closed() == Code.DRAINING


async def test_many_pairs_at_once_each_hear_their_own():
    async with relay(source_connections=200, joins=200, source_rooms=100, failed_joins=100) as server:

        async def one(number):
            host, guest = await pair(server, f"{number:04}")
            for turn in range(5):
                await host.send(b"h%d.%d" % (number, turn))
                await guest.send(b"g%d.%d" % (number, turn))
            heard = [await guest.data() for _ in range(5)] + [await host.data() for _ in range(5)]
            assert heard == [b"%c%d.%d" % (side, number, turn) for side in b"hg" for turn in range(5)]
            await host.close(Outcome.DIRECT)
            await guest.close(Outcome.DIRECT)

        await asyncio.gather(*(one(number) for number in range(50)))
        assert await metric(server, "pairings_total") == 50
        assert await metric(server, "rooms_waiting") == 0


async def test_forty_racing_joins_seat_exactly_two():
    async with relay(source_connections=99, joins=99, failed_joins=99) as server:
        sockets = await asyncio.gather(*(open_ws(server, Door(RESUME, role)) for role in Role for _ in range(20)))
        seats = [Seat(ws) for ws in sockets]

        async def outcome(seat):
            try:
                return await seat.word()
            except ConnectionClosed as error:
                return error.rcvd.code

        outcomes = await asyncio.gather(*map(outcome, seats))
        assert sum(isinstance(one, Seated) for one in outcomes) == 2
        assert outcomes.count(Code.FULL) == 38
        for ws in sockets:
            ws.transport.abort()


async def test_the_embedded_relay_takes_the_same_port_again():
    async with EmbeddedRelay("127.0.0.1") as embedded:
        port = embedded.port
        host, guest = await pair(port)
        await guest.close()
        assert await host.word() == Left(Outcome.LEFT)
    async with EmbeddedRelay("127.0.0.1", port) as embedded:
        assert embedded.port == port
        await pair(port)
    with pytest.raises(RuntimeError):
        _ = EmbeddedRelay().port
