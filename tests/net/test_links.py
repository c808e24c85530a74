"""The memory link and its pipe: order, bounds, closing."""

from __future__ import annotations

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2pball.net.errors import LinkClosed
from p2pball.net.link import FRAME_LIMIT, Link
from p2pball.net.memory import memory_pair
from p2pball.net.pipe import Pipe


async def test_frames_arrive_whole_and_in_order_both_ways() -> None:
    ends: tuple[Link, Link] = memory_pair()
    for n in range(50):
        await ends[0].send(b"a%d" % n)
        await ends[1].send(b"b%d" % n)
    assert [await ends[1].receive() for _ in range(50)] == [b"a%d" % n for n in range(50)]
    assert [await ends[0].receive() for _ in range(50)] == [b"b%d" % n for n in range(50)]
    assert (ends[0].way, ends[0].rtt) == ("memory", None)


async def test_what_was_sent_before_the_close_is_still_received_then_both_ends_are_closed() -> None:
    a, b = memory_pair()
    await a.send(b"last")
    await a.close()
    assert await b.receive() == b"last"
    for end in (a, b):
        with pytest.raises(LinkClosed, match=r"other player is gone\.$"):
            await end.receive()
        with pytest.raises(LinkClosed):
            await end.send(b"x")
        await end.close()


async def test_a_sender_waits_for_a_reader_that_is_behind_and_goes_on_when_it_reads() -> None:
    a, b = memory_pair(backlog=2)
    await a.send(b"1")
    await a.send(b"2")
    waiting = asyncio.create_task(a.send(b"3"))
    await asyncio.sleep(0.01)
    assert not waiting.done()
    assert await b.receive() == b"1"
    await asyncio.wait_for(waiting, 30)
    assert [await b.receive(), await b.receive()] == [b"2", b"3"]


async def test_closing_wakes_a_waiting_sender_and_a_waiting_reader() -> None:
    a, b = memory_pair(backlog=1)
    await a.send(b"1")
    waiting = [asyncio.create_task(a.send(b"2")), asyncio.create_task(a.receive())]
    await asyncio.sleep(0.01)
    await b.close()
    done = await asyncio.wait_for(asyncio.gather(*waiting, return_exceptions=True), 30)
    assert all(isinstance(result, LinkClosed) for result in done)


async def test_a_cancelled_receive_loses_no_frame() -> None:
    a, b = memory_pair()
    reading = asyncio.create_task(b.receive())
    await asyncio.sleep(0)
    await a.send(b"kept")
    reading.cancel()
    await asyncio.gather(reading, return_exceptions=True)
    if reading.cancelled():
        assert await asyncio.wait_for(b.receive(), 30) == b"kept"


async def test_a_frame_over_the_limit_is_refused_here_and_not_sent() -> None:
    a, _ = memory_pair()
    await a.send(bytes(FRAME_LIMIT))
    with pytest.raises(ValueError, match="at most"):
        await a.send(bytes(FRAME_LIMIT + 1))


@given(st.lists(st.sampled_from(["offer", "get", "close"]), max_size=30))
def test_a_pipe_is_a_bounded_queue(actions: list[str]) -> None:
    async def play() -> None:
        pipe, model, closed = Pipe(3), [], False
        for n, action in enumerate(actions):
            match action:
                case "offer":
                    taken = pipe.offer(b"%d" % n)
                    assert taken == (len(model) < 3 and not closed)
                    if taken:
                        model.append(b"%d" % n)
                case "get" if model:
                    assert await pipe.get() == model.pop(0)
                case "get" if closed:
                    with pytest.raises(LinkClosed):
                        await pipe.get()
                case "close":
                    pipe.close()
                    closed = True

    asyncio.run(play())
