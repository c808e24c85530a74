"""The relay's own connections fed byte by byte, without sockets: what the fuzzing of the glue is made of."""

import asyncio
import random

from websockets.client import ClientProtocol
from websockets.frames import Frame, Opcode
from websockets.uri import parse_uri

from signaling.connection import Connection
from signaling.limits import Limits
from signaling.options import Options
from signaling.server import Server
from signaling.wire import Door, Role, room_path
from tests.signaling.clients import frame, handshake


class Wire(asyncio.Transport):
    """A transport that keeps what is written to it."""

    def __init__(self, address: str) -> None:
        super().__init__({"peername": (address, 1)})
        self.written, self.ended, self.paused, self.closing, self.aborted = bytearray(), False, False, False, False

    def set_write_buffer_limits(self, high=None, low=None):
        pass

    def write(self, data):
        self.written += data

    def write_eof(self):
        self.ended = True

    def can_write_eof(self):
        return True

    def is_closing(self):
        return self.closing

    def close(self):
        self.closing = True

    def abort(self):
        self.closing = self.aborted = True

    def pause_reading(self):
        self.paused = True

    def resume_reading(self):
        self.paused = False


class Client:
    """One connection to a server without sockets; it reads what the relay says with the library's own client."""

    def __init__(self, server: Server, address: str = "192.0.2.1") -> None:
        self.server, self.wire, self.conn = server, Wire(address), Connection(server)
        self.conn.connection_made(self.wire)
        self.opened = False
        self.frames: list[Frame] = []

    def feed(self, data: bytes, cut: random.Random | None = None) -> None:
        """Give bytes to the relay, in pieces of the sizes that `cut` draws, never more than its buffer holds."""
        while data and not self.wire.closing:
            size = min(len(data), len(self.server.buffer))
            size = cut.randint(1, min(size, cut.choice((1, 3, 20, 400, size)))) if cut else size
            self.server.buffer[:size] = data[:size]
            self.conn.buffer_updated(size)
            data = data[size:]

    async def sit(self, nameplate: str, role: Role, cut: random.Random | None = None) -> None:
        """Shake hands and wait until the seat is there."""
        self.feed(handshake(room_path(Door(nameplate, role))), cut)
        await self.settle()

    async def settle(self) -> None:
        """Let the relay's tasks run."""
        for _ in range(4):
            await asyncio.sleep(0)

    def lost(self) -> None:
        """The socket goes."""
        self.conn.connection_lost(None)

    def heard(self) -> tuple[list[bytes], int | None]:
        """The binary messages and the close code that the relay wrote; every byte of it must be proper WebSocket."""
        _, _, stream = bytes(self.wire.written).partition(b"\r\n\r\n")
        reader = ClientProtocol(parse_uri("ws://localhost/"))
        reader.state = type(reader.state).OPEN
        reader.parser = super(ClientProtocol, reader).parse()
        next(reader.parser)
        reader.receive_data(stream)
        frames = [event for event in reader.events_received() if isinstance(event, Frame)]
        assert reader.parser_exc is None, reader.parser_exc
        code = next((int.from_bytes(one.data[:2], "big") for one in frames if one.opcode is Opcode.CLOSE), None)
        return [bytes(one.data) for one in frames if one.opcode is Opcode.BINARY], code


def server(**limits) -> Server:
    """A server that listens nowhere."""
    return Server(Options(limits=Limits(**limits)))


