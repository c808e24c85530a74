"""Who sits in a seat: the computer, or a display that looks on while somebody else chooses."""

from __future__ import annotations

import asyncio
import random
from pathlib import Path
from typing import TYPE_CHECKING

from p2pball.ballgame import Ballgame
from p2pball.computer.levels import Level
from p2pball.computer.player import choose
from p2pball.engine.ledger import Transition
from p2pball.engine.moves import Choice
from p2pball.engine.view import View
from p2pball.protocol.messages import Message
from p2pball.session import Controls, Ended
from p2pball.ui.display import Display

if TYPE_CHECKING:
    from p2pball.ui.engine import Engine


class Dice:
    """The computer's own randomness: a fresh stream for each choice."""

    def __init__(self, seed: bytes) -> None:
        self._random = random.Random(seed)  # noqa: S311 -- how a level mixes its play is no secret of the protocol

    def below(self, n: int) -> int:
        """The next number, 0 to n - 1."""
        return self._random.randrange(n)


class Computer:
    """A level of the computer; as a front end it shows nothing and takes any terms.

    Its choices are seeded by the seat's secrets and the chain: a seeded game is the same anywhere,
    and a computer that is woken again chooses what it chose before. `pace` is the pause before a
    choice, in seconds.
    """

    failed = ""

    def __init__(self, level: Level, pace: float = 0.0) -> None:
        self._level, self._pace = level, pace
        self._ballgame: Ballgame | None = None

    async def accepts(self, hello: Message) -> bool:
        """The computer plays anything."""
        return True

    async def choose(self, view: View, moves: tuple[Choice, ...], seconds: float | None) -> Choice:
        """The level's choice, after the pause."""
        assert self._ballgame
        if self._pace:
            await asyncio.sleep(self._pace if seconds is None else min(self._pace, seconds / 2))
        return choose(view, self._level, Dice(self._ballgame.private_seed("computer")))

    def seated(self, ballgame: Ballgame, controls: Controls) -> None:
        """Take the seat."""
        self._ballgame = ballgame

    def show(self, transitions: tuple[Transition, ...]) -> None:
        """It has its own view."""

    def chat(self, text: str) -> None:
        """It does not talk."""

    def link(self, way: str, rtt: float | None, silent: float) -> None:
        """It is patient."""

    def notice(self, text: str) -> None:
        """It takes no notice."""

    def over(self, ended: Ended, record: Path, why: str) -> None:
        """It goes home."""


class Seat:
    """A display that one person looks at while another player, a level or a program, makes the choices."""

    def __init__(self, display: Display, player: Computer | Engine) -> None:
        self._display, self._player = display, player
        self.room, self.notice, self.accepts = display.room, display.notice, player.accepts
        self.choose, self.link, self.meeting = player.choose, display.link, display.meeting

    def seated(self, ballgame: Ballgame, controls: Controls) -> None:
        """Both are told."""
        self._player.seated(ballgame, controls)
        self._display.seated(ballgame, controls)

    def show(self, transitions: tuple[Transition, ...]) -> None:
        """Both are told."""
        self._player.show(transitions)
        self._display.show(transitions)

    def chat(self, text: str) -> None:
        """Both are told."""
        self._player.chat(text)
        self._display.chat(text)

    def over(self, ended: Ended, record: Path, why: str) -> None:
        """Both are told."""
        why = why or self._player.failed
        self._player.over(ended, record, why)
        self._display.over(ended, record, why)

    async def again(self) -> bool:
        """One game is what was asked for."""
        return False
