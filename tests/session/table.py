"""Two sessions at one memory link, each with a real ballgame, a real journal in memory, and somebody to choose."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from p2pball.ballgame import Ballgame
from p2pball.engine.ledger import Transition
from p2pball.engine.moves import Choice
from p2pball.engine.terms import Seat, Terms
from p2pball.engine.view import View
from p2pball.net.errors import LinkClosed
from p2pball.net.link import Link
from p2pball.net.memory import memory_pair
from p2pball.protocol.messages import Message
from p2pball.session import Controls, Ended, Session
from tests.duet import DICE, Duet, message, secrets


class Lines:
    """A journal in memory."""

    def __init__(self) -> None:
        self.frames: list[bytes] = []

    def append(self, frames: Sequence[bytes]) -> None:
        self.frames += frames


@dataclass
class Player:
    """A front end that chooses at random, and remembers all it was told."""

    seed: int = 0
    told: list[Transition] = field(default_factory=list)
    heard: list[str] = field(default_factory=list)
    notices: list[str] = field(default_factory=list)
    links: list[tuple[str, float | None, float]] = field(default_factory=list)
    thinks: float = 0.0
    stops_after: int = 1_000_000
    controls: Controls | None = None
    on_choice: Callable[[View], None] = lambda _view: None
    choices: int = 0
    stopped: asyncio.Event = field(default_factory=asyncio.Event)

    def seated(self, ballgame: Ballgame, controls: Controls) -> None:
        self.controls = controls

    async def accepts(self, hello: Message) -> bool:
        return True

    async def choose(self, view: View, moves: tuple[Choice, ...], seconds: float | None) -> Choice:
        self.choices += 1
        self.on_choice(view)
        if self.choices > self.stops_after:
            self.stopped.set()
        if self.thinks or self.choices > self.stops_after:
            await asyncio.sleep(self.thinks or 3600)
        return random.Random(f"{self.seed}{view.state}").choice(moves)

    def show(self, transitions: tuple[Transition, ...]) -> None:
        self.told += transitions

    def chat(self, text: str) -> None:
        self.heard.append(text)

    def link(self, way: str, rtt: float | None, silent: float) -> None:
        self.links.append((way, rtt, silent))

    def notice(self, text: str) -> None:
        self.notices.append(text)


class Table:
    """Host and guest, both hellos exchanged, ready to run."""

    def __init__(self, terms: Terms = DICE, *, clock: float = 0) -> None:
        self.duet = Duet(terms)
        self.duet.wire[Seat.HOST].clear()
        guest_hello = self.duet.disk[Seat.GUEST][1]
        self.journals = {seat: Lines() for seat in Seat}
        for seat in Seat:
            self.journals[seat].append(self.duet.disk[seat])
        self.players = {seat: Player(seed=n) for n, seat in enumerate(Seat)}
        # The guest's first words after its hello are made again by its session.
        self.duet.games[Seat.HOST].receive(message(guest_hello))
        for line in self.duet.disk[Seat.GUEST][2:]:
            self.duet.games[Seat.HOST].receive(message(line))
        self.sessions = {
            seat: Session(self.duet.games[seat], self.journals[seat], self.players[seat], clock=clock) for seat in Seat
        }
        for seat in Seat:
            self.players[seat].seated(self.duet.games[seat], self.sessions[seat])

    async def run(self, links: dict[Seat, Link] | None = None, *, resume: bool = False) -> dict[Seat, Ended]:
        """Run both sessions over a pair of links."""
        if links is None:
            links = dict(zip(Seat, memory_pair(), strict=True))
        ended = await asyncio.gather(*(self._run(seat, links[seat], resume=resume) for seat in Seat))
        return dict(zip(Seat, ended, strict=True))

    async def _run(self, seat: Seat, link: Link, *, resume: bool) -> Ended:
        ended = await self.sessions[seat].run(link, resume=resume)
        if ended is not Ended.FINISHED:
            await link.close()
        return ended

    def record(self, seat: Seat) -> bytes:
        """A seat's record."""
        return b"".join(line + b"\n" for line in self.journals[seat].frames)


class Cut:
    """A link that breaks after so many frames in or out."""

    def __init__(self, link: Link, frames: int) -> None:
        self._link, self._frames = link, frames
        self.way, self.rtt = link.way, link.rtt

    async def _one(self) -> None:
        self._frames -= 1
        if self._frames < 0:
            await self._link.close()
            raise LinkClosed

    async def send(self, data: bytes) -> None:
        await self._one()
        await self._link.send(data)

    async def receive(self) -> bytes:
        frame = await self._link.receive()
        await self._one()
        return frame

    async def close(self) -> None:
        await self._link.close()


__all__ = ["Cut", "Lines", "Player", "Table", "secrets"]
