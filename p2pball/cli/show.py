"""`p2pball show`: a game on paper, as text or as a page for the browser."""

from __future__ import annotations

from pathlib import Path
from textwrap import wrap

import click

from p2pball.clubhouse.disk import SHARED_FILE, explained, write_file
from p2pball.clubhouse.settings import load
from p2pball.engine.terms import Rules, Seat
from p2pball.errors import P2PBallError
from p2pball.protocol.chat import clean
from p2pball.scorebook.boxscore import box_score
from p2pball.scorebook.boxtext import box_lines
from p2pball.scorebook.game import Game
from p2pball.scorebook.winchance import most_valuable
from p2pball.scorebook.words import play_by_play
from p2pball.ui.archive import Found, find
from p2pball.ui.curve import Curve, chance_words
from p2pball.ui.fingerprint import fingerprint
from p2pball.ui.glyphs import ascii_only
from p2pball.ui.record import result_words


class NothingToShow(P2PBallError):
    """There is no game in this record yet."""


@click.command()
@click.argument("game")
@click.option("--html", type=click.Path(dir_okay=False, path_type=Path), help="Write it as one page for the browser.")
@click.option("--ascii", "keep_ascii", is_flag=True, help="Draw with ASCII only.")
def show(game: str, html: Path | None, keep_ascii: bool) -> None:
    """Show a GAME (its id, the beginning or end of it, or a record file): line score, box, curve, play by play."""
    found = find(game)
    if html is not None:
        text = web_page(found, begun(found)).encode()
        with explained("write the page", html):
            if html.exists() and not html.is_file():  # a pipe, such as /dev/stdout
                html.write_bytes(text)
            else:
                write_file(html.resolve(), text, SHARED_FILE)
        click.echo(f"The page is {html}.", err=True)
        return
    for line in sheet(found, begun(found), plain=ascii_only(load(ascii=keep_ascii or None).ascii)):
        print(line)


def begun(found: Found) -> Game:
    """The game of a record in the scorebook's words; raises NothingToShow when there is none."""
    if found.record.book is None:
        why = clean(found.record.report.why)
        said = f" ({why})" if why else ""
        raise NothingToShow(f"There is no game to show in {found.path}{said}: no pitch could have been thrown.")
    return found.record.book


def sheet(found: Found, game: Game, *, plain: bool) -> list[str]:
    """Everything about a game in lines of 80 cells; a play, a path or a chain may take more."""
    record = found.record
    visitors, home = game.teams
    when = f", {found.info.started[:10]}" if found.info else ""
    length = f"{game.terms.innings} inning{'s' * (game.terms.innings > 1)}"
    lines = [f"{visitors.name} at {home.name}{when}. {game.terms.rules.value.title()}, {length}."]
    lines += [f"{record.name(seat)} ({seat.value}) plays {game.teams[game.state.side(seat)].name}." for seat in Seat]
    lines += [*wrap(result_words(record), 80), ""]
    box = box_lines(box_score(game))
    lines += [line.replace("·", ".") for line in box] if plain else box
    curve = Curve.of(game)
    lines += ["", chance_words(game.terms.rules), *curve.lines(ascii_only=plain)]
    if best := most_valuable(curve.swings):
        side = home if best.home > 0 else visitors
        lines += wrap(f"Play of the game, worth {abs(best.home):.0%} to {side.name}: {best.text}", 80)
    for half in play_by_play(game):
        lines += ["", half.heading, *(f"  {text}" for _, text in half.plays)]
    return [*lines, "", f"Record: {found.path}", f"Chain: {record.report.game.exchange.chain.hex()}"]


def web_page(found: Found, game: Game) -> str:
    """The game as one page, with what its record proves."""
    from p2pball.scorebook.html import Extras, page

    record = found.record
    books = record.report.game.exchange
    facts = [(record.report.verdict.value, result_words(record))]
    for seat in Seat:
        team = game.teams[game.state.side(seat)].name
        facts.append((f"{seat.value.title()}", f"{record.name(seat)}, {team}, key {fingerprint(record.key(seat))}"))
    facts += [("Chain", books.chain.hex()), ("Rounds", str(books.round)), ("Position", record.report.game.position)]
    estimated = game.terms.rules is Rules.CARDS
    when = found.info.started[:10] if found.info else ""
    return page(game, Extras(Curve.of(game).swings, estimated, when, facts))
