"""Two people at one keyboard: the plain front end for each in turn, hands hidden in between."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, TextIO, TypeAlias

from p2pball.ballgame import Ballgame
from p2pball.engine.ledger import Transition
from p2pball.engine.moves import Choice
from p2pball.engine.terms import Seat
from p2pball.engine.view import View
from p2pball.protocol.messages import Message
from p2pball.session import Controls
from p2pball.ui.book import Book
from p2pball.ui.display import Display
from p2pball.ui.keyboard import Keyboard
from p2pball.ui.plain import Plain

if TYPE_CHECKING:
    from p2pball.ui.tui.hotseat import HotStage

CURTAIN = 40
"""Empty lines that push a hand off the screen."""


class Hotseat(Plain):
    """One of two people at one keyboard; the one who tells what happens tells it to both, by name."""

    def __init__(self, keyboard: Keyboard, out: TextIO, err: TextIO, turn: asyncio.Lock, *, tells: bool) -> None:
        super().__init__(keyboard, out, err)
        self._typing, self._turn, self._tells = keyboard, turn, tells

    @property
    def voice(self) -> Seat | None:
        """Both listen."""
        return None

    def seated(self, ballgame: Ballgame, controls: Controls) -> None:
        """A game begins or goes on; the keyboard is listened to only while this seat is asked."""
        self._ballgame, self._controls, self._book = ballgame, controls, Book(ballgame.game)

    async def accepts(self, hello: Message) -> bool:
        """The two have agreed aloud."""
        return True

    @asynccontextmanager
    async def turn(self, view: View, moves: tuple[Choice, ...]) -> AsyncIterator[None]:
        """Have the keyboard for one choice; a hand is hidden again afterwards."""
        async with self._turn:
            hidden = view.state.in_cards and self._next not in moves
            if hidden:
                await self._pass_on()
            listening = self._listen_to(self._typing)
            try:
                yield
            finally:
                listening.cancel()
                if hidden:
                    self.write("\n" * CURTAIN)

    def show(self, transitions: tuple[Transition, ...]) -> None:
        """One of the two tells it."""
        if self._tells:
            super().show(transitions)
        elif self._book:
            for transition in transitions:
                self._book.add(transition.events)

    async def _pass_on(self) -> None:
        assert self._ballgame
        assert self._book
        name = self._book.name(self._ballgame.seat)
        if await self.ask(f"{name}, press Enter when only you can see the screen >") is None and self._controls:
            self._controls.leave()


Fronts: TypeAlias = "tuple[Hotseat, Hotseat] | tuple[HotStage, HotStage]"


def hotseat(display: Display) -> Fronts:
    """Both seats of this machine's keyboard and screen; the first one tells what happens."""
    if not isinstance(display, Plain):
        from p2pball.ui.tui.hotseat import pair
        from p2pball.ui.tui.stage import Stage

        assert isinstance(display, Stage)
        return pair(display.theatre)
    keyboard, turn = Keyboard(), asyncio.Lock()
    near, far = (Hotseat(keyboard, sys.stdout, sys.stderr, turn, tells=tells) for tells in (True, False))
    far._faults = near._faults  # the near one is told of the end
    return near, far
