"""Two people at one full screen: each in turn has the keyboard, and a curtain hides hands in between."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from p2pball.ballgame import Ballgame
from p2pball.engine.moves import Choice
from p2pball.engine.terms import Seat
from p2pball.engine.view import View
from p2pball.protocol.messages import Message
from p2pball.session import Controls
from p2pball.ui.tui.stage import Stage
from p2pball.ui.tui.theatre import Theatre


class HotStage(Stage):
    """One of two people at one screen; whose turn it is has it."""

    def __init__(self, theatre: Theatre, turn: asyncio.Lock, *, first: bool) -> None:
        super().__init__(theatre, offline=True)
        self._turn, self._first = turn, first
        self.hidden = True

    @property
    def voice(self) -> Seat | None:
        """Both listen: everybody has a name."""
        return None

    @property
    def name(self) -> str:
        """Who sits here."""
        assert self.book
        assert self.ballgame
        return self.book.name(self.ballgame.seat)

    async def ask(self, question: str) -> str | None:
        """A question before the game."""
        return await self.theatre.ask(question.rstrip(" >"))

    async def accepts(self, hello: Message) -> bool:
        """Both have agreed before they sat down."""
        return True

    def seated(self, ballgame: Ballgame, controls: Controls) -> None:
        """The first one's screen is shown until somebody has a choice."""
        shown = self.theatre if self._first else None
        self.sit(ballgame, controls)
        if shown:
            shown.raise_curtain(self)

    @asynccontextmanager
    async def turn(self, view: View, moves: tuple[Choice, ...]) -> AsyncIterator[None]:
        """Have the screen for one choice; a hand is hidden again afterwards."""
        async with self._turn:
            if self.queued(moves):
                yield
                return
            if view.state.in_cards:
                await self.theatre.draw_curtain(self.name)
            self.hidden = False
            self.theatre.turn_to(self)
            try:
                yield
            finally:
                self.hidden = True
                self.theatre.redraw(self)

    def _prompt(self, asked: bool) -> str:
        said = super()._prompt(asked)
        return f"{self.name}: {said[0].lower()}{said[1:]}" if asked else "One moment..."


def pair(theatre: Theatre) -> tuple[HotStage, HotStage]:
    """Both seats at one screen."""
    turn = asyncio.Lock()
    return HotStage(theatre, turn, first=True), HotStage(theatre, turn, first=False)
