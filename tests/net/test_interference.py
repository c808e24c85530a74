"""A relay that interferes: swapped, repeated and substituted bytes, and a man in the middle."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from p2pball.errors import P2PBallError
from p2pball.net.errors import NoPath, PartnerFailed, PartnerGone
from p2pball.net.introduce import Introduction
from p2pball.protocol.meeting import Code, Role, Tampered, WrongCode
from p2pball.protocol.meeting.letters import Offer, write
from tests.net.evil import EvilRelay
from tests.net.players import GUEST_KEY, HOST_KEY, Hosting, close, enter, through


# Numbers count a sender's frames: 0 opening, 1 confirmation, then sealed ones; one byte of count goes before each.
def flip(who: str, which: int, at: int) -> Callable[[str, int, bytes], bytes]:
    def meddle(role: str, number: int, frame: bytes) -> bytes:
        if (role, number) != (who, which):
            return frame
        changed = bytearray(frame)
        changed[at] ^= 1
        return bytes(changed)

    return meddle


async def test_an_honest_relay_in_between_sees_nothing_that_matters(relay: str) -> None:
    met, guest, evil = await through(relay, lambda role, number, frame: frame)
    assert isinstance(met, Introduction)
    everything = b"".join(frame for _, frame in evil.seen)
    for secret in (HOST_KEY, GUEST_KEY, b"candidate", b"fingerprint", b"ufrag", met.resume_secret, b"127.0.0.1"):
        assert secret not in everything
    await close(met, guest)


@pytest.mark.parametrize("who", ["host", "guest"])
@pytest.mark.parametrize("at", [1, 2, 20, -1])
async def test_swapped_bytes_of_an_opening_end_as_a_wrong_code_or_are_refused(relay: str, who: str, at: int) -> None:
    results = await through(relay, flip(who, 0, at))
    errors = [error for error in results[:2] if isinstance(error, P2PBallError)]
    assert len(errors) == 2
    assert any(isinstance(error, WrongCode | Tampered) for error in errors)
    assert all(isinstance(error, WrongCode | Tampered | PartnerFailed | PartnerGone) for error in errors)


@pytest.mark.parametrize("who", ["host", "guest"])
async def test_swapped_bytes_of_a_confirmation_end_as_a_wrong_code_on_both_sides(relay: str, who: str) -> None:
    met, guest, _ = await through(relay, flip(who, 1, 5))
    victim = guest if who == "host" else met
    assert isinstance(victim, WrongCode)
    assert isinstance(met, P2PBallError)
    assert isinstance(guest, P2PBallError)


@pytest.mark.parametrize("who", ["host", "guest"])
@pytest.mark.parametrize("at", [1, 13, 60, -1])
async def test_swapped_bytes_of_a_sealed_message_are_found(relay: str, who: str, at: int) -> None:
    met, guest, _ = await through(relay, flip(who, 2, at))
    victim, other = (guest, met) if who == "host" else (met, guest)
    assert isinstance(victim, Tampered)
    assert "changed on its way" in str(victim)
    assert isinstance(other, NoPath | PartnerGone)


async def test_a_sealed_message_that_is_repeated_under_the_next_number_is_found(relay: str) -> None:
    def repeat(role: str, number: int, frame: bytes) -> Any:
        return [frame, b"\x03" + frame[1:]] if (role, number) == ("host", 2) else frame

    met, guest, _ = await through(relay, repeat)
    # The repeat comes while the guest is connecting: it stops, and so the host finds no way.
    assert isinstance(guest, Tampered | Introduction)
    if isinstance(guest, Introduction):
        await close(guest, met)


async def test_a_relay_that_substitutes_its_own_fingerprint_is_found(relay: str) -> None:
    """It knows the form of an offer to the last byte but the secrets, and ChaCha20 alone would let it flip bits."""
    from p2pball.net.ways import Way
    from p2pball.net.webrtc import Attempt

    own = bytes([7]) * 32
    attempt = Attempt(Way.DIRECT, ())
    await attempt.gather()
    plain = write(Offer("direct", HOST_KEY, await attempt.offer(), ("direct",)))
    attempt.give_up()
    at = plain.index(b'"fingerprint":"') + len(b'"fingerprint":"')
    position = 1 + 12 + at

    def substitute(role: str, number: int, frame: bytes) -> bytes:
        if (role, number) != ("host", 2):
            return frame
        changed = bytearray(frame)
        for n in range(43):
            changed[position + n] ^= own[n % 32] | 1
        return bytes(changed)

    met, guest, _ = await through(relay, substitute)
    assert isinstance(guest, Tampered)
    assert isinstance(met, P2PBallError)


class Middle:
    """A relay that plays the guest to the host and the host to the guest, with a guess at the words."""

    def __init__(self, code: Code) -> None:
        import secrets

        from p2pball.protocol.meeting import Meeting

        self.faces = {
            "host": Meeting.by_code(Role.GUEST, code, secrets.token_bytes),
            "guest": Meeting.by_code(Role.HOST, code, secrets.token_bytes),
        }
        self.read: list[bytes] = []

    def __call__(self, role: str, number: int, frame: bytes) -> bytes | None:
        """What the other side is sent in place of `frame`: the opening and confirmation of our own meeting with it."""
        other = self.faces["guest" if role == "host" else "host"]
        try:
            _, plain = self.faces[role].receive(frame[1:])
        except P2PBallError:
            plain = None
        if plain is not None:
            self.read.append(plain)
        if number == 0:
            return frame[:1] + other.opening
        return frame[:1] + (other._keys.confirmation(other.role) if other._keys else b"")


async def test_a_relay_in_the_middle_with_a_wrong_guess_learns_nothing_and_both_sides_say_wrong_code(
    relay: str,
) -> None:
    code = Code("5555", ("crisp", "wolf"))
    middle = Middle(Code("5555", ("abandon", "wolf")))
    async with EvilRelay(relay, middle) as evil:
        hosting = Hosting(evil.url, code=code)
        await hosting.code()
        with pytest.raises(P2PBallError) as caught:
            await enter(evil.url, code)
        errors = [caught.value, await hosting.failure()]
    assert any(isinstance(error, WrongCode) for error in errors)
    assert all(isinstance(error, WrongCode | PartnerGone | PartnerFailed) for error in errors)
    assert middle.read == []
