"""Rude clients against a real relay process: every limit holds, its memory stays, and others pair meanwhile."""

from __future__ import annotations

import asyncio
import contextlib
import random
import secrets
import socket
import struct
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from statistics import median

from websockets.exceptions import ConnectionClosed

from signaling.wire import Code, Door, Outcome, Paired, Role, close_reason, room_path
from tests.campaign import Tally
from tests.signaling import glue
from tests.signaling.clients import Seat, frame, get, handshake, metric, open_ws, pair, raw, refused, sit
from tests.signaling.program import Relay, process

GROWTH_KIB = 2048
"""How much the relay may grow under an attack that should leave nothing behind (measures.md, `relay`)."""

IDLE_KIB = 6.0
"""What one idle connection may cost: 0.8 of what one costs PeerJS's server, 7.6 to 11.6 (connection.md 2)."""

IDLE_SLOWER = 2.0
"""How many times the processor time of a pairing may grow while ten thousand idle connections are there.

In it are the pings to them and the sweeps over them that fall into that time. Waiting times would tell of the machine,
and of this process, which is all the clients.
"""


@dataclass
class Ground:
    """Where an attack takes place."""

    relay: Relay
    draw: random.Random
    scale: float  # 1 for the full form
    sources: int = 0
    plates: int = 5000

    def source(self) -> str:
        """An address that no one used before; all of 127.0.0.0/8 is loopback."""
        self.sources += 1
        return f"127.{10 + self.sources // 62500}.{self.sources // 250 % 250}.{self.sources % 250 + 1}"

    def plate(self) -> str:
        """A nameplate that no one used before."""
        self.plates = 5000 + (self.plates - 4999) % 5000
        return f"{self.plates:04}"

    def many(self, count: int) -> int:
        """That many in the full form, fewer in a short one."""
        return max(4, int(count * self.scale))


async def message_of_64_mib(ground: Ground) -> None:
    """It is refused by its header, and nothing of it is kept."""
    host, guest = await pair(ground.relay.port, ground.plate(), source=ground.source())
    with contextlib.suppress(ConnectionClosed, ConnectionError):
        await guest.ws.send(b"x" * (64 << 20))
    assert await guest.closed() == Code.TOO_BIG
    await host.close()


async def text_frames(ground: Ground) -> None:
    """Each is refused."""
    for _ in range(ground.many(100)):
        seat = await sit(ground.relay.port, ground.plate(), Role.HOST, source=ground.source())
        await seat.ws.send("text")
        assert await seat.closed() == Code.TEXT


async def fragments_without_end(ground: Ground) -> None:
    """Empty ones and small ones: counted as messages, bounded as one."""
    for piece in (b"", b"x" * 300):
        reader, writer = await raw(ground.relay.port, ground.source())
        writer.write(handshake(f"/v1/room/{ground.plate()}?role=host"))
        await reader.readuntil(b"seated")
        with contextlib.suppress(ConnectionError):
            writer.write(frame(2, piece, fin=False))
            for _ in range(ground.many(20_000)):
                writer.write(frame(0, piece, fin=False))
                await writer.drain()
        assert await _closed(reader) in (Code.MESSAGES, Code.TOO_BIG)
        writer.transport.abort()


async def _closed(reader: asyncio.StreamReader) -> Code:
    """Read on until the relay closes; its code, known by the sentence that follows it."""
    seen = b""
    async with asyncio.timeout(5):
        while True:
            seen += await reader.read(4096)
            for code in Code:
                if code.to_bytes(2, "big") + close_reason(code)[:20].encode() in seen:
                    return code
            if Code.TOO_BIG.to_bytes(2, "big") + b"frame" in seen:  # the library's own sentence
                return Code.TOO_BIG
            assert not reader.at_eof(), seen[-200:]


async def slow_handshakes(ground: Ground) -> None:
    """Half a request each, then nothing: gone within the time of a handshake."""
    half = handshake("/v1/room/1234?role=host")[:-20]
    opened = []
    for _ in range(ground.many(250)):
        reader, writer = await raw(ground.relay.port, ground.source())
        writer.write(half)
        opened.append((reader, writer))
    before = time.monotonic()
    for reader, writer in opened:
        answer = await asyncio.wait_for(reader.read(), 14)
        assert b" 408 " in answer
        writer.transport.abort()
    assert time.monotonic() - before < 13


