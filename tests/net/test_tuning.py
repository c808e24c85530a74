"""Guards: these fail when aioice or aiortc moves what `tuning` reaches into."""

from __future__ import annotations

import asyncio
import inspect
import subprocess
import sys
import time
from typing import TYPE_CHECKING, cast

import aioice.ice
import aioice.stun
import aiortc.rtcsctptransport
import pytest

from p2pball.net import tuning

if TYPE_CHECKING:
    from aiortc import RTCPeerConnection

DEFAULTS = """
import inspect, aioice.ice, aioice.stun, aiortc.rtcsctptransport as sctp
timeout = inspect.signature(aioice.ice.Connection.get_component_candidates).parameters["timeout"].default
print(aioice.stun.RETRY_RTO, sctp.SCTP_RTO_MIN, timeout, aioice.ice.get_host_addresses.__module__)
"""


def test_upstream_still_has_the_values_that_are_changed() -> None:
    run = subprocess.run([sys.executable, "-c", DEFAULTS], capture_output=True, text=True, check=True, timeout=60)
    assert run.stdout.split() == ["0.5", "1", "5", "aioice.ice"]


def test_the_values_are_changed() -> None:
    tuning.apply()
    assert aioice.stun.RETRY_RTO == 1.0
    assert aiortc.rtcsctptransport.SCTP_RTO_MIN == 0.2
    assert inspect.signature(aioice.ice.Connection.get_component_candidates).parameters["timeout"].default == 2


class Deaf:
    """Sends nowhere and counts."""

    def __init__(self) -> None:
        self.sent: list[float] = []

    def send_stun(self, message: aioice.stun.Message, addr: tuple[str, int]) -> None:
        self.sent.append(time.monotonic())


async def test_an_unanswered_consent_check_waits_as_long_as_the_constant_says() -> None:
    tuning.apply()
    request = aioice.stun.Message(aioice.stun.Method.BINDING, aioice.stun.Class.REQUEST)
    started = time.monotonic()
    with pytest.raises(aioice.stun.TransactionTimeout):
        await aioice.stun.Transaction(request, ("127.0.0.1", 9), Deaf(), retransmissions=0).run()
    assert 0.95 < time.monotonic() - started < 1.6


async def test_the_sctp_timer_may_fall_to_the_new_minimum() -> None:
    from aiortc import RTCPeerConnection

    tuning.apply()
    peer = RTCPeerConnection()
    peer.createDataChannel("x")
    assert peer.sctp is not None
    for _ in range(60):
        peer.sctp._update_rto(0.001)
    assert peer.sctp._rto == 0.2
    await peer.close()


async def test_a_silent_server_holds_gathering_for_two_seconds_and_no_more() -> None:
    tuning.apply()
    # Port 9 of a documentation address: nothing answers there.
    connection = aioice.ice.Connection(True, stun_server=("192.0.2.254", 9))
    started = time.monotonic()
    await connection.gather_candidates()
    assert 1.5 < time.monotonic() - started < 3.0
    assert connection.local_candidates
    await connection.close()


async def test_the_address_list_is_ours() -> None:
    tuning.apply()
    connection = aioice.ice.Connection(True)
    await connection.gather_candidates()
    assert "127.0.0.1" in {candidate.host for candidate in connection.local_candidates}
    await connection.close()


def test_the_transport_is_loaded_by_nobody_but_who_needs_it() -> None:
    modules = "p2pball.net.rendezvous, p2pball.net.memory, p2pball.net.embedded, sys"
    check = f"import {modules}; print([m for m in ('aiortc', 'av') if m in sys.modules])"
    run = subprocess.run([sys.executable, "-c", check], capture_output=True, text=True, check=True, timeout=60)
    assert run.stdout.strip() == "[]"


async def test_loading_the_transport_leaves_the_loop_free() -> None:
    check = """
import asyncio, time
from p2pball.net.prepare import load
async def main():
    loading = asyncio.ensure_future(load())
    ticks = 0
    while not loading.done():
        await asyncio.sleep(0.01)
        ticks += 1
    print(ticks)
asyncio.run(main())
"""
    run = await asyncio.create_subprocess_exec(sys.executable, "-c", check, stdout=asyncio.subprocess.PIPE)
    out, _ = await asyncio.wait_for(run.communicate(), 60)
    assert int(out) > 5


async def test_our_relayed_addresses_can_be_held_back_and_put_back() -> None:
    """Guards the three names of aioice's connection that this needs: protocols, pairing, the sorted check list."""
    from aioice.candidate import Candidate
    from aiortc import RTCConfiguration, RTCPeerConnection

    tuning.apply()
    peer = RTCPeerConnection(RTCConfiguration(iceServers=[]))
    peer.createDataChannel("x")
    await peer.setLocalDescription(await peer.createOffer())
    ice = tuning._ice(peer)
    assert ice._protocols
    ice._protocols[0].local_candidate.type = "relay"
    held = tuning.hold_relays(peer)
    assert [protocol.local_candidate.type for protocol in held] == ["relay"]
    assert not set(map(id, held)) & set(map(id, ice._protocols))
    await ice.add_remote_candidate(Candidate("1", 1, "udp", 1, "127.0.0.1", 9, "host"))
    before = len(ice._check_list)
    tuning.release_relays(peer, held)
    assert held[0] in ice._protocols
    assert len(ice._check_list) >= before
    assert tuning.nominated(peer) is None
    assert tuning.round_trip(peer) is None
    await peer.close()


async def ice_pair() -> tuple[aioice.ice.Connection, aioice.ice.Connection]:
    """Two connections that know each other's candidates."""
    ends = aioice.ice.Connection(True), aioice.ice.Connection(False)
    for end in ends:
        await end.gather_candidates()
    for end, other in (ends, ends[::-1]):
        end.remote_username, end.remote_password = other.local_username, other.local_password
        for candidate in other.local_candidates:
            await end.add_remote_candidate(candidate)
        await end.add_remote_candidate(None)
    return ends


class Peer:
    """As much of a peer connection as the tuning looks at."""

    def __init__(self, ice: aioice.ice.Connection) -> None:
        self.sctp = self.transport = self
        self._connection = ice


async def test_ice_is_done_with_the_check_that_succeeds(monkeypatch: pytest.MonkeyPatch) -> None:
    """However long the pause between two checks: here nobody would live to see the second."""
    tuning.apply()
    monkeypatch.setattr(tuning, "CHECK_SECONDS", 3600)
    ends = await ice_pair()
    for end in ends:
        tuning.end_with_the_check(cast("RTCPeerConnection", Peer(end)))
    await asyncio.wait_for(asyncio.gather(*(end.connect() for end in ends)), 30)
    assert all(end._nominated for end in ends)
    for end in ends:
        await end.close()


async def test_ice_without_a_pair_waits_for_the_addresses_still_to_come() -> None:
    tuning.apply()
    near, far = aioice.ice.Connection(True), aioice.ice.Connection(False)
    for end, other in ((near, far), (far, near)):
        await end.gather_candidates()
        end.remote_username, end.remote_password = other.local_username, other.local_password
        tuning.end_with_the_check(cast("RTCPeerConnection", Peer(end)))
    connecting = asyncio.gather(near.connect(), far.connect())
    await asyncio.sleep(0)
    for end, other in ((near, far), (far, near)):
        for candidate in other.local_candidates:
            await end.add_remote_candidate(candidate)
        await end.add_remote_candidate(None)
    await asyncio.wait_for(connecting, 30)
    for end in (near, far):
        await end.close()
