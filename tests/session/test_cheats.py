"""A partner who cheats in mid-session: the proof is the last line of the record, and names the right seat."""

from __future__ import annotations

import asyncio

import pytest

from p2pball.engine.terms import Seat
from p2pball.net.link import Link
from p2pball.net.memory import memory_pair
from p2pball.protocol.messages import Message, compose, parse_frame
from p2pball.session import Ended
from p2pball.verify import Verdict, verify
from tests.duet import CARDS, DICE
from tests.session.table import Table


class Forger:
    """The guest's link, which changes the first message of a type on its way out and signs it anew."""

    def __init__(self, table: Table, link: Link, kind: str, **changes: object) -> None:
        self._sign = table.duet.secrets[Seat.GUEST].sign
        self._link, self._kind, self._changes = link, kind, changes
        self.way, self.rtt = link.way, link.rtt

    async def send(self, data: bytes) -> None:
        message = parse_frame(data)
        if isinstance(message, Message) and message.type == self._kind and self._changes:
            body, self._changes = {**message.body, **self._changes}, {}
            data = compose(
                self._sign,
                game=message.game,
                seat=message.seat,
                seq=message.seq,
                prev=message.prev,
                ack=message.ack,
                kind=message.type,
                body=body,
            ).frame
        await self._link.send(data)

    async def receive(self) -> bytes:
        return await self._link.receive()

    async def close(self) -> None:
        await self._link.close()


@pytest.mark.parametrize(
    ("kind", "changes", "cheat"),
    [
        ("reveal", {"nonce": "ab" * 32}, "bad opening"),
        ("reveal", {"action": {"pass": False}}, "bad opening"),
        ("commit", {"chain": "ab" * 32}, "wrong chain"),
        ("commit", {"round": 7}, "illegal action"),
        ("final", {"result": {"winner": "guest", "home": 0, "visitors": 99}}, "illegal action"),
    ],
)
@pytest.mark.parametrize("terms", [DICE, CARDS])
async def test_a_cheat_stops_the_game_and_is_proved(terms: object, kind: str, changes: object, cheat: str) -> None:
    table = Table(terms)  # type: ignore[arg-type]
    links: dict[Seat, Link] = dict(zip(Seat, memory_pair(), strict=True))
    links[Seat.GUEST] = Forger(table, links[Seat.GUEST], kind, **changes)  # type: ignore[arg-type]
    ended = await asyncio.wait_for(table.run(links), 60)
    assert ended[Seat.HOST] is Ended.CHEATED
    report = verify(table.record(Seat.HOST))
    assert report.verdict is Verdict.CHEAT
    assert report.to_json() == {"verdict": "CHEAT", "seat": "guest", "cheat": cheat}
    assert 2 <= len(report.lines) <= 4
    assert report.lines[-1] == len(table.journals[Seat.HOST].frames)
    assert table.sessions[Seat.HOST].why.startswith(f"{cheat} by the guest")
