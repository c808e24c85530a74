"""Sealed letters over mail: offers, answers and failures, one read at a time."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar

from p2pball.net.errors import NetError, PartnerGone
from p2pball.net.link import Link
from p2pball.net.mail import Mail, MailEnded
from p2pball.protocol.meeting import Meeting
from p2pball.protocol.meeting.letters import Letter, read, write

T = TypeVar("T")

MAIL_SECONDS = 45.0
"""How long the other's next frame may take; the relay keeps a lost seat for 30 s."""

Confirmed = Callable[[bytes], None]
"""Takes the resume secret once both have confirmed their keys and the connection is on its way.

It is called as soon as this side waits for the other, so that whatever it begins costs no time.
"""


async def in_time(reading: Awaitable[T]) -> T:
    """What the reading of the other's frame comes to; raises PartnerGone when it takes too long."""
    try:
        async with asyncio.timeout(MAIL_SECONDS):
            return await reading
    except TimeoutError as error:
        raise PartnerGone from error


class Letters:
    """Sealed letters over mail; a read that was not needed yet is kept for the next one who asks."""

    def __init__(self, mail: Mail, meeting: Meeting, confirmed: Confirmed) -> None:
        self.meeting = meeting
        self._mail = mail
        self._confirmed: Confirmed | None = confirmed
        self._next: asyncio.Task[Letter] | None = None

    async def send(self, letter: Letter) -> None:
        """Seal a letter and hand it on."""
        await self._mail.send(self.meeting.seal(write(letter)))
        if self._confirmed:
            self._confirmed(self.meeting.resume_secret)
            self._confirmed = None

    async def receive(self) -> Letter:
        """The other's next letter. Raises PartnerGone when it takes too long, or what mail or the seal raises."""
        task = self._reading()
        letter = await in_time(asyncio.shield(task))
        self._next = None
        return letter

    async def unless(self, opening: asyncio.Task[Link]) -> Letter | None:
        """A letter, unless the link is open before; a relay that is lost meanwhile does not hinder the link."""
        task = self._reading()
        await asyncio.wait({task, opening}, return_when=asyncio.FIRST_COMPLETED)
        if opening.done():
            return None
        ended = task.exception()
        if isinstance(ended, NetError) or (isinstance(ended, MailEnded) and not ended.given_up):
            return None
        self._next = None
        return task.result()

    def stop(self) -> None:
        """Nobody will ask for another letter."""
        if self._next is not None:
            self._next.cancel()

    def _reading(self) -> asyncio.Task[Letter]:
        if self._next is None:
            self._next = asyncio.ensure_future(self._read())
        return self._next

    async def _read(self) -> Letter:
        _, plain = self.meeting.receive(await self._mail.receive())
        assert plain is not None
        return read(plain)
