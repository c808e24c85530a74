"""A game between two machines: meet, agree on the terms, play over as many connections as it takes, perhaps again."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

from p2pball.ballgame import Ballgame, hello_body
from p2pball.clubhouse.errors import DiskError
from p2pball.clubhouse.games import GameFolder, GameInfo, create_game, list_games
from p2pball.clubhouse.identity import identity
from p2pball.engine.terms import Seat, Terms
from p2pball.net.background import settled
from p2pball.net.errors import LinkClosed, PartnerGone
from p2pball.net.link import Link
from p2pball.protocol.meeting import Code, Role
from p2pball.scorebook.teams import team_to_dict
from p2pball.session import Declined, Ended, Meet, Session, TermsRefused, answer, close, play_out, propose
from p2pball.ui.book import team_of
from p2pball.ui.display import Display
from p2pball.ui.options import Options, Purse
from p2pball.ui.places import Hand, Place, Where, meeting_place
from p2pball.ui.solo import record_lines
from p2pball.ui.terms import acquaintance

TRACE = "P2PBALL_TRACE"
"""Names a file to which every frame that this seat is told is appended: to see what the other side gives away."""
UNWANTED: dict[type[BaseException], str] = {
    LinkClosed: "No rematch: your rival has left.",
    Declined: "No rematch: your rival declined.",
    TermsRefused: "No rematch: you declined.",
}


@settled
async def host_game(options: Options, where: Where, display: Display) -> Ended:
    """Open a room, wait for the guest, and play."""
    purse = Purse.fresh(identity())
    async with meeting_place(where) as place:
        making = _Making("host", options, place.kept, purse)
        async with making.left_at_an_error():
            met = await place.host(purse.public, display, making.begin)
        display.notice("Your rival is reading the terms.")
        return await _games(making, place, display, met.link, met.resume_secret, met.peer_key)


@settled
async def join_game(code: Code, options: Options, where: Where, display: Display) -> Ended:
    """Find the host of a code, take the terms or not, and play."""
    purse = Purse.fresh(identity())
    async with meeting_place(where) as place:
        making = _Making("guest", options, place.kept, purse)
        async with making.left_at_an_error():
            met = await place.join(code, purse.public, display, making.begin)
        return await _games(making, place, display, met.link, met.resume_secret, met.peer_key)


@settled
async def resume_game(folder: GameFolder, where: Where, display: Display) -> Ended:
    """Go on with a cut game: find the partner again, by the game's own secret."""
    seat = Seat(folder.info.seat)
    role = Role.HOST if seat is Seat.HOST else Role.GUEST
    purse = Purse(identity(), folder.master, b"")
    ballgame = Ballgame.load(seat, purse.secrets, record_lines(folder))
    async with meeting_place(replace(where, relay=where.relay or folder.info.relay)) as place:
        if isinstance(place, Hand):
            # Pasting needs the keyboard that the game will listen to: it comes first.
            assert folder.resume_secret is not None
            link: Link | None = (await place.again(role, folder.resume_secret, purse.public, display)).link
        else:
            link = None
        meet = _meet(folder, role, place, display)
        ended, link = await _play(folder, ballgame, display, link, meet, resume=True)
        if ended is Ended.FINISHED and link and await display.again():
            assert folder.resume_secret is not None
            own, rival = ballgame.game.hello(seat), ballgame.game.hello(seat.other)
            options = Options(ballgame.game.state.terms, own["name"], team_of(own))
            making = _Making(seat.value, options, place.kept, purse).again(ballgame)
            return await _games(making, place, display, link, folder.resume_secret, bytes.fromhex(rival["key"]))
        if link:
            await close(link)
    return ended


async def _games(
    making: _Making, place: Place, display: Display, link: Link | None, resume_secret: bytes, peer_key: bytes
) -> Ended:
    """Games on one connection, as long as both players want another."""
    role, agreed = (Role.HOST, _proposed) if making.seat == "host" else (Role.GUEST, _answered)
    ended = Ended.FINISHED  # as the game before a rematch
    while link:
        async with making.left_at_an_error(link):
            folder = await making.folder(resume_secret)
            ballgame = await agreed(making, folder, display, link, peer_key)
        if making.unwanted:
            display.notice(making.unwanted)
            break
        with folder:
            if role is Role.HOST:
                display.notice(acquaintance(ballgame.game.hello(Seat.GUEST), making.before))
            meet = _meet(folder, role, place, display)
            ended, link = await _play_new(folder, ballgame, display, link, meet, peer_key)
        if ended is not Ended.FINISHED or link is None or not await display.again():
            break
        making = making.again(ballgame)
    if link:
        await close(link)
    return ended


async def _proposed(making: _Making, folder: GameFolder, _: Display, link: Link, peer_key: bytes) -> Ballgame:
    """The host's game, once the guest has taken its terms."""
    ballgame = Ballgame.propose(making.purse.secrets, making.hello(making.options.terms))
    await propose(link, ballgame, folder.journal, peer_key)
    return ballgame


async def _answered(making: _Making, folder: GameFolder, display: Display, link: Link, peer_key: bytes) -> Ballgame:
    """The guest's game, once the player has taken the host's terms."""

    def hello(terms: dict[str, Any]) -> dict[str, Any]:
        return making.hello(Terms.from_json(terms))

    return await answer(link, making.purse.secrets, peer_key, display, hello, folder.journal)


async def _play_new(
    folder: GameFolder, ballgame: Ballgame, display: Display, link: Link, meet: Meet | None, peer_key: bytes
) -> tuple[Ended, Link | None]:
    """Play, and meanwhile note down who it is against, and at which rules, now that it is known."""
    opponent, rules = ballgame.game.hello(ballgame.seat.other)["name"], ballgame.game.hello(Seat.HOST)["terms"]["rules"]
    info = replace(folder.info, opponent=opponent, opponent_key=peer_key.hex(), rules=rules)
    noting = asyncio.ensure_future(asyncio.to_thread(folder.rewrite, info))
    try:
        return await _play(folder, ballgame, display, link, meet)
    finally:
        await noting


async def _play(
    folder: GameFolder,
    ballgame: Ballgame,
    display: Display,
    link: Link | None,
    meet: Meet | None,
    *,
    resume: bool = False,
) -> tuple[Ended, Link | None]:
    session = Session(ballgame, folder.journal, display, clock=ballgame.game.state.terms.clock, heard=_trace())
    display.seated(ballgame, session)
    try:
        ended, link = await play_out(session, display, meet, link, resume=resume)
    except asyncio.CancelledError:
        display.over(Ended.LEFT, folder.record, "")
        raise
    display.over(ended, folder.record, session.why)
    return ended, link


def _meet(folder: GameFolder, role: Role, place: Place, display: Display) -> Meet | None:
    """How to meet the partner of a game again; by hand it takes both players, so `resume` it is."""
    if isinstance(place, Hand):
        return None

    async def meet() -> Link:
        assert folder.resume_secret is not None
        key = identity().public_key().public_bytes_raw()
        return (await place.again(role, folder.resume_secret, key, display)).link

    return meet


def _trace() -> Callable[[bytes], None] | None:
    path = os.environ.get(TRACE)
    if not path:
        return None

    def heard(frame: bytes) -> None:
        with Path(path).open("ab") as file:
            file.write(frame + b"\n")

    return heard


class _Making:
    """The folder of a new game, made in a thread while the connection is still on its way."""

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

    def again(self, last: Ballgame) -> _Making:
        """The rematch of a game: the other team at home, the secrets new."""
        options = replace(self.options, terms=swapped(last))
        return _Making(self.seat, options, self._relay, self.purse.again(), rematch=True)

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
