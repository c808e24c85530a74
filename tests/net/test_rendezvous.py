"""Two players and a real relay: meeting, resuming, wrong codes, third joiners, relays that interfere."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from p2pball.errors import P2PBallError
from p2pball.net.errors import (
    LinkClosed,
    NoNetwork,
    NoPath,
    NoTurnServer,
    PartnerFailed,
    PartnerGone,
    RelayDown,
    RoomFull,
    RoomUnknown,
)
from p2pball.net.introduce import Introduction
from p2pball.net.rendezvous import host, join, rejoin
from p2pball.net.ways import Network
from p2pball.protocol.meeting import Code, Role, Tampered, WrongCode
from p2pball.protocol.meeting.letters import Offer, write
from tests.net.evil import EvilRelay

LIMIT = 30.0
HOST_KEY, GUEST_KEY = b"\x01" * 32, b"\x02" * 32


def quiet(_: str) -> None:
    return


class Hosting:
    """A host that waits in a room, and its code."""

    def __init__(self, url: str, report: Callable[[str], None] = quiet, **options: Any) -> None:
        self._code: asyncio.Future[Code] = asyncio.get_running_loop().create_future()
        self.codes: list[Code] = []
        self.task = asyncio.create_task(host(url, HOST_KEY, opened=self._opened, report=report, **options))

    def _opened(self, code: Code) -> None:
        self.codes.append(code)
        self._code.set_result(code)

    async def code(self) -> Code:
        await asyncio.wait({self.task, self._code}, return_when=asyncio.FIRST_COMPLETED, timeout=LIMIT)
        if self.task.done():
            self.task.result()
        return self._code.result()

    async def done(self) -> Introduction:
        return await asyncio.wait_for(self.task, LIMIT)

    async def failure(self) -> BaseException | None:
        await asyncio.wait({self.task}, timeout=LIMIT)
        return self.task.exception()

    async def stop(self) -> None:
        self.task.cancel()
        await asyncio.gather(self.task, return_exceptions=True)


async def enter(url: str, code: Code, report: Callable[[str], None] = quiet, **options: Any) -> Introduction:
    return await asyncio.wait_for(join(url, code, GUEST_KEY, report=report, **options), LIMIT)


async def meet(url: str) -> tuple[Introduction, Introduction]:
    hosting = Hosting(url)
    guest = await enter(url, await hosting.code())
    return await hosting.done(), guest


async def close(*introductions: Introduction) -> None:
    await asyncio.gather(*(introduction.link.close() for introduction in introductions))


def other_words(code: Code) -> Code:
    """The same room, another second word."""
    return Code(code.nameplate, (code.words[0], "zoo" if code.words[1] != "zoo" else "zone"))


async def test_two_players_meet_and_know_each_others_keys(relay: str) -> None:
    said: list[str] = []
    hosting = Hosting(relay, said.append)
    guest = await enter(relay, await hosting.code())
    met = await hosting.done()
    assert (met.role, guest.role) == (Role.HOST, Role.GUEST)
    assert (met.peer_key, guest.peer_key) == (GUEST_KEY, HOST_KEY)
    assert met.resume_secret == guest.resume_secret
    assert len(met.resume_secret) == 32
    assert met.sas == guest.sas
    assert met.link.way == "direct"
    await met.link.send(b"hello")
    assert await asyncio.wait_for(guest.link.receive(), 30) == b"hello"
    assert [word.split()[0] for word in said] == ["Waiting", "Your", "Connecting,", "Connected"]
    await close(met, guest)


async def test_the_secret_to_resume_is_told_before_the_connection_is_there(relay: str) -> None:
    told: list[tuple[bytes, bool]] = []
    hosting = Hosting(relay, confirmed=lambda secret: told.append((secret, hosting.task.done())))
    guest = await enter(relay, await hosting.code(), confirmed=lambda secret: told.append((secret, False)))
    met = await hosting.done()
    assert told == [(met.resume_secret, False)] * 2
    await close(met, guest)


async def test_the_game_goes_on_when_the_relay_is_gone() -> None:
    from p2pball.net.embedded import EmbeddedRelay

    async with EmbeddedRelay(host="127.0.0.1", port=0) as running:
        met, guest = await meet(f"ws://127.0.0.1:{running.port}")
    for n in range(20):
        await met.link.send(b"%d" % n)
        assert await asyncio.wait_for(guest.link.receive(), 30) == b"%d" % n
    await close(met, guest)


@pytest.mark.parametrize("first", list(Role))
async def test_a_cut_game_finds_its_partner_again_whoever_comes_first(relay: str, first: Role) -> None:
    met, guest = await meet(relay)
    await close(met, guest)
    secret = met.resume_secret
    keys = {Role.HOST: HOST_KEY, Role.GUEST: GUEST_KEY}

    def again(role: Role) -> asyncio.Task[Introduction]:
        return asyncio.create_task(rejoin(relay, role, secret, keys[role], report=quiet))

    early = again(first)
    await asyncio.sleep(0.2)
    both = await asyncio.wait_for(asyncio.gather(early, again(first.other)), LIMIT)
    assert [one.resume_secret for one in both] == [secret, secret]
    assert [one.peer_key for one in both] == [keys[first.other], keys[first]]
    assert both[0].sas == both[1].sas != met.sas
    await both[0].link.send(b"on")
    assert await asyncio.wait_for(both[1].link.receive(), 30) == b"on"
    await close(*both)


async def test_a_partner_who_vanishes_while_resuming_is_waited_for_again(relay: str) -> None:
    secret = bytes(range(32))
    hosting = asyncio.create_task(rejoin(relay, Role.HOST, secret, HOST_KEY, report=quiet))
    guest = asyncio.create_task(rejoin(relay, Role.GUEST, secret, GUEST_KEY, report=quiet))
    await asyncio.sleep(0.05)
    guest.cancel()
    await asyncio.gather(guest, return_exceptions=True)
    guest = asyncio.create_task(rejoin(relay, Role.GUEST, secret, GUEST_KEY, report=quiet))
    await close(*await asyncio.wait_for(asyncio.gather(hosting, guest), LIMIT))


async def test_a_wrong_code_is_one_guess_said_on_both_sides_and_the_code_is_dead(relay: str) -> None:
    hosting = Hosting(relay)
    code = await hosting.code()
    with pytest.raises(WrongCode, match="one guess"):
        await enter(relay, other_words(code))
    assert isinstance(await hosting.failure(), WrongCode)
    with pytest.raises(RoomUnknown):
        await enter(relay, code)


async def test_a_third_joiner_is_refused_and_disturbs_nobody(relay: str) -> None:
    entered = asyncio.Event()
    go_on = asyncio.Event()

    def hold(role: str, number: int, frame: bytes) -> bytes:
        entered.set()
        return frame

    hosting = Hosting(relay)
    code = await hosting.code()
    async with EvilRelay(relay, hold) as slow:
        guest = asyncio.create_task(enter(slow.url, code))
        await asyncio.wait_for(entered.wait(), LIMIT)
        third = (await asyncio.gather(enter(relay, code), return_exceptions=True))[0]
        assert isinstance(third, RoomFull | RoomUnknown)
        go_on.set()
        await close(await hosting.done(), await asyncio.wait_for(guest, LIMIT))


async def test_a_code_that_nobody_waits_under_is_unknown(relay: str) -> None:
    with pytest.raises(RoomUnknown, match="Ask your host"):
        await enter(relay, Code("0000", ("zoo", "zoo")))


async def test_a_nameplate_in_use_is_drawn_again(relay: str) -> None:
    first = Hosting(relay, code=Code("1234", ("zoo", "zoo")))
    await first.code()
    second = Hosting(relay, code=Code("1234", ("zone", "zoo")))
    code = await second.code()
    assert code.nameplate != "1234"
    assert code.words == ("zone", "zoo")
    await close(await enter(relay, code), await second.done())
    await first.stop()


async def test_no_relay_at_that_address(unused_tcp_port: int) -> None:
    for attempt in (Hosting(f"ws://127.0.0.1:{unused_tcp_port}").failure(),):
        error = await attempt
        assert isinstance(error, RelayDown)
        assert f"127.0.0.1:{unused_tcp_port}" in str(error)
        assert "(connection refused)" in str(error)
        assert "--by-hand" in str(error)


async def test_something_that_is_no_relay() -> None:
    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi")
        await writer.drain()
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    async with server:
        port = server.sockets[0].getsockname()[1]
        with pytest.raises(RelayDown, match="language"):
            await enter(f"ws://127.0.0.1:{port}", Code("0000", ("zoo", "zoo")))


async def test_without_any_network_it_is_said_at_once(relay: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("p2pball.net.rendezvous.host_addresses", lambda: [])
    with pytest.raises(NoNetwork):
        await enter(relay, Code("0000", ("zoo", "zoo")))


async def test_hiding_addresses_needs_a_turn_server(relay: str) -> None:
    hosting = Hosting(relay, network=Network(turn_only=True))
    with pytest.raises((NoTurnServer, PartnerFailed, PartnerGone)):
        await enter(relay, await hosting.code(), network=Network(turn_only=True))
    assert isinstance(await hosting.failure(), NoTurnServer | PartnerFailed | PartnerGone)


async def test_a_host_whose_guest_runs_away_before_trying_the_code_waits_on_with_the_same_code(relay: str) -> None:
    from websockets.asyncio.client import connect

    from signaling.wire import Door, room_path
    from signaling.wire import Role as WireRole

    hosting = Hosting(relay)
    code = await hosting.code()
    for _ in range(2):
        async with connect(relay + room_path(Door(code.nameplate, WireRole.GUEST)), compression=None) as runaway:
            await asyncio.wait_for(runaway.recv(), 30)
        await asyncio.sleep(0.8)
    guest = await enter(relay, code)
    await close(guest, await hosting.done())
    assert hosting.codes == [code]


async def test_a_host_that_is_stopped_leaves_no_room_behind(relay: str) -> None:
    hosting = Hosting(relay)
    code = await hosting.code()
    await hosting.stop()
    await asyncio.sleep(0.2)
    with pytest.raises(RoomUnknown):
        await enter(relay, code)


# A relay that interferes. Numbers count a sender's frames: 0 opening, 1 confirmation, then sealed ones; one byte of
# count goes before each.


def flip(who: str, which: int, at: int) -> Callable[[str, int, bytes], bytes]:
    def meddle(role: str, number: int, frame: bytes) -> bytes:
        if (role, number) != (who, which):
            return frame
        changed = bytearray(frame)
        changed[at] ^= 1
        return bytes(changed)

    return meddle


async def through(relay: str, meddle: Callable[[str, int, bytes], Any]) -> tuple[Any, Any, EvilRelay]:
    """Both meet through a relay that meddles; what each got, an introduction or an error."""
    async with EvilRelay(relay, meddle) as evil:
        hosting = Hosting(evil.url)
        guest = (await asyncio.gather(enter(evil.url, await hosting.code()), return_exceptions=True))[0]
        return (await asyncio.gather(hosting.done(), return_exceptions=True))[0], guest, evil


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


async def test_a_partner_who_falls_silent_is_given_up_after_a_while(
    relay: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("p2pball.net.letters.MAIL_SECONDS", 0.5)
    met, guest, _ = await through(relay, lambda role, number, frame: frame if number < 2 else None)
    assert isinstance(met, PartnerGone)
    assert isinstance(guest, PartnerGone)


async def test_a_path_that_is_blocked_ends_in_time_and_says_what_helps(
    relay: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    from p2pball.net import webrtc

    async def never(self: object, proof: str, expected: str) -> None:
        await asyncio.Event().wait()

    monkeypatch.setattr("p2pball.net.introduce.WAY_SECONDS", 0.5)
    monkeypatch.setattr(webrtc.Attempt, "connected", never)
    hosting = Hosting(relay)
    with pytest.raises(NoPath, match="TURN"):
        await enter(relay, await hosting.code())
    assert isinstance(await hosting.failure(), NoPath)


async def test_a_link_that_is_closed_by_the_partner_says_no_more_than_that(relay: str) -> None:
    met, guest = await meet(relay)
    await met.link.close()
    with pytest.raises(LinkClosed, match=r"other player is gone\.$"):
        await asyncio.wait_for(guest.link.receive(), 30)
    await guest.link.close()
