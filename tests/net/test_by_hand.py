"""Meeting over four pasted lines, and everyone who pastes the wrong one."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable

import pytest

from p2pball.net.by_hand import by_hand
from p2pball.net.errors import NoNetwork, NoPath, NoTurnServer
from p2pball.net.introduce import Introduction
from p2pball.net.ways import ANY_NETWORK, Network
from p2pball.protocol.meeting import Code, Meeting, Role, Tampered, WrongCode
from p2pball.protocol.meeting.lines import pack, unpack
from signaling.wire import IceServer

CODE = Code("4821", ("crisp", "wolf"))
Meddle = Callable[[int, str], list[str]]


class Chat:
    """Two players at two screens and a chat between them that may change lines; numbers count all lines."""

    def __init__(self, meddle: Meddle = lambda number, line: [line]) -> None:
        self.lines: list[str] = []
        self.said: dict[Role, list[str]] = {role: [] for role in Role}
        self._meddle = meddle
        self._inbox: dict[Role, asyncio.Queue[str]] = {role: asyncio.Queue() for role in Role}

    async def play(self, meeting: Meeting, network: Network = ANY_NETWORK) -> Introduction:
        role = meeting.role

        def show(line: str) -> None:
            self.lines.append(line)
            for passed in self._meddle(len(self.lines), line):
                self._inbox[role.other].put_nowait(passed)

        key = bytes([7 if role is Role.HOST else 8]) * 32
        met = by_hand(
            meeting, key, show=show, ask=self._inbox[role].get, report=self.said[role].append, network=network
        )
        return await asyncio.wait_for(met, 20)


async def both(chat: Chat, guest_code: Code = CODE) -> list[Introduction | BaseException]:
    """Both sides to their end; one that has nobody to wait for any more is stopped."""
    meetings = (
        Meeting.by_code(Role.HOST, CODE, secrets.token_bytes),
        Meeting.by_code(Role.GUEST, guest_code, secrets.token_bytes),
    )
    tasks = [asyncio.create_task(chat.play(meeting)) for meeting in meetings]
    await asyncio.wait(tasks, timeout=60, return_when=asyncio.FIRST_EXCEPTION)
    for task in tasks:
        if not task.done():
            task.cancel()
    return await asyncio.gather(*tasks, return_exceptions=True)


def introductions(results: list[Introduction | BaseException]) -> list[Introduction]:
    assert all(isinstance(result, Introduction) for result in results), results
    return [result for result in results if isinstance(result, Introduction)]


async def close(results: list[Introduction]) -> None:
    await asyncio.gather(*(met.link.close() for met in results))


async def test_four_short_lines_two_pastes_each_way() -> None:
    chat = Chat()
    host, guest = introductions(await both(chat))
    assert len(chat.lines) == 4
    assert max(map(len, chat.lines)) < 900
    assert (host.peer_key[0], guest.peer_key[0]) == (8, 7)
    assert (host.resume_secret, host.sas) == (guest.resume_secret, guest.sas)
    await host.link.send(b"hello")
    assert await asyncio.wait_for(guest.link.receive(), 30) == b"hello"
    assert not any("127.0.0.1" in line or "crisp" in line for line in chat.lines)
    await close([host, guest])


async def test_a_cut_game_goes_on_by_hand_too() -> None:
    chat = Chat()
    secret = bytes(range(32))
    meetings = [Meeting.by_secret(role, secret, secrets.token_bytes) for role in Role]
    results = await asyncio.gather(*(chat.play(meeting) for meeting in meetings))
    assert [met.resume_secret for met in results] == [secret, secret]
    await close(list(results))


async def test_a_wrong_code_is_found_by_the_host_before_it_offers_anything() -> None:
    chat = Chat()
    results = await both(chat, Code("4821", ("crisp", "zoo")))
    assert isinstance(results[0], WrongCode)
    assert len(chat.lines) == 2


async def test_clumsy_pastes_are_explained_and_asked_for_again() -> None:
    def clumsy(number: int, line: str) -> list[str]:
        own = chat.lines[number - 2] if number > 1 else ""
        older = [chat.lines[0]] if number == 3 else []
        return ["", "what?", line[:-9], own, *older, f"  {line[:30]}\n{line[30:]} "]

    chat = Chat(clumsy)
    await close(introductions(await both(chat)))
    said = [sentence for sentences in chat.said.values() for sentence in sentences]
    assert any("whole line" in sentence for sentence in said)
    assert any("your own line" in sentence for sentence in said)
    assert any("older line" in sentence for sentence in said)


@pytest.mark.parametrize(("number", "frame"), [(3, 1), (4, 0)])
async def test_a_chat_that_changes_a_sealed_line_is_found(number: int, frame: int) -> None:
    def meddle(count: int, line: str) -> list[str]:
        if count != number:
            return [line]
        frames = [bytearray(part) for part in unpack(line)]
        frames[frame][40] ^= 1
        return [pack([bytes(part) for part in frames])]

    results = await both(Chat(meddle))
    assert isinstance(results[1 if number == 3 else 0], Tampered)


async def test_a_chat_that_plays_the_guest_without_the_words_gets_nothing() -> None:
    evil = Meeting.by_code(Role.GUEST, Code("4821", ("abandon", "zoo")), secrets.token_bytes)

    def meddle(count: int, line: str) -> list[str]:
        if count == 1:
            (confirmation,), _ = evil.receive(unpack(line)[0])
            to_host.append(pack([evil.opening, confirmation]))
        return to_host if count == 2 else [line]

    to_host: list[str] = []
    results = await both(Chat(meddle))
    assert isinstance(results[0], WrongCode)


async def test_what_cannot_work_is_said_before_the_first_line(monkeypatch: pytest.MonkeyPatch) -> None:
    chat = Chat()
    meeting = Meeting.by_code(Role.HOST, CODE, secrets.token_bytes)
    with pytest.raises(NoTurnServer):
        await chat.play(meeting, Network(turn_only=True))
    monkeypatch.setattr("p2pball.net.by_hand.host_addresses", lambda: [])
    with pytest.raises(NoNetwork):
        await chat.play(meeting)
    assert chat.lines == []


async def test_a_guest_whose_last_line_is_never_pasted_is_told_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("p2pball.net.by_hand.PASTE_SECONDS", 1.0)
    _, guest = await both(Chat(lambda number, line: [line] if number < 4 else []))
    assert isinstance(guest, NoPath)
    assert "your host has not pasted your last line" in str(guest)


async def test_a_nats_mapping_is_kept_while_people_paste(monkeypatch: pytest.MonkeyPatch) -> None:
    """The STUN server is asked again and again from the same port, and the guest's ICE does not give up."""
    asked: list[tuple[str, int]] = []

    class Stun(asyncio.DatagramProtocol):
        def connection_made(self, transport: asyncio.BaseTransport) -> None:
            self.transport = transport

        def datagram_received(self, data: bytes, addr: tuple[str, int]) -> None:
            from aioice import stun

            request = stun.parse_message(data)
            asked.append(addr)
            reply = stun.Message(stun.Method.BINDING, stun.Class.RESPONSE, request.transaction_id)
            reply.attributes["XOR-MAPPED-ADDRESS"] = addr
            self.transport.sendto(bytes(reply), addr)  # type: ignore[attr-defined]

    loop = asyncio.get_running_loop()
    transport, _ = await loop.create_datagram_endpoint(Stun, local_addr=("127.0.0.1", 0))
    network = Network((IceServer((f"stun:127.0.0.1:{transport.get_extra_info('sockname')[1]}",)),))
    from p2pball.net import webrtc

    monkeypatch.setattr(webrtc, "MAPPING_SECONDS", 0.2)
    chat = Chat()

    async def paste_slowly() -> str:
        line = await chat._inbox[Role.HOST].get()
        await asyncio.sleep(1.5)
        return line

    meetings = [Meeting.by_code(role, CODE, secrets.token_bytes) for role in Role]
    host = asyncio.create_task(
        by_hand(
            meetings[0],
            bytes(32),
            show=lambda line: chat._inbox[Role.GUEST].put_nowait(line),
            ask=paste_slowly,
            report=chat.said[Role.HOST].append,
            network=network,
        )
    )
    guest = asyncio.create_task(chat.play(meetings[1], network))
    results = await asyncio.wait_for(asyncio.gather(host, guest), 20)
    transport.close()
    assert max(asked.count(address) for address in asked) >= 5
    await close(list(results))
