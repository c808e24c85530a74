"""Two processes on one real Redis: seats and limits as of one, messages across, and what happens when a part dies."""

import asyncio
import contextlib
import random
import secrets
import time
from types import SimpleNamespace

import pytest
from websockets.exceptions import ConnectionClosed

from signaling.directory import Asking, Directory, Granted, Refused
from signaling.limits import Limits
from signaling.redis_store import RedisStore
from signaling.store import StoreError
from signaling.wire import Again, Away, Back, Code, Door, Left, Outcome, Paired, Role, Seated, closing
from tests.signaling.clients import WAIT, Seat, get, metric, open_ws, pair, refused, sit
from tests.signaling.cluster import node, nodes, redis_server, settled

HOST, GUEST = Role.HOST, Role.GUEST
RESUME = "0123456789abcdef" * 2


@pytest.fixture
async def redis(tmp_path):
    async with redis_server(tmp_path) as server:
        yield server


@contextlib.asynccontextmanager
async def store(redis, **limits):
    made = RedisStore(redis.url, Limits(**limits))
    made.heard, made.gone = [], []
    await made.open(made.heard.append, made.gone.append)
    try:
        yield made
    finally:
        await made.close()


async def test_the_script_answers_as_the_directory_does(redis):
    """The rules are written twice, in Python for one process and in Lua for many: any order gives the same answers."""
    limits = {"joins": 40, "failed_joins": 12, "source_connections": 6, "source_rooms": 2, "rooms": 4, "turn": 9}
    for seed in range(12):
        draw = random.Random(seed)
        async with store(redis, **limits) as asked:
            directory = Directory(Limits(**limits))
            named, tokens, seats = {}, {}, []
            sources = [f"192.0.2.{number}-{seed}" for number in range(3)]
            for _ in range(60):
                match draw.choice(("seat", "seat", "seat", "claim", "away", "end", "depart")):
                    case "seat" | "claim" as word:
                        plate, role = (
                            draw.choice((f"{seed:03}1", f"{seed:03}2", f"{seed:032x}")),
                            draw.choice(list(Role)),
                        )
                        claim = tokens.get((plate, role), "0" * 32) if word == "claim" else None
                        asking = Asking(
                            *(Door(plate, role, claim), draw.choice(sources), secrets.token_hex(16), asked.home),
                            draw.random() < 0.9,
                        )
                        ours, theirs = directory.seat(asking, 0.0), await asked.seat(asking)
                        if isinstance(ours, Refused):
                            assert isinstance(theirs, Refused)
                            assert theirs.code is ours.code
                            assert (theirs.retry is None) == (ours.retry is None)
                            continue
                        assert isinstance(theirs, Granted)
                        assert (theirs.home, theirs.opens, theirs.turn) == (ours.home, ours.opens, ours.turn)
                        assert named.setdefault(ours.room, theirs.room) == theirs.room
                        seats.append(asking.source)
                        if word == "seat":
                            tokens[plate, role] = asking.token
                    case "away" if named:
                        room, role = draw.choice(sorted(named)), draw.choice(list(Role))
                        directory.away(room, role)
                        asked.away(named[room], role)
                    case "end" if named:
                        room = draw.choice(sorted(named))
                        directory.end(room)
                        asked.end(named[room])
                    case "depart" if seats:
                        source = seats.pop(draw.randrange(len(seats)))
                        directory.depart(source)
                        asked.depart(source, asked.home)


async def test_nothing_stays_in_redis_of_rooms_that_are_over(redis):
    async with node(redis) as one, node(redis) as other:
        host, guest = await sit(one, "1234", HOST), await sit(other, "1234", GUEST)
        await guest.word()
        await guest.close(Outcome.DIRECT)
        await host.close(Outcome.DIRECT)
        names = one._store._redis

        async def clear():
            kinds = {name.split(b":")[1] for name in await names.keys("p2pball:*")}
            return kinds == {b"alive", b"source"}

        await settled(clear)
        assert 0 < await names.pttl("p2pball:source:127.0.0.1") <= 600_000


