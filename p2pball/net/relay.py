"""The client of a relay: one seat of one room, its frames whole and in order, whatever becomes of the connection.

Each frame goes out behind one byte that counts the sender's frames. When either side's connection to the relay was
lost and taken up again, each sends everything once more and drops what it has seen: frames under way may be lost at
that moment, and there are few of them. The count is no protection; the sealed frames have their own (fair-play 8.5).
"""

from __future__ import annotations

import asyncio
import contextlib
import math
import os
import socket
import ssl
import time
from collections.abc import Callable
from typing import Literal
from urllib.parse import urlsplit

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidStatus, InvalidURI, WebSocketException

from p2pball.net.addresses import is_private
from p2pball.net.background import in_background
from p2pball.net.errors import RelayDown
from p2pball.net.mail import MailEnded
from signaling.wire import (
    MESSAGE_BYTES,
    Again,
    Away,
    Back,
    Closing,
    Door,
    IceServer,
    Left,
    Outcome,
    Paired,
    Seated,
    WireError,
    closing,
    hear,
    room_path,
)

LOST = "Lost the relay. Connecting again."
OPEN_SECONDS = 10.0
RETURN_SECONDS = 25.0
"""How long a lost connection is tried again: a little less than the relay keeps the seat."""
STEADY_SECONDS = 5.0
"""How long a connection that is back has to last, before its loss is another outage and not the same."""


class RoomOver(MailEnded):
    """The room has ended; `left` says how the other closed, `closing` how the relay did."""

    def __init__(self, left: Outcome | None = None, closed: Closing | None = None) -> None:
        super().__init__(closed.sentence if closed else "")
        self.left = left
        # One who has a link says so as it leaves.
        self.given_up = left is not None and left not in (Outcome.DIRECT, Outcome.TURN)
        self.closing = closed


class Seat:
    """A seat in a room of a relay; made by `take`."""

    def __init__(self, url: str, door: Door, report: Callable[[str], None]) -> None:
        self._url = url
        self._door = door
        self._report = report
        self._socket: ClientConnection | None = None
        self._sent: list[bytes] = []
        self._heard = 0
        self._away = False
        self._back = self._until = -math.inf  # when the connection was back, and how long the outage is borne
        self._pause = 0.0
        self.paired = False
        self.ice: tuple[IceServer, ...] = ()
        self.date: str | None = None
        """The relay's clock as it answered, if it says (an HTTP date)."""

    async def take(self) -> None:
        """Connect and sit down. Raises RelayDown, or RoomOver with the relay's reason."""
        opening = asyncio.ensure_future(_open(self._url, self._door))
        try:
            self._socket = await asyncio.shield(opening)
        except asyncio.CancelledError:
            # A seat that is dropped without a word would be kept for us, and counted against us, for half a minute.
            in_background(_never_mind(opening))
            raise
        dates = self._socket.response.headers.get_all("Date") if self._socket.response else []
        self.date = next(iter(dates), None)
        try:
            async with asyncio.timeout(OPEN_SECONDS):
                word = await self._word()
        except TimeoutError as error:
            raise RelayDown(f"The relay at {self._url} does not answer (no seat in time). {HELP}") from error
        if not isinstance(word, Seated):
            raise RelayDown
        self._door = Door(self._door.nameplate, self._door.role, word.token)

    async def pair(self) -> None:
        """Wait until the other seat is taken; `ice` then holds the servers the relay names. Raises RoomOver."""
        while not self.paired:
            word = await self._word()
            if isinstance(word, Left):
                raise RoomOver(word.outcome)

    async def send(self, frame: bytes) -> None:
        """Send a frame; one that is lost with the connection is sent again later, so this never fails."""
        if 1 + len(frame) > MESSAGE_BYTES:
            raise ValueError(f"a frame has at most {MESSAGE_BYTES - 1} bytes, not {len(frame)}")
        numbered = bytes([len(self._sent) % 256]) + frame
        self._sent.append(numbered)
        await self._push(numbered)

    async def receive(self) -> bytes:
        """The other's next frame. Raises RoomOver when no more can come."""
        while True:
            word = await self._word()
            if isinstance(word, bytes):
                if word[:1] == bytes([self._heard % 256]):
                    self._heard += 1
                    return word[1:]
            elif isinstance(word, Left):
                raise RoomOver(word.outcome)

    async def leave(self, outcome: Outcome) -> None:
        """Give the seat up and tell the relay what became of the introduction; bounded, never raises."""
        if self._socket is not None:
            try:
                async with asyncio.timeout(2):
                    await self._socket.close(int(outcome))
            except (TimeoutError, OSError, WebSocketException):
                self._socket.transport.abort()
            except asyncio.CancelledError:
                self._socket.transport.abort()
                raise

    async def _word(self) -> bytes | Seated | Paired | Left | None:
        """One frame of the relay, bytes or its own word; comes back after a lost connection."""
        assert self._socket is not None
        try:
            said = await self._socket.recv()
        except ConnectionClosed as closed:
            await self._come_back(_closing(closed))
            return None
        if isinstance(said, bytes):
            return said
        try:
            word = hear(said)
        except WireError as error:
            raise RelayDown from error
        match word:
            case Paired(ice):
                self.paired, self._away, self.ice = True, False, ice
            case Away():
                if not self._away:
                    self._report("Your partner has lost the relay. Waiting for them to come back.")
                self._away = True
            case Back():
                self._away = False
                await self._push(*self._sent)
            case Seated() | Left() | None:
                pass
        return word if isinstance(word, Seated | Paired | Left) else None

    async def _push(self, *frames: bytes) -> None:
        assert self._socket is not None
        try:
            for frame in frames:
                await self._socket.send(frame)
        except ConnectionClosed:
            pass  # the reader sees the same and comes back, then all is sent again

    async def _come_back(self, why: Closing) -> None:
        """Take the seat up again with its token; raises RoomOver when the relay keeps it no longer.

        A relay that takes every connection and drops it is down as well: RelayDown, in the same time.
        """
        if why.again is not Again.SEAT or self._door.token is None:
            raise RoomOver(closed=why)
        now = time.monotonic()
        if now - self._back > STEADY_SECONDS:
            self._report(LOST)
            self._until, self._pause = now + RETURN_SECONDS, 0.0
        elif now > self._until:
            raise RelayDown(f"The relay at {self._url} drops every connection. {HELP}")
        while True:
            await asyncio.sleep(self._pause)
            self._pause = min(2 * self._pause or 0.25, 4.0)
            try:
                self._socket = await _open(self._url, self._door)
                break
            except RelayDown:
                if time.monotonic() + self._pause > self._until:
                    raise
        self._back = time.monotonic()
        await self._push(*self._sent)


