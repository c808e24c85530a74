"""The end of a game that the partner may lack: its player is told how to hand it over later."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from p2pball.clubhouse.games import GameInfo, create_game
from p2pball.engine.terms import Seat
from p2pball.net.memory import memory_pair
from p2pball.session import Ended
from p2pball.ui.online import _play
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
