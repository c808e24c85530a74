"""From confirmed keys to an open link: offers, answers and the ways in order, over anything that carries frames."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING

from p2pball.frozen import frozen
from p2pball.net.errors import NoPath, PartnerGone
from p2pball.net.letters import Confirmed, Letters, in_time
from p2pball.net.link import Link
from p2pball.net.mail import Mail
from p2pball.net.prepare import Preparation
from p2pball.net.ways import ORDER, Network, Way
from p2pball.protocol.meeting import Meeting, Role
from p2pball.protocol.meeting.letters import Answer, Description, Failed, Letter, Offer

if TYPE_CHECKING:
    from p2pball.net.webrtc import Attempt

WAY_SECONDS = 12.0
"""How long one way may take; by itself ICE would try a blocked path for a minute (connection 1)."""

DEAF_SECONDS = 4.0
"""The same where no server answers over UDP and there is another way: enough for a partner on the same LAN."""

Report = Callable[[str], None]
"""Takes a plain sentence on what is going on, for the player."""


@frozen
class Introduction:
    """Two players who have met: an open link, and what each may now know of the other."""

    link: Link
    role: Role
    peer_key: bytes
    """The other's Ed25519 public key, 32 bytes, as it came sealed; its `hello` must be signed by it."""
    resume_secret: bytes
    """32 bytes from which a cut game finds its partner again; keep them secret."""
    sas: str
    """Six digits that both sides may compare aloud."""


@frozen
class Self:
    """What one side brings to a meeting: its identity key (32 bytes), its network, and where to tell the player."""

    key: bytes
    network: Network
    report: Report
    confirmed: Confirmed = lambda _: None


def introduction(meeting: Meeting, link: Link, peer_key: bytes) -> Introduction:
    """What a confirmed meeting and its open link amount to."""
    return Introduction(link, meeting.role, peer_key, meeting.resume_secret, meeting.keys.sas)


async def agree(mail: Mail, meeting: Meeting) -> None:
    """Exchange openings and confirmations; ours has been sent. Raises WrongCode, Tampered, PartnerGone."""
    while not meeting.confirmed:
        frames, _ = meeting.receive(await in_time(mail.receive()))
        for frame in frames:
            await mail.send(frame)


async def introduce(me: Self, mail: Mail, meeting: Meeting, preparation: Preparation) -> Introduction:
    """Try the ways in order until a link is open. Raises NoPath when none is left, PartnerGone, or what mail raises."""
    letters = Letters(mail, meeting, me.confirmed)
    try:
        ways = _offer_ways if meeting.role is Role.HOST else _answer_ways
        met = await ways(me, letters, preparation)
        me.report(_CONNECTED[met.link.way])
        return met
    finally:
        letters.stop()
        preparation.discard()


async def _offer_ways(me: Self, letters: Letters, preparation: Preparation) -> Introduction:
    ours = preparation.network.ways
    theirs: tuple[str, ...] = ()
    for way in ORDER:
        # A way is worth trying when either side has a server for it.
        if way not in ours and (way is Way.DIRECT or way not in theirs):
            continue
        me.report(_trying(way, me.network))
        try:
            attempt = await preparation.take(way)
        except NoPath:
            continue
        try:
            offer = Offer(way, me.key, await attempt.offer(), ours)
            await letters.send(offer)
            while (letter := await letters.receive()).way != way or isinstance(letter, Offer):
                pass  # the guest's word on a way already given up
            theirs = letter.ways
            if isinstance(letter, Answer):
                await attempt.accept(letter.description)
                more = Way.TURN_TCP in {*ours, *theirs} and way is not Way.TURN_TCP
                link = await _open(letters, attempt, offer.description, letter.description, more)
                if isinstance(link, Letter):
                    theirs = link.ways
                elif link is not None:
                    return introduction(letters.meeting, link, letter.key)
        except BaseException:
            attempt.give_up()
            raise
        attempt.give_up()
    raise NoPath


async def _answer_ways(me: Self, letters: Letters, preparation: Preparation) -> Introduction:
    ours = preparation.network.ways
    offer: Letter | None = None
    while True:
        offer = offer or await letters.receive()
        if not isinstance(offer, Offer):
            raise PartnerGone
        way = Way(offer.way)
        me.report(_trying(way, me.network))
        outcome: Link | Letter | None = None
        try:
            attempt = await preparation.take(way)
        except NoPath:
            offer = None
            await letters.send(Failed(way, ours))
            continue
        try:
            answer = Answer(way, me.key, await attempt.answer(offer.description), ours)
            await letters.send(answer)
            more = Way.TURN_TCP in {*ours, *offer.ways} and way is not Way.TURN_TCP
            outcome = await _open(letters, attempt, offer.description, answer.description, more)
        except BaseException:
            attempt.give_up()
            raise
        if outcome is not None and not isinstance(outcome, Letter):
            return introduction(letters.meeting, outcome, offer.key)
        attempt.give_up()
        offer = outcome
        if offer is None:
            await letters.send(Failed(way, ours))


async def _open(
    letters: Letters, attempt: Attempt, host: Description, guest: Description, more: bool
) -> Link | Letter | None:
    """The open link, None when this way failed or took too long, or the letter by which the other moved on.

    `more`: whether there is another way to try after this one.
    """
    opening = asyncio.ensure_future(attempt.connected(*proofs(letters.meeting, host, guest)))
    try:
        async with asyncio.timeout(DEAF_SECONDS if attempt.deaf and more else WAY_SECONDS):
            letter = await letters.unless(opening)
            return letter or await opening
    except (NoPath, TimeoutError):
        return None
    finally:
        opening.cancel()


_CONNECTED = {
    "direct": "Connected directly.",
    "turn-udp": "Connected through a TURN server, over UDP.",
    "turn-tcp": "Connected through a TURN server, over TCP.",
}


def _trying(way: Way, network: Network) -> str:
    match way, network.turn_only:
        case Way.DIRECT, False:
            return "Connecting, directly if there is a way."
        case Way.DIRECT, True:
            return "Connecting through a TURN server over UDP."
        case Way.TURN_TCP, _:
            return "Nothing gets through over UDP. Trying a TURN server over TCP."
    raise AssertionError(way)


def proofs(meeting: Meeting, host: Description, guest: Description) -> tuple[str, str]:
    """What this side says in the open channel, and what it must hear."""
    ours, theirs = (
        meeting.keys.proof(role, host.fingerprint, guest.fingerprint) for role in (meeting.role, meeting.role.other)
    )
    return ours, theirs
