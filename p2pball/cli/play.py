"""`p2pball play`: a game on this machine, against the computer or two at one keyboard."""

from __future__ import annotations

import sys

import click

from p2pball.cli.options import (
    LEVELS,
    checked_name,
    default_pace,
    front_options,
    game_options,
    player_name,
    player_options,
    player_team,
)
from p2pball.cli.run import Mode, mode, played_for, run_game, seat
from p2pball.clubhouse.settings import load
from p2pball.computer.levels import Level
from p2pball.engine.terms import Rules
from p2pball.session import Ended
from p2pball.ui.display import Display
from p2pball.ui.evening import two_people
from p2pball.ui.hints import all_star_hint
from p2pball.ui.hotseat import hotseat as hotseat_fronts
from p2pball.ui.options import Options, default_terms
from p2pball.ui.solo import against_computer


@click.command()
@game_options
@click.option("--level", type=LEVELS, help="How strong the computer is; regular by default.")
@click.option("--home/--away", default=True, help="Whether you are the home team; home by default.")
@click.option("--seed", type=int, help="Fix every die and deal: the same seed and choices give the same record.")
@click.option("--hotseat", is_flag=True, help="Two people at one keyboard, hands hidden between turns.")
@player_options
@front_options
def play(
    rules: str | None,
    innings: int | None,
    extra_innings: int,
    no_walk_off: bool,
    clock: int,
    level: str | None,
    home: bool,
    seed: int | None,
    hotseat: bool,
    name: str | None,
    team: str | None,
    plain: bool,
    as_json: bool,
    auto: str | None,
    engine: str | None,
    pace: float | None,
) -> int:
    """Play against the computer, offline; or two people at one keyboard."""
    if hotseat and (as_json or auto or engine):
        raise click.UsageError("--hotseat is for two people: leave --json, --auto and --engine out.")
    watched = played_for(auto, engine)
    chosen = mode(plain=plain, as_json=as_json)
    asks = chosen is Mode.PLAIN and sys.stdin.isatty() and not watched
    if asks and rules is None and innings is None and level is None:
        rules, level = _ask(hotseat=hotseat)
    game = Rules(rules or "dice")
    terms = default_terms(
        game,
        extra_innings=extra_innings,
        walk_off=not no_walk_off,
        clock=clock,
        home="host" if home else "guest",
        **({"innings": innings} if innings else {}),
    )
    options = Options(
        terms=terms,
        name=player_name(name, ask=asks),
        team=player_team(team, first=True),
        level=Level(level or load().level or "regular"),
        seed=seed,
    )

    async def work(display: Display) -> Ended:
        if hotseat:
            return await _two_people(options, display)
        player = await seat(display, auto, engine, default_pace(pace))
        # Only a full screen stays after the game, to be asked for another.
        return await against_computer(options, player, rematches=chosen is Mode.FULL)

    return run_game(work, chosen, watched=watched, offline=True, hint=None if watched or hotseat else all_star_hint)


async def _two_people(options: Options, display: Display) -> Ended:
    """Two people at this keyboard."""
    fronts = hotseat_fronts(display)
    second = await fronts[0].ask("Name of the second player >")
    return await two_people(options, checked_name(second or "Player 2"), fronts)


def _ask(*, hotseat: bool) -> tuple[str, str | None]:
    """How the player wants to play, when nothing was said."""
    game = click.prompt("Which game", type=click.Choice(["dice", "cards"]), default="dice", err=True)
    level = None if hotseat else click.prompt("How strong a computer", type=LEVELS, default="regular", err=True)
    return game, level
