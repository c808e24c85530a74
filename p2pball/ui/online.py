"""A game between two machines: meet, agree on the terms, play over as many connections as it takes, perhaps again."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

from p2pball.ballgame import Ballgame, hello_body
from p2pball.clubhouse.games import GameFolder, GameInfo, create_game
from p2pball.clubhouse.identity import identity
from p2pball.engine.terms import Seat, Terms
from p2pball.net.background import settled
from p2pball.net.introduce import Introduction
from p2pball.net.link import Link
from p2pball.protocol.meeting import Code, Role
from p2pball.protocol.messages import Message
from p2pball.scorebook.teams import team_to_dict
from p2pball.session import Ended, Journal, Meet, Session, answer, close, play_out, propose
from p2pball.ui.display import Display
from p2pball.ui.options import Options, Purse
from p2pball.ui.places import Hand, Place, Where, meeting_place
from p2pball.ui.solo import record_lines
from p2pball.ui.terms import acquaintance

TRACE = "P2PBALL_TRACE"
"""Names a file to which every frame that this seat is told is appended: to see what the other side gives away."""


@settled
async def host_game(options: Options, where: Where, display: Display) -> Ended:
    """Open a room, wait for the guest, and play."""
    purse = Purse.fresh(identity())
    async with meeting_place(where) as place:
        met = await place.host(purse.public, display)
        link: Link | None = met.link
        while link:
            with _folder("host", options, place.kept, met, purse) as folder:
                hello = hello_body(purse.secrets, options.name, team_to_dict(options.team), purse.nonce, options.terms)
                ballgame = Ballgame.propose(purse.secrets, hello)
                try:
                    await propose(link, ballgame, folder.journal, met.peer_key)
                except BaseException:
                    folder.discard()  # left in round 0: it has cost nobody anything
                    await close(link)
                    raise
                _remember(folder, ballgame)
                display.notice(acquaintance(ballgame.game.hello(Seat.GUEST), folder.info.id))
                ended, link = await _play(folder, ballgame, display, link, _meet(folder, Role.HOST, place, display))
            if ended is not Ended.FINISHED or link is None or not await display.again():
                break
            options, purse = replace(options, terms=swapped(ballgame)), purse.again()
        if link:
            await close(link)
    return ended


@settled
async def join_game(code: Code, options: Options, where: Where, display: Display) -> Ended:
    """Find the host of a code, take the terms or not, and play."""
    purse = Purse.fresh(identity())
    async with meeting_place(where) as place:
        met = await place.join(code, purse.public, display)
        link: Link | None = met.link
        while link:
            folders: list[GameFolder] = []

            def keep(_hello: Message, folders: list[GameFolder] = folders, purse: Purse = purse) -> Journal:
                folders.append(_folder("guest", options, place.kept, met, purse))
                return folders[0].journal

            def hello(terms: dict[str, Any], purse: Purse = purse) -> dict[str, Any]:
                team = team_to_dict(options.team)
                return hello_body(purse.secrets, options.name, team, purse.nonce, Terms.from_json(terms))

            try:
                ballgame, _ = await answer(link, purse.secrets, met.peer_key, display, hello, keep)
            except BaseException:
                for folder in folders:
                    folder.discard()
                await close(link)
                raise
            with folders[0] as folder:
                _remember(folder, ballgame)
                ended, link = await _play(folder, ballgame, display, link, _meet(folder, Role.GUEST, place, display))
            if ended is not Ended.FINISHED or link is None or not await display.again():
                break
            purse = purse.again()
        if link:
            await close(link)
    return ended


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
        if link:
            await close(link)
    return ended


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


def _folder(seat: str, options: Options, relay: str, met: Introduction, purse: Purse) -> GameFolder:
    info = GameInfo(
        seat=seat,
        kind="online",
        rules=options.terms.rules.value,
        started=datetime.now().astimezone().isoformat(timespec="seconds"),
        name=options.name,
        relay=relay,
        opponent_key=met.peer_key.hex(),
    )
    return create_game(info, purse.master, resume_secret=met.resume_secret)


def _remember(folder: GameFolder, ballgame: Ballgame) -> None:
    """Note down who it is against, and at which rules, once that is known."""
    terms = ballgame.game.hello(Seat.HOST)["terms"]
    opponent = ballgame.game.hello(ballgame.seat.other)["name"]
    folder.rewrite(replace(folder.info, opponent=opponent, rules=terms["rules"]))


def swapped(ballgame: Ballgame) -> Terms:
    """The terms of a rematch: the same, with the other team at home."""
    state = ballgame.game.state
    return replace(state.terms, home=state.home.other.value)
