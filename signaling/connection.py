"""One connection: bytes in and out of a socket through the WebSocket library's own sans-IO core.

The parser is the library's; this glue adds what a small public service needs: one shared read buffer, a bounded
handshake, whole messages only, pings, and a close that the other side can still read. Every deadline is looked at by
the server's one sweeper, through `tick`: a connection owns no timer.
"""

import asyncio
import time
from typing import cast

from websockets.exceptions import InvalidHandshake, InvalidMessage
from websockets.frames import Frame, Opcode
from websockets.http11 import Request, Response
from websockets.protocol import State
from websockets.server import ServerProtocol

from signaling import pages
from signaling.far import Bond
from signaling.framing import accepted, framed
from signaling.house import House
from signaling.limits import HANDSHAKE_BYTES, LINGER, PINGS
from signaling.log import WEBSOCKETS
from signaling.wire import Code, Outcome, Word, close_reason, say

_WRITE_HIGH = 32 * 1024  # bytes written and not taken, from which on the other seat waits


class Connection(asyncio.BufferedProtocol):
    """A socket and the WebSocket state on it."""

    __slots__ = (
        *("_answered", "_corked", "_due", "_held", "_house", "_over", "_part", "_pings", "_read", "_transport", "_ws"),
        *("bond", "granted", "peer", "source", "stun_host", "turn"),
    )

    def __init__(self, house: House) -> None:
        self._house = house
        self._ws = ServerProtocol(max_size=house.limits.message_bytes, logger=WEBSOCKETS)
        self._transport: asyncio.Transport | None = None
        self._due = house.now() + house.limits.handshake
        self._answered = True
        # Corked: what is to be sent waits for what follows. Over: nothing that comes counts any more.
        self._corked = self._held = self._over = False
        self._read = 0
        self._pings = 0
        self._part: list[bytes] = []
        self.peer = ""
        self.source = ""  # whom it counts as, once known
        self.stun_host = ""  # by what name the client reached this relay
        self.granted = ""  # as which home this process was granted a seat for it
        self.turn = False  # whether it may have TURN credentials
        self.bond: Bond | None = None  # when its room is kept elsewhere

    # The socket

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Greet nobody: the client speaks first."""
        self._transport = cast(asyncio.Transport, transport)
        self._transport.set_write_buffer_limits(high=_WRITE_HIGH)
        name = transport.get_extra_info("peername")
        self.peer = name[0] if name else ""
        if not self._house.arrived(self):
            transport.abort()  # type: ignore[attr-defined]  # every socket transport has it

    def get_buffer(self, sizehint: int) -> bytearray:
        """The one buffer of the server."""
        return self._house.buffer

    def buffer_updated(self, nbytes: int) -> None:
        """Parse what was read."""
        ws = self._ws
        was = ws.state
        if was is State.CONNECTING:
            self._handshake(nbytes)
        else:
            ws.receive_data(self._house.buffer[:nbytes])
            for frame in ws.events_received():
                self._frame(cast(Frame, frame))
            if ws.parser_exc is not None and was is State.OPEN and ws.close_sent is not None:
                self._house.broke(self, Code.TOO_BIG if ws.close_sent.code == Code.TOO_BIG else Code.PROTOCOL)
        self._flush()

    def _handshake(self, nbytes: int) -> None:
        ws, ended = self._ws, self._ws.eof_sent
        self._read += nbytes
        ws.receive_data(self._house.buffer[:nbytes])
        events = ws.events_received()
        if events:
            if events[1:] or ws.eof_sent:  # RFC 6455 4.1: a client waits for the answer before it sends frames
                self._unreadable()
            else:
                self._house.asked(self, cast(Request, events[0]))
        elif ended:
            pass
        elif isinstance(ws.handshake_exc, InvalidMessage):
            self._unreadable()
        elif ws.handshake_exc is not None:  # too long or too many lines: the library has answered
            self._house.fumbled()
        elif self._read > HANDSHAKE_BYTES:
            self._house.fumbled()
            self.answer(pages.too_large())

    def _unreadable(self) -> None:
        self._house.fumbled()
        self._over = True
        self._ws.data_to_send()
        if self._transport is not None:
            self._transport.write(pages.UNREADABLE)
            self._transport.close()

    def eof_received(self) -> bool:
        """The client writes no more: the connection is over."""
        self._ws.receive_eof()
        self._flush()
        return False

    def connection_lost(self, exc: Exception | None) -> None:
        """Tell the server, once."""
        self._transport = None
        if not self._over:
            self._over = True
            self._house.closed(self, None)
        self._house.gone(self)

    def pause_writing(self) -> None:
        """The client does not read: whoever sends to it waits."""
        self._house.blocked(self, True)

    def resume_writing(self) -> None:
        """The client reads again."""
        self._house.blocked(self, False)

    # The frames

    def _frame(self, frame: Frame) -> None:
        if self._over:
            return
        match frame.opcode:
            case Opcode.BINARY if frame.fin:
                self._house.message(self, bytes(frame.data))
            case Opcode.CLOSE:
                self._over = True
                code = self._ws.close_rcvd.code if self._ws.close_rcvd is not None else 0
                self._house.closed(self, Outcome.of(code))
            case Opcode.BINARY | Opcode.CONT:
                self._fragment(frame)
            case Opcode.TEXT:
                self._house.broke(self, Code.TEXT)
            case Opcode.PONG:
                self._answered = True
            case Opcode.PING:
                self._pings += 1
                if self._pings > PINGS:
                    self._house.broke(self, Code.PROTOCOL)

    def _fragment(self, frame: Frame) -> None:
        self._part.append(bytes(frame.data))
        if len(self._part) > self._house.limits.messages:  # empty fragments add nothing to a size
            self._house.broke(self, Code.MESSAGES)
        elif frame.fin:
            part, self._part = self._part, []
            self._house.message(self, b"".join(part))

    # What the server makes it do

    def accept(self, request: Request) -> int:
        """Open the WebSocket, or tell the client in HTTP why not; the HTTP status."""
        try:
            key, _, _ = self._ws.process_request(request)
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

    def tick(self, now: float) -> None:
        """Do what is due: a ping, a close for want of an answer, the end of a handshake or of a long goodbye."""
        if now < self._due or self._transport is None:
            return
        self._due = now + LINGER
        if self._ws.state is State.CONNECTING and not self._ws.eof_sent:
            self._house.fumbled()
            self.answer(pages.too_slow())
        elif self._ws.state is not State.OPEN:
            self._transport.abort()
        elif not self._answered:
            self._house.closed(self, None)
            self.close(Code.NO_ANSWER)
        else:
            self._answered, self._pings = self._held, 0  # whoever is held cannot be heard
            self._ws.send_ping(b"")
            self._due = now + self._house.limits.ping
            self._flush()

    def abort(self) -> None:
        """Drop it at once."""
        if self._transport is not None:
            self._transport.abort()

    @property
    def lost(self) -> bool:
        """Whether the socket is gone."""
        return self._transport is None

    def uncork(self) -> None:
        """Send the handshake and the first words, which are one packet."""
        self._corked = False
        self._flush()

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