def stream(draw: random.Random) -> bytes:
    """Frames as a client may send them, and as none should: valid, broken, cut, flooded, mutated."""
    made = bytearray()
    for _ in range(draw.randint(1, 12)):
        match draw.randrange(14):
            case 0 | 1 | 2 | 3 | 4:
                made += frame(2, draw.randbytes(draw.choice((0, 1, 100, 3000))))
            case 5:
                made += frame(2, draw.randbytes(50), fin=False) + frame(9, b"between") + frame(0, draw.randbytes(50))
            case 6:
                made += frame(2, draw.randbytes(draw.choice((16384, 16385, 70_000))))
            case 7:
                made += frame(9, draw.randbytes(draw.choice((0, 125, 126))))
            case 8:
                made += frame(10, draw.randbytes(draw.randrange(126)))
            case 9:
                made += frame(8, draw.choice((b"", b"\x03\xe8", b"\x10\x04bye", b"\x00", b"\x03\xed", b"\x03\xe8\xff")))
            case 10:
                made += frame(1, b"text") if draw.random() < 0.5 else frame(1, b"\xff\xfe")
            case 11:
                made += frame(draw.randrange(16), draw.randbytes(20), fin=draw.random() < 0.5)
            case 12:
                made += draw.randbytes(draw.randint(1, 40))
            case _:
                made += frame(9, b"") * draw.choice((3, 200)) + frame(2, b"", fin=False) * draw.choice((1, 2))
    if draw.random() < 0.3:
        for _ in range(draw.randint(1, 4)):
            made[draw.randrange(len(made))] = draw.randrange(256)
    return bytes(made[: draw.randint(1, len(made))] if draw.random() < 0.3 else made)


def request(draw: random.Random) -> bytes:
    """A handshake as a client may send it, and as none should."""
    made = bytearray(
        draw.choice(
            (
                handshake("/v1/room/1234?role=host"),
                handshake("/v1/room/" + "ab" * 16 + "?role=guest"),
                handshake("/v1/room/1234?role=host", "X-Forwarded-For: 1.2.3.4", "Sec-WebSocket-Extensions: x"),
                handshake("/v1/room/%00?role=host"),
                handshake("/metrics"),
                b"GET / HTTP/1.1\r\nHost: x\r\n\r\n",
                b"POST / HTTP/1.1\r\nContent-Length: 10\r\n\r\n0123456789",
                b"GET /health HTTP/1.0\r\n\r\n",
                b"GET /" + b"a" * 9000 + b" HTTP/1.1\r\n\r\n",
                b"GET / HTTP/1.1\r\n" + b"A: b\r\n" * 2000 + b"\r\n",
                b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
                draw.randbytes(draw.randint(1, 300)),
            )
        )
    )
    for _ in range(draw.choice((0, 0, 1, 2, 5))):
        match draw.randrange(4):
            case 0:
                made[draw.randrange(len(made))] = draw.randrange(256)
            case 1:
                at = draw.randrange(len(made))
                made[at:at] = draw.randbytes(draw.randint(1, 5))
            case 2 if len(made) > 5:
                del made[draw.randrange(len(made) - 4) :][:4]
            case _:
                made += draw.choice((b"\r\n\r\n", b"\0", bytes(made[:20])))
    return bytes(made)


async def fuzz(seed: int) -> None:
    """One case: a host who behaves, a guest who need not; whatever comes, the rules hold and nothing is left behind.

    The same bytes cut in any other way must have the same effect.
    """
    heard = []
    for cut in (None, random.Random(seed), random.Random(seed + 1)):
        draw, house = random.Random(seed), server(source_connections=10)
        host, guest = Client(house), Client(house)
        await host.sit("1234", Role.HOST, cut)
        await guest.sit("1234", Role.GUEST, cut)
        sent = stream(draw)
        guest.feed(sent, cut)
        await guest.settle()
        _, code = guest.heard()
        messages, _ = host.heard()
        assert len(messages) <= house.limits.messages
        assert sum(map(len, messages)) <= house.limits.total_bytes
        assert len(guest.wire.written) <= 2000 + 2 * len(sent)
        heard.append((messages, code))
        for one in (host, guest):
            one.lost()
        house._desk.do(house._desk.rooms.due(house.now() + 1000))
        assert not house._conns
        assert not house._sources
        assert len(house._desk.rooms) == len(house._store._directory) == 0
        stranger = Client(house, "198.51.100.7")
        stranger.feed(request(draw), cut)
        await stranger.settle()
        stranger.lost()
        house._desk.do(house._desk.rooms.due(house.now() + 1000))
        assert not house._conns
    # Cut into reads of another size, a flood may be noticed some frames later: what came through is a beginning of it.
    shortest = min(heard, key=lambda one: len(one[0]))[0]
    for messages, code in heard:
        assert messages[: len(shortest)] == shortest
        # Of two faults in one read the later may be named; that it is over is the same.
        assert (messages, code is None) == (heard[0][0], heard[0][1] is None)
