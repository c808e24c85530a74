"""What can be done with an evening besides a new game against the computer: two people here, and going on."""

from __future__ import annotations

from dataclasses import replace

from p2pball.clubhouse.games import GameFolder, open_game
from p2pball.clubhouse.settings import Settings
from p2pball.computer.levels import Level
from p2pball.session import Ended
from p2pball.ui.display import Display
from p2pball.ui.hotseat import Fronts, hotseat
from p2pball.ui.options import Options, default_team
from p2pball.ui.seats import Computer
from p2pball.ui.solo import new_solo, play_solo, resume_solo


async def two_people(options: Options, second: str, fronts: Fronts) -> Ended:
    """A new game of two people at one keyboard; `second` is the name of the guest, `fronts` are of `hotseat`."""
    folder, *purses = new_solo(options, far_name=second, kind="hotseat")
    with folder:
        team = default_team(first=False)
        return await play_solo(folder, (purses[0], purses[1]), options, fronts, (second, team))


async def go_on_here(folder: GameFolder, display: Display) -> Ended:
    """Go on with a game that was played on this machine."""
    if folder.info.kind == "hotseat":
        return await resume_solo(folder, *hotseat(display))
    return await resume_solo(folder, display, Computer(Level(folder.info.level)))


async def go_on(game: str, settings: Settings, display: Display) -> Ended:
    """Go on with any game, at the relay it was begun at."""
    from p2pball.ui.online import resume_game
    from p2pball.ui.places import Where

    with open_game(game) as folder:
        if folder.info.kind == "online":
            return await resume_game(folder, replace(Where.of(settings), relay=""), display)
        return await go_on_here(folder, display)