async def trickles(ground: Ground) -> None:
    """A byte now and then does not stretch that time."""
    request = handshake("/v1/room/1234?role=host")
    opened = [await raw(ground.relay.port, ground.source()) for _ in range(ground.many(100))]
    until = time.monotonic() + 11.5
    for byte in request[:100]:
        with contextlib.suppress(ConnectionError):
            for _, writer in opened:
                writer.write(bytes([byte]))
        await asyncio.sleep(0.12)
        if time.monotonic() > until:
            break
    for reader, writer in opened:
        assert b" 408 " in await asyncio.wait_for(reader.read(), 3)
        writer.transport.abort()


async def peers_that_never_read(ground: Ground) -> None:
    """The one that sends is stopped or runs into its own limits."""
    opened = []
    for _ in range(ground.many(20)):
        plate, source = ground.plate(), ground.source()
        reader, writer = await raw(ground.relay.port, source)
        writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        writer.write(handshake(f"/v1/room/{plate}?role=host"))
        await reader.readuntil(b"seated")
        writer.transport.pause_reading()
        guest = await sit(ground.relay.port, plate, Role.GUEST, source=source)
        assert isinstance(await guest.word(), Paired)
        with contextlib.suppress(ConnectionClosed, TimeoutError):
            for _ in range(20):
                await asyncio.wait_for(guest.ws.send(b"x" * 16384), 0.5)
        opened.append((writer, guest))
    for writer, guest in opened:
        writer.transport.abort()
        guest.lose()


async def floods_of_joins(ground: Ground) -> None:
    """Thirty a minute from one source, whatever it does."""
    source, codes = ground.source(), []
    for _ in range(ground.many(300)):
        seat = Seat(await open_ws(ground.relay.port, Door(ground.plate(), Role.HOST), source=source))
        with contextlib.suppress(ConnectionClosed):
            await asyncio.wait_for(seat.ws.recv(), 5)
            await seat.ws.close(Outcome.LEFT)
        codes.append(seat.ws.close_code)
    assert codes[:30].count(Outcome.LEFT) == min(30, len(codes))
    assert set(codes[30:]) <= {Code.JOINS}


async def guesses(ground: Ground) -> None:
    """Ten wrong nameplates a minute; then not even the right one is answered. One guess of the words ends the room."""
    plate = ground.plate()
    host = await sit(ground.relay.port, plate, Role.HOST, source=ground.source())
    source = ground.source()
    codes = [await refused(ground.relay.port, Door(f"{number:04}", Role.GUEST), source=source) for number in range(25)]
    assert codes == [Code.NO_ROOM] * 10 + [Code.FAILED_JOINS] * 15
    assert await refused(ground.relay.port, Door(plate, Role.GUEST), source=source) == Code.FAILED_JOINS
    guess = await sit(ground.relay.port, plate, Role.GUEST, source=ground.source())
    assert isinstance(await guess.word(), Paired)
    await guess.close(Outcome.WRONG_CODE)
    assert await refused(ground.relay.port, Door(plate, Role.GUEST), source=ground.source()) == Code.NO_ROOM
    await host.close(Outcome.WRONG_CODE)


