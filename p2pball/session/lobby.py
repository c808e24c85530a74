"""Before the first pitch: the host proposes terms, the guest takes or declines them (fair-play 3, hello)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from p2pball.ballgame import Ballgame, Secrets, decline
from p2pball.errors import P2PBallError
from p2pball.net.link import Link
from p2pball.protocol.chat import clean
from p2pball.protocol.encoding import canonical
from p2pball.protocol.messages import Malformed, Message, OtherVersion, Ping, parse_frame, signed_by
from p2pball.protocol.values import GUEST, HOST
from p2pball.session.front import Front, Journal


class Declined(P2PBallError):
    """The other player declined the terms."""


class TermsRefused(P2PBallError):
    """You declined the terms; nothing was recorded."""


class WrongKey(P2PBallError):
    """The other side's hello is not signed by the key it was introduced with: somebody stands in between.
    Nothing was played. Host again with a new code, over another network if you can."""


class BadHello(Malformed):
    """The other player's program sent something that begins no game."""


@contextmanager
def _explained() -> Iterator[None]:
    """Malformed messages as a sentence for the player; another version has its own."""
    try:
        yield
    except OtherVersion:
        raise
    except Malformed as error:
        raise BadHello(
            f"The other player's program sent {error}. Nothing was recorded. "
            "Do both run the same version of p2pball? Then start again with a new code."
        ) from None


async def propose(link: Link, ballgame: Ballgame, journal: Journal, peer_key: bytes) -> None:
    """The host's part: send the hello of a `Ballgame.propose`, take the guest's.

    Raises Declined with the guest's reason, Malformed, WrongKey or LinkClosed.
    """
    await _flush(link, ballgame, journal)
    with _explained():
        message = await _first_message(link, peer_key, GUEST)
        if message.type == "decline":
            reason = clean(message.body["reason"]) or "no reason given"
            raise Declined(
                f"The other player declined: {reason}. Host again with other terms, or ask what they would like."
            )
        ballgame.receive(message)
    await _flush(link, ballgame, journal)


async def answer(
    link: Link,
    secrets: Secrets,
    peer_key: bytes,
    front: Front,
    hello: Callable[[dict[str, Any]], dict[str, Any]],
    journal: Journal,
) -> Ballgame:
    """The guest's part: show the host's terms, and join or decline.

    `hello` makes this seat's hello body for the host's terms; what is declined leaves nothing in the journal. Raises
    TermsRefused, Malformed, WrongKey or LinkClosed.
    """
    with _explained():
        theirs = await _first_message(link, peer_key, HOST)
    if not await front.accepts(theirs):
        await link.send(decline(secrets, theirs, "not with these terms").frame)
        raise TermsRefused("You declined the terms; nothing was recorded.")
    ballgame = Ballgame.join(secrets, theirs, hello(theirs.body["terms"]))
    await _flush(link, ballgame, journal)
    return ballgame


async def _first_message(link: Link, peer_key: bytes, seat: str) -> Message:
    """The other side's hello or decline; its key must be the one that came sealed (fair-play 8)."""
    while True:
        match parse_frame(await link.receive()):
            case Message(type="hello") as message if message.seat == seat:
                if bytes.fromhex(message.body["key"]) != peer_key:
                    raise WrongKey(" ".join((WrongKey.__doc__ or "").split()))
                return message
            case Message(type="decline") as message if message.seat == seat == GUEST:
                if not signed_by(message, Ed25519PublicKey.from_public_bytes(peer_key)):
                    raise Malformed("a decline that its sender did not sign")
                return message
            case Message() as message:
                raise Malformed(f"a {message.type} before the hellos")
            case Ping(n):
                await link.send(canonical({"pong": n}).encode())
            case _:
                pass  # chatter has no place before the game, and does no harm


async def _flush(link: Link, ballgame: Ballgame, journal: Journal) -> None:
    lines = ballgame.drain().lines
    journal.append([line.frame for line in lines])
    for line in lines:
        if line.seat == ballgame.seat.value:
            await link.send(line.frame)
