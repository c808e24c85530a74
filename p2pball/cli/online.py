"""`p2pball host` and `p2pball join`: a game between two machines."""

from __future__ import annotations

import click
from click.shell_completion import CompletionItem

from p2pball.cli.options import (
    default_pace,
    front_options,
    game_options,
    hand_option,
    network_options,
    player_name,
    player_options,
    player_team,
)
from p2pball.cli.run import Mode, mode, paster, played_for, run_game, seat
from p2pball.clubhouse.settings import load
from p2pball.engine.terms import Rules, Terms
from p2pball.session import Ended
from p2pball.ui.display import Display
from p2pball.ui.options import Options, default_terms


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
    rules: str | None,
    innings: int | None,
    extra_innings: int,
    no_walk_off: bool,
    clock: int,
    home: str,
    name: str | None,
    team: str | None,
    relay: str | None,
    turn_only: bool,
    stun: str | None,
    turn: str | None,
    by_hand: bool,
    plain: bool,
    as_json: bool,
    auto: str | None,
    engine: str | None,
    pace: float | None,
) -> int:
    """Open a room, print its code, and play whoever joins with it."""
    from p2pball.ui.online import host_game
    from p2pball.ui.places import Where

    watched = played_for(auto, engine, by_hand=by_hand)
    chosen = mode(plain=plain or by_hand, as_json=as_json)
    settings = load(relay=relay, turn_only=turn_only or None, stun=stun, turn=turn)
    terms = default_terms(
        Rules(rules or "dice"),
        extra_innings=extra_innings,
        walk_off=not no_walk_off,
        clock=clock,
        home=home,
        **({"innings": innings} if innings else {}),
    )
    options = _wanted(terms, name, team, chosen, first=True)

    async def work(display: Display) -> Ended:
        where = Where.of(settings, paster(display, by_hand=by_hand))
        return await host_game(options, where, await seat(display, auto, engine, default_pace(pace)))

    return run_game(work, chosen, watched=watched)


def _complete(_ctx: click.Context, _param: click.Parameter, partial: str) -> list[CompletionItem]:
    from p2pball.protocol.meeting import completions

    return [CompletionItem(text) for text in completions(partial)]


@click.command()
@click.argument("code", metavar="CODE[@RELAY]", shell_complete=_complete)
@player_options
@network_options
@hand_option
@front_options
def join(
    code: str,
    name: str | None,
    team: str | None,
    relay: str | None,
    turn_only: bool,
    stun: str | None,
    turn: str | None,
    by_hand: bool,
    plain: bool,
    as_json: bool,
    auto: str | None,
    engine: str | None,
    pace: float | None,
) -> int:
    """Join the game of a code that your host has told you."""
    from p2pball.net.addresses import parse_target
    from p2pball.ui.online import join_game
    from p2pball.ui.places import Where

    watched = played_for(auto, engine, by_hand=by_hand)
    chosen = mode(plain=plain or by_hand, as_json=as_json)
    parsed, at = parse_target(code)
    settings = load(relay=at or relay, turn_only=turn_only or None, stun=stun, turn=turn)
    if not settings.relay and not by_hand:
        raise click.UsageError(
            f"At which relay? Your host's line ends in @ADDRESS, as in `p2pball join {parsed}@192.168.1.5:8765`; "
            "or name one with --relay. Without any: --by-hand."
        )
    options = _wanted(Terms(), name, team, chosen, first=False)

    async def work(display: Display) -> Ended:
        where = Where.of(settings, paster(display, by_hand=by_hand))
        return await join_game(parsed, options, where, await seat(display, auto, engine, default_pace(pace)))

    return run_game(work, chosen, watched=watched)


def _wanted(terms: Terms, name: str | None, team: str | None, chosen: Mode, *, first: bool) -> Options:
    """Who plays, and for what."""
    asks = chosen is Mode.PLAIN
    return Options(terms=terms, name=player_name(name, ask=asks), team=player_team(team, first=first))
