"""One of the two processes of the benches `connect` and `pitch`: does what it is told in JSON lines on stdin.

Each command is {"do": NAME, ...} and each answer one JSON object; `host` answers with its code first, and goes on.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from statistics import median
from typing import Any

from aiortc import RTCConfiguration, RTCPeerConnection, RTCSessionDescription

from p2pball.ballgame import Ballgame, hello_body
from p2pball.clubhouse.games import GameFolder, GameInfo, create_game
from p2pball.computer.levels import Level
from p2pball.engine.ledger import Transition
from p2pball.engine.moves import Choice, PlayCard
from p2pball.engine.terms import Rules, Terms
from p2pball.engine.view import View
from p2pball.net.background import settle
from p2pball.net.sdp import describe, render
from p2pball.net.ways import Way
from p2pball.net.webrtc import Attempt, WebRtcLink
from p2pball.protocol.meeting import parse
from p2pball.protocol.meeting.letters import Offer as Letter
from p2pball.protocol.meeting.letters import read, write
from p2pball.scorebook.teams import team_to_dict
from p2pball.session import Controls, Session, answer, propose
from p2pball.ui.online import host_game, join_game
from p2pball.ui.options import Options, Purse, default_team, default_terms
from p2pball.ui.places import Where
from p2pball.ui.seats import Computer

DICE = default_terms(Rules.DICE, home="guest")
CARDS = default_terms(Rules.CARDS, home="guest", innings=9)


def say(**fields: Any) -> None:
    print(json.dumps(fields), flush=True)


class Prober(Computer):
    """A rookie that notes when it is first asked, and how long each pitch takes from its lock to the outcome."""

    def __init__(self, stop_at_prompt: bool = False, pitches: int = 0, link: Counting | None = None) -> None:
        super().__init__(Level.ROOKIE)
        self.sizes: list[tuple[int, int]] = []
        self._link, self._before = link, (0, 0)
        self.asked: float | None = None
        self.times: list[float] = []
        self._stop_at_prompt, self._pitches = stop_at_prompt, pitches
        self._locked: float | None = None

    def seated(self, ballgame: Ballgame, controls: Controls) -> None:
        super().seated(ballgame, controls)
        self._controls = controls

    async def choose(self, view: View, moves: tuple[Choice, ...], seconds: float | None) -> Choice:
        self.asked = self.asked or time.perf_counter()
        if self._stop_at_prompt or (self._pitches and len(self.times) >= self._pitches):
            self._controls.leave()
            await asyncio.Event().wait()
        choice = await super().choose(view, moves, seconds)
        if self._link:
            self._before = self._link.sent, self._link.heard
        self._locked = time.perf_counter() if isinstance(choice, PlayCard) else None
        return choice

    def show(self, transitions: tuple[Transition, ...]) -> None:
        if transitions and self._locked is not None:
            self.times.append(time.perf_counter() - self._locked)
            self._locked = None
            if self._link:
                self.sizes.append((self._link.sent - self._before[0], self._link.heard - self._before[1]))

    def room(self, code: str, relay: str, join: str) -> None:
        say(code=code)

    def meeting(self, again: object) -> None:
        return

    async def again(self) -> bool:
        return False


class Counting:
    """A link that adds up the bytes of text that pass, and is otherwise the link."""

    def __init__(self, link: WebRtcLink) -> None:
        self._link = link
        self.way, self.rtt = link.way, None
        self.sent = self.heard = 0

    async def send(self, data: bytes) -> None:
        self.sent += len(data)
        await self._link.send(data)

    async def receive(self) -> bytes:
        data = await self._link.receive()
        self.heard += len(data)
        return data

    async def close(self) -> None:
        await self._link.close()


class Bare:
    """aiortc alone: one negotiated channel."""

    def __init__(self) -> None:
        self.peer = RTCPeerConnection(RTCConfiguration(iceServers=[]))
        self.channel = self.peer.createDataChannel("bare", negotiated=True, id=0)
        self.opened = asyncio.Event()
        self.heard: asyncio.Queue[Any] = asyncio.Queue()
        self.channel.on("open", self.opened.set)
        self.channel.on("message", self.heard.put_nowait)


class Player:
    """The commands; `self.role` is host or guest."""

    def __init__(self, role: str) -> None:
        self.role = role
        self.bare: Bare | None = None
        self.attempt: Attempt | None = None
        self.link: Any = None
        self.hosting: asyncio.Task[Any] | None = None

    async def do(self, command: dict[str, Any]) -> None:
        """Carry one command out and answer it."""
        answered = await getattr(self, command.pop("do").replace("-", "_"))(**command)
        if answered is not None:
            say(**answered)

    # A connection, bare or ours, by descriptions that the parent carries and may change.

    async def bare_offer(self) -> dict[str, Any]:
        self.bare = Bare()
        await self.bare.peer.setLocalDescription(await self.bare.peer.createOffer())
        return self._told(describe(self.bare.peer.localDescription.sdp))

    async def bare_answer(self, letter: str) -> dict[str, Any]:
        self.bare = Bare()
        await self.bare.peer.setRemoteDescription(RTCSessionDescription(self._text(letter), "offer"))
        await self.bare.peer.setLocalDescription(await self.bare.peer.createAnswer())
        return self._told(describe(self.bare.peer.localDescription.sdp))

    async def bare_accept(self, letter: str) -> dict[str, Any]:
        assert self.bare
        await self.bare.peer.setRemoteDescription(RTCSessionDescription(self._text(letter), "answer"))
        return {}

    async def bare_opened(self) -> dict[str, Any]:
        assert self.bare
        await asyncio.wait_for(self.bare.opened.wait(), 20)
        return {}

    async def bare_close(self) -> dict[str, Any]:
        assert self.bare
        await self.bare.peer.close()
        return {}

    async def link_offer(self) -> dict[str, Any]:
        self.attempt = Attempt(Way.DIRECT, ())
        await self.attempt.gather()
        return self._told(await self.attempt.offer())

    async def link_answer(self, letter: str) -> dict[str, Any]:
        self.attempt = Attempt(Way.DIRECT, ())
        await self.attempt.gather()
        return self._told(await self.attempt.answer(self._letter(letter).description))

    async def link_accept(self, letter: str) -> dict[str, Any]:
        assert self.attempt
        await self.attempt.accept(self._letter(letter).description)
        return {}

    async def link_opened(self) -> dict[str, Any]:
        assert self.attempt
        proofs = ("one", "two") if self.role == "host" else ("two", "one")
        self.link = Counting(await asyncio.wait_for(self.attempt.connected(*proofs), 20))
        return {}

    async def link_close(self) -> dict[str, Any]:
        await self.link.close()
        return {}

    def _told(self, description: Any) -> dict[str, Any]:
        return {"letter": write(Letter("direct", bytes(32), description)).decode()}

    def _letter(self, text: str) -> Letter:
        letter = read(text.encode())
        assert isinstance(letter, Letter)
        return letter

    def _text(self, letter: str) -> str:
        return render(self._letter(letter).description)

    # What is measured over it.

    async def ping(self, rounds: int, ping: int, pong: int) -> dict[str, Any] | None:
        """The guest's round trips in seconds: `ping` bytes in two messages, like commit and reveal, for `pong`."""
        assert self.bare
        times = []
        for _ in range(rounds):
            started = time.perf_counter()
            if self.role == "guest":
                self.bare.channel.send("x" * (ping // 2))
                self.bare.channel.send("x" * (ping - ping // 2))
                await asyncio.wait_for(self.bare.heard.get(), 20)
            else:
                await asyncio.wait_for(self.bare.heard.get(), 20)
                await asyncio.wait_for(self.bare.heard.get(), 20)
                self.bare.channel.send("y" * pong)
            times.append(time.perf_counter() - started)
        return {"times": times}

    async def key(self) -> dict[str, Any]:
        """A fresh identity for the next game; its public key in hex."""
        self.purse = Purse.fresh()
        return {"key": self.purse.public.hex()}

    async def pitches(self, count: int, peer: str) -> dict[str, Any]:
        """Play cards over the open link; the guest locks second, and stops after so many outcomes.

        `times`: seconds from its lock to the outcome; `sent` and `heard`: the median bytes that passed meanwhile.
        """
        prober = Prober(pitches=count if self.role == "guest" else 0, link=self.link)
        with create_game(self._info(), self.purse.master, resume_secret=bytes(32)) as folder:
            ballgame = await self._seated(folder, prober, bytes.fromhex(peer))
            session = Session(ballgame, folder.journal, prober, after_rival=self.role == "guest")
            prober.seated(ballgame, session)
            await session.run(self.link)
        if self.role == "guest":
            await self.link.close()
        sizes = prober.sizes or [(0, 0)]
        return {"times": prober.times, "sent": median(a for a, _ in sizes), "heard": median(b for _, b in sizes)}

    async def _seated(self, folder: GameFolder, prober: Prober, peer: bytes) -> Ballgame:
        team, purse = team_to_dict(default_team(first=self.role == "host")), self.purse
        if self.role == "host":
            ballgame = Ballgame.propose(purse.secrets, hello_body(purse.secrets, "Host", team, purse.nonce, CARDS))
            await propose(self.link, ballgame, folder.journal, peer)
            return ballgame

        def body(terms: dict[str, Any]) -> dict[str, Any]:
            return hello_body(purse.secrets, "Guest", team, purse.nonce, Terms.from_json(terms))

        return await answer(self.link, purse.secrets, peer, prober, body, folder.journal)

    def _info(self) -> GameInfo:
        return GameInfo(seat=self.role, kind="online", rules="cards", started="2026-01-01T00:00:00+00:00")

    # A whole meeting.

    async def host(self, relay: str) -> None:
        """Host a game in the background; says its code."""
        options = Options(DICE, "Host", default_team(first=True))
        self.hosting = asyncio.ensure_future(host_game(options, Where(relay), Prober()))
        self.hosting.add_done_callback(lambda task: task.cancelled() or task.result())

    async def host_ended(self) -> dict[str, Any]:
        """Stop what `host` began."""
        assert self.hosting
        self.hosting.cancel()
        await asyncio.gather(self.hosting, return_exceptions=True)
        return {}

    async def join(self, relay: str, code: str) -> dict[str, Any]:
        """Seconds from joining to the first prompt."""
        prober = Prober(stop_at_prompt=True)
        options = Options(DICE, "Guest", default_team(first=False))
        started = time.perf_counter()
        await join_game(parse(code), options, Where(relay), prober)
        assert prober.asked
        return {"seconds": prober.asked - started}


async def main(role: str) -> None:
    """Obey until stdin ends."""
    player = Player(role)
    while line := await asyncio.to_thread(sys.stdin.readline):
        await player.do(json.loads(line))
    await settle()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
