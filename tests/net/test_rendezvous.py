"""Two players and a real relay: meeting, resuming, wrong codes, third joiners, partners and paths that fail."""

from __future__ import annotations

import asyncio

import pytest

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
from p2pball.net.rendezvous import rejoin
from p2pball.net.ways import Network
from p2pball.protocol.meeting import Code, Role, WrongCode
from tests.net.evil import EvilRelay
from tests.net.players import GUEST_KEY, HOST_KEY, LIMIT, Hosting, close, enter, meet, quiet, through


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
