"""The WebRTC transport: attempts at a peer connection, and the link that comes of one; the one module with aiortc.

Importing it loads aiortc: most of a second, 60 MB. `rendezvous` does so in a thread while the partner is awaited.
Each attempt is a connection of its own, since aiortc restarts neither ICE nor a failed session (connection 1).
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from aiortc import (
    RTCConfiguration,
    RTCIceServer,
    RTCIceTransportPolicy,
    RTCPeerConnection,
    RTCSessionDescription,
)
from aiortc.sdp import candidate_from_sdp

from p2pball.net import tuning
from p2pball.net.background import in_background
from p2pball.net.errors import LinkClosed, NoNetwork, NoPath
from p2pball.net.link import FRAME_LIMIT
from p2pball.net.pipe import Pipe
from p2pball.net.sdp import candidate_text, describe, render
from p2pball.net.ways import Way
from p2pball.protocol.meeting.letters import Candidate, Description
from signaling.wire import IceServer

tuning.apply()

LABEL = "p2pball"
CLOSE_SECONDS = 2.0
MAPPING_SECONDS = 10.0
RELAY_SECONDS = 1.5
"""The start that direct paths have over relayed ones: a round trip of 0.6 s and one packet lost."""
BUFFER_BYTES = 16_000
FULL_SECONDS = 10.0
"""How long the way may stay full: a peer that takes nothing is as far away as one that says nothing (connection 1)."""


class Attempt:
    """One try at one way: gather, exchange descriptions, wait until the channel is open; then it becomes a link."""

    def __init__(self, way: Way, servers: Sequence[IceServer], turn_only: bool = False) -> None:
        """Needs a running loop. `servers`: at most one STUN and one TURN server, as `Network.servers_for` gives."""
        self.way = way
        self._turn_only = turn_only
        self._asked = bool(servers)
        self._patient = self._open_ended = False
        self._later: list[Candidate] = []
        self._their_relays: set[tuple[str, int]] = set()
        self._held: list[Any] = []
        self.deaf = False
        """Whether servers were asked for our addresses and none answered: UDP is most likely blocked."""
        self._incoming = Pipe()
        self._opened: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._drained = asyncio.Event()
        policy = RTCIceTransportPolicy.RELAY if turn_only else RTCIceTransportPolicy.ALL
        ice = [RTCIceServer(list(server.urls), server.username, server.credential) for server in servers]
        # Servers are always named: an empty list is none, where no list would mean a stranger's.
        self._peer = RTCPeerConnection(RTCConfiguration(iceServers=ice, iceTransportPolicy=policy))
        # Handlers are there before anything is awaited, or the first messages are lost without a word.
        self._peer.on("connectionstatechange", self._state_changed)
        self._channel = self._peer.createDataChannel(LABEL, ordered=True, negotiated=True, id=0)
        tuning.end_with_the_check(self._peer)
        tuning.answer_first(self._peer)
        self._channel.on("open", self._on_open)
        self._channel.on("message", self._on_message)
        self._channel.on("bufferedamountlow", self._drained.set)
        self._channel.on("close", self._lost)
        self._channel.on("error", lambda _: self._lost())

    async def gather(self) -> None:
        """Find our addresses; both sides do so at once and before any offer.

        Without any, ICE would wait for ever and say nothing: raises NoNetwork, or NoPath when only TURN was asked.
        """
        assert self._peer.sctp is not None
        gatherer = self._peer.sctp.transport.transport.iceGatherer
        await gatherer.gather()
        found = gatherer.getLocalCandidates()
        if not found:
            raise NoPath if self._turn_only else NoNetwork
        self.deaf = self._asked and all(candidate.type == "host" for candidate in found)

    async def offer(self) -> Description:
        """The host's half."""
        await self._peer.setLocalDescription(await self._peer.createOffer())
        return describe(self._peer.localDescription.sdp)

    async def answer(self, offer: Description, patient: bool = False) -> Description:
        """The guest's half; `patient` when the host may take minutes to read it, so that ICE does not give up."""
        self._patient = patient
        await self._hear(offer, "offer")
        await self._peer.setLocalDescription(await self._peer.createAnswer())
        return describe(self._peer.localDescription.sdp)

    async def accept(self, answer: Description) -> None:
        """Give the host the guest's half."""
        await self._hear(answer, "answer")

    async def keep_mappings(self) -> None:
        """While people paste: a NAT forgets an address that is not used for half a minute. Runs until cancelled."""
        while True:
            await asyncio.sleep(MAPPING_SECONDS)
            await tuning.ask_again(self._peer)

    async def connected(self, proof: str, expected: str) -> WebRtcLink:
        """Wait until the channel is open and the peer has shown that it holds the meeting's keys.

        With a wrong fingerprint one side still calls itself connected; only what was heard counts. Raises NoPath.
        """
        relays = asyncio.ensure_future(self._relays_later())
        try:
            await self._opened
        finally:
            relays.cancel()
            self._release()
        self._channel.send(proof)
        try:
            heard = await self._incoming.get()
        except LinkClosed as error:
            raise NoPath from error
        if heard != expected.encode():
            raise NoPath
        return WebRtcLink(self._peer, self._channel, self._incoming, self._drained, self._chosen())

    def _chosen(self) -> str:
        """Which way ICE chose; the other's relayed address may have been met before it was told (peer reflexive)."""
        kind, address = tuning.nominated(self._peer) or ("", ("", 0))
        if kind != "relay" and address not in self._their_relays:
            return "direct"
        return "turn-tcp" if self.way is Way.TURN_TCP else "turn-udp"

    async def _hear(self, theirs: Description, kind: str) -> None:
        """Give ICE the other's half: without relayed addresses on either side at first, when there is a choice."""
        relays = [one for one in theirs.candidates if one.kind == "relay"]
        self._their_relays = {(one.ip, one.port) for one in relays}
        choice = self.way is Way.DIRECT and not self._turn_only and len(relays) < len(theirs.candidates)
        self._later = relays if choice else []
        self._held = tuning.hold_relays(self._peer) if choice else []
        self._open_ended = self._patient or bool(self._later or self._held)
        now = replace(theirs, candidates=tuple(one for one in theirs.candidates if one not in self._later))
        await self._peer.setRemoteDescription(RTCSessionDescription(render(now, self._open_ended), kind))

    async def _relays_later(self) -> None:
        if not self._open_ended:
            return
        await asyncio.sleep(RELAY_SECONDS)
        self._release()
        for one in self._later:
            candidate = candidate_from_sdp(candidate_text(one))
            candidate.sdpMid = "0"
            await self._peer.addIceCandidate(candidate)
        if not self._patient:
            await self._peer.addIceCandidate(None)

    def _release(self) -> None:
        tuning.release_relays(self._peer, self._held)
        self._held = []

    def give_up(self) -> None:
        """Close in the background: with a TURN server gone it takes a minute, which is nobody's business."""
        self._release()
        in_background(close_peer(self._peer))

    def _on_open(self) -> None:
        if not self._opened.done():
            self._opened.set_result(None)

    def _on_message(self, message: str | bytes) -> None:
        frame = message.encode() if isinstance(message, str) else message
        # A peer that sends more than anybody reads is cut off here; there is no way to slow it down.
        if len(frame) > FRAME_LIMIT or not self._incoming.offer(frame):
            self._lost()
            self.give_up()

    def _state_changed(self) -> None:
        if self._peer.connectionState in ("failed", "closed"):
            self._lost()

    def _lost(self) -> None:
        self._incoming.close()
        self._drained.set()
        if not self._opened.done():
            self._opened.set_exception(NoPath())
            self._opened.exception()  # read, so that nobody is told of an exception that nobody awaited