async def test_messages_cross_whole_and_in_order(redis):
    async with node(redis) as one, node(redis) as other:
        host = await sit(one, "1234", HOST)
        await host.send(b"early")
        guest = await sit(other, "1234", GUEST)
        assert isinstance(await guest.word(), Paired)
        assert await guest.data() == b"early"
        assert isinstance(await host.word(), Paired)
        said = [secrets.token_bytes(random.randrange(8000)) for _ in range(30)]
        for data in said:
            await guest.send(data)
            await host.send(data[::-1])
        assert [await host.data() for _ in said] == said
        assert [await guest.data() for _ in said] == [data[::-1] for data in said]
        guest.lose()
        assert await host.word() == Away()
        await host.send(b"kept")
        again = await sit(one, "1234", GUEST, guest.token)  # now on the other process
        assert isinstance(await again.word(), Paired)
        assert await again.data() == b"kept"
        assert await host.word() == Back()
        moved = await sit(other, "1234", HOST, host.token)
        assert await host.closed() == Code.REPLACED
        assert isinstance(await moved.word(), Paired)
        assert await again.word() == Back()
        await moved.send(b"from far")
        assert await again.data() == b"from far"
        await moved.close(Outcome.TURN)
        assert await again.word() == Left(Outcome.TURN)
        await again.close(Outcome.TURN)
        assert await metric(one, "pairings_total") == 1


async def test_refusals_and_limits_hold_over_both(redis):
    limits = {"source_connections": 3, "source_rooms": 2, "joins": 20, "failed_joins": 3, "rooms": 3}
    async with node(redis, **limits) as one, node(redis, **limits) as other:
        first = await sit(one, "0001", HOST)
        assert await refused(other, Door("0001", HOST)) == Code.TAKEN
        await sit(other, "0002", HOST)
        for where in (one, other):
            assert await refused(where, Door("0003", HOST)) == Code.ROOMS
        guest = await sit(other, "0001", GUEST)
        assert await refused(one, Door("0002", GUEST)) == Code.CONNECTIONS
        await guest.close()
        await first.close()
        assert await refused(one, Door("7777", GUEST)) == Code.NO_ROOM
        assert await refused(other, Door("7777", GUEST)) == Code.NO_ROOM
        assert await refused(one, Door("0002", GUEST)) == Code.FAILED_JOINS
        assert await refused(other, Door("0002", GUEST)) == Code.FAILED_JOINS
        await sit(one, "0004", HOST, source="127.0.0.2")
        await sit(other, "0005", HOST, source="127.0.0.3")
        assert await refused(one, Door("0006", HOST), source="127.0.0.4") == Code.RELAY_ROOMS
        third = await sit(one, "0002", GUEST, source="127.0.0.5")
        assert isinstance(await third.word(), Paired)
        assert await refused(one, Door("0002", GUEST), source="127.0.0.6") == Code.FULL


async def test_a_flood_of_messages_over_the_bus_meets_the_same_limits(redis):
    async with node(redis) as one, node(redis) as other:
        host, guest = await sit(one, "1234", HOST), await sit(other, "1234", GUEST)
        await guest.word()
        await host.word()
        for number in range(64):
            await guest.send(b"%d" % number)
        assert [await host.data() for _ in range(64)] == [b"%d" % number for number in range(64)]
        await guest.send(b"one more")
        assert await guest.closed() == Code.MESSAGES
        assert await host.word() == Left(Outcome.LEFT)


async def test_forty_racing_joins_seat_exactly_two(redis):
    limits = {"source_connections": 99, "joins": 99, "failed_joins": 99}
    async with node(redis, **limits) as one, node(redis, **limits) as other:
        sockets = await asyncio.gather(
            *(open_ws(where, Door(RESUME, role)) for where in (one, other) for role in Role for _ in range(10))
        )

        async def outcome(ws):
            try:
                return await Seat(ws).word()
            except ConnectionClosed as error:
                return error.rcvd.code

        outcomes = await asyncio.gather(*map(outcome, sockets))
        seated = [ws for ws, one in zip(sockets, outcomes, strict=True) if isinstance(one, Seated)]
        assert {one.role for one in outcomes if isinstance(one, Seated)} == set(Role)
        assert len(seated) == 2
        assert outcomes.count(Code.FULL) == 38
        for ws in seated:
            assert isinstance(await Seat(ws).word(), Paired)
            await ws.close()


