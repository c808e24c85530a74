"""Run a game in the front end that fits: one event loop, signals that end it cleanly, an exit code."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import logging
import os
import signal
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from enum import Enum
from typing import TYPE_CHECKING

import click

from p2pball.cli.options import FrontFlags, look_flags
from p2pball.clubhouse.settings import load
from p2pball.session import Ended
from p2pball.ui.display import Display, Hint

if TYPE_CHECKING:
    from p2pball.ui.archive import Found
    from p2pball.ui.places import Paster

EXIT = {Ended.FINISHED: 0, Ended.LEFT: 0, Ended.LOST: 1, Ended.REFUSED: 1, Ended.CHEATED: 4, Ended.FORKED: 1}
LEAVING = 5.0
"""Seconds in which a second signal says nothing new: what is being saved and closed is not cut off in its turn."""
Work = Callable[[Display], Awaitable[Ended]]


class Mode(Enum):
    """The four front ends, the narrow one being the full one folded."""

    FULL = "full"
    PLAIN = "plain"
    JSON = "json"


def mode(*, plain: bool, as_json: bool) -> Mode:
    """The front end that fits the flags and the terminal (experience.md, one game four ways)."""
    if as_json:
        return Mode.JSON
    dumb = os.environ.get("TERM", "") in ("", "dumb") and os.name != "nt"
    # The full screen reads from stdin and draws on stderr: both must be the terminal, and stdout not a pipe.
    if plain or dumb or not all(stream.isatty() for stream in (sys.stdin, sys.stdout, sys.stderr)):
        return Mode.PLAIN
    return Mode.FULL


def run_game(
    work: Work, chosen: Mode, *, watched: bool = False, offline: bool = False, hint: Hint | None = None
) -> int:
    """Play in a front end; the exit code.

    `watched`: somebody else plays, so nothing is read from stdin. `offline`: there is no link to
    show. `hint` tells what to do, against the computer only.
    """
    if "--debug" not in sys.argv:
        # What a library says of a connection that ended is no news to a player, and would be printed into the game.
        logging.getLogger().addHandler(logging.NullHandler())
    if chosen is Mode.FULL:
        return _full(work, watched=watched, offline=offline, hint=hint)
    try:
        return EXIT[asyncio.run(_with_signals(work, chosen, watched=watched, hint=hint))]
    except asyncio.CancelledError:
        raise KeyboardInterrupt from None


def _full(work: Work, *, watched: bool, offline: bool, hint: Hint | None) -> int:
    """The full screen; only now is Textual imported (experience.md, fact 4).

    Here and below no garbage is looked for until the first frame stands (Shell.on_ready): the imports make none,
    and to look was a tenth of a start.
    """
    gc.disable()
    from p2pball.ui.tui.app import FullScreen
    from p2pball.ui.tui.look import Look
    from p2pball.ui.tui.run import run

    app = FullScreen(work, Look.of(load(**look_flags()), offline=offline), plays=not watched, hint=hint)
    run(app)
    return EXIT[app.ended] if app.ended else 0


def watch_full(found: Found, *, pace: float, spoilers: bool) -> None:
    """Watch a recorded game again on the full screen."""
    gc.disable()
    from p2pball.ui.tui.cinema import Cinema
    from p2pball.ui.tui.look import Look
    from p2pball.ui.tui.run import run

    run(Cinema(Look.of(load(**look_flags())), found, pace=pace, spoilers=spoilers))


def open_title(*, playing: bool = False) -> int:
    """The title screen, for an evening of games, the form of a new game on it if `playing`; the exit code."""
    gc.disable()
    from p2pball.ui.tui.home import Home
    from p2pball.ui.tui.look import Look
    from p2pball.ui.tui.run import run

    settings = load(**look_flags())
    look = Look.of(settings)

    def paper(game: str) -> list[str]:
        from p2pball.cli.show import begun, sheet
        from p2pball.ui.archive import find

        found = find(game)
        return sheet(found, begun(found), plain=look.ascii)

    run(Home(settings, look, paper, playing=playing))
    return 0


async def _with_signals(work: Work, chosen: Mode, *, watched: bool, hint: Hint | None) -> Ended:
    """Let Ctrl-C, a hang-up or a termination end the game: saved, the terminal as it was."""
    task = asyncio.current_task()
    loop = asyncio.get_running_loop()
    assert task
    heard = -LEAVING

    def leave() -> None:
        nonlocal heard
        if loop.time() - heard > LEAVING:
            heard = loop.time()
            task.cancel()

    numbers = []
    for name in ("SIGINT", "SIGTERM", "SIGHUP"):
        if number := getattr(signal, name, None):
            try:
                loop.add_signal_handler(number, leave)
            except NotImplementedError:  # Windows has none of it, and asyncio deals with Ctrl-C
                break
            numbers.append(number)
    try:
        return await work(_display(chosen, watched=watched, hint=hint))
    finally:
        if heard != -LEAVING:
            # All is saved: what still comes while the process ends must not end it another way, nor with a complaint.
            for number in numbers:
                loop.remove_signal_handler(number)
                signal.signal(number, signal.SIG_IGN)


def _display(chosen: Mode, *, watched: bool, hint: Hint | None) -> Display:
    from p2pball.ui.keyboard import Keyboard

    keyboard = Keyboard()
    if chosen is Mode.JSON:
        from p2pball.ui.jsonl import Json

        return Json(click.echo, keyboard.line)
    from p2pball.ui.plain import Plain

    return Plain(None if watched else keyboard, sys.stdout, sys.stderr, hint=hint)


def paster(display: Display, *, by_hand: bool) -> Paster | None:
    """The front end as one that pastes lines, when the players meet by hand."""
    if not by_hand:
        return None
    from p2pball.ui.jsonl import Json
    from p2pball.ui.plain import Plain

    assert isinstance(display, Plain | Json)
    return display


@contextlib.asynccontextmanager
async def seat(display: Display, front: FrontFlags) -> AsyncIterator[Display]:
    """Who makes the choices that a display shows: its own player, a level of the computer, or a program.

    A program is gone when the games are.
    """
    if front.auto:
        from p2pball.computer.levels import Level
        from p2pball.ui.seats import Computer, Seat

        yield Seat(display, Computer(Level(front.auto), front.pause))
    elif front.engine:
        from p2pball.ui.engine import Engine
        from p2pball.ui.jsonl import Json
        from p2pball.ui.plain import Plain
        from p2pball.ui.seats import Seat

        program = await Engine.start(front.engine, silent=not isinstance(display, Json | Plain))
        try:
            yield Seat(display, program)
        finally:
            await program.gone()
    else:
        yield display
