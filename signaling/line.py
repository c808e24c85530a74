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

    __slots__ = ("_corked", "_due", "_held", "_house", "_over", "_transport", "_ws")

    def __init__(self, house: House) -> None:
        self._house = house
        self._ws: Protocol | None = None  # until something is heard
        self._transport: asyncio.Transport | None = None
        self._due = house.now() + house.limits.handshake
        # Corked: what is to be sent waits for what follows. Over: nothing that comes counts any more.
        self._corked = self._held = self._over = False

    def open(self, proof: str) -> None:
        """Open the WebSocket of a client that was understood at a glance."""
        self._ws = Protocol(Side.SERVER, max_size=self._house.limits.message_bytes, logger=WEBSOCKETS)
        self._ws.writes.append(accepted(proof, int(time.time())))
        self._opened()

    def accept(self, request: Request) -> int:
        """Open the WebSocket, or tell the client in HTTP why not; the HTTP status."""
        response = self._reader().accept(request)
        if response.status_code != 101:
            return self.answer(response)
        self._reader().send_response(response)
        self._opened()
        return 101

    def _opened(self) -> None:
        self._corked = True
        self._due = self._house.now() + self._house.limits.ping

    def answer(self, response: Response) -> int:
        """Send an HTTP response, which ends the connection; its status."""
        self._reader().send_response(response)
        self._due = self._house.now() + LINGER
        self._flush()
        return response.status_code

    def _reader(self) -> ServerProtocol:
        """The library's reader of handshakes."""
        if self._ws is None:
            self._ws = ServerProtocol(max_size=self._house.limits.message_bytes, logger=WEBSOCKETS)
        assert isinstance(self._ws, ServerProtocol)
        return self._ws

    def send(self, data: bytes) -> None:
        """Send a binary message, unless it is closing."""
        self._put(Opcode.BINARY, data)

    def say(self, word: Word) -> None:
        """Say a word of the relay, unless it is closing."""
        self._put(Opcode.TEXT, say(word).encode())

    def _put(self, opcode: Opcode, data: bytes) -> None:
        ws = self._ws
        if ws is not None and ws.state is State.OPEN:
            ws.writes.append(framed(opcode, data))
            self._flush()

    def close(self, code: Code, retry: int | None = None) -> None:
        """Close with a code and its sentence; the socket follows within LINGER."""
        self.hold(False)
        self._over, self._corked = True, False
        if self._ws is not None and self._ws.state is State.OPEN:
            self._ws.send_close(code, close_reason(code, retry))
            self._due = self._house.now() + LINGER
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
        self._corked = False
        self._flush()

    def abort(self) -> None:
        """Drop it at once."""
        if self._transport is not None:
            self._transport.abort()

    @property
    def lost(self) -> bool:
        """Whether the socket is gone."""
        return self._transport is None

    def _flush(self) -> None:
        ws, transport = self._ws, self._transport
        if ws is None or self._corked or not ws.writes:
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
            self._due = self._house.now() + LINGER
