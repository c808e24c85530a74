"""`p2pball games` and `p2pball stats`: the games on this machine, and what they add up to."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from typing import Any

import click

from p2pball.clubhouse.games import GameInfo
from p2pball.clubhouse.history import History, Played, Standing, Tally
from p2pball.protocol.chat import clean
from p2pball.scorebook.cells import fit
from p2pball.ui.archive import refresh
from p2pball.ui.tallies import average, earned_run_average, innings, streaks

_NAME = 18
_MANY = 20


@click.command()
@click.option("--opponent", metavar="NAME", help="Only games against this player: part of the name, or of the key.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a line.")
@click.option("--rebuild", is_flag=True, help="Make the history anew from the records.")
def games(opponent: str | None, as_json: bool, rebuild: bool) -> None:
    """List finished and open games, oldest first: result, opponent, date, line score."""
    with History.open(afresh=rebuild) as history:
        left_out = refresh(history, _watched)
        played = [game for game in history.games() if opponent is None or _is_against(game, opponent)]
    for error in left_out:
        click.echo(f"Left out: {error}", err=True)
    if as_json:
        for game in played:
            print(json.dumps(game_json(game)))
        return
    for game in played:
        for line in game_lines(game):
            print(line)
    if not played:
        whom = f" against {clean(opponent)}" if opponent else ""
        click.echo(f"No games{whom} yet. Play one: p2pball play", err=True)


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def stats(as_json: bool) -> None:
    """Standings by opponent, streaks, and the batting and pitching of your teams.

    Finished games count; those with a seed or with two players at one keyboard do not.
    """
    with History.open() as history:
        refresh(history, _watched)
        standings, outcomes = history.standings(), history.outcomes()
        batting, pitching = history.batting(), history.pitching()
    if as_json:
        print(json.dumps(_stats_json(standings, outcomes, batting, pitching)))
        return
    if not outcomes:
        click.echo("No finished games that count yet. Play one: p2pball play", err=True)
        return
    for line in _stats_lines(standings, outcomes, batting, pitching):
        print(line)


def _watched(changed: Sequence[GameInfo]) -> Iterator[GameInfo]:
    """The games one by one, with a bar on a terminal when there are many: each takes some tenths of a second."""
    if len(changed) < _MANY or not sys.stderr.isatty():
        yield from changed
        return
    with click.progressbar(changed, label="Reading records", file=sys.stderr) as bar:
        yield from bar


def _is_against(game: Played, wanted: str) -> bool:
    return wanted.casefold() in game.opponent.casefold() or game.opponent_key.startswith(wanted.lower())


def game_json(game: Played) -> dict[str, Any]:
    """A game as `games --json` prints it."""
    return {
        "id": game.id,
        "file": game.file,
        "rules": game.rules,
        "status": game.status,
        "result": game.result,
        "opponent": game.opponent,
        "when": game.started,
        "outcome": game.outcome,
        "seat": game.seat,
        "kind": game.kind,
        "level": game.level,
        "seeded": game.seeded,
        "resigned": game.resigned,
        "line": game.line,
    }


def game_lines(game: Played) -> list[str]:
    """A game in words, its line score below when there is one."""
    against = game.opponent or "nobody yet"
    if game.kind == "solo":
        against = f"the computer, {game.level}"
    lines = [f"{game.id:<14}{game.started[:10]}  {game.rules:<6}{_stands(game)} against {against}"]
    if game.line:
        for side in ("visitors", "home"):
            line = game.line[side]
            runs = "".join(f"{r:>3}" for r in (*line["innings"], *_not_needed(game.line, side)))
            room = 3 * game.line["innings"]
            totals = f"{line['R']:>4} R{line['H']:>4} H{line['E']:>3} E{line['LOB']:>4} LOB"
            lines.append(f"    {line['code']:<4}{runs:<{room}}{totals}")
    return lines


def _not_needed(line: dict[str, Any], side: str) -> list[str]:
    """The x of a bottom half that was not begun, for the home team led (B3)."""
    home, visitors = line["home"], line["visitors"]
    last = len(visitors["innings"])
    unbegun = side == "home" and len(home["innings"]) < last >= line["innings"] and home["R"] > visitors["R"]
    return ["x"] if unbegun else []


def _stands(game: Played) -> str:
    match game.status:
        case "complete":
            return f"{game.score}{', seeded,' if game.seeded else ''}"
        case "suspended":
            return "open"
        case "new":
            return "not begun"
        case "cheat":
            return "ended by proof of a cheat"
        case _:
            return "damaged"


def _stats_json(
    standings: Sequence[Standing], outcomes: Sequence[str], batting: Sequence[Tally], pitching: Sequence[Tally]
) -> dict[str, Any]:
    run = streaks(outcomes)
    return {
        "games": len(outcomes),
        **{kind: outcomes.count(kind) for kind in ("won", "lost", "drawn")},
        "streak": {"kind": run.kind, "length": run.length},
        "longest": {"won": run.longest_won, "lost": run.longest_lost},
        "standings": [
            {
                "opponent": clean(s.opponent),
                "key": s.opponent_key,
                "won": s.won,
                "lost": s.lost,
                "drawn": s.drawn,
                "last": s.last,
            }
            for s in standings
        ],
        "batting": [{"name": t.name, "games": t.games, **t.numbers, "avg": average(t.numbers)} for t in batting],
        "pitching": [
            {
                "name": t.name,
                "games": t.games,
                **t.numbers,
                "ip": innings(t.numbers),
                "era": earned_run_average(t.numbers),
            }
            for t in pitching
        ],
    }


def _stats_lines(
    standings: Sequence[Standing], outcomes: Sequence[str], batting: Sequence[Tally], pitching: Sequence[Tally]
) -> list[str]:
    run = streaks(outcomes)
    won, lost, drawn = (outcomes.count(kind) for kind in ("won", "lost", "drawn"))
    lines = [
        f"{len(outcomes)} game{'s' * (len(outcomes) > 1)}: {won} won, {lost} lost, {drawn} drawn.",
        f"Now {run.length} {run.kind} in a row. Longest: {run.longest_won} won, {run.longest_lost} lost.",
        "",
        f"{fit('Opponent', _NAME)}   W   L   D  last played",
    ]
    for s in standings:
        key = s.opponent_key
        name = key.replace("computer", "Computer,") if key.startswith("computer") else s.opponent
        lines.append(f"{fit(clean(name), _NAME)}{s.won:>4}{s.lost:>4}{s.drawn:>4}  {s.last[:10]}")
    heads = ("G", "AB", "R", "H", "2B", "3B", "HR", "RBI", "BB", "SO", "SB")
    keys = ("ab", "r", "h", "doubles", "triples", "hr", "rbi", "bb", "so", "sb")
    lines += ["", fit("Batting", _NAME) + "".join(f"{head:>5}" for head in heads) + "    AVG"]
    for t in batting:
        numbers = "".join(f"{t.numbers[key]:>5}" for key in keys)
        lines.append(f"{fit(clean(t.name), _NAME)}{t.games:>5}{numbers}{average(t.numbers):>7}")
    lines += ["", f"{fit('Pitching', _NAME)}    G    IP    H    R   BB    K   HR   WP    P    ERA"]
    for t in pitching:
        numbers = "".join(f"{t.numbers[key]:>5}" for key in ("h", "r", "bb", "k", "hr", "wp", "pitches"))
        era = earned_run_average(t.numbers)
        lines.append(f"{fit(clean(t.name), _NAME)}{t.games:>5}{innings(t.numbers):>6}{numbers}{era:>7}")
    return lines
