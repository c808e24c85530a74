"""A game between two machines: meet, agree on the terms, play over as many connections as it takes, perhaps again."""

from __future__ import annotations

import asyncio
import contextlib
import os
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import Any

from p2pball.ballgame import Ballgame, hello_body
from p2pball.clubhouse.games import GameFolder, GameInfo, create_game
from p2pball.clubhouse.identity import identity
from p2pball.clubhouse.settings import Settings
from p2pball.engine.terms import Seat, Terms
from p2pball.net.addresses import host_addresses, relay_url
from p2pball.net.background import settled
from p2pball.net.embedded import EmbeddedRelay
from p2pball.net.introduce import Introduction
from p2pball.net.link import Link
from p2pball.net.rendezvous import host, join, rejoin
from p2pball.net.ways import Network
from p2pball.protocol.meeting import Code, Role
from p2pball.protocol.messages import Message
from p2pball.scorebook.teams import team_to_dict
from p2pball.session import Ended, Session, answer, close, play_out, propose
from p2pball.ui.display import Display
from p2pball.ui.options import Options, Purse
from p2pball.ui.solo import record_lines
from p2pball.ui.terms import acquaintance
from signaling.wire import PORT, IceServer

EMBEDDED = "embedded:"
"""How a game remembers that its relay was inside the host's own process; the port follows."""
TRACE = "P2PBALL_TRACE"
"""Names a file to which every frame that this seat is told is appended: to see what the other side gives away."""


@dataclass(frozen=True, slots=True)
class Where:
    """Where two players meet: the relay as given (empty: one of the host's own), and what is known of the network."""

    relay: str = ""
    network: Network = field(default_factory=Network)

    @classmethod
    def of(cls, settings: Settings) -> Where:
        """The relay and the servers that the settings name."""
        servers = [IceServer((settings.stun,))] if settings.stun else []
        if settings.turn:
            servers.append(IceServer((settings.turn,), settings.turn_user, settings.turn_password))
        return cls(settings.relay, Network(tuple(servers), settings.turn_only))


@asynccontextmanager
async def at_relay(relay: str) -> AsyncIterator[tuple[str, str]]:
    """The URL of the relay for this machine, and how a guest writes it behind the code's @; own ones run meanwhile."""
    if relay and not relay.startswith(EMBEDDED):
        url = relay_url(relay)
        yield url, relay
        return
    port = int(relay.removeprefix(EMBEDDED)) if relay else PORT
    own = EmbeddedRelay(port=port)
    try:
        await own.__aenter__()
    except OSError:
        if relay:
            raise
        own = EmbeddedRelay(port=0)
        await own.__aenter__()
    try:
        addresses = [address for address in host_addresses() if ":" not in address] or ["127.0.0.1"]
        yield f"ws://127.0.0.1:{own.port}", f"{addresses[0]}:{own.port}"
    finally:
        await own.__aexit__(None, None, None)


@settled
async def host_game(options: Options, where: Where, display: Display) -> Ended:
    """Open a room, wait for the guest, and play."""
    key = identity()
    purse = Purse.fresh(key)
    async with at_relay(where.relay) as (url, shown):
        kept = where.relay or f"{EMBEDDED}{url.rpartition(':')[2]}"

        def opened(code: Code) -> None:
            target = f"{code}@{shown}"
            display.room(str(code), shown, f"p2pball join {target}")
            if not where.relay:
                display.notice(
                    "This relay is your own and reaches your local network only. To play beyond it, both use a relay\n"
                    "that both can reach: --relay ADDRESS (docs/relay.md shows how to run one), or --by-hand."
                )

        met = await host(url, purse.public, opened=opened, report=display.notice, network=where.network)
        link: Link | None = met.link
        while link:
            folder = _folder("host", options, kept, met, purse)
            with folder:
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
                ended, link = await _play(
                    folder, ballgame, display, link, _meet(folder, Role.HOST, url, where, display)
                )
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
    url = relay_url(where.relay)
    met = await join(url, code, purse.public, report=display.notice, network=where.network)
    link: Link | None = met.link
    while link:
        folders: list[GameFolder] = []

        def keep(_hello: Message, folders: list[GameFolder] = folders, purse: Purse = purse) -> Any:
            folders.append(_folder("guest", options, where.relay, met, purse))
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
            ended, link = await _play(folder, ballgame, display, link, _meet(folder, Role.GUEST, url, where, display))
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
    async with contextlib.AsyncExitStack() as stack:
        relay = where.relay or folder.info.relay
        if relay.startswith(EMBEDDED):
            url, _ = await stack.enter_async_context(at_relay(relay))
        else:
            url = relay_url(relay)
        ended, link = await _play(folder, ballgame, display, None, _meet(folder, role, url, where, display))
        if link:
            await close(link)
    return ended


async def _play(
    folder: GameFolder,
    ballgame: Ballgame,
    display: Display,
    link: Link | None,
    meet: Callable[[], Any],
) -> tuple[Ended, Link | None]:
    session = Session(ballgame, folder.journal, display, clock=ballgame.game.state.terms.clock, heard=_trace())
    display.seated(ballgame, session)
    try:
        ended, link = await play_out(session, display, meet, link)
    except asyncio.CancelledError:
        display.over(Ended.LEFT, folder.record, "")
        raise
    display.over(ended, folder.record, session.why)
    return ended, link


def _meet(folder: GameFolder, role: Role, url: str, where: Where, display: Display) -> Callable[[], Any]:
    async def meet() -> Link:
        assert folder.resume_secret is not None
        key = identity().public_key().public_bytes_raw()
        task = asyncio.current_task()
        assert task
        while True:
            attempt = asyncio.ensure_future(
                rejoin(url, role, folder.resume_secret, key, report=display.notice, network=where.network)
            )
            display.meeting(attempt.cancel)
            try:
                return (await attempt).link
            except asyncio.CancelledError:
                if task.cancelling():
                    raise
                # The player wants to try again now.

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