async def test_a_peer_far_away_that_does_not_read_stops_the_one_that_sends(redis):
    limits = {"messages": 10_000, "total_bytes": 1 << 30, "ping": 1.5}
    async with node(redis, **limits) as one, node(redis, **limits) as other:
        host, guest = await sit(one, "1234", HOST, max_queue=1), await sit(other, "1234", GUEST)
        await guest.word()
        host.ws.transport.pause_reading()
        sent = 0
        with contextlib.suppress(TimeoutError, ConnectionClosed):
            async with asyncio.timeout(WAIT):
                for sent in range(10_000):  # noqa: B007 -- how far it got is the point
                    await asyncio.wait_for(guest.ws.send(b"x" * 16384), 1.0)
        assert sent * 16384 < 40 << 20
        host.ws.transport.abort()


async def test_more_under_way_than_the_store_takes_closes_the_room(redis, monkeypatch):
    monkeypatch.setattr("signaling.redis_queue._BULK", 50_000)
    async with node(redis) as one, node(redis) as other:
        for sender in ("guest", "host"):
            host, guest = await sit(one, "1234", HOST), await sit(other, "1234", GUEST)
            await guest.word()
            await host.word()
            homes = one._store.home, other._store.home
            redis.pause()
            with contextlib.suppress(ConnectionClosed):
                for _ in range(8):
                    await (guest if sender == "guest" else host).send(b"x" * 16000)
            await asyncio.sleep(0.2)
            redis.go_on()
            assert await host.closed() == await guest.closed() == Code.SAME_CODE
            assert homes == (one._store.home, other._store.home)  # the rest of the relay noticed nothing


async def both_again(one, other, nameplate, seconds=2 * WAIT):
    """What clients do that are told to try the same code again: host and guest until they are paired."""

    def draw():
        return random.randrange(1, 250)  # each try from a source of its own: the limits are not what is tested here

    async def again(where, role):
        async with asyncio.timeout(seconds):
            while True:
                with contextlib.suppress(OSError, ConnectionClosed, TimeoutError):
                    seat = Seat(await open_ws(where, Door(nameplate, role), source=f"127.0.{draw()}.{draw()}"))
                    try:
                        assert isinstance(await seat.word(seconds), Seated)
                        assert isinstance(await seat.word(seconds), Paired)
                        return seat
                    except ConnectionClosed as error:
                        read = closing(error.rcvd.code if error.rcvd else None, "")
                        assert read.again is not Again.NO or read.code in (Code.NO_ROOM, Code.FULL)
                await asyncio.sleep(0.5)

    return await asyncio.gather(again(one, HOST), again(other, GUEST))


@pytest.mark.parametrize("victim", ["home of the room", "the other"])
async def test_kill_a_process_and_everyone_is_paired_again(redis, victim):
    async with nodes(redis, 3) as (one, other, third):
        pairs = []
        for number in range(3):
            host, guest = await sit(one.port, f"000{number}", HOST), await sit(other.port, f"000{number}", GUEST)
            await guest.word()
            await host.word()
            pairs.append((host, guest))
        dead, alive = (one, other) if victim == "home of the room" else (other, one)
        await dead.kill()
        for host, guest in pairs:
            left = guest if dead is one else host
            assert await asyncio.wait_for(left.closed(), WAIT) == Code.SAME_CODE
        for number in range(3):
            host, guest = await both_again(third.port, alive.port, f"000{number}")
            await host.send(b"x")
            assert await guest.data() == b"x"
            await host.close()
            await guest.close()


async def test_a_waiting_room_of_a_dead_process_is_free_at_once(redis):
    async with nodes(redis, 2) as (one, other):
        await sit(one.port, "1234", HOST)
        await one.kill()
        await asyncio.sleep(3.2)  # its key outlives it by three seconds
        assert await refused(other.port, Door("1234", GUEST)) == Code.NO_ROOM
        await sit(other.port, "1234", HOST)
        await sit(other.port, "1235", HOST)
        await sit(other.port, "1236", HOST)  # what the dead one held counts for nothing


