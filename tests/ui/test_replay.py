"""A replay on the full screen: forwards, backwards, and without spoilers."""

from __future__ import annotations

from pathlib import Path

import pytest

from p2pball.ui.archive import find
from p2pball.ui.tui.cinema import Cinema
from p2pball.ui.tui.screens.replay import ReplayScreen
from tests.ui.playing import shown, until
from tests.ui.stagecraft import STILL, frame

pytestmark = pytest.mark.usefixtures("home")
RECORDS = Path(__file__).parents[1] / "records"


async def test_a_replay_goes_both_ways() -> None:
    app = Cinema(STILL, find(str(RECORDS / "cards-three-innings.p2pball")), pace=0.05, spoilers=True)
    async with app.run_test(size=(80, 24)) as pilot:
        assert "0 of " in await shown(app, ReplayScreen, pilot)
        await pilot.press("enter", "n", "right")
        await pilot.pause()
        third = frame(app)
        assert " 3 of " in third[22]
        await pilot.press("enter", "b")
        await pilot.pause()
        assert frame(app) == third
        await pilot.press("h")
        await pilot.pause()
        half = frame(app)
        assert "Bot 1" in half[0]
        await pilot.press("s")
        await pilot.pause()
        assert frame(app)[0][:14] != half[0][:14], "somebody has scored"
        for key, words in (("x", "AB  R  H RBI"), ("l", "Ellis: strike"), ("?", "on to the next run")):
            await pilot.press(key)
            await pilot.pause()
            assert words in "\n".join(frame(app))
            assert "The dice game" not in "\n".join(frame(app)), "the rules of another game"
            await pilot.press("escape")
            await shown(app, ReplayScreen, pilot)
        await pilot.press("plus", "p")
        await until(pilot, lambda: " won " in frame(app)[22] or "A draw" in frame(app)[22], 60)
        assert "chain " in frame(app)[23]
        await pilot.press("q")
    assert app.fault is None


async def test_a_replay_without_spoilers_says_nothing_of_what_comes() -> None:
    found = find(str(RECORDS / "cards-three-innings.p2pball"))
    app = Cinema(STILL, found, pace=1.0, spoilers=False)
    chain = found.record.report.game.exchange.chain.hex()
    async with app.run_test(size=(80, 24)) as pilot:
        said = await shown(app, ReplayScreen, pilot)
        assert " of " not in frame(app)[22]
        assert chain[:4] not in said
