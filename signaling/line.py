"""One socket and the WebSocket state on it, as far as what goes out: the answer to a handshake, frames, the close."""

import asyncio
import time

from websockets.frames import Opcode
from websockets.http11 import Request, Response
from websockets.protocol import Protocol, Side, State
from websockets.server import ServerProtocol

from signaling.framing import accepted, framed
from signaling.house import House
from signaling.limits import LINGER
from signaling.log import WEBSOCKETS
from signaling.wire import Code, Word, close_reason, say


class Line(asyncio.BufferedProtocol):
    """What the server makes a connection do."""

    __slots__ = ("_due", "_first", "_held", "_house", "_over", "_state", "_transport", "_ws")

    def __init__(self, house: House) -> None:
        self._house = house
        self._ws: Protocol | None = None  # the library's core, from the first thing on that is not as usual
        self._state = State.CONNECTING  # without that core
        self._transport: asyncio.Transport | None = None
        self._due = house.now() + house.limits.handshake
        self._first: bytes | None = None  # the answer to the handshake and the words that follow, until all are there
        self._held = self._over = False  # over: nothing that comes counts any more

    @property
    def state(self) -> State:
        """How far the WebSocket is."""
        return self._state if self._ws is None else self._ws.state

    def open(self, proof: str) -> None:
        """Open the WebSocket of a client that was understood at a glance."""
        self._state = State.OPEN
        self._opened(accepted(proof, int(time.time())))

    def accept(self, request: Request) -> int:
        """Open the WebSocket, or tell the client in HTTP why not; the HTTP status."""
        reader = self._reader()
        response = reader.accept(request)
        if response.status_code != 101:
            return self.answer(response)
        reader.send_response(response)
        self._opened(b"".join(reader.data_to_send()))
        return 101

    def _opened(self, answer: bytes) -> None:
        self._first = answer
        self._due = self._house.now() + self._house.limits.ping

    def answer(self, response: Response) -> int:
        """Send an HTTP response, which ends the connection; its status."""
        self._reader().send_response(response)
        self._linger()
        self._flush()
        return response.status_code

    def _core(self) -> Protocol:
        """The library's core, which is in charge from now on."""
        if self._ws is None:
            size = self._house.limits.message_bytes
            if self._state is State.CONNECTING:
                self._ws = ServerProtocol(max_size=size, logger=WEBSOCKETS)
            else:
                self._ws = Protocol(Side.SERVER, state=self._state, max_size=size, logger=WEBSOCKETS)
        return self._ws

    def _reader(self) -> ServerProtocol:
        """The library's reader of handshakes."""
        core = self._core()
        assert isinstance(core, ServerProtocol)
        return core

    def send(self, data: bytes) -> None:
        """Send a binary message, unless it is closing."""
        self._put(Opcode.BINARY, data)

    def say(self, word: Word) -> None:
        """Say a word of the relay, unless it is closing."""
        self._put(Opcode.TEXT, say(word).encode())

    def _put(self, opcode: Opcode, data: bytes) -> None:
        if self.state is not State.OPEN:
            return
        if self._first is not None:
            self._first += framed(opcode, data)
        else:
            self._write(framed(opcode, data))

    def close(self, code: Code, retry: int | None = None) -> None:
        """Close with a code and its sentence; the socket follows within LINGER."""
        self.hold(False)
        self._over = True
        if self.state is State.OPEN:
            core = self._core()
            if self._first is not None:
                core.writes.insert(0, self._first)
                self._first = None
            core.send_close(code, close_reason(code, retry))
            self._linger()
            self._flush()

    def hold(self, held: bool) -> None:
        """Stop reading, or go on."""
        if held is self._held or self._transport is None or self._transport.is_closing():
            return
        self._held = held
        if held:
            self._transport.pause_reading()
        else:
            self._transport.resume_reading()

    def uncork(self) -> None:
        """Send the handshake and the first words, which are one packet."""
        first, self._first = self._first, None
        if first is not None:
            self._write(first)
            self._flush()

    def abort(self) -> None:
        """Drop it at once."""
        if self._transport is not None:
            self._transport.abort()

    @property
    def lost(self) -> bool:
        """Whether the socket is gone."""
        return self._transport is None

    def _write(self, data: bytes) -> None:
        if self._transport is not None and not self._transport.is_closing():
            self._transport.write(data)

    def _flush(self) -> None:
        """Send what the core has to say, which may be that nothing follows."""
        ws, transport = self._ws, self._transport
        if ws is None or self._first is not None or not ws.writes:
            return
        pieces = ws.data_to_send()
        if transport is None or transport.is_closing():
            return
        if data := b"".join(pieces):
            transport.write(data)
        if pieces[-1]:  # an empty piece is the library's sign of the end
            return
        if ws.close_rcvd is not None or not transport.can_write_eof():
            transport.close()
        else:
            transport.write_eof()
        self._linger()

    def _linger(self) -> None:
        """Nothing but the end is to come, and not for long."""
        self._due = self._house.now() + LINGER
