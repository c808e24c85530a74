"""Real peer connections on the loopback: opening, proofs, order, limits, hostile peers, closing."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from dataclasses import replace

import pytest
from aiortc.rtcsctptransport import Chunk, DataChunk, SackChunk

from p2pball.net import tuning, webrtc
from p2pball.net.errors import LinkClosed, NoNetwork, NoPath
from p2pball.net.link import FRAME_LIMIT
from p2pball.net.ways import Way
from p2pball.net.webrtc import Attempt, WebRtcLink

LIMIT = 20.0


async def attempts() -> tuple[Attempt, Attempt]:
    pair = Attempt(Way.DIRECT, ()), Attempt(Way.DIRECT, ())
    await asyncio.gather(*(attempt.gather() for attempt in pair))
    return pair


async def connect(host: Attempt, guest: Attempt) -> tuple[WebRtcLink, WebRtcLink]:
    await host.accept(await guest.answer(await host.offer()))
    opening = asyncio.gather(host.connected("one", "two"), guest.connected("two", "one"))
    return await asyncio.wait_for(opening, LIMIT)


@pytest.fixture
async def links() -> AsyncIterator[tuple[WebRtcLink, WebRtcLink]]:
    pair = await connect(*await attempts())
    yield pair
    await asyncio.gather(*(link.close() for link in pair))


async def test_frames_arrive_in_order_both_ways_and_the_proofs_are_no_frames(
    links: tuple[WebRtcLink, WebRtcLink],
) -> None:
    a, b = links
    for n in range(100):
        await a.send(b'{"n":%d}' % n)
        await b.send(b'{"m":%d}' % n)
    assert [await asyncio.wait_for(b.receive(), 30) for _ in range(100)] == [b'{"n":%d}' % n for n in range(100)]
    assert [await asyncio.wait_for(a.receive(), 30) for _ in range(100)] == [b'{"m":%d}' % n for n in range(100)]
    assert a.way == b.way == "direct"
    assert a.rtt is not None
    assert 0 < a.rtt < 1


async def test_a_burst_is_held_back_below_the_buffers_bound_and_arrives_whole(
    links: tuple[WebRtcLink, WebRtcLink],
) -> None:
    a, b = links
    frames = [b"%04d" % n * 2000 for n in range(60)]
    most = 0

    async def send() -> None:
        nonlocal most
        for frame in frames:
            await a.send(frame)
            most = max(most, a._channel.bufferedAmount)

    sending = asyncio.create_task(send())
    assert [await asyncio.wait_for(b.receive(), LIMIT) for _ in frames] == frames
    await sending
    assert most <= webrtc.BUFFER_BYTES


@pytest.mark.parametrize("sizes", [(7_000, 12_000), (FRAME_LIMIT, FRAME_LIMIT)])
async def test_large_frames_wait_until_the_way_is_free_and_no_longer(
    links: tuple[WebRtcLink, WebRtcLink], monkeypatch: pytest.MonkeyPatch, sizes: tuple[int, int]
) -> None:
    monkeypatch.setattr(webrtc, "FULL_SECONDS", 3.0)
    a, b = links
    frames = [b"x" * size for size in sizes * 4]

    async def send() -> None:
        for frame in frames:
            await a.send(frame)

    async def receive() -> list[bytes]:
        return [await b.receive() for _ in frames]

    sending, receiving = asyncio.create_task(send()), asyncio.create_task(receive())
    await asyncio.wait_for(sending, LIMIT)
    assert await asyncio.wait_for(receiving, LIMIT) == frames


async def test_a_frame_is_on_the_wire_when_send_returns(links: tuple[WebRtcLink, WebRtcLink]) -> None:
    a, b = links
    for n in range(3):
        await a.send(b"%d" % n)
        assert a._channel.bufferedAmount == 0, "it waits for a turn of the event loop"
    assert [await asyncio.wait_for(b.receive(), LIMIT) for _ in range(3)] == [b"0", b"1", b"2"]


async def test_an_answer_goes_ahead_of_the_acknowledgement_of_what_it_answers(
    links: tuple[WebRtcLink, WebRtcLink], monkeypatch: pytest.MonkeyPatch
) -> None:
    a, b = links
    await asyncio.sleep(0.1)  # what the opening leaves to be acknowledged is so
    sctp, sent, acknowledged = b._peer.sctp, [], asyncio.Event()
    assert sctp is not None
    send = sctp._send_chunk

    async def noted(chunk: Chunk) -> None:
        sent.append(type(chunk))
        await send(chunk)
        if isinstance(chunk, SackChunk):
            acknowledged.set()

    monkeypatch.setattr(sctp, "_send_chunk", noted)

    async def answer() -> None:
        await b.send(await b.receive())

    answering = asyncio.create_task(answer())
    await asyncio.sleep(0)
    await a.send(b"x")
    assert await asyncio.wait_for(a.receive(), LIMIT) == b"x"
    await asyncio.wait_for(asyncio.gather(acknowledged.wait(), answering), LIMIT)
    assert sent == [DataChunk, SackChunk]


async def test_a_link_whose_path_has_gone_says_so_when_asked_to_send(links: tuple[WebRtcLink, WebRtcLink]) -> None:
    a, _ = links
    tuning._ice(a._peer)._nominated.clear()
    with pytest.raises(LinkClosed):
        await a.send(b"x")


async def test_a_link_whose_encryption_has_ended_says_so_when_asked_to_send(
    links: tuple[WebRtcLink, WebRtcLink],
) -> None:
    a, _ = links
    assert a._peer.sctp is not None
    a._peer.sctp.transport._ssl.shutdown()  # as after a fatal alert, which leaves the transport's state as it was
    with pytest.raises(LinkClosed):
        await a.send(b"x")


async def test_what_was_sent_just_before_a_close_arrives(links: tuple[WebRtcLink, WebRtcLink]) -> None:
    a, b = links
    for n in range(50):
        await a.send(b"%d" % n)
    receiving = asyncio.gather(*(b.receive() for _ in range(50)))
    await a.close()
    assert await asyncio.wait_for(receiving, 30) == [b"%d" % n for n in range(50)]


async def test_a_polite_close_is_seen_at_once_and_a_closed_link_says_so(links: tuple[WebRtcLink, WebRtcLink]) -> None:
    a, b = links
    started = time.monotonic()
    await a.close()
    with pytest.raises(LinkClosed):
        await asyncio.wait_for(b.receive(), 30)
    assert time.monotonic() - started < 2
    for end in links:
        with pytest.raises(LinkClosed):
            await end.send(b"x")
        await end.close()


async def test_a_message_is_text_on_the_wire_and_bytes_are_understood_too(
    links: tuple[WebRtcLink, WebRtcLink],
) -> None:
    a, b = links
    heard: list[object] = []
    b._channel.on("message", heard.append)
    await a.send(b"text")
    assert await asyncio.wait_for(b.receive(), 30) == b"text"
    assert heard == ["text"]
    a._channel.send(b"\xff\x00")
    assert await asyncio.wait_for(b.receive(), 30) == b"\xff\x00"


async def test_invalid_text_from_a_hostile_peer_ends_the_link_and_nothing_else(
    links: tuple[WebRtcLink, WebRtcLink],
) -> None:
    from aiortc.rtcsctptransport import WEBRTC_STRING

    a, b = links
    await a._channel.transport._send(0, WEBRTC_STRING, b"\xff\xfe")
    with pytest.raises(LinkClosed):
        await asyncio.wait_for(b.receive(), 30)


@pytest.mark.parametrize("size", [FRAME_LIMIT + 1, 60_000])
async def test_a_frame_over_the_limit_from_the_peer_ends_the_link(
    links: tuple[WebRtcLink, WebRtcLink], size: int
) -> None:
    a, b = links
    a._channel.send(bytes(size))
    with pytest.raises(LinkClosed):
        await asyncio.wait_for(b.receive(), 30)


async def test_our_own_frame_over_the_limit_is_refused(links: tuple[WebRtcLink, WebRtcLink]) -> None:
    with pytest.raises(ValueError, match="at most"):
        await links[0].send(bytes(FRAME_LIMIT + 1))


async def test_a_peer_that_sends_more_than_anybody_reads_is_cut_off(links: tuple[WebRtcLink, WebRtcLink]) -> None:
    a, b = links
    b._incoming._backlog = 20
    for _ in range(21):
        await a.send(b"flood")
    # The other end is told as well; what came before can still be read.
    with pytest.raises(LinkClosed):
        await asyncio.wait_for(a.receive(), 30)
    assert [await b.receive() for _ in range(20)] == [b"flood"] * 20
    with pytest.raises(LinkClosed):
        await b.receive()


async def test_a_peer_that_takes_nothing_is_given_up(
    links: tuple[WebRtcLink, WebRtcLink], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(webrtc, "FULL_SECONDS", 0.5)

    async def deaf(data: bytes) -> None:
        """What a hostile peer does: it stays, and acknowledges nothing."""

    a, b = links
    monkeypatch.setattr(b._peer.sctp, "_handle_data", deaf)

    async def talk() -> None:
        for _ in range(2 * webrtc.BUFFER_BYTES // 1000):
            await a.send(b"x" * 1000)

    with pytest.raises(LinkClosed):
        await asyncio.wait_for(talk(), 60)


@pytest.mark.parametrize("liar", ["host", "guest"])
async def test_a_substituted_fingerprint_never_counts_as_connected(liar: str) -> None:
    host, guest = await attempts()
    offer = await host.offer()
    false = bytes(32)
    answer = await guest.answer(replace(offer, fingerprint=false) if liar == "host" else offer)
    await host.accept(replace(answer, fingerprint=false) if liar == "guest" else answer)
    opening = asyncio.gather(host.connected("one", "two"), guest.connected("two", "one"), return_exceptions=True)
    try:
        done = await asyncio.wait_for(opening, 2)
    except TimeoutError:
        done = []
    assert all(isinstance(result, NoPath) for result in done)
    host.give_up()
    guest.give_up()


async def test_a_peer_without_the_keys_of_the_meeting_is_no_partner() -> None:
    host, guest = await attempts()
    await host.accept(await guest.answer(await host.offer()))
    results = await asyncio.wait_for(
        asyncio.gather(host.connected("one", "two"), guest.connected("two", "other"), return_exceptions=True), LIMIT
    )
    assert isinstance(results[0], WebRtcLink)
    assert isinstance(results[1], NoPath)
    host.give_up()
    guest.give_up()


async def test_a_machine_without_a_network_is_told_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    import aioice.ice

    monkeypatch.setattr(aioice.ice, "get_host_addresses", lambda **_: [])
    attempt = Attempt(Way.DIRECT, ())
    with pytest.raises(NoNetwork, match="no network address"):
        await asyncio.wait_for(attempt.gather(), 30)
    attempt.give_up()


async def test_hiding_addresses_without_a_turn_server_that_answers_is_no_path() -> None:
    attempt = Attempt(Way.DIRECT, (), turn_only=True)
    with pytest.raises(NoPath):
        await asyncio.wait_for(attempt.gather(), 30)
    attempt.give_up()


async def test_closing_is_bounded_when_the_library_hangs(
    links: tuple[WebRtcLink, WebRtcLink], monkeypatch: pytest.MonkeyPatch
) -> None:
    a, _ = links
    forever = asyncio.Event()
    real = a._peer.close

    async def hanging() -> None:
        await forever.wait()
        await real()

    monkeypatch.setattr(a._peer, "close", hanging)
    started = time.monotonic()
    await a.close()
    assert time.monotonic() - started < 3
    forever.set()


async def test_connections_opened_and_closed_leave_nothing_behind() -> None:
    import gc

    async def once() -> None:
        pair = await connect(*await attempts())
        await asyncio.gather(*(link.close() for link in pair))

    async def settled() -> int:
        for _ in range(20):
            await asyncio.sleep(0.05)
            if len(asyncio.all_tasks()) == 1:
                break
        gc.collect()
        return sum(isinstance(thing, WebRtcLink | Attempt) for thing in gc.get_objects())

    before = await settled()
    for _ in range(10):
        await once()
    assert await settled() == before
    assert len(asyncio.all_tasks()) == 1
