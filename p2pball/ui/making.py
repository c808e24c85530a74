"""A new game in the making, before it is played: its folder, its hello, its rematch, and what ends it in round 0."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from datetime import datetime
from typing import Any

from p2pball.ballgame import Ballgame, hello_body
from p2pball.clubhouse.errors import DiskError
from p2pball.clubhouse.games import GameFolder, GameInfo, create_game, list_games
from p2pball.engine.terms import Terms
from p2pball.net.errors import LinkClosed, PartnerGone
from p2pball.net.link import Link
from p2pball.scorebook.teams import team_to_dict
from p2pball.session import Declined, TermsRefused, close
from p2pball.ui.options import Options, Purse

UNWANTED: dict[type[BaseException], str] = {
    LinkClosed: "No rematch: your rival has left.",
    Declined: "No rematch: your rival declined.",
    TermsRefused: "No rematch: you declined.",
}


class Making:
    """A new game of one seat; its folder is made in a thread while the connection is still on its way."""

    def __init__(self, seat: str, options: Options, relay: str, purse: Purse, *, rematch: bool = False) -> None:
        self.options, self.purse = options, purse
        self.seat, self._relay, self._rematch = seat, relay, rematch
        self.before = list_games() if seat == "host" else []
        """The games that there were, by which the host knows a guest again."""
        self.unwanted = ""
        """Why a rematch has not come about, which is no failure."""
        self._made: asyncio.Task[GameFolder] | None = None

    def begin(self, resume_secret: bytes) -> None:
        """Begin as soon as the secret to resume is known."""
        self._made = asyncio.ensure_future(asyncio.to_thread(self._make, resume_secret))

    def hello(self, terms: Terms) -> dict[str, Any]:
        """The body of this seat's hello."""
        options, purse = self.options, self.purse
        return hello_body(purse.secrets, options.name, team_to_dict(options.team), purse.nonce, terms)

    def again(self, last: Ballgame) -> Making:
        """The rematch of a game: the other team at home, the secrets new."""
        options = replace(self.options, terms=swapped(last))
        return Making(self.seat, options, self._relay, self.purse.again(), rematch=True)

    async def folder(self, resume_secret: bytes) -> GameFolder:
        """The folder, made now if it was not before; raises DiskError."""
        if self._made is None:
            self.begin(resume_secret)
        assert self._made
        return await asyncio.shield(self._made)

    @asynccontextmanager
    async def left_at_an_error(self, link: Link | None = None) -> AsyncIterator[None]:
        """Whatever ends the block ends the game in round 0, where it has cost nobody anything."""
        try:
            yield
        except BaseException as error:
            if self._made:
                with suppress(DiskError):
                    (await self._made).discard()
            if link:
                await close(link)
            if self._rematch and type(error) in UNWANTED:
                self.unwanted = UNWANTED[type(error)]
            elif isinstance(error, LinkClosed):  # whose sentence is that of a game under way
                raise PartnerGone from error
            else:
                raise

    def _make(self, resume_secret: bytes) -> GameFolder:
        info = GameInfo(
            seat=self.seat,
            kind="online",
            rules=self.options.terms.rules.value,
            started=datetime.now().astimezone().isoformat(timespec="seconds"),
            name=self.options.name,
            relay=self._relay,
        )
        return create_game(info, self.purse.master, resume_secret=resume_secret)


def swapped(ballgame: Ballgame) -> Terms:
    """The terms of a rematch: the same, with the other team at home."""
    state = ballgame.game.state
    return replace(state.terms, home=state.home.other.value)
