"""Programs in the seats of simulated games: the JSON lines of `--engine`, on the engine alone.

There is nobody to resign to, so a program that fails ends its game at once and has lost it.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from random import Random
from typing import NoReturn

from p2pball.computer.game import SourceStream, play_out
from p2pball.computer.levels import Level
from p2pball.computer.player import choose
from p2pball.engine.moves import Choice, Result
from p2pball.engine.terms import Seat, Terms
from p2pball.engine.view import View
from p2pball.frozen import frozen
from p2pball.session import Ended
from p2pball.ui.engine import Engine

_PLAYING: list[Engine] = []
"""The programs in the seats of the game that this process plays."""
FORFEIT = 9
"""The score of a forfeited game, to nothing, as in every rule book of baseball."""


@frozen
class Program:
    """Anyone's program, by the command that starts it."""

    value: str


class GivenUp(Exception):
    """A program has failed."""


class _Alone:
    """What a program may do when there is nobody else: to leave or to resign ends the game."""

    def leave(self) -> NoReturn:
        raise GivenUp

    def resign(self) -> NoReturn:
        raise GivenUp

    def say(self, text: str) -> None:
        """Nobody listens."""


def play(terms: Terms, home: Level | Program, away: Level | Program, source: Random) -> tuple[Result, str]:
    """Play one game out; the host's seat is the home team. The text says why it was forfeited, if it was.

    Every program is started for this game alone.
    """
    players = {Seat.HOST: home, Seat.GUEST: away}
    programs: dict[Seat, Engine] = {}
    with asyncio.Runner() as runner:
        try:
            for seat, player in players.items():
                if isinstance(player, Program):
                    programs[seat] = runner.run(Engine.start(player.value))
                    programs[seat].alone(_Alone())
                    _PLAYING.append(programs[seat])
            result, why = _play(terms, players, programs, runner, source)
            for program in programs.values():
                program.finish(result, Ended.FINISHED, why)
            return result, why
        finally:
            for program in programs.values():
                runner.run(program.gone())
            _PLAYING.clear()


def abandon() -> NoReturn:
    """End this process at once, and the programs that it lets play."""
    for program in _PLAYING:
        program.kill()
    os._exit(1)


def _play(
    terms: Terms,
    players: dict[Seat, Level | Program],
    programs: dict[Seat, Engine],
    runner: asyncio.Runner,
    source: Random,
) -> tuple[Result, str]:
    stream = SourceStream(source)

    def seated(seat: Seat, player: Level | Program) -> Callable[[View], Choice]:
        if isinstance(player, Level):
            return lambda view: choose(view, player, stream)
        return lambda view: runner.run(programs[seat].choose(view, view.moves(), None))

    try:
        return play_out(terms, {seat: seated(seat, player) for seat, player in players.items()}, source), ""
    except GivenUp:
        loser = next(seat for seat, program in programs.items() if program.failed)
        score = (FORFEIT, 0) if loser is Seat.HOST else (0, FORFEIT)
        return Result(loser.other, *score), programs[loser].failed
