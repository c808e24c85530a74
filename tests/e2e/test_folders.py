"""The folder of a new game is made while the connection is, and goes with it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from p2pball.clubhouse.games import list_games
from p2pball.computer.levels import Level
from p2pball.engine.terms import Rules
from p2pball.errors import P2PBallError
from p2pball.net.addresses import LOOPBACK_TOO
from p2pball.net.embedded import EmbeddedRelay
from p2pball.net.errors import PartnerGone
from p2pball.net.rendezvous import host, join
from p2pball.protocol.meeting import Code, parse
from p2pball.ui.online import host_game, join_game
from p2pball.ui.options import Options, default_team, default_terms
from p2pball.ui.places import Where
from p2pball.ui.seats import Computer
from tests.net.conftest import settled

__all__ = ["settled"]

LIMIT = 60.0
KEY = b"\x05" * 32


@pytest.fixture
async def relay(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[str]:
    """A relay of this test's own, and a home for the one player that has a game."""
    monkeypatch.setenv(LOOPBACK_TOO, "1")
    monkeypatch.setenv("P2PBALL_HOME", str(tmp_path))
    async with EmbeddedRelay(host="127.0.0.1", port=0) as running:
        yield f"ws://127.0.0.1:{running.port}"


class Waiting(Computer):
    """A computer that tells its code."""

    def __init__(self) -> None:
        super().__init__(Level.ROOKIE)
        self.code: asyncio.Future[str] = asyncio.get_running_loop().create_future()

    def room(self, code: str, relay: str, join: str) -> None:
        self.code.set_result(code)

    def meeting(self, again: object) -> None:
        return

    async def again(self) -> bool:
        return False


def options(name: str) -> Options:
    return Options(default_terms(Rules.DICE, innings=1), name, default_team(first=name == "Host"))


def kept(home: Path) -> list[Path]:
    return list(home.glob("games/*"))


async def stop(task: asyncio.Task[object]) -> None:
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)


async def gone_once_confirmed(going: asyncio.Task[object], confirmed: asyncio.Event) -> None:
    await asyncio.wait_for(confirmed.wait(), LIMIT)
    await stop(going)


async def test_a_host_whose_guest_goes_while_connecting_keeps_nothing(relay: str, tmp_path: Path) -> None:
    waiting, confirmed = Waiting(), asyncio.Event()
    hosting = asyncio.ensure_future(host_game(options("Host"), Where(relay), waiting))
    code = parse(await asyncio.wait_for(waiting.code, LIMIT))
    guest: asyncio.Task[object] = asyncio.ensure_future(
        join(relay, code, KEY, report=lambda _: None, confirmed=lambda _: confirmed.set())
    )
    await gone_once_confirmed(guest, confirmed)
    with pytest.raises(P2PBallError):
        await asyncio.wait_for(hosting, LIMIT)
    assert kept(tmp_path) == []


async def test_a_host_whose_guest_goes_before_its_hello_is_not_told_of_a_saved_game(relay: str, tmp_path: Path) -> None:
    waiting = Waiting()
    hosting = asyncio.ensure_future(host_game(options("Host"), Where(relay), waiting))
    code = parse(await asyncio.wait_for(waiting.code, LIMIT))
    met = await asyncio.wait_for(join(relay, code, KEY, report=lambda _: None), LIMIT)
    await met.link.close()
    with pytest.raises(PartnerGone):
        await asyncio.wait_for(hosting, LIMIT)
    assert kept(tmp_path) == []


async def test_a_guest_whose_host_goes_while_connecting_keeps_nothing(relay: str, tmp_path: Path) -> None:
    confirmed = asyncio.Event()
    told: asyncio.Future[Code] = asyncio.get_running_loop().create_future()
    hosting: asyncio.Task[object] = asyncio.ensure_future(
        host(relay, KEY, opened=told.set_result, report=lambda _: None, confirmed=lambda _: confirmed.set())
    )
    code = await asyncio.wait_for(told, LIMIT)
    joining = asyncio.ensure_future(join_game(code, options("Guest"), Where(relay), Waiting()))
    await gone_once_confirmed(hosting, confirmed)
    with pytest.raises(PartnerGone):
        await asyncio.wait_for(joining, LIMIT)
    assert kept(tmp_path) == []


async def test_a_whole_game_notes_down_who_it_was_against(relay: str, tmp_path: Path) -> None:
    waiting = Waiting()
    hosting = asyncio.ensure_future(host_game(options("Host"), Where(relay), waiting))
    code = parse(await asyncio.wait_for(waiting.code, LIMIT))
    await asyncio.wait_for(
        asyncio.gather(hosting, join_game(code, options("Guest"), Where(relay), Waiting())), 4 * LIMIT
    )
    infos = {info.seat: info for info in list_games()}
    assert (infos["host"].opponent, infos["guest"].opponent) == ("Guest", "Host")
    # Both players have this one home, so both are this one identity.
    assert infos["host"].opponent_key == infos["guest"].opponent_key != ""
    secrets = {(tmp_path / "games" / info.id / "resume").read_bytes() for info in infos.values()}
    assert len(secrets) == 1
    words = json.loads((tmp_path / "games" / infos["guest"].id / "game.json").read_text())
    assert words["rules"] == "dice"
