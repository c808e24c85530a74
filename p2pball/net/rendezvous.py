"""Two players meet through a relay: `host`, `join` and `rejoin` each end in an `Introduction` or one clear error.

The order, the same for both seats (docs/connecting.md):

    1  take the seat; load aiortc in a thread meanwhile, and say at once when there is no network at all;
    2  the relay says that both are there and which STUN and TURN servers it offers: now both begin to gather their
       addresses, at the same time, and meanwhile
    3  agree on keys (`Meeting`), which costs two messages each way; a wrong code ends it here, for good;
    4  the host offers the first way, the guest answers, both have twelve seconds; then the next way;
    5  the channel is open, each has heard the other's proof in it: leave the relay.

Gathering waits for step 2 since the relay names its servers only then and addresses found an hour earlier are stale;
no time is lost by it, since steps 2 and 3 run side by side and a silent server is waited for two seconds at most.
"""

from __future__ import annotations

import asyncio
import contextlib
import secrets
import time
from collections.abc import Callable

from p2pball.errors import P2PBallError
from p2pball.net.addresses import host_addresses
from p2pball.net.background import in_background
from p2pball.net.errors import (
    MeetingCut,
    NameplatesTaken,
    NoNetwork,
    NoPath,
    PartnerFailed,
    PartnerGone,
    RelayDown,
    RelayRefused,
    RoomFull,
    RoomUnknown,
)
from p2pball.net.introduce import Introduction, Report, Self, agree, introduce
from p2pball.net.letters import Confirmed
from p2pball.net.prepare import Preparation, load
from p2pball.net.relay import LOST, RETURN_SECONDS, RoomOver, Seat
from p2pball.net.ways import ANY_NETWORK, Network
from p2pball.protocol.meeting import Code, Meeting, Role, Tampered, WrongCode, draw, draw_nameplate
from signaling.wire import Again, Closing, Door, Outcome
from signaling.wire import Code as Close
from signaling.wire import Role as WireRole

ROOM_TRIES = 8
"""How often a room is looked for that must come back, or a free one is drawn; relays count ten failures a minute."""

STALE_TRIES = 4
"""How often players who know each other meet without agreeing on keys before it is no accident."""


async def host(
    url: str,
    key: bytes,
    *,
    opened: Callable[[Code], None],
    report: Report,
    confirmed: Confirmed = lambda _: None,
    network: Network = ANY_NETWORK,
    code: Code | None = None,
) -> Introduction:
    """Open a room, tell its code through `opened` once it is there, and wait for a guest as long as it takes.

    `url` is the relay's (`relay_url`), `key` our Ed25519 public key of 32 bytes. While nobody has tried the code the
    room is opened again by itself, with the same code, when the relay lets it go. `confirmed` may begin to prepare the
    game. Raises WrongCode, Tampered and the errors of `net.errors`.
    """
    me = Self(key, network, report, confirmed)
    current = code or draw(secrets.choice)
    told = False

    def seated() -> None:
        nonlocal told
        if not told:
            opened(current)
        told = True

    taken, until, missed = 0, 0.0, False
    while True:
        meeting = Meeting.by_code(Role.HOST, current, secrets.token_bytes)
        try:
            return await _meet(url, meeting, me, seated)
        except RoomOver as over:
            taken = await _host_again(over, meeting, told, taken)
            until, missed = time.monotonic() + RETURN_SECONDS, False
            if not told:
                current = Code(draw_nameplate(secrets.choice), current.words)
        except RelayDown:
            # A relay that is restarted has let the room go and needs a moment to be there again.
            if not told or meeting.guessed or time.monotonic() > until:
                raise
            if not missed:
                report(LOST)
            missed = True
            await asyncio.sleep(1)


async def join(
    url: str,
    code: Code,
    key: bytes,
    *,
    report: Report,
    confirmed: Confirmed = lambda _: None,
    network: Network = ANY_NETWORK,
) -> Introduction:
    """Take the guest's seat in the room of a code. Raises RoomUnknown, RoomFull, WrongCode and the others."""
    me = Self(key, network, report, confirmed)
    tries = 0
    while True:
        meeting = Meeting.by_code(Role.GUEST, code, secrets.token_bytes)
        try:
            return await _meet(url, meeting, me, lambda: None)
        except RoomOver as over:
            why = over.closing
            if why is not None and not meeting.guessed and (_same_room(why) or (tries and why.code is Close.NO_ROOM)):
                # After a restart of the relay a guest may be back before its host.
                tries += 1
                if tries <= ROOM_TRIES:
                    await asyncio.sleep(min(tries, 4))
                    continue
            raise _error(over, meeting) from over