@pytest.mark.parametrize("how", ["killed", "paused"])
async def test_redis_goes_and_comes_back(redis, how):
    async with node(redis) as one, node(redis) as other:
        near = await pair(one, "0001", source="127.0.0.2")
        host, guest = await sit(one, "0002", HOST), await sit(other, "0002", GUEST)
        await guest.word()
        await host.word()
        waiting = await sit(other, "0003", HOST)
        if how == "killed":
            await redis.kill()
        else:
            redis.pause()
        for seat in (host, guest, waiting):
            assert await seat.closed() == Code.SAME_CODE
        assert await get(one, "/health") == (503, "no store\n")
        turned = Seat(await open_ws(one, Door("0009", HOST)))
        assert await turned.closed() == Code.SAME_CODE
        assert "[retry 2 s]" in turned.ws.close_reason
        await near[0].send(b"a pair on one process needs no store")
        assert await near[1].data() == b"a pair on one process needs no store"
        if how == "killed":
            await redis.start()
        else:
            redis.go_on()
        for number, (first, second) in enumerate([(one, other), (other, one), (one, one)]):
            host, guest = await both_again(first, second, f"100{number}")
            await guest.send(b"back")
            assert await host.data() == b"back"
            await host.close()
            await guest.close()
        assert await get(one, "/health") == (200, "ok\n")


async def test_a_process_that_was_stopped_takes_itself_for_dead(redis, monkeypatch):
    monkeypatch.setattr("signaling.redis_store.ALIVE", 0.3)
    monkeypatch.setattr("signaling.redis_store._BEAT", 0.1)
    async with store(redis) as asked:
        name = asked.home
        time.sleep(0.5)  # noqa: ASYNC251 -- as if the process had been stopped

        async def renamed():
            return asked.home not in ("", name)

        await settled(renamed)
        assert asked.gone == [None]


async def test_a_subscriber_that_redis_drops_begins_anew(redis):
    """An overflowing bus: Redis closes the connection of a subscriber that is too slow."""
    async with store(redis) as asked:
        name = asked.home
        await asked._redis.execute_command("CLIENT", "KILL", "TYPE", "pubsub")

        async def renamed():
            return asked.home not in ("", name)

        await settled(renamed)
        assert asked.gone == [None]


async def test_no_redis_is_said_at_the_start(tmp_path):
    made = RedisStore("redis://127.0.0.1:1", Limits())
    with pytest.raises(StoreError, match="does not answer"):
        await made.open(print, print)


@pytest.mark.parametrize("kind", ["a replica", "a user without rights"])
async def test_a_redis_that_takes_no_orders_is_said_at_the_start(tmp_path, monkeypatch, kind):
    monkeypatch.setattr("signaling.redis_store.ANSWER", 0.1)
    options = {
        "a replica": ("--replicaof", "127.0.0.1", "1"),
        "a user without rights": ("--user", "default", "on", "nopass", "~*", "&*", "+@connection", "+info"),
    }
    async with redis_server(tmp_path, *options[kind]) as server:
        made, before = RedisStore(server.url, Limits()), asyncio.all_tasks()
        with pytest.raises(StoreError, match="takes no orders"):
            await made.open(print, print)
        assert asyncio.all_tasks() == before


@contextlib.asynccontextmanager
async def slow_answers(redis, seconds):
    """The same Redis over a forwarder: what was published comes at once, answers to commands come late."""

    async def forward(reader, writer):
        there, back = await asyncio.open_connection("127.0.0.1", redis.port)
        published = False

        async def up():
            nonlocal published
            while data := await reader.read(65536):
                published = published or b"SUBSCRIBE" in data
                back.write(data)
            back.close()

        async def down():
            while data := await there.read(65536):
                if not published:
                    await asyncio.sleep(seconds)
                writer.write(data)
            writer.close()

        with contextlib.suppress(OSError):
            await asyncio.gather(up(), down())

    async with await asyncio.start_server(forward, "127.0.0.1", 0) as server:
        yield SimpleNamespace(url=f"redis://127.0.0.1:{server.sockets[0].getsockname()[1]}")


async def test_a_guest_who_comes_before_the_home_knows_of_its_room_is_paired(redis):
    """The guest's seat and the answer that the room is ours come by two connections, in any order."""
    async with slow_answers(redis, 0.2) as late, node(late) as one, node(redis) as other:
        opening = asyncio.create_task(sit(one, "0042", HOST, source="127.8.0.1"))
        for _ in range(1000):
            seat = Seat(await open_ws(other, Door("0042", GUEST), source=f"127.7.0.{random.randrange(1, 250)}"))
            with contextlib.suppress(ConnectionClosed):  # no such room yet
                assert isinstance(await seat.word(), Seated)
                break
        assert not opening.done()
        assert isinstance(await seat.word(), Paired)
        assert isinstance(await (await opening).word(), Paired)
