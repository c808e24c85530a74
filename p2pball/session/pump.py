"""The pump: one seat's ballgame between a link, a journal, a clock and a front end.

It hands the ballgame what comes in and has what is new stored, sent and shown, asks the front end
when a choice is due, answers heartbeats, and says how play over a link ended. What to do then is
its caller's.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Coroutine
from contextlib import nullcontext

from p2pball.ballgame import Ballgame
from p2pball.engine.moves import Choice
from p2pball.net.errors import LinkClosed
from p2pball.net.link import Link
from p2pball.protocol.books import Cheat, Due
from p2pball.protocol.chat import clean
from p2pball.protocol.encoding import canonical
from p2pball.protocol.messages import Chat, Malformed, Message, Ping, Pong, Stored, parse_frame
from p2pball.protocol.resume import Fork
from p2pball.session.front import Ended, Front, Journal, Sharing
from p2pball.session.outbox import Outbox
from p2pball.session.pulse import BEAT, LOST, RECEIPT, SILENT, Pulse


class Session:
    """One seat's game, played over one link after another with `run`; `why` says more about how that ended."""

    def __init__(
        self,
        ballgame: Ballgame,
        journal: Journal,
        front: Front,
        *,
        clock: float = 0,
        after_rival: bool = False,
        heard: Callable[[bytes], None] | None = None,
    ) -> None:
        """`clock` is seconds per choice, 0 for none.

        `after_rival` asks only once the other seat has locked, so that a seeded solo game is the
        same anywhere; `heard` is given every frame as it comes.
        """
        self.ballgame = ballgame
        self.why = ""
        self._front, self._clock = front, clock
        self._outbox = Outbox(ballgame, journal, front.show)
        self._after_rival, self._heard = after_rival, heard
        self._left, self._nudge = asyncio.Event(), asyncio.Event()
        self._turn = asyncio.Lock()  # of whoever stores and sends: lines go out in the order in which they are stored
        self._awaits_resume = False
        self._receipt = ""
        self._overtime = 0.0
        self._pulse = Pulse(time.monotonic())

    def leave(self) -> None:
        """Stop here; the game stays saved and can be resumed."""
        self._left.set()

    def resign(self) -> None:
        """Give the game up: stored now, sent when there is a link. Raises NotYourTurn."""
        self.ballgame.resign()
        self._outbox.store()
        self._outbox.tell()
        self._nudge.set()

    def say(self, text: str) -> None:
        """Send words to the other player."""
        if words := clean(text):
            self._outbox.add(canonical({"chat": words}).encode())
            self._nudge.set()

    @property
    def proven(self) -> bool:
        """Whether the record proves the result (fair-play 7), though the other seat may lack it or owe its final."""
        return self.ballgame.game.exchange.complete

    @property
    def delivered(self) -> bool:
        """Whether the game is finished, and the other seat has said over the last link that it has all on disk."""
        return self.ballgame.finished and self._receipt == self._outbox.digest(self.ballgame.seat)

    async def left(self) -> None:
        """Returns when the player has left."""
        await self._left.wait()

    async def run(self, link: Link, *, resume: bool = False) -> Ended:
        """Play on over a link until the game, the link or the player's patience ends; the link stays open."""
        self._pulse = Pulse(time.monotonic())
        self._awaits_resume = resume
        self._receipt = self.why = ""
        self._overtime = 0.0
        tasks: dict[str, asyncio.Task[object]] = {}
        try:
            if resume:
                self._outbox.forget()  # what is missing there follows from the other seat's resume
                await link.send(self.ballgame.resume().frame)
            while True:
                async with self._turn:
                    await self._outbox.flush(link)
                if self.delivered:
                    return Ended.FINISHED
                self._arm(link, tasks)
                await asyncio.wait(tasks.values(), return_when=asyncio.FIRST_COMPLETED)
                if self._left.is_set():
                    return Ended.LEFT
                self._nudge.clear()
                await self._react(link, tasks)
        except LinkClosed as error:
            if self.ballgame.finished:
                return Ended.FINISHED
            self.why = str(error)
            return Ended.LOST
        except Malformed as error:
            self.why = f"Your partner's client sent {error}."
            return Ended.REFUSED
        except Cheat as cheat:
            self.why = str(cheat)
            return Ended.CHEATED
        except Fork as fork:
            self.why = str(fork)
            return Ended.FORKED
        finally:
            for task in tasks.values():
                task.cancel()
            await asyncio.gather(*tasks.values(), return_exceptions=True)

    def _arm(self, link: Link, tasks: dict[str, asyncio.Task[object]]) -> None:
        """See to it that everything that can happen next is waited for."""
        moves = self._due()
        if not moves and "choose" in tasks:
            tasks["choose"].cancel()
            del tasks["choose"]
        wanted: dict[str, Callable[[], Coroutine[object, object, object]]] = {
            "read": lambda: self._read(link),
            "left": self._left.wait,
            "nudge": self._nudge.wait,
            "beat": lambda: asyncio.sleep(BEAT),
            "choose": lambda: self._choice(moves),
        }
        if link.way == "memory":
            del wanted["beat"]
        if not moves:
            del wanted["choose"]
        tasks |= {name: asyncio.ensure_future(start()) for name, start in wanted.items() if name not in tasks}

    def _due(self) -> tuple[Choice, ...]:
        """The choices to ask for now."""
        books = self.ballgame.game.exchange
        rival = books.sides[self.ballgame.seat.other.value]
        if self._after_rival and books.expect.due is Due.SEALED and not rival.commit:
            return ()
        return self.ballgame.moves

    async def _choice(self, moves: tuple[Choice, ...]) -> Choice:
        """The player's choice, or the clock's: the first legal one (fair-play 3)."""
        seconds, view, front = self._clock or None, self.ballgame.view, self._front
        async with front.turn(view, moves) if isinstance(front, Sharing) else nullcontext():
            try:
                return await asyncio.wait_for(front.choose(view, moves, seconds), seconds)
            except TimeoutError:
                front.notice("Your clock ran out: the first of your choices was made for you.")
                return moves[0]

    async def _react(self, link: Link, tasks: dict[str, asyncio.Task[object]]) -> None:
        """Deal with what is done, always in the same order; what is done meanwhile has its turn next."""
        done = {name: tasks.pop(name) for name in list(tasks) if tasks[name].done()}
        if read := done.get("read"):
            read.result()  # has been dealt with, unless it could not be
        if "choose" in done and self.ballgame.moves:
            self.ballgame.choose(done["choose"].result())  # type: ignore[arg-type]  # tasks of several kinds
        if "beat" in done:
            await self._beat(link)

    async def _read(self, link: Link) -> None:
        """Take a frame and answer it on the spot: the other player waits for that answer, and each hop costs."""
        data = await link.receive()
        async with self._turn:
            try:
                await self._frame(link, data)
            except Cheat:
                self._outbox.store()  # its proof is kept whatever else ends the game now
                raise
            await self._outbox.flush(link)

    async def _frame(self, link: Link, data: bytes) -> None:
        now = time.monotonic()
        self._pulse.heard(now)
        if self._heard:
            self._heard(data)
        match parse_frame(data):
            case Message() as message:
                await self._message(link, message)
            case unsigned if not self._pulse.unsigned.allows(now):
                raise Malformed(f"a flood of {type(unsigned).__name__.lower()} frames")
            case Stored(digest):
                self._receipt = digest
            case Ping(n):
                await link.send(canonical({"pong": n}).encode())
            case Pong(n):
                self._pulse.pong(n, now)
            case Chat(text):
                if self._pulse.chats.allows(now) and (words := clean(text)):
                    self._front.chat(words)

    async def _message(self, link: Link, message: Message) -> None:
        if (message.type == "resume") is not self._awaits_resume:
            raise Malformed(f"a {message.type} where {'a resume' if self._awaits_resume else 'none'} was due")
        if not self._awaits_resume:
            self.ballgame.receive(message)
            return
        lines = self.ballgame.resumed(message)
        self._awaits_resume = False
        self._receipt = message.body["yours"][1]
        for line in lines:
            await link.send(line.frame)

    async def _beat(self, link: Link) -> None:
        """One heartbeat, and the end of patience (connection 1)."""
        now = time.monotonic()
        silence = self._pulse.silence(now)
        self._overtime += BEAT * self.proven
        if silence > LOST or self._overtime > RECEIPT:
            raise LinkClosed
        await link.send(canonical({"ping": self._pulse.ping(now)}).encode())
        rtt = link.rtt if self._pulse.rtt is None else self._pulse.rtt
        self._front.link(link.way, rtt, silence if silence > SILENT else 0.0)
