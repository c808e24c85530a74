"""A game on one machine: against the computer, or two people at one keyboard; two ballgames, one record."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from p2pball.ballgame import Ballgame, hello_body
from p2pball.clubhouse.games import GameFolder, GameInfo, create_game
from p2pball.clubhouse.identity import identity
from p2pball.engine.terms import Seat as Chair
from p2pball.net.link import Link
from p2pball.net.memory import memory_pair
from p2pball.scorebook.teams import Team, team_to_dict
from p2pball.session import Ended, Front, Session, answer, close, propose
from p2pball.ui.cut import take_up
from p2pball.ui.display import Display
from p2pball.ui.options import Options, Purse, default_team
from p2pball.ui.seats import Computer


class NoJournal:
    """The far seat's journal: everything it says is in the near one's record."""

    def append(self, frames: Sequence[bytes]) -> None:
        """Kept by the near seat."""


def new_solo(options: Options, *, far_name: str, kind: str = "solo") -> tuple[GameFolder, Purse, Purse]:
    """A folder for a new game on this machine, and the secrets of both its seats."""
    seed = options.seed
    if seed is None:
        near, far = Purse.fresh(identity()), Purse.fresh()
    else:
        near, far = Purse.seeded(seed, "host"), Purse.seeded(seed, "guest")
    info = GameInfo(
        seat="host",
        kind=kind,
        rules=options.terms.rules.value,
        started=datetime.now().astimezone().isoformat(timespec="seconds"),
        name=options.name,
        level=options.level.value if kind == "solo" else "",
        opponent=far_name,
        opponent_key=far.public.hex(),
        seeded=seed is not None,
    )
    key = None if seed is None else near.key.private_bytes_raw()
    folder = create_game(info, near.master, key=key, rival=(far.key.private_bytes_raw(), far.master))
    return folder, near, far


async def against_computer(options: Options, display: Display, *, rematches: bool) -> Ended:
    """A new game against the computer, and another with the other team at home as often as the player asks for one."""
    name = f"Computer, {options.level.value}"
    while True:
        folder, near, far = new_solo(options, far_name=name)
        with folder:
            fronts = display, Computer(options.level)
            ended = await play_solo(folder, (near, far), options, fronts, (name, default_team(first=False)))
        if not rematches or ended is not Ended.FINISHED or not await display.again():
            return ended
        home = Chair(options.terms.home).other
        options = replace(options, terms=replace(options.terms, home=home.value), seed=None)


async def play_solo(
    folder: GameFolder,
    purses: tuple[Purse, Purse],
    options: Options,
    fronts: tuple[Display, Front],
    far: tuple[str, Team],
) -> Ended:
    """Play a new game between the near seat, the host, and the far one; `far` is its name and team."""
    (near_purse, far_purse), (display, far_front) = purses, fronts
    hello = hello_body(near_purse.secrets, options.name, team_to_dict(options.team), near_purse.nonce, options.terms)
    ballgame = Ballgame.propose(near_purse.secrets, hello)
    near_link, far_link = memory_pair()

    async def far_side() -> object:
        journal = NoJournal()
        far_game = await answer(
            far_link,
            far_purse.secrets,
            near_purse.public,
            far_front,
            lambda _terms: hello_body(far_purse.secrets, far[0], team_to_dict(far[1]), far_purse.nonce, options.terms),
            journal,
        )
        return await _run(Session(far_game, journal, far_front, clock=options.terms.clock), far_front, far_link)

    far_task: asyncio.Task[object] = asyncio.ensure_future(far_side())
    try:
        await propose(near_link, ballgame, folder.journal, far_purse.public)
        return await _near(folder, ballgame, display, far_front, near_link, far_task)
    finally:
        await _stop(far_task, near_link)


async def resume_solo(folder: GameFolder, display: Display, far_front: Front) -> Ended:
    """Go on with a game on this machine: both seats are what the one record says."""
    own = Ed25519PrivateKey.from_private_bytes(folder.key) if folder.key else identity()
    near_game = take_up(folder, Chair.HOST, Purse(own, folder.master, b"").secrets)
    assert folder.rival is not None
    far_key, far_master = folder.rival
    far = Purse(Ed25519PrivateKey.from_private_bytes(far_key), far_master, b"")
    far_game = take_up(folder, Chair.GUEST, far.secrets)
    for game in (near_game, far_game):
        game.wake()
    near_link, far_link = memory_pair()
    clock = far_game.game.state.terms.clock
    far_task: asyncio.Task[object] = asyncio.ensure_future(
        _run(Session(far_game, NoJournal(), far_front, clock=clock), far_front, far_link)
    )
    try:
        return await _near(folder, near_game, display, far_front, near_link, far_task)
    finally:
        await _stop(far_task, near_link)


async def _near(
    folder: GameFolder, ballgame: Ballgame, display: Display, far_front: Front, link: Link, far: asyncio.Task[object]
) -> Ended:
    """Play the near seat to its end, and say how that was."""
    clock = ballgame.game.state.terms.clock
    solo = isinstance(far_front, Computer)
    session = Session(ballgame, folder.journal, display, clock=clock, after_rival=solo)
    playing = asyncio.ensure_future(_run(session, display, link))
    try:
        await asyncio.wait({playing, far}, return_when=asyncio.FIRST_COMPLETED)
        if far.done() and (error := far.exception()):
            raise error
        if far.done() and far.result() is Ended.LEFT:
            session.leave()  # at one keyboard the second player may leave too
        ended = await playing
    except asyncio.CancelledError:
        display.over(Ended.LEFT, folder.record, "")
        raise
    finally:
        playing.cancel()
    display.over(ended, folder.record, session.why)
    return ended


async def _run(session: Session, front: Front, link: Link) -> Ended:
    front.seated(session.ballgame, session)
    return await session.run(link)


async def _stop(far: asyncio.Task[object], link: Link) -> None:
    far.cancel()
    await asyncio.gather(far, return_exceptions=True)
    await close(link)
