"""What a player is told at the end of an online game when all is not well: with the partner, or with the disk."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from p2pball.clubhouse.games import GameInfo, create_game
from p2pball.engine.terms import Seat
from p2pball.net.memory import memory_pair
from p2pball.session import Ended
from p2pball.ui.online import _play, _play_new
from tests.duet import DICE
from tests.session.table import Player, Table
from tests.session.test_series import Endless

pytestmark = pytest.mark.usefixtures("home")


@dataclass
class Displayed(Player):
    """A player's display, with what it says at the end."""

    farewell: str = ""

    def over(self, ended: Ended, record: Path, why: str) -> None:
        self.farewell = why

    def room(self, code: str, relay: str, join: str) -> None:
        raise AssertionError

    def meeting(self, again: Callable[[], object]) -> None:
        raise AssertionError

    async def again(self) -> bool:
        raise AssertionError


@pytest.mark.parametrize("heard", [True, False])
async def test_a_player_is_told_how_the_partner_may_get_the_end(heard: bool) -> None:
    table, display = Table(DICE), Displayed()
    ballgame = table.duet.games[Seat.HOST]
    here, there = memory_pair()
    info = GameInfo(seat="host", kind="online", rules="dice", started="2026-11-30T20:15:00+00:00")
    with create_game(info, bytes(32)) as folder:
        folder.journal.append(table.journals[Seat.HOST].frames)
        rival = table.sessions[Seat.GUEST].run(there if heard else Endless(there))
        (ended, link), _ = await asyncio.gather(_play(folder, ballgame, display, here, None), rival)
        assert ended is Ended.FINISHED
        assert (link is not None) is heard
        assert (f"p2pball resume {folder.info.id}" in display.farewell) is not heard


async def test_a_game_that_could_not_be_noted_down_is_played_all_the_same() -> None:
    table, display = Table(DICE), Displayed()
    ballgame = table.duet.games[Seat.HOST]
    here, there = memory_pair()
    info = GameInfo(seat="host", kind="online", rules="dice", started="2026-11-30T20:15:00+00:00")
    with create_game(info, bytes(32)) as folder:
        folder.journal.append(table.journals[Seat.HOST].frames)
        (folder.path / f".game.json.{os.getpid()}.new").mkdir()  # where the new words would be written
        rival = table.sessions[Seat.GUEST].run(there)
        (ended, _), _ = await asyncio.gather(_play_new(folder, ballgame, display, here, None, bytes(32)), rival)
        assert ended is Ended.FINISHED
        assert any(f"Could not note down the game in {folder.path}" in notice for notice in display.notices)
