"""Every place where this project reaches into aioice and aiortc beyond their interface; tests guard each one.

Imported by the WebRTC transport alone, since importing it costs most of a second and 60 MB (connection 1).
"""

from __future__ import annotations

import asyncio
import contextlib

import aioice.ice
import aioice.stun
import aiortc.rtcsctptransport
from aiortc import RTCPeerConnection

from p2pball.net.addresses import host_addresses

RETRY_RTO = 1.0
"""Seconds an ICE check waits for its answer; aioice's 0.5 ends a healthy connection with a 600 ms round trip."""

SCTP_RTO_MIN = 0.2
"""Seconds before SCTP sends a lost packet again; aiortc's 1.0 is what a lost message would cost the player."""

GATHER_SECONDS = 2
"""How long servers may take to tell us our addresses; aioice's 5 would be waited in full for one that is gone."""


def apply() -> None:
    """Set the constants and widen the address list; doing it twice changes nothing."""
    aioice.stun.RETRY_RTO = RETRY_RTO
    aiortc.rtcsctptransport.SCTP_RTO_MIN = SCTP_RTO_MIN  # type: ignore[assignment] # a float serves
    aioice.ice.Connection.get_component_candidates.__defaults__ = (GATHER_SECONDS,)
    aioice.ice.get_host_addresses = host_addresses


def nominated(peer: RTCPeerConnection) -> tuple[str, str] | None:
    """The kinds (host, srflx, prflx, relay) of the local and remote candidate in use; None before ICE is done."""
    assert peer.sctp is not None
    pair = peer.sctp.transport.transport._connection._nominated.get(1)
    return (pair.local_candidate.type, pair.remote_candidate.type) if pair else None


async def ask_again(peer: RTCPeerConnection) -> None:
    """Ask the STUN server again from every address, so that NATs keep the mappings that it told us."""
    assert peer.sctp is not None
    connection = peer.sctp.transport.transport._connection
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
