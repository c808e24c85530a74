"""`p2pball odds`: the chart, the card matchups, the steals, and what a position is worth."""

from __future__ import annotations

from dataclasses import replace

import click

from p2pball.clubhouse.settings import load
from p2pball.engine.position import parse
from p2pball.engine.terms import Terms
from p2pball.ui.glyphs import ascii_only
from p2pball.ui.odds import card_lines, chart_lines
from p2pball.ui.worth import hand_of, position_lines, state_at


@click.command()
@click.option("--position", "line", metavar="LINE", help="Win chance and best choice there, as in a position line.")
@click.option("--hand", metavar="CARDS", help='Your cards there, as "4S 7H TD", for a pitch of the cards game.')
@click.option("--innings", type=click.IntRange(1, 9), help="Innings of that game: 9 in dice, 3 in cards by default.")
@click.option("--extra-innings", type=click.IntRange(0, 3), default=3, show_default=True, help="Extra innings at most.")
@click.option("--no-walk-off", is_flag=True, help="Every half of that game is played out.")
@click.option("--ascii", "keep_ascii", is_flag=True, help="Draw with ASCII only.")
def odds(
    line: str | None, hand: str | None, innings: int | None, extra_innings: int, no_walk_off: bool, keep_ascii: bool
) -> None:
    """Print the odds of both games, or what a position is worth.

    A position line, as `p2pball verify` prints it: "dice T5 2-3 o1 b101 s4,7 @choose".
    """
    plain = ascii_only(load(ascii=keep_ascii or None).ascii)
    if hand and line is None:
        raise click.UsageError("--hand goes with --position: a hand is worth something only somewhere.")
    if line is None:
        for told in (*chart_lines(ascii_only=plain), "", *card_lines(ascii_only=plain)):
            print(told)
        return
    position = parse(line.strip())
    terms = Terms(position.rules, position.rules.default_innings, extra_innings, not no_walk_off)
    state = state_at(position, replace(terms, innings=innings) if innings else terms)
    for told in position_lines(state, hand_of(hand, state) if hand else (), ascii_only=plain):
        print(told)
