"""Before the first pitch: terms proposed, taken, declined; strangers in between; rematches."""

from __future__ import annotations

import asyncio

import pytest

from p2pball.ballgame import Ballgame, Secrets, decline
from p2pball.engine.terms import Seat, Terms
from p2pball.net.errors import LinkClosed
from p2pball.net.memory import MemoryLink, memory_pair
from p2pball.protocol.messages import Malformed, Message, OtherVersion, compose
from p2pball.session import Declined, TermsRefused, WrongKey, answer, propose
from p2pball.verify import Verdict, verify
from tests.duet import CARDS, DICE, hello, secrets
from tests.session.table import Lines, Player

HOST, GUEST = secrets("host"), secrets("guest")


class Choosy(Player):
    """A guest who wants other terms."""

    async def accepts(self, hello: Message) -> bool:
        return False


def proposal(terms: Terms = DICE, own: Secrets = HOST) -> Ballgame:
    return Ballgame.propose(own, hello(Seat.HOST, own, terms))


async def guest(link: MemoryLink, player: Player, peer: bytes = HOST.key) -> Ballgame:
    def body(theirs: dict[str, object]) -> dict[str, object]:
        return hello(Seat.GUEST, GUEST, Terms.from_json(theirs))

    return await answer(link, GUEST, peer, player, body, Lines())


async def test_terms_are_proposed_and_taken() -> None:
    here, there = memory_pair()
    ballgame, journal = proposal(CARDS), Lines()
    joined, _ = await asyncio.gather(guest(there, Player()), propose(here, ballgame, journal, GUEST.key))
    assert joined.game.begun
    assert ballgame.game.exchange.game == joined.game.exchange.game
    assert verify(b"".join(frame + b"\n" for frame in journal.frames)).verdict is Verdict.SUSPENDED


async def test_a_guest_may_decline() -> None:
    here, there = memory_pair()
    guests, hosts = await asyncio.gather(
        guest(there, Choosy()), propose(here, proposal(), Lines(), GUEST.key), return_exceptions=True
    )
    assert isinstance(guests, TermsRefused)
    assert isinstance(hosts, Declined)
    assert "not with these terms" in str(hosts)


async def test_a_hello_by_another_key_than_the_sealed_one_is_an_attack() -> None:
    here, there = memory_pair()
    with pytest.raises(WrongKey, match="in between"):
        await asyncio.wait_for(
            asyncio.gather(
                guest(there, Player(), peer=secrets("stranger").key), propose(here, proposal(), Lines(), GUEST.key)
            ),
            10,
        )


async def test_a_guest_with_other_terms_is_refused() -> None:
    here, there = memory_pair()
    ballgame = proposal()
    body = hello(Seat.GUEST, GUEST, Terms(innings=9, home="guest"))
    ack = ballgame.game.exchange.lines[0].digest
    forged = compose(GUEST.sign, game="", seat="guest", seq=0, prev="", ack=ack, kind="hello", body=body)
    await there.send(forged.frame)
    with pytest.raises(Malformed, match="differ"):
        await propose(here, ballgame, Lines(), GUEST.key)


async def test_a_decline_must_be_signed_by_the_one_who_was_met() -> None:
    here, there = memory_pair()
    ballgame = proposal()
    asked = ballgame.game.exchange.lines[0]
    stranger = secrets("stranger")
    await there.send(decline(stranger, asked, "no").frame)
    with pytest.raises(Malformed, match="sign"):
        await propose(here, ballgame, Lines(), GUEST.key)


async def test_a_partner_who_goes_before_the_hello() -> None:
    here, there = memory_pair()
    await there.close()
    with pytest.raises(LinkClosed):
        await propose(here, proposal(), Lines(), GUEST.key)


@pytest.mark.parametrize("frame", [b"{}", b'{"v":1}', b"\xff"])
async def test_what_is_no_hello_is_refused(frame: bytes) -> None:
    here, there = memory_pair()
    await there.send(frame)
    with pytest.raises(Malformed, match="Do both run the same version"):
        await propose(here, proposal(), Lines(), GUEST.key)


async def test_chatter_before_the_hello_does_no_harm() -> None:
    here, there = memory_pair()
    await there.send(b'{"ping":5}')
    await there.send(b'{"chat":"hi"}')
    ballgame = proposal()
    await asyncio.gather(guest(there, Player()), propose(here, ballgame, Lines(), GUEST.key))
    assert ballgame.game.begun


async def test_a_partner_of_another_version_is_told_apart() -> None:
    here, there = memory_pair()
    asked = proposal()
    frame = asked.game.exchange.lines[0].frame.replace(b'\\"v\\":1', b'\\"v\\":2')
    await there.send(frame)
    with pytest.raises(OtherVersion, match="version 2 of the protocol, this is version 1"):
        await propose(here, asked, Lines(), GUEST.key)
