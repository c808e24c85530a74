"""What is new in a seat's game: stored first, then sent, then shown (fair-play 6)."""

from __future__ import annotations

from collections.abc import Callable

from p2pball.ballgame import Ballgame
from p2pball.engine.ledger import Transition
from p2pball.engine.terms import Seat
from p2pball.net.link import Link
from p2pball.protocol.encoding import canonical
from p2pball.session.front import Journal


class Outbox:
    """Of one seat; `show` is the front end's. Whoever calls it sees to it that only one does at a time."""

    def __init__(self, ballgame: Ballgame, journal: Journal, show: Callable[[tuple[Transition, ...]], None]) -> None:
        self._ballgame, self._journal, self._show = ballgame, journal, show
        self._unsent: list[bytes] = []
        self._untold: list[Transition] = []
        self._news = False

    def add(self, frame: bytes) -> None:
        """A frame that no record holds, to be sent with the next."""
        self._unsent.append(frame)

    def store(self) -> None:
        """Store what is new, and keep what is to be sent and shown of it."""
        progress = self._ballgame.drain()
        own, frames = self._ballgame.seat.value, [line.frame for line in progress.lines]
        if frames:
            self._journal.append(frames)
        self._unsent += [frame for line, frame in zip(progress.lines, frames, strict=True) if line.seat == own]
        if any(line.seat != own and line.type in ("final", "resign") for line in progress.lines):
            self.add(canonical({"stored": self.digest(self._ballgame.seat.other)}).encode())
        self._untold += progress.transitions
        self._news = self._news or bool(progress.lines)

    async def flush(self, link: Link) -> None:
        """Store what is new, then send what is this seat's, then show it."""
        self.store()
        unsent, self._unsent = self._unsent, []
        try:
            for frame in unsent:
                await link.send(frame)
        finally:
            self.tell()  # what is stored has happened, though the link may be gone

    def tell(self) -> None:
        """Show what is stored."""
        if self._news:
            untold, self._untold, self._news = tuple(self._untold), [], False
            self._show(untold)

    def forget(self) -> None:
        """Store what is new, and send nothing of all there is."""
        self.store()
        self._unsent.clear()

    def digest(self, seat: Seat) -> str:
        """The digest of a seat's last message; empty before there is one."""
        last = self._ballgame.game.exchange.last(seat.value)
        return last.digest if last else ""
