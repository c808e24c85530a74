"""`p2pball resume`: go on with a game that was cut, offline or online."""

from __future__ import annotations

from collections.abc import Iterator

import click

from p2pball.cli.options import FrontFlags, NetworkFlags, front_options, network_options
from p2pball.cli.run import mode, paster, run_game, seat
from p2pball.clubhouse.errors import DiskError
from p2pball.clubhouse.games import (
    BY_HAND,
    GameInfo,
    find_game,
    list_games,
    open_game,
    read_info,
    record_in,
    unreadable_games,
)
from p2pball.errors import P2PBallError
from p2pball.protocol.chat import clean
from p2pball.session import Ended
from p2pball.ui.archive import read_record
from p2pball.ui.display import Display
from p2pball.ui.hints import all_star_hint
from p2pball.verify import Report, Verdict, verify

_FINISHED_HERE = (
    "That game is finished here. The other player may lack its end, and is waited for. Leave when you like."
)


class NothingOpen(P2PBallError):
    """There is no game to go on with."""


@click.command()
@click.argument("game", required=False)
@network_options
@front_options
def resume(game: str | None, network: NetworkFlags, front: FrontFlags) -> int:
    """Go on with a cut game; without GAME the only open one, else they are listed."""
    watched = front.watched
    wanted = game or _only_open()
    if wanted is None:
        return 1
    info = read_info(find_game(wanted))
    report = verify(read_record(record_in(find_game(wanted))))
    if _finished(report) and (info.kind != "online" or _known_there(report, info.seat)):
        raise NothingOpen(f"That game is finished: `p2pball show {info.id}` tells how it went.")
    by_hand = info.kind == "online" and info.relay == BY_HAND and not network.relay
    chosen = mode(plain=front.plain or by_hand, as_json=front.as_json)
    settings = network.settings(network.relay or "")  # the game's own relay, unless another is named here

    async def work(display: Display) -> Ended:
        from p2pball.ui.evening import go_on_here
        from p2pball.ui.online import resume_game
        from p2pball.ui.places import Where

        with open_game(wanted) as folder:
            if info.kind == "online" and report.verdict is Verdict.COMPLETE:
                display.notice(_FINISHED_HERE)
            async with seat(display, front) as front_end:
                if info.kind == "online":
                    return await resume_game(folder, Where.of(settings, paster(display, by_hand=by_hand)), front_end)
                return await go_on_here(folder, front_end)

    hint = all_star_hint if info.kind == "solo" and not watched else None
    return run_game(work, chosen, watched=watched, offline=info.kind != "online", hint=hint)


def _finished(report: Report) -> bool:
    """Whether nothing is left to play or to send: the result is proven, and both sides have signed it."""
    return report.verdict is Verdict.COMPLETE and all(side.final for side in report.game.exchange.sides.values())


def _known_there(report: Report, seat: str) -> bool:
    """Whether the other side has acknowledged all that this seat has sent."""
    sides = report.game.exchange.sides
    return all(side.acked == len(sides[seat].sent) - 1 for other, side in sides.items() if other != seat)


def _judged() -> Iterator[tuple[GameInfo, Report]]:
    """Every game with the verdict on its record; one that cannot be read is left out aloud."""
    unreadable = unreadable_games()
    for info in list_games():
        try:
            yield info, verify(read_record(record_in(find_game(info.id))))
        except DiskError as error:
            unreadable.append(error)
    for why in unreadable:
        click.echo(f"Left out: {why}", err=True)


def _only_open() -> str | None:
    """The only open game; else a list on stderr, and None.

    One whose result is proven here, but whose last message the other side may lack, counts when no other is open.
    """
    reports = list(_judged())
    found = [info for info, report in reports if report.verdict is Verdict.SUSPENDED]
    found = found or [info for info, report in reports if report.verdict is Verdict.COMPLETE and not _finished(report)]
    if len(found) == 1:
        return found[0].id
    if not found:
        raise NothingOpen("There is no open game here. `p2pball play`, `host` or `join` begins one.")
    click.echo("Several games are open; name one: p2pball resume GAME", err=True)
    for info in found:
        click.echo(f"  {info.id}  {info.rules}, {info.kind}, against {clean(info.opponent) or '?'}", err=True)
    return None
