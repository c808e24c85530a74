"""A game between two machines: meet, agree on the terms, play over as many connections as it takes, perhaps again."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from p2pball.ballgame import Ballgame
from p2pball.clubhouse.errors import DiskError
from p2pball.clubhouse.games import GameFolder
from p2pball.clubhouse.identity import identity
from p2pball.engine.terms import Seat, Terms
from p2pball.net.background import settled
from p2pball.net.link import Link
from p2pball.protocol.meeting import Code, Role
from p2pball.session import Ended, Meet, Session, answer, close, play_out, propose
from p2pball.ui.book import team_of
from p2pball.ui.cut import take_up
from p2pball.ui.display import Display
from p2pball.ui.making import Making
from p2pball.ui.options import Options, Purse
from p2pball.ui.places import Hand, Place, Where, meeting_place
from p2pball.ui.terms import acquaintance

TRACE = "P2PBALL_TRACE"
"""Names a file to which every frame that this seat is told is appended: to see what the other side gives away."""


@settled
async def host_game(options: Options, where: Where, display: Display) -> Ended:
    """Open a room, wait for the guest, and play."""
    purse = Purse.fresh(identity())
    async with meeting_place(where) as place:
        making = Making("host", options, place.kept, purse)
        async with making.left_at_an_error():
            met = await place.host(purse.public, display, making.begin)
        display.notice("Your rival is reading the terms.")
        return await _games(making, place, display, met.link, met.resume_secret, met.peer_key)


@settled
async def join_game(code: Code, options: Options, where: Where, display: Display) -> Ended:
    """Find the host of a code, take the terms or not, and play."""
    purse = Purse.fresh(identity())
    async with meeting_place(where) as place:
        making = Making("guest", options, place.kept, purse)
        async with making.left_at_an_error():
            met = await place.join(code, purse.public, display, making.begin)
        return await _games(making, place, display, met.link, met.resume_secret, met.peer_key)


@settled
async def resume_game(folder: GameFolder, where: Where, display: Display) -> Ended:
    """Go on with a cut game: find the partner again, by the game's own secret."""
    seat = Seat(folder.info.seat)
    role = Role.HOST if seat is Seat.HOST else Role.GUEST
    purse = Purse(identity(), folder.master, b"")
    ballgame = take_up(folder, seat, purse.secrets)
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
            making = Making(seat.value, options, place.kept, purse).again(ballgame)
            return await _games(making, place, display, link, folder.resume_secret, bytes.fromhex(rival["key"]))
        if link:
            await close(link)
    return ended


async def _games(
    making: Making, place: Place, display: Display, link: Link | None, resume_secret: bytes, peer_key: bytes
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


async def _proposed(making: Making, folder: GameFolder, _: Display, link: Link, peer_key: bytes) -> Ballgame:
    """The host's game, once the guest has taken its terms."""
    ballgame = Ballgame.propose(making.purse.secrets, making.hello(making.options.terms))
    await propose(link, ballgame, folder.journal, peer_key)
    return ballgame


async def _answered(making: Making, folder: GameFolder, display: Display, link: Link, peer_key: bytes) -> Ballgame:
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
        try:
            await noting
        except DiskError as error:  # the record tells it too, and the game has been played
            display.notice(str(error))


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
    why = session.why
    if ended is Ended.FINISHED and not session.delivered:
        why = f"Your partner may still lack the end. If they ask you for it: p2pball resume {folder.info.id}"
    display.over(ended, folder.record, why)
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
