"""One connection: bytes in and out of a socket, as WebSocket.

What nearly all clients send is read at a glance; from the first other byte on, the WebSocket library's own sans-IO core
is in charge. This glue adds what a small public service needs: one shared read buffer, a bounded handshake, whole
messages only, pings, and a close that the other side can still read. Every deadline is looked at by the server's one
sweeper, through `tick`: a connection owns no timer.
"""

import asyncio
from typing import cast

from websockets.exceptions import InvalidMessage
from websockets.frames import Frame, Opcode
from websockets.http11 import Request
from websockets.protocol import Protocol, State

from signaling import glance, pages
from signaling.far import Bond
from signaling.house import House
from signaling.limits import HANDSHAKE_BYTES, LINGER, PINGS
from signaling.line import Line
from signaling.wire import Code, Outcome

_WRITE_HIGH = 32 * 1024  # bytes written and not taken, from which on the other seat waits


class Connection(Line):
    """A line that listens: what comes in, and whose it is."""

    __slots__ = ("_answered", "_part", "_pings", "_read", "bond", "granted", "peer", "source", "stun_host", "turn")

    def __init__(self, house: House) -> None:
        super().__init__(house)
        self._answered = True
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
        if not self.peer and not self.arrive(name[0] if name else ""):
            self._transport.abort()

    def arrive(self, peer: str) -> bool:
        """Come from that address, which with TLS is told before there is a transport; False to be dropped."""
        self.peer = peer
        return self._house.arrived(self)

    def stumble(self) -> None:
        """Come to no TLS."""
        self._house.fumbled()
        self.connection_lost(None)

    def get_buffer(self, sizehint: int) -> memoryview:
        """The one buffer of the server; as a view, since asyncio's TLS reads its records into slices of it."""
        return self._house.buffer

    def buffer_updated(self, nbytes: int) -> None:
        """Take what was read."""
        data = self._house.buffer[:nbytes]
        if self._ws is None and self._glance(data):
            return
        core = self._core()
        if core.state is State.CONNECTING:
            self._handshake(bytes(data))
        else:
            self._parse(core, bytes(data))
        self._flush()

    def _glance(self, data: memoryview) -> bool:
        """Whether that was all that there is to do: what came was as usual, or comes too late."""
        match self._state:
            case State.CONNECTING:
                if (seen := glance.request(bytes(data))) is not None:
                    self._house.seen(self, seen)
                return seen is not None
            case State.OPEN:
                frame = glance.frame(data, self._house.limits.message_bytes)
                if frame is not None:
                    self._take(*frame)
                return frame is not None
        return True

    def _take(self, opcode: Opcode, data: bytes) -> None:
        if opcode is Opcode.BINARY:
            self._house.message(self, data)
        elif opcode is Opcode.PONG:
            self._answered = True
        else:
            self._put(Opcode.CLOSE, data)
            self._over, self._state = True, State.CLOSED
            self._linger()
            self._house.closed(self, Outcome.of(int.from_bytes(data, "big")))
            if self._transport is not None:
                self._transport.close()

    def _handshake(self, data: bytes) -> None:
        ws = self._reader()
        ended = ws.eof_sent
        self._read += len(data)
        ws.receive_data(data)
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
        self._reader().data_to_send()
        if self._transport is not None:
            self._transport.write(pages.UNREADABLE)
            self._transport.close()

    def eof_received(self) -> bool:
        """The client writes no more: the connection is over."""
        self._state = State.CLOSED
        self._linger()
        if self._ws is not None:
            self._ws.receive_eof()
            self._flush()
        return False

    def connection_lost(self, exc: Exception | None) -> None:
        """Tell the server, once."""
        self._transport, self._state = None, State.CLOSED
        if not self._over:
            self._over = True
            self._house.closed(self, None)
        self._house.gone(self)
        if (ws := self._ws) is not None:  # it, its parser and what they raised hold each other: the collector is spared
            ws.parser.close()
            failed: BaseException | None = ws.handshake_exc
            while failed is not None:
                failed.__traceback__ = None
                failed = failed.__cause__ or failed.__context__
            ws.handshake_exc = ws.parser_exc = None

    def pause_writing(self) -> None:
        """The client does not read: whoever sends to it waits."""
        self._house.blocked(self, True)

    def resume_writing(self) -> None:
        """The client reads again."""
        self._house.blocked(self, False)

    # The frames

    def _parse(self, ws: Protocol, data: bytes) -> None:
        was = ws.state
        ws.receive_data(data)
        for frame in ws.events_received():
            self._frame(ws, cast(Frame, frame))
        if ws.parser_exc is not None and was is State.OPEN and ws.close_sent is not None and not self._over:
            self._house.broke(self, Code.TOO_BIG if ws.close_sent.code == Code.TOO_BIG else Code.PROTOCOL)

    def _frame(self, ws: Protocol, frame: Frame) -> None:
        if self._over:
            return
        match frame.opcode:
            case Opcode.BINARY if frame.fin:
                self._house.message(self, bytes(frame.data))
            case Opcode.CLOSE:
                self._over = True
                code = ws.close_rcvd.code if ws.close_rcvd is not None else 0
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

    # The sweeper

    def tick(self, now: float) -> None:
        """Do what is due: a ping, a close for want of an answer, the end of a handshake or of a long goodbye."""
        if now < self._due or self._transport is None:
            return
        self._due = now + LINGER
        if self.state is State.CONNECTING and not (self._ws is not None and self._ws.eof_sent):
            self._house.fumbled()
            self.answer(pages.too_slow())
        elif self.state is not State.OPEN:
            self._transport.abort()
        elif not (self._answered or self._held):
            self._house.closed(self, None)
            self._house.broke(self, Code.NO_ANSWER)  # which counts it; its room takes it for lost already
        else:
            self._answered, self._pings = self._held, 0  # whoever is held cannot be heard
            self._put(Opcode.PING, b"")
            self._due = now + self._house.limits.ping
