"""One game over as many connections as it takes: lost ones are replaced, and the game goes on (fair-play 6)."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable

from p2pball.net.errors import LinkClosed, NetError
from p2pball.net.link import Link
from p2pball.session.front import Ended, Front
from p2pball.session.pump import Session

CLOSE_SECONDS = 2.0
RETRY_SECONDS = 3.0
GRACE = 60.0
"""Seconds that a partner who went before it had the end of the game has to come back for it."""
REFUSALS = 3
"""How often a partner may send what is no message before the game is put aside."""

Meet = Callable[[], Awaitable[Link]]
"""Meets the partner of this game again on a new connection; may take for ever."""


async def play_out(
    session: Session, front: Front, meet: Meet | None, link: Link | None, *, resume: bool = False
) -> tuple[Ended, Link | None]:
    """Play until the game ends, the player leaves, or the other side proves hostile; with the last link, still open.

    `resume` says that the game was begun on an earlier connection; without a link it begins by meeting again. Without
    `meet` a lost connection is the end for now.
    """
    resume, refusals = resume or link is None, 0
    while True:
        link = link or (await _meet(session, front, meet) if meet else None)
        if link is None:
            return Ended.LEFT, None
        ended = await session.run(link, resume=resume)
        refusals += ended is Ended.REFUSED
        if _unheard(session, ended):
            await close(link)
            return await _deliver(session, front, meet) if meet else (Ended.FINISHED, None)
        if meet is None or ended not in (Ended.LOST, Ended.REFUSED) or refusals >= REFUSALS:
            return ended, link
        front.notice(f"{session.why} Meeting again; the game is saved.".strip())
        await close(link)
        link, resume = None, True


def _unheard(session: Session, ended: Ended) -> bool:
    """Whether the link went after the result was proven here, and before the other side had said that it has it all."""
    return session.proven and not session.delivered and ended in (Ended.FINISHED, Ended.LOST, Ended.REFUSED)


async def _deliver(session: Session, front: Front, meet: Meet) -> tuple[Ended, Link | None]:
    """Give the partner the end of a game whose result is proven, if it comes back for it; nobody need wait for that."""
    front.notice(
        "Your partner may lack the end of the game, and has a minute to come back for it. Leave when you like."
    )
    ended, link = Ended.FINISHED, None
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(GRACE):
            while link := await _meet(session, front, meet):
                ended = await session.run(link, resume=True)
                if ended is Ended.REFUSED or not _unheard(session, ended):
                    break
                await close(link)
    if link and not session.delivered:
        await close(link)
        link = None
    return (ended if ended in (Ended.CHEATED, Ended.FORKED) else Ended.FINISHED), link


async def _meet(session: Session, front: Front, meet: Meet) -> Link | None:
    """A new link to the partner, however long it takes; None when the player has left meanwhile."""
    left = asyncio.ensure_future(session.left())
    meeting: asyncio.Future[Link] | None = None
    told = ""
    try:
        while True:
            meeting = asyncio.ensure_future(meet())
            await asyncio.wait({left, meeting}, return_when=asyncio.FIRST_COMPLETED)
            if left.done():
                return None
            try:
                return meeting.result()
            except NetError as error:
                if told != str(error):  # a relay may be down for hours
                    told = str(error)
                    front.notice(f"{told} Trying again.")
            await asyncio.wait({left}, timeout=RETRY_SECONDS)
    finally:
        left.cancel()
        if meeting is not None and not meeting.done():
            # Whoever stops here, the player or the program, leaves nobody waiting in the game's room.
            meeting.cancel()
            await asyncio.gather(meeting, return_exceptions=True)


async def close(link: Link) -> None:
    """Close a link without ever being held up by it (connection 1)."""
    with contextlib.suppress(TimeoutError, LinkClosed):
        # Not wait_for: on 3.11 it swallows a cancellation that comes just as the close is done, and Ctrl-C is lost.
        async with asyncio.timeout(CLOSE_SECONDS):
            await link.close()
