"""One socket and the WebSocket state on it, as far as what goes out: the answer to a handshake, frames, the close."""

import asyncio
import time

from websockets.exceptions import InvalidHandshake
from websockets.frames import Opcode
from websockets.http11 import Request, Response
from websockets.protocol import State
from websockets.server import ServerProtocol

from signaling.framing import accepted, framed
from signaling.handshake import proof
from signaling.house import House
from signaling.limits import LINGER
from signaling.log import WEBSOCKETS
from signaling.wire import Code, Word, close_reason, say


class Line(asyncio.BufferedProtocol):
    """What the server makes a connection do."""

    __slots__ = ("_corked", "_due", "_held", "_house", "_over", "_transport", "_ws")

    def __init__(self, house: House) -> None:
        self._house = house
        self._ws = ServerProtocol(max_size=house.limits.message_bytes, logger=WEBSOCKETS)
        self._transport: asyncio.Transport | None = None
        self._due = house.now() + house.limits.handshake
        # Corked: what is to be sent waits for what follows. Over: nothing that comes counts any more.
        self._corked = self._held = self._over = False

    def accept(self, request: Request) -> int:
        """Open the WebSocket, or tell the client in HTTP why not; the HTTP status."""
        try:
            key = proof(self._ws, request)
        except InvalidHandshake:
            return self.answer(self._ws.accept(request))  # the library's words on what is wrong with it
        self._ws.writes.append(accepted(key, int(time.time())))
        self._ws.state = State.OPEN
        self._corked = True
        self._due = self._house.now() + self._house.limits.ping
        return 101

    def answer(self, response: Response) -> int:
        """Send an HTTP response, which ends the connection; its status."""
        self._ws.send_response(response)
        self._due = self._house.now() + LINGER
        self._flush()
        return response.status_code

    def send(self, data: bytes) -> None:
        """Send a binary message, unless it is closing."""
        self._put(Opcode.BINARY, data)

    def say(self, word: Word) -> None:
        """Say a word of the relay, unless it is closing."""
        self._put(Opcode.TEXT, say(word).encode())

    def _put(self, opcode: Opcode, data: bytes) -> None:
        ws = self._ws
        if ws.state is State.OPEN:
            ws.writes.append(framed(opcode, data))
            self._flush()

    def close(self, code: Code, retry: int | None = None) -> None:
        """Close with a code and its sentence; the socket follows within LINGER."""
        self.hold(False)
        self._over, self._corked = True, False
        if self._ws.state is State.OPEN:
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
        if self._corked or not ws.writes:
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