class WebRtcLink:
    """An open data channel; made by `Attempt.connected`."""

    def __init__(self, peer: RTCPeerConnection, channel: Any, incoming: Pipe, drained: asyncio.Event, way: str) -> None:
        self._peer = peer
        self._channel = channel
        self._incoming = incoming
        self._drained = drained
        self._way = way

    @property
    def way(self) -> str:
        """Which path ICE chose: "direct", "turn-udp" or "turn-tcp"."""
        return self._way

    @property
    def rtt(self) -> float | None:
        """SCTP's round trip in seconds."""
        return tuning.round_trip(self._peer)

    async def send(self, data: bytes) -> None:
        """Send one text message (fair-play 3), keeping less than 16 kB buffered."""
        if len(data) > FRAME_LIMIT:
            raise ValueError(f"a frame has at most {FRAME_LIMIT} bytes, not {len(data)}")
        text = data.decode()
        # Nothing else buffered is always room enough, and the one thing that the channel tells of.
        while not self._incoming.closed and self._channel.bufferedAmount > max(0, BUFFER_BYTES - len(data)):
            self._drained.clear()
            try:
                async with asyncio.timeout(FULL_SECONDS):
                    await self._drained.wait()
            except TimeoutError:
                raise LinkClosed from None
        if self._incoming.closed or self._channel.readyState != "open":
            raise LinkClosed
        self._channel.send(text)
        await tuning.flush(self._peer)

    async def receive(self) -> bytes:
        """The next message, as bytes."""
        return await self._incoming.get()

    async def close(self) -> None:
        """Drain, then close; what the bound cuts off goes on in the background."""
        deadline = asyncio.get_running_loop().time() + CLOSE_SECONDS
        while self._channel.bufferedAmount and not self._incoming.closed:
            if asyncio.get_running_loop().time() > deadline:
                break
            await asyncio.sleep(0.01)
        self._incoming.close()
        await close_peer(self._peer)


async def close_peer(peer: RTCPeerConnection) -> None:
    """Close within two seconds or leave the rest to the loop's end (connection 1: up to 63 s)."""
    closing = in_background(peer.close())
    await asyncio.wait({closing}, timeout=CLOSE_SECONDS)