async def squatting(ground: Ground) -> None:
    """Three waiting rooms a source; who waits already is not driven out."""
    host = await sit(ground.relay.port, "0042", Role.HOST, source=ground.source())
    squatters: list[Seat] = []
    for number in range(100, 100 + ground.many(600)):
        if number % 4 == 0:
            source = ground.source()
        seat = Seat(await open_ws(ground.relay.port, Door(f"{number:04}", Role.HOST), source=source))
        squatters.append(seat)
        with contextlib.suppress(ConnectionClosed):
            await seat.word()
    refusals = [seat.ws.close_code for seat in squatters if seat.ws.close_code is not None]
    assert refusals == [Code.ROOMS] * (len(squatters) // 4)
    guest = await sit(ground.relay.port, "0042", Role.GUEST, source=ground.source())
    assert isinstance(await guest.word(), Paired)
    for seat in (host, guest, *squatters):
        seat.ws.transport.abort()


async def spoofed_headers(ground: Ground) -> None:
    """A forwarded address from no proxy of ours is nobody's."""
    source = ground.source()
    for number in range(10):
        spoofed = {"X-Forwarded-For": f"203.0.113.{number}", "Forwarded": f"for=203.0.113.{number}"}
        door = Door(f"00{number:02}", Role.GUEST)
        assert await refused(ground.relay.port, door, source=source, additional_headers=spoofed) == Code.NO_ROOM
    spoofed = {"X-Forwarded-For": "203.0.113.99"}
    door = Door("0099", Role.GUEST)
    assert await refused(ground.relay.port, door, source=source, additional_headers=spoofed) == Code.FAILED_JOINS


async def hostile_http(ground: Ground) -> None:
    """Whatever is asked, the answer is a client's error or none."""
    for _ in range(ground.many(2000)):
        reader, writer = await raw(ground.relay.port, ground.source())
        with contextlib.suppress(ConnectionError):
            writer.write(glue.request(ground.draw))
            if writer.can_write_eof():
                writer.write_eof()
            answer = await asyncio.wait_for(reader.read(), 12)
            assert not answer.startswith(b"HTTP/1.1 5"), answer
        writer.transport.abort()


async def resets(ground: Ground) -> None:
    """Connections reset in every state."""
    for _ in range(ground.many(1000)):
        _, writer = await raw(ground.relay.port, ground.source())
        writer.write(handshake(f"/v1/room/{ground.plate()}?role=host")[: ground.draw.randrange(300)])
        await asyncio.sleep(ground.draw.choice((0, 0, 0.002)))
        writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        writer.transport.abort()


async def floods_of_pings(ground: Ground) -> None:
    """More pings than anyone needs end the connection."""
    for _ in range(ground.many(20)):
        reader, writer = await raw(ground.relay.port, ground.source())
        writer.write(handshake(f"/v1/room/{ground.plate()}?role=host"))
        await reader.readuntil(b"seated")
        with contextlib.suppress(ConnectionError):
            for _ in range(200):
                writer.write(frame(9, b"x" * 100) * 100)
                await writer.drain()
        assert await _closed(reader) is Code.PROTOCOL
        writer.transport.abort()


async def floods_of_stun(ground: Ground) -> None:
    """Binding requests and junk: a few replies, no more."""
    loop = asyncio.get_running_loop()
    transport, _ = await loop.create_datagram_endpoint(
        asyncio.DatagramProtocol, remote_addr=("127.0.0.1", ground.relay.port)
    )
    request = b"\x00\x01\x00\x00\x21\x12\xa4\x42"
    for _ in range(ground.many(20_000)):
        transport.sendto(request + secrets.token_bytes(12) if ground.draw.random() < 0.5 else secrets.token_bytes(60))
    await asyncio.sleep(0.2)
    transport.close()


class _Idle(asyncio.Protocol):
    """A client that takes its seat, answers pings, and says nothing."""

    def __init__(self, door: Door) -> None:
        self.door, self.seated, self.lost = door, asyncio.Event(), False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport
        transport.write(handshake(room_path(self.door)))

    def data_received(self, data: bytes) -> None:
        if b"seated" in data:
            self.seated.set()
        if b"\x89\x00" in data:
            self.transport.write(frame(10, b""))

    def connection_lost(self, exc: Exception | None) -> None:
        self.lost = True
        self.seated.set()


async def idle_connections(ground: Ground) -> None:
    """Ten thousand, eight a source, in pairs that say nothing: little memory each, and others pair at full speed."""
    loop, before, opened = asyncio.get_running_loop(), ground.relay.kib(), list[_Idle]()
    for number in range(ground.many(9900) // 2):
        if number % 4 == 0:
            source = ground.source()
        plate = secrets.token_hex(16)
        for role in Role:
            idle, where = _Idle(Door(plate, role)), ("127.0.0.1", ground.relay.port)
            await loop.create_connection(lambda idle=idle: idle, *where, local_addr=(source, 0))  # type: ignore[misc]
            await idle.seated.wait()
            opened.append(idle)
    grown = (ground.relay.kib() - before) / len(opened)
    assert grown < IDLE_KIB, f"{grown:.1f} KiB each"
    async with process("--host", "127.0.0.1", "--port", "0") as calm:
        for relay in (calm, ground.relay):
            await _cost(ground, relay)  # warm
        slower = median([await _cost(ground, ground.relay) / await _cost(ground, calm) for _ in range(7)])
    assert slower < IDLE_SLOWER, f"a pairing takes {slower:.2f} times the processor time"
    assert not any(idle.lost for idle in opened)
    for number, idle in enumerate(opened):
        idle.transport.abort()
        if number % 50 == 0:  # the honest pairs are of this process too
            await asyncio.sleep(0)
    for _ in range(300):
        if await metric(ground.relay.port, "connections") < 50:
            return
        await asyncio.sleep(0.1)
    raise AssertionError("connections that went are still counted")


async def _cost(ground: Ground, relay: Relay) -> float:
    """Processor time of a pairing, of which forty are made (sixteen in a short form), four at a time."""
    met, spent = await metric(relay.port, "pairings_total"), relay.cpu()
    for _ in range(ground.many(10)):
        await asyncio.gather(*(_introduce(relay, ground.source()) for _ in range(4)))
    spent = relay.cpu() - spent
    return spent / (await metric(relay.port, "pairings_total") - met)  # those of `_others` too


async def bytes_cut_and_broken(ground: Ground) -> None:
    """The glue between socket and library, without a socket, under any bytes in any cut."""
    for _ in range(ground.many(1000)):
        await glue.fuzz(ground.draw.randrange(1 << 62))


Attack = Callable[[Ground], Awaitable[None]]

ATTACKS: tuple[Attack, ...] = (
    message_of_64_mib,
    text_frames,
    fragments_without_end,
    slow_handshakes,
    trickles,
    peers_that_never_read,
    floods_of_joins,
    guesses,
    squatting,
    spoofed_headers,
    hostile_http,
    resets,
    floods_of_pings,
    floods_of_stun,
    bytes_cut_and_broken,
    idle_connections,
)

CASES = 2 * len(ATTACKS)

_LEAVES_NOTHING = {message_of_64_mib, fragments_without_end, slow_handshakes, peers_that_never_read, floods_of_pings}


async def _introduce(relay: Relay, source: str) -> None:
    """Two honest ones meet and swap four messages of 2 KiB."""
    host, guest = await pair(relay.port, secrets.token_hex(16), source=source)
    for _ in range(2):
        for one, other in ((host, guest), (guest, host)):
            await one.send(b"x" * 2048)
            assert await other.data() == b"x" * 2048
    await host.close(Outcome.DIRECT)
    await guest.close(Outcome.DIRECT)


async def _others(ground: Ground, times: list[float], over: asyncio.Event) -> None:
    """Honest pairs, one after the other, until the attack is over."""
    mine = Ground(ground.relay, ground.draw, 1.0, sources=1_000_000)
    while not over.is_set():
        began = time.perf_counter()
        await _introduce(ground.relay, mine.source())
        times.append(time.perf_counter() - began)
        await asyncio.sleep(0.02)


async def suffer(attack: Attack, ground: Ground) -> str | None:
    """One attack on one fresh relay; what did not hold, or None."""
    async with process("--host", "127.0.0.1", "--port", "0") as relay:
        ground.relay = relay
        warm, over, calm, times = asyncio.Event(), asyncio.Event(), list[float](), list[float]()
        asyncio.get_running_loop().call_later(0.3, warm.set)
        await _others(ground, calm, warm)
        patience = max(5.0, 50 * median(calm))  # nobody waits for ever; a busy machine is slow for everyone
        before = relay.kib()
        others = asyncio.create_task(_others(ground, times, over))
        try:
            await asyncio.wait_for(attack(ground), 300)
        except (AssertionError, TimeoutError, OSError, ConnectionClosed) as error:
            return f"{type(error).__name__}: {error}"
        finally:
            over.set()
            (failed,) = await asyncio.gather(others, return_exceptions=True)
        if failed is not None:
            return f"others could not pair: {type(failed).__name__}: {failed}"
        if not times or max(times) > patience:
            return f"others paired {len(times)} times, the slowest in {max(times, default=0):.1f} s"
        grown = relay.kib() - before
        if attack in _LEAVES_NOTHING and grown > GROWTH_KIB:
            return f"the relay grew by {grown} KiB"
        if (await get(relay.port, "/health"))[0] != 200:
            return "the relay is not well"
        if any(line["level"] == "error" for line in relay.log):
            return f"the relay logged an error: {relay.log}"
    return None


def run(cases: int, seed: int, scale: float = 1.0) -> Tally:
    """So many attacks, one kind after the other."""
    tally = Tally()
    for case in range(cases):
        attack = ATTACKS[case % len(ATTACKS)]
        name = attack.__name__.replace("_", " ")
        began = time.monotonic()
        wrong = asyncio.run(suffer(attack, Ground(None, random.Random(seed * 1000 + case), scale)))  # type: ignore[arg-type]
        tally.rows.append({"attack": name, "held": wrong is None, "seconds": round(time.monotonic() - began, 1)})
        if wrong is None:
            tally.hold()
        else:
            tally.fail(f"{name} (case {case} of seed {seed}): {wrong}")
    return tally
