"""Meeting without a relay: four lines of text that two players paste through any chat (connection 1, --by-hand).

    host  -> guest   1  opening
    guest -> host    2  opening, confirmation
    host  -> guest   3  confirmation, sealed offer
    guest -> host    4  sealed answer

The chat is trusted no more than a relay: the code words, told some other way, protect the lines by SPAKE2 as well.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, TypeVar

from p2pball.net.addresses import host_addresses
from p2pball.net.errors import NoNetwork, NoPath, NoTurnServer
from p2pball.net.introduce import Introduction, Report, Self, introduction, proofs
from p2pball.net.prepare import prepare
from p2pball.net.ways import ANY_NETWORK, Network
from p2pball.protocol.meeting import BadLine, Meeting, Role
from p2pball.protocol.meeting.letters import Answer, BadLetter, Letter, Offer, read, write
from p2pball.protocol.meeting.lines import pack, unpack

T = TypeVar("T")

CONNECT_SECONDS = 30.0
"""How long the host's side may take once both know all; the guest's checks have grown rare by then."""

PASTE_SECONDS = 900.0
"""How long the guest waits for its host to paste the last line."""

NOT_PASTED = (
    f"No connection came up in {PASTE_SECONDS / 60:.0f} minutes. Either your host has not pasted your last line, or no "
    "way through the network was found; start again with --by-hand, and see `p2pball doctor`."
)

Show = Callable[[str], None]
"""Shows the player a line to send to the other."""

Ask = Callable[[], Awaitable[str]]
"""Waits for the player to paste the other's next line."""


async def by_hand(
    meeting: Meeting, key: bytes, *, show: Show, ask: Ask, report: Report, network: Network = ANY_NETWORK
) -> Introduction:
    """Meet over pasted lines, by a new code (`Meeting.by_code`) or to go on with a game (`Meeting.by_secret`).

    A line that cannot be read, or one's own, is asked for again. Raises WrongCode, Tampered, BadLetter, NoPath,
    NoNetwork and NoTurnServer.
    """
    if not host_addresses():
        raise NoNetwork
    if not network.ways:
        raise NoTurnServer
    me = Self(key, network, report)
    lines = _Lines(show, ask, report)
    return await (_host(me, meeting, lines) if meeting.role is Role.HOST else _guest(me, meeting, lines))


async def _host(me: Self, meeting: Meeting, lines: _Lines) -> Introduction:
    lines.show(meeting.opening)
    opening, confirmation = await lines.ask(2)
    (ours,), _ = meeting.receive(opening)
    meeting.receive(confirmation)
    # Gathered only now: an address found before the first paste might be gone after the second.
    way = me.network.ways[0]
    attempt = await prepare(way, me.network)
    try:
        offer = await attempt.offer()
        lines.show(ours, meeting.seal(write(Offer(way, me.key, offer))))
        (sealed,) = await _beside(attempt.keep_mappings(), lines.ask(1))
        answer = _letter(meeting, sealed)
        if not isinstance(answer, Answer):
            raise BadLetter
        await attempt.accept(answer.description)
        said, heard = proofs(meeting, offer, answer.description)
        link = await _in_time(attempt.connected(said, heard), CONNECT_SECONDS, NoPath())
    except BaseException:
        attempt.give_up()
        raise
    return introduction(meeting, link, answer.key)


async def _guest(me: Self, meeting: Meeting, lines: _Lines) -> Introduction:
    (opening,) = await lines.ask(1)
    (ours,), _ = meeting.receive(opening)
    lines.show(meeting.opening, ours)
    confirmation, sealed = await lines.ask(2)
    meeting.receive(confirmation)
    offer = _letter(meeting, sealed)
    if not isinstance(offer, Offer):
        raise BadLetter
    way = me.network.ways[0]
    attempt = await prepare(way, me.network)
    try:
        answer = await attempt.answer(offer.description, patient=True)
        lines.show(meeting.seal(write(Answer(way, me.key, answer))))
        me.report("Waiting until your host has pasted this line.")
        said, heard = proofs(meeting, offer.description, answer)
        connected = _in_time(attempt.connected(said, heard), PASTE_SECONDS, NoPath(NOT_PASTED))
        link = await _beside(attempt.keep_mappings(), connected)
    except BaseException:
        attempt.give_up()
        raise
    return introduction(meeting, link, offer.key)


def _letter(meeting: Meeting, sealed: bytes) -> Letter:
    _, plain = meeting.receive(sealed)
    assert plain is not None
    return read(plain)


async def _in_time(opening: Awaitable[T], seconds: float, late: NoPath) -> T:
    try:
        async with asyncio.timeout(seconds):
            return await opening
    except TimeoutError as error:
        raise late from error


async def _beside(company: Coroutine[Any, Any, None], work: Awaitable[T]) -> T:
    """Do `work`, with `company` running for as long as it takes."""
    running = asyncio.ensure_future(company)
    try:
        return await work
    finally:
        running.cancel()


class _Lines:
    """Frames as lines, shown and asked for."""

    def __init__(self, show: Show, ask: Ask, report: Report) -> None:
        self._show = show
        self._ask = ask
        self._report = report
        self._own: list[tuple[bytes, ...]] = []

    def show(self, *frames: bytes) -> None:
        """Show frames as a line to send."""
        self._own.append(frames)
        self._show(pack(frames))

    async def ask(self, count: int) -> tuple[bytes, ...]:
        """The other's next line, of so many frames; what cannot be it is explained and asked for again."""
        while True:
            try:
                frames = unpack(await self._ask())
            except BadLine as error:
                self._report(str(error))
                continue
            if frames in self._own:
                self._report("That is your own line. Paste the one that the other player sent you.")
            elif len(frames) != count:
                self._report("That is an older line of the other player. Paste the newest one.")
            else:
                return frames