async def rejoin(
    url: str, role: Role, resume_secret: bytes, key: bytes, *, report: Report, network: Network = ANY_NETWORK
) -> Introduction:
    """Find the partner of a cut game again; either may come first, and one waits for the other as long as it takes.

    `resume_secret` is that of the game's first introduction. Raises RelayDown, NoPath and the others; trying again
    later does no harm, since every meeting has keys of its own.
    """
    me = Self(key, network, report)
    stale = 0
    while True:
        meeting = Meeting.by_secret(role, resume_secret, secrets.token_bytes)
        try:
            return await _meet(url, meeting, me, lambda: None)
        except Tampered:
            # What a process that was killed as it waited here had said is still handed on: to meet again mends it.
            stale += 1
            if stale == STALE_TRIES:
                raise
            await asyncio.sleep(1)
        except RoomOver as over:
            why = over.closing
            if over.left is Outcome.FAILED and not meeting.confirmed and stale + 1 < STALE_TRIES:
                stale += 1  # so it was told to the other first
                await asyncio.sleep(1)
                continue
            if over.left is Outcome.LEFT or (why and (_same_room(why) or why.code in (Close.GONE, Close.FULL))):
                await asyncio.sleep(1)
                continue
            if why and why.again is Again.LATER:
                report(why.sentence)
                await asyncio.sleep(min(why.retry or 5, 60))
                continue
            raise _error(over, meeting) from over


async def _meet(url: str, meeting: Meeting, me: Self, seated: Callable[[], None]) -> Introduction:
    """One visit to one room; the seat is given up at the end, with what became of it."""
    if not host_addresses():
        raise NoNetwork
    in_background(_load_quietly())
    seat = Seat(url, Door(meeting.nameplate, WireRole(meeting.role.value)), me.report)
    outcome = Outcome.FAILED
    try:
        await seat.take()
        seated()
        # The relay keeps it until the other is there.
        await seat.send(meeting.opening)
        me.report("Waiting for your partner.")
        await seat.pair()
        me.report("Your partner is here.")
        preparation = Preparation(me.network.with_relay(seat.ice))
        try:
            await agree(seat, meeting)
            introduction = await introduce(me, seat, meeting, preparation)
        finally:
            preparation.discard()
        outcome = Outcome.DIRECT if introduction.link.way == "direct" else Outcome.TURN
    except WrongCode:
        outcome = Outcome.WRONG_CODE
        raise
    except (RoomOver, PartnerGone, asyncio.CancelledError):
        outcome = Outcome.LEFT
        raise
    finally:
        leaving = in_background(seat.leave(outcome))
        if outcome not in (Outcome.DIRECT, Outcome.TURN):
            # Whoever comes back to this room, and whoever counts our connections, must find the seat given up.
            await asyncio.shield(leaving)
    return introduction


async def _load_quietly() -> None:
    with contextlib.suppress(ImportError):  # said by whoever needs it
        await load()


async def _host_again(over: RoomOver, meeting: Meeting, told: bool, taken: int) -> int:
    """Wait until the host may open its room again, and count the tries; raises the error when it may not."""
    why = over.closing
    if why is not None and why.code is Close.TAKEN:
        if taken >= ROOM_TRIES:
            raise NameplatesTaken from over
        # Once the code is told it stays, and what takes its room is most likely our own seat, not yet given up.
        await asyncio.sleep(min(1 + taken, 4) if told else 0)
        return taken + 1
    gone = over.left is not None or (why is not None and why.code is Close.GONE)
    if not meeting.guessed and (gone or (why is not None and _same_room(why))):
        if not told and taken >= ROOM_TRIES:
            raise _error(over, meeting) from over
        await asyncio.sleep(0.5)
        return 0 if told else taken + 1
    raise _error(over, meeting) from over


def _same_room(why: Closing) -> bool:
    """Whether the relay means that the same code can be tried again at once."""
    return why.again is Again.SAME_CODE or why.code is Close.BAD_TOKEN


def _error(over: RoomOver, meeting: Meeting) -> P2PBallError:
    """What the player reads when the room has ended without a link."""
    if over.left is Outcome.WRONG_CODE:
        return WrongCode()
    if over.left is Outcome.FAILED:
        return NoPath() if meeting.confirmed else PartnerFailed()
    if over.left is not None or over.closing is None:
        return PartnerGone()
    why = over.closing
    match why.code:
        case Close.NO_ROOM:
            return RoomUnknown()
        case Close.FULL:
            return RoomFull()
        case Close.GONE | Close.SILENT:
            return PartnerGone()
    if _same_room(why):
        return MeetingCut() if meeting.guessed else RelayRefused(why.sentence)
    wait = f" Try again in {why.retry} seconds." if why.retry else ""
    return RelayRefused(f"{why.sentence}{wait}")
