"""`p2pball host` and `p2pball join`: a game between two machines."""

from __future__ import annotations

import click
from click.shell_completion import CompletionItem

from p2pball.cli.options import (
    FrontFlags,
    GameFlags,
    NetworkFlags,
    PlayerFlags,
    front_options,
    game_options,
    hand_option,
    network_options,
    player_options,
)
from p2pball.cli.run import Mode, mode, paster, run_game, seat
from p2pball.engine.terms import Terms
from p2pball.session import Ended
from p2pball.ui.display import Display


@click.command()
@game_options
@click.option(
    "--home", type=click.Choice(["host", "guest", "coin"]), default="coin", help="Who is at home; a coin by default."
)
@player_options
@network_options
@hand_option
@front_options
def host(
    game: GameFlags, home: str, player: PlayerFlags, network: NetworkFlags, by_hand: bool, front: FrontFlags
) -> int:
    """Open a room, print its code, and play whoever joins with it."""
    from p2pball.ui.online import host_game
    from p2pball.ui.places import Where

    chosen = _mode(front, by_hand=by_hand)
    settings = network.settings()
    options = player.options(game.terms(home), first=True, ask=_asks(chosen, front))

    async def work(display: Display) -> Ended:
        where = Where.of(settings, paster(display, by_hand=by_hand))
        async with seat(display, front) as front_end:
            return await host_game(options, where, front_end)

    return run_game(work, chosen, watched=front.watched)


def _complete(_ctx: click.Context, _param: click.Parameter, partial: str) -> list[CompletionItem]:
    from p2pball.protocol.meeting import completions

    return [CompletionItem(text) for text in completions(partial)]


@click.command()
@click.argument("code", metavar="CODE[@RELAY]", shell_complete=_complete)
@player_options
@network_options
@hand_option
@front_options
def join(code: str, player: PlayerFlags, network: NetworkFlags, by_hand: bool, front: FrontFlags) -> int:
    """Join the game of a code that your host has told you."""
    from p2pball.net.addresses import parse_target
    from p2pball.ui.online import join_game
    from p2pball.ui.places import Where

    chosen = _mode(front, by_hand=by_hand)
    parsed, at = parse_target(code)
    settings = network.settings(at)
    if not settings.relay and not by_hand:
        raise click.UsageError(
            f"At which relay? Your host's line ends in @ADDRESS, as in `p2pball join {parsed}@192.168.1.5:8765`; "
            "or name one with --relay. Without any: --by-hand."
        )
    options = player.options(Terms(), first=False, ask=_asks(chosen, front))

    async def work(display: Display) -> Ended:
        where = Where.of(settings, paster(display, by_hand=by_hand))
        async with seat(display, front) as front_end:
            return await join_game(parsed, options, where, front_end)

    return run_game(work, chosen, watched=front.watched)


def _asks(chosen: Mode, front: FrontFlags) -> bool:
    """Whether somebody is there to be asked for a name, which the other player will see."""
    return chosen is not Mode.JSON and not front.watched


def _mode(front: FrontFlags, *, by_hand: bool) -> Mode:
    """The front end; lines are pasted in plain text only, and by somebody."""
    if by_hand and front.watched:
        raise click.UsageError("--by-hand needs somebody who pastes lines: leave --auto and --engine out.")
    return mode(plain=front.plain or by_hand, as_json=front.as_json)
