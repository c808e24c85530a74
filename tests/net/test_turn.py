"""Relayed ways with a real coturn: credentials of the relay, hidden addresses, TCP, a server that dies."""

from __future__ import annotations

import asyncio
import contextlib
import subprocess
import sys
from collections.abc import AsyncIterator

import pytest

from p2pball.net.errors import NoPath
from p2pball.net.introduce import Introduction
from p2pball.net.ways import Network, Way
from p2pball.protocol.meeting.letters import Answer, Offer, read
from signaling.ice import Ice
from signaling.limits import Limits
from signaling.options import Options
from signaling.server import Server
from signaling.wire import IceServer
from tests.net.lab.stage import SECRET, credentials
from tests.net.players import Hosting, close, enter


@contextlib.asynccontextmanager
async def relay_with(turn: str, *transports: str) -> AsyncIterator[str]:
    """A relay that names this TURN server, with credentials of its own making."""
    urls = tuple(f"turn:{turn}?transport={transport}" for transport in transports)
    server = Server(Options(host="127.0.0.1", port=0, limits=Limits(), ice=Ice(turn_urls=urls, turn_secret=SECRET)))
    await server.start()
    try:
        yield f"ws://127.0.0.1:{server.port}"
    finally:
        await server.stop()


async def meet(url: str, network: Network) -> tuple[Introduction, Introduction]:
    hosting = Hosting(url, network=network)
    guest = await enter(url, await hosting.code(), network=network)
    return await hosting.done(), guest


@pytest.mark.parametrize(("transport", "way"), [("udp", "turn-udp"), ("tcp", "turn-tcp")])
async def test_hidden_addresses_go_through_the_relays_turn_server(
    turn: tuple[str, object], transport: str, way: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    letters: list[Offer | Answer] = []

    def reading(data: bytes) -> object:
        letter = read(data)
        assert isinstance(letter, Offer | Answer)
        letters.append(letter)
        return letter

    monkeypatch.setattr("p2pball.net.letters.read", reading)
    async with relay_with(turn[0], transport) as url:
        host, guest = await meet(url, Network(turn_only=True))
        assert (host.link.way, guest.link.way) == (way, way)
        await host.link.send(b"hello")
        assert await asyncio.wait_for(guest.link.receive(), 30) == b"hello"
        # Neither has told the other anything but the TURN server's address.
        assert len(letters) == 2
        assert {candidate.kind for letter in letters for candidate in letter.description.candidates} == {"relay"}
        await close(host, guest)


async def test_with_a_turn_server_at_hand_the_direct_way_is_still_taken(turn: tuple[str, object]) -> None:
    async with relay_with(turn[0], "udp", "tcp") as url:
        host, guest = await meet(url, Network())
        assert (host.link.way, guest.link.way) == ("direct", "direct")
        await close(host, guest)


async def test_when_nothing_gets_through_directly_the_second_way_is_tried_and_said(
    turn: tuple[str, object], monkeypatch: pytest.MonkeyPatch
) -> None:
    from p2pball.net import webrtc

    real = webrtc.Attempt.connected

    async def blocked(self: webrtc.Attempt, proof: str, expected: str) -> webrtc.WebRtcLink:
        if self.way is Way.DIRECT:
            await asyncio.Event().wait()
        return await real(self, proof, expected)

    monkeypatch.setattr(webrtc.Attempt, "connected", blocked)
    monkeypatch.setattr("p2pball.net.introduce.WAY_SECONDS", 3.0)
    said: list[str] = []
    async with relay_with(turn[0], "tcp") as url:
        hosting = Hosting(url, said.append)
        guest = await enter(url, await hosting.code())
        host = await hosting.done()
        await host.link.send(b"hello")
        assert await asyncio.wait_for(guest.link.receive(), 30) == b"hello"
        await close(host, guest)
    assert any("Trying a TURN server over TCP" in sentence for sentence in said)


async def test_a_turn_server_of_ones_own_is_enough_on_one_side(turn: tuple[str, object], relay: str) -> None:
    own = Network((IceServer((f"turn:{turn[0]}",), *credentials()),), turn_only=True)
    hosting = Hosting(relay, network=own)
    guest = await enter(relay, await hosting.code())
    host = await hosting.done()
    assert (host.link.way, guest.link.way) == ("turn-udp", "turn-udp")
    await close(host, guest)


async def test_credentials_that_the_server_refuses_leave_no_path(turn: tuple[str, object], relay: str) -> None:
    wrong = Network((IceServer((f"turn:{turn[0]}",), "nobody", "nothing"),), turn_only=True)
    hosting = Hosting(relay, network=wrong)
    with pytest.raises(NoPath, match="TURN"):
        await enter(relay, await hosting.code(), network=wrong)
    assert isinstance(await hosting.failure(), NoPath)


DYING = """
import asyncio, os, signal, sys
from p2pball.net.background import settled
from p2pball.net.prepare import prepare
from p2pball.net.ways import Network, Way
from signaling.wire import IceServer

@settled
async def main():
    network = Network((IceServer((sys.argv[1],), sys.argv[2], sys.argv[3]),), turn_only=True)
    pair = [await prepare(Way.DIRECT, network) for _ in range(2)]
    await pair[0].accept(await pair[1].answer(await pair[0].offer()))
    links = await asyncio.gather(pair[0].connected("one", "two"), pair[1].connected("two", "one"))
    print(*[link.way for link in links], flush=True)
    os.kill(int(sys.argv[4]), signal.SIGSTOP)
    await links[0].close()

asyncio.run(main())
"""


async def test_a_turn_server_that_dies_holds_nobody_up_and_prints_nothing(
    turn: tuple[str, asyncio.subprocess.Process],
) -> None:
    """By itself the library would take a minute to close, and complain as the loop ends."""
    arguments = [f"turn:{turn[0]}", *credentials(), str(turn[1].pid)]
    run = await asyncio.create_subprocess_exec(
        sys.executable, "-c", DYING, *arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    out, err = await asyncio.wait_for(run.communicate(), 30)
    assert (out.split(), err, run.returncode) == ([b"turn-udp", b"turn-udp"], b"", 0)