async def _open(url: str, door: Door) -> ClientConnection:
    try:
        async with asyncio.timeout(OPEN_SECONDS):
            # The relay refuses compression; pings either way are answered by the library. A relay on the LAN is never
            # behind a proxy, whatever the environment says.
            proxy: Literal[True] | None = None if is_private(urlsplit(url).hostname or "") else True
            return await connect(url + room_path(door), compression=None, max_size=MESSAGE_BYTES, proxy=proxy)
    # ValueError: a name that cannot be one, an address to which a relay sends us that is none.
    except (OSError, TimeoutError, ValueError, InvalidHandshake, InvalidURI, WebSocketException) as error:
        raise RelayDown(f"The relay at {url} does not answer ({_why(error)}). {HELP}") from error


async def _never_mind(opening: asyncio.Task[ClientConnection]) -> None:
    with contextlib.suppress(RelayDown, OSError, WebSocketException):
        await (await opening).close(int(Outcome.LEFT))


HELP = (
    "Check the address and your network, try another relay, host without --relay to use your own, "
    "or use --by-hand, which needs none."
)
"""What to do about a relay that does not answer."""


def _why(error: BaseException) -> str:
    if isinstance(error, TimeoutError):
        return "no answer in time"
    if isinstance(error, socket.gaierror | UnicodeError):
        return "no such name"
    # The errno of both is OpenSSL's own, and would read "operation not permitted".
    if isinstance(error, ssl.SSLCertVerificationError):
        return f"its certificate is not trusted: {error.verify_message.rstrip('.')}"
    if isinstance(error, ssl.SSLError):
        return "TLS fails there; an address without TLS begins with ws://"
    if isinstance(error, OSError):
        return os.strerror(error.errno).lower() if error.errno else "no connection"
    if isinstance(error, InvalidStatus) and error.response.status_code >= 500:  # a proxy whose relay is down
        return f"HTTP {error.response.status_code}"
    return "it does not speak our language"


def _closing(closed: ConnectionClosed) -> Closing:
    return closing(closed.rcvd.code, closed.rcvd.reason) if closed.rcvd else closing(None, "")
