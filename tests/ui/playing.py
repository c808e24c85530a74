"""Games on the full screen under Pilot: a real app, a real session, a real record, and fingers on the keys."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path

import pytest
from textual.pilot import Pilot

from p2pball.clubhouse.games import find_game, list_games, record_in
from p2pball.engine.terms import Rules, Terms
from p2pball.session import Ended
from p2pball.ui.display import Display
from p2pball.ui.hints import all_star_hint
from p2pball.ui.options import Options, default_team
from p2pball.ui.solo import against_computer
from p2pball.ui.tui.app import FullScreen
from p2pball.ui.tui.field import Field
from p2pball.ui.tui.look import Look
from p2pball.ui.tui.screens.final import Final
from p2pball.ui.tui.screens.game import GameScreen
from p2pball.ui.tui.screens.lobby import Curtain
from p2pball.verify import Report, verify
from tests.ui.stagecraft import STILL, frame

Fingers = Pilot[None]


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A player's folder of their own, with a name in it."""
    monkeypatch.setenv("P2PBALL_HOME", str(tmp_path))
    monkeypatch.setenv("P2PBALL_NAME", "Ann")
    return tmp_path


def options(rules: Rules, innings: int = 1, *, seed: int | None = 5, home: str = "host", clock: int = 0) -> Options:
    """A game against the computer."""
    return Options(Terms(rules, innings, home=home, clock=clock), "Ann", default_team(first=True), seed=seed)


def solo(wanted: Options, look: Look = STILL) -> FullScreen:
    """An app that plays it, as `p2pball play` makes one."""

    async def work(display: Display) -> Ended:
        return await against_computer(wanted, display, rematches=True)

    return FullScreen(work, look, hint=all_star_hint)


async def until(pilot: Fingers, what: Callable[[], bool], seconds: float = 60) -> None:
    """Wait until something is so."""
    for _ in range(int(seconds / 0.002)):
        if what():
            return
        await asyncio.sleep(0.002)  # the pilot's own pause waits for screens that may be gone by then
    raise AssertionError("it never came to that")


def asked(app: FullScreen) -> bool:
    """Whether the game screen waits for a choice of this seat."""
    screen = app.screen
    return isinstance(screen, GameScreen) and bool(screen.stage.move_keys)


async def ready(app: FullScreen, pilot: Fingers) -> GameScreen:
    """Wait for the first choice and for all parts of the screen to have their places; the game screen."""
    await until(pilot, lambda: asked(app) and app.screen.query_one(Field).region.height > 0)
    screen = app.screen
    assert isinstance(screen, GameScreen)
    return screen


async def shown(app: FullScreen, kind: type[object], pilot: Fingers) -> str:
    """The text of the screen once it is of this kind."""
    await until(pilot, lambda: isinstance(app.screen, kind))
    await pilot.pause()
    return "\n".join(frame(app))


async def play_through(
    app: FullScreen, pilot: Fingers, look_on: Callable[[], Awaitable[None]] | None = None, most: int = 100_000
) -> Final:
    """Press the first key of every choice until the game is over; `look_on` is called before each."""
    for _ in range(most):
        screen = app.screen
        if isinstance(screen, Final):
            return screen
        if isinstance(screen, Curtain):
            if look_on:
                await look_on()
            app.simulate_key("enter")
            await until(pilot, partial(_gone, app, screen))
        elif asked(app):
            if look_on:
                await look_on()
            assert isinstance(screen, GameScreen)
            chosen = partial(_chosen, screen, screen.stage._asking)
            app.simulate_key(screen.stage.move_keys[0].key)
            await until(pilot, chosen)
        else:
            await asyncio.sleep(0.002)
    raise AssertionError("the game does not end")


def _gone(app: FullScreen, screen: object) -> bool:
    return app.screen is not screen


def _chosen(screen: GameScreen, asking: object) -> bool:
    return screen.stage._asking is not asking


def only_report() -> Report:
    """The verdict on the only game there is."""
    (info,) = list_games()
    return verify(record_in(find_game(info.id)).read_bytes())
