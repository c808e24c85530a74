"""One self-contained page of a game: no script, nothing to fetch, every text of the players escaped."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from html import escape

from p2pball.engine.events import GameEnded
from p2pball.engine.state import Phase
from p2pball.engine.terms import Side
from p2pball.scorebook.boxscore import Box, TeamBox, box_score
from p2pball.scorebook.boxtext import notes
from p2pball.scorebook.game import Game, Moment
from p2pball.scorebook.phrases import half_words, number, situation
from p2pball.scorebook.style import STYLE
from p2pball.scorebook.svg import curve, diamond, percent, small_diamond, symbols
from p2pball.scorebook.teams import POSITION_NAMES
from p2pball.scorebook.winchance import Swing, most_valuable
from p2pball.scorebook.words import is_scoring, play_by_play

_BATTING = (("AB", "At bats", "ab"), ("R", "Runs", "r"), ("H", "Hits", "h"), ("RBI", "Runs batted in", "rbi"),
            ("BB", "Walks", "bb"), ("SO", "Strikeouts", "so"))  # fmt: skip
_PITCHING = (("IP", "Innings pitched", "ip"), ("H", "Hits", "h"), ("R", "Runs", "r"), ("ER", "Earned runs", "r"),
             ("BB", "Walks", "bb"), ("K", "Strikeouts", "k"), ("P", "Pitches", "pitches"))  # fmt: skip


@dataclass(frozen=True, slots=True)
class Extras:
    """What a page shows that the scorebook does not know by itself.

    `swings` of winchance.swings, `estimated` when its chances are no exact ones; `date` in words; `record` the
    facts about the record, label and text: chain, verdict, identity keys.
    """

    swings: tuple[Swing, ...] = ()
    estimated: bool = False
    date: str = ""
    record: Sequence[tuple[str, str]] = field(default_factory=tuple)


def page(game: Game, extras: Extras | None = None) -> str:
    """The whole page as a text, to be written as UTF-8."""
    extras = extras or Extras()
    box, title = box_score(game), _title(game)
    best = most_valuable(extras.swings)
    parts = [
        f"<header><h1>{escape(title)}</h1><p>{escape(_subtitle(game, extras))}</p></header>",
        _section("Line score", _line_score(box)),
        _section("Win chance", _win_chance(game, extras, best)) if extras.swings else "",
        _section("Play of the game", _play_of_the_game(game, best)) if best else "",
        _section("Box score", _box(box)),
        _section("Play by play", _plays(game, extras)),
        _section("The record", _record(extras)) if extras.record else "",
    ]
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">"
        '<meta name="referrer" content="no-referrer"><meta name="color-scheme" content="light dark">'
        f"<title>{escape(title)}</title><style>{STYLE}</style></head><body>{symbols()}<main>\n"
        + "\n".join(part for part in parts if part)
        + "\n</main></body></html>\n"
    )


def _title(game: Game) -> str:
    runs = game.state.runs
    return ", ".join(f"{game.teams[side].name} {runs[side]}" for side in Side)


def _subtitle(game: Game, extras: Extras) -> str:
    terms, state = game.terms, game.state
    kind = f"{terms.rules.value}, {number(terms.innings)} inning{'' if terms.innings == 1 else 's'}"
    told = [extras.date, f"A game of {kind}"]
    if game.called:
        told.append(f"ended {game.called}")
    elif state.phase is Phase.OVER:
        ended = game.moments[-1].event
        winner = ended.winner if isinstance(ended, GameEnded) else None
        told.append("a draw" if winner is None else f"won by {game.teams[winner].name}")
    else:
        told.append("not finished")
    return " · ".join(text for text in told if text)


def _section(heading: str, body: str) -> str:
    name = heading.lower().replace(" ", "-")
    return f'<section aria-labelledby="{name}"><h2 id="{name}">{heading}</h2>{body}</section>'


def _table(caption: str, heads: Iterable[tuple[str, str]], rows: Iterable[tuple[str, Sequence[object]]]) -> str:
    """A table of numbers in a box of its own that scrolls sideways; first cells are headings, already HTML."""
    head = "".join(f'<th scope="col"><abbr title="{escape(full)}">{short}</abbr></th>' for short, full in heads)
    body = "".join(
        f'<tr><th scope="row">{first}</th>{"".join(f"<td>{cell}</td>" for cell in cells)}</tr>' for first, cells in rows
    )
    return (
        f'<div class="wide" role="region" aria-label="{escape(caption)}" tabindex="0"><table><caption>{escape(caption)}'
        f"</caption><thead><tr><td></td>{head}</tr></thead><tbody>{body}</tbody></table></div>"
    )


def _line_score(box: Box) -> str:
    innings = range(1, max(len(box.line.visitors.innings), box.line.innings) + 1)
    heads = [(str(n), f"Inning {n}") for n in innings]
    heads += [("R", "Runs"), ("H", "Hits"), ("E", "Errors"), ("LOB", "Left on base")]
    rows = []
    for side in Side:
        line, team = box.line.line(side), box.side(side).team
        cells = [*(box.line.cell(side, n) for n in innings), line.runs, line.hits, line.errors, line.left]
        rows.append((f'<abbr title="{escape(team.name)}">{team.code}</abbr>', cells))
    return _table("Runs by inning", heads, rows)


def _win_chance(game: Game, extras: Extras, best: Swing | None) -> str:
    how = (
        "An estimate: what the hands hold is left out."
        if extras.estimated
        else "Exact, for perfect play from there on."
    )
    drawn = curve(extras.swings, best, game.lineup)
    return f"<figure>{drawn}<figcaption>{how} A draw counts half.</figcaption></figure>"


def _play_of_the_game(game: Game, best: Swing) -> str:
    home, before = game.teams[Side.HOME].name, best.play.before
    swung = f"{home} from {percent(best.before)} to {percent(best.after)}."
    return (
        f'<figure class="best">{diamond(before, best.play.lineup)}<figcaption><p>'
        f"{escape(half_words(before.inning, before.batting))}. {escape(best.text)}</p><p>{escape(swung)}</p>"
        "</figcaption></figure>"
    )


def _box(box: Box) -> str:
    batting = "".join(_batting(box.side(side)) for side in Side)
    pitching = "".join(_pitching(box.side(side)) for side in Side)
    below = "".join(f"<li>{escape(note)}</li>" for note in notes(box))
    return f'<div class="pair">{batting}</div><ul class="notes">{below}</ul><div class="pair">{pitching}</div>'


def _batting(team: TeamBox) -> str:
    rows: list[tuple[str, Sequence[object]]] = []
    for line in team.batting:
        place = "ph" if line.pinch else POSITION_NAMES[line.position].lower()
        name = f'<span class="{"ph" if line.pinch else "man"}"><bdi>{escape(line.name)}</bdi> {place}</span>'
        rows.append((name, [getattr(line, column) for _, _, column in _BATTING]))
    rows.append(("Totals", [team.total(column) for _, _, column in _BATTING]))
    return _table(f"{team.team.name}, batting", ((short, full) for short, full, _ in _BATTING), rows)


def _pitching(team: TeamBox) -> str:
    rows = [
        (f"<bdi>{escape(line.name)}</bdi>", [getattr(line, column) for _, _, column in _PITCHING])
        for line in team.pitching
    ]
    return _table(f"{team.team.name}, pitching", ((short, full) for short, full, _ in _PITCHING), rows)


def _plays(game: Game, extras: Extras) -> str:
    after = {id(moment): swing.after for swing in extras.swings for moment in swing.moments}
    halves = []
    for half in play_by_play(game):
        told = "".join(_play(game, moment, text, after.get(id(moment))) for moment, text in half.plays)
        halves.append(f"<h3>{escape(half.heading)}</h3><ol>{told}</ol>")
    if not game.over:
        halves.append(f"<p>{escape(situation(game.state, game.lineup))}</p>")
    return "".join(halves)


def _play(game: Game, moment: Moment, text: str, chance: float | None) -> str:
    if isinstance(moment.event, GameEnded):
        return f'<li class="end"><strong>{escape(text)}</strong></li>'
    scored = is_scoring(moment)
    words = f"<strong>{escape(text)}</strong>" if scored else escape(text)
    home = game.teams[Side.HOME].code
    said = "" if chance is None else f' <span class="chance">{home} {percent(chance)}</span>'
    return f"<li{' class=scored' if scored else ''}>{small_diamond(moment.after)} <span>{words}{said}</span></li>"


def _record(extras: Extras) -> str:
    return (
        "<dl>" + "".join(f"<dt>{escape(label)}</dt><dd>{escape(text)}</dd>" for label, text in extras.record) + "</dl>"
    )
