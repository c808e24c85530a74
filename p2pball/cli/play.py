"""`p2pball play`: a game on this machine, against the computer or two at one keyboard."""

from __future__ import annotations

import sys
from dataclasses import replace

import click
from click.core import ParameterSource

from p2pball.cli.options import (
    LEVELS,
    FrontFlags,
    GameFlags,
    PlayerFlags,
    checked_name,
    front_options,
    game_options,
    player_options,
)
from p2pball.cli.run import Mode, mode, open_title, run_game, seat
from p2pball.clubhouse.settings import load
from p2pball.computer.levels import Level
from p2pball.session import Ended
from p2pball.ui.display import Display
from p2pball.ui.hints import all_star_hint
from p2pball.ui.options import Options, kept_level
from p2pball.ui.solo import against_computer

SECOND = "Player 2"


@click.command()
@game_options
@click.option("--level", type=LEVELS, help="How strong the computer is; regular by default.")
@click.option("--home/--away", default=True, help="Whether you are the home team; home by default.")
@click.option("--seed", type=int, help="Fix every die and deal: the same seed and choices give the same record.")
@click.option("--hotseat", is_flag=True, help="Two people at one keyboard, hands hidden between turns.")
@player_options
@front_options
def play(
    game: GameFlags,
    level: str | None,
    home: bool,
    seed: int | None,
    hotseat: bool,
    player: PlayerFlags,
    front: FrontFlags,
) -> int:
    """Play against the computer, offline; or two people at one keyboard."""
    watched = front.watched
    if hotseat and (front.as_json or watched):
        raise click.UsageError("--hotseat is for two people: leave --json, --auto and --engine out.")
    chosen = mode(plain=front.plain, as_json=front.as_json)
    if chosen is Mode.FULL and _alone():
        return open_title(playing=True)
    asks = chosen is Mode.PLAIN and sys.stdin.isatty() and not watched
    if asks and game.rules is None and game.innings is None and level is None:
        game, level = _ask(game, hotseat=hotseat)
    terms = game.terms("host" if home else "guest")
    strength = Level(level) if level else kept_level(load())
    options = player.options(terms, first=True, ask=asks, level=strength, seed=seed)

    async def work(display: Display) -> Ended:
        if hotseat:
            return await _two_people(options, display)
        async with seat(display, front) as front_end:
            # Only a full screen stays after the game, to be asked for another.
            return await against_computer(options, front_end, rematches=chosen is Mode.FULL)

    return run_game(work, chosen, watched=watched, offline=True, hint=None if watched or hotseat else all_star_hint)


def _alone() -> bool:
    """Whether nothing was said about the game, so that the player is asked."""
    context = click.get_current_context()
    return all(context.get_parameter_source(name) is ParameterSource.DEFAULT for name in context.params)


async def _two_people(options: Options, display: Display) -> Ended:
    """Two people at this keyboard."""
    from p2pball.ui.evening import two_people
    from p2pball.ui.hotseat import hotseat

    fronts = hotseat(display)
    second = await fronts[0].ask(f"Name of the second player, Enter for {SECOND} >")
    return await two_people(options, checked_name(second or SECOND), fronts)


def _ask(game: GameFlags, *, hotseat: bool) -> tuple[GameFlags, str | None]:
    """How the player wants to play, when nothing was said."""
    rules = click.prompt("Which game", type=click.Choice(["dice", "cards"]), default="dice", err=True)
    level = None if hotseat else click.prompt("How strong a computer", type=LEVELS, default="regular", err=True)
    return replace(game, rules=rules), level
