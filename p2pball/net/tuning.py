"""Every place where this project reaches into aioice and aiortc beyond their interface; tests guard each one.

Imported by the WebRTC transport alone, since importing it costs most of a second and 60 MB (connection 1).
"""

from __future__ import annotations

import asyncio
import contextlib

import aioice.ice
import aioice.stun
import aiortc.rtcdtlstransport
import aiortc.rtcsctptransport
from aiortc import RTCPeerConnection

from p2pball.net.addresses import host_addresses
from p2pball.net.background import in_background
from p2pball.net.errors import LinkClosed

RETRY_RTO = 1.0
"""Seconds an ICE check waits for its answer; aioice's 0.5 ends a healthy connection with a 600 ms round trip."""

SCTP_RTO_MIN = 0.2
"""Seconds before SCTP sends a lost packet again; aiortc's 1.0 is what a lost message would cost the player."""

GATHER_SECONDS = 2
"""How long servers may take to tell us our addresses; aioice's 5 would be waited in full for one that is gone."""

CHECK_SECONDS = 0.02
"""Seconds between the starts of two ICE checks (RFC 8445, section 14.2), as in aioice."""


def apply() -> None:
    """Set the constants and widen the address list; doing it twice changes nothing."""
    aioice.stun.RETRY_RTO = RETRY_RTO
    aiortc.rtcsctptransport.SCTP_RTO_MIN = SCTP_RTO_MIN  # type: ignore[assignment] # a float serves
    aioice.ice.Connection.get_component_candidates.__defaults__ = (GATHER_SECONDS,)
    aioice.ice.get_host_addresses = host_addresses


def end_with_the_check(peer: RTCPeerConnection) -> None:
    """Let ICE be done the moment a check succeeds.

    aioice starts the checks and sleeps between them in one loop, and looks only after the sleep whether one has
    succeeded: 20 ms on each side, one after the other. Here the loop runs beside it.
    """
    connection = _ice(peer)
    start_next = connection._check_periodic

    async def pace() -> None:
        while start_next():  # noqa: ASYNC110 -- it is a pace, and nothing is waited for
            await asyncio.sleep(CHECK_SECONDS)

    def begin() -> bool:
        if not connection._check_list:
            return start_next()  # nothing to pair yet: to wait for an outcome now would be to fail
        in_background(pace())
        return False

    connection._check_periodic = begin  # type: ignore[method-assign]  # on this connection alone


def answer_first(peer: RTCPeerConnection) -> None:
    """Acknowledge what came in a turn of the loop later, when whoever waited for it has had its own.

    aiortc acknowledges first, and both the answer that the other player waits for and the outcome shown here wait
    for that packet to be made, encrypted and sent.
    """
    assert peer.sctp is not None
    sctp = peer.sctp
    acknowledge = sctp._send_sack

    async def later() -> None:
        await asyncio.sleep(0)
        await acknowledge()

    sctp._send_sack = later  # type: ignore[method-assign]  # on this connection alone


def nominated(peer: RTCPeerConnection) -> tuple[str, tuple[str, int]] | None:
    """The pair in use: the kind of our candidate (host, srflx, relay), the other's address; None before ICE is done."""
    pair = _ice(peer)._nominated.get(1)
    return (pair.local_candidate.type, pair.remote_addr) if pair else None


def hold_relays(peer: RTCPeerConnection) -> list[aioice.ice.StunProtocol]:
    """Take our relayed addresses out of the connection for a while.

    aioice nominates the first pair that answers, whatever its priority, and through a TURN server near by that is
    often the relayed one although a direct path is there too.
    """
    connection = _ice(peer)
    held = [protocol for protocol in connection._protocols if protocol.local_candidate.type == "relay"]
    connection._protocols = [protocol for protocol in connection._protocols if protocol not in held]
    return held


def release_relays(peer: RTCPeerConnection, held: list[aioice.ice.StunProtocol]) -> None:
    """Put them back, pair them with all that is known of the other, and close them with the connection."""
    connection = _ice(peer)
    connection._protocols += held
    for candidate in connection.remote_candidates:
        connection._pair_remote_candidate(candidate)
    connection.sort_check_list()


def _ice(peer: RTCPeerConnection) -> aioice.ice.Connection:
    assert peer.sctp is not None
    return peer.sctp.transport.transport._connection


async def ask_again(peer: RTCPeerConnection) -> None:
    """Ask the STUN server again from every address, so that NATs keep the mappings that it told us."""
    connection = _ice(peer)
    if connection.stun_server is not None:
        for protocol in list(connection._protocols):
            if protocol.local_candidate.type == "host" and ":" not in protocol.local_candidate.host:
                with contextlib.suppress(aioice.stun.TransactionError, TimeoutError, OSError):
                    async with asyncio.timeout(GATHER_SECONDS):
                        await aioice.ice.server_reflexive_candidate(protocol, connection.stun_server)


def round_trip(peer: RTCPeerConnection) -> float | None:
    """SCTP's smoothed round trip in seconds, as it measures it with every message acknowledged."""
    assert peer.sctp is not None
    return peer.sctp._srtt


async def flush(peer: RTCPeerConnection) -> None:
    """Send now what the channels hold, as far as the window goes; raises LinkClosed when DTLS or ICE has ended.

    aiortc leaves it to a task that runs after everything due already: the other player waits until the front end has
    drawn and what came in meanwhile is acknowledged. It waits for nothing, so that no other sending comes in between.
    """
    assert peer.sctp is not None
    try:
        await peer.sctp._data_channel_flush()
    except (ConnectionError, aiortc.rtcdtlstransport.SSL.Error):  # type: ignore[attr-defined]  # OpenSSL as aiortc has it
        raise LinkClosed from None
