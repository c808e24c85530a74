"""The box score as lines of plain text, in columns that a terminal, a file and a screen reader all take."""

from __future__ import annotations

from collections.abc import Iterable

from p2pball.engine.terms import Side
from p2pball.scorebook.boxscore import Box, TeamBox
from p2pball.scorebook.cells import fit, width
from p2pball.scorebook.teams import NAME_LENGTH, POSITION_NAMES

_BATTING = (("AB", "ab", 4), ("R", "r", 3), ("H", "h", 3), ("RBI", "rbi", 4), ("BB", "bb", 3), ("SO", "so", 3))
_PITCHING = (("IP", "ip", 6), ("H", "h", 3), ("R", "r", 3), ("ER", "r", 3), ("BB", "bb", 3), ("K", "k", 3))
_NOTES = (("2B", "doubles"), ("3B", "triples"), ("HR", "hr"), ("SB", "sb"), ("CS", "cs"), ("GIDP", "gidp"))
_NARROWEST, _WIDEST = 12, NAME_LENGTH + 5


def box_lines(box: Box, cells: int = 80) -> list[str]:
    """The whole box in at most so many cells a line (40 at least): line score, batters, notes, pitchers."""
    name = max(min(cells - 22, _WIDEST), _NARROWEST)
    lines = list(box.line.rows(cells))
    for side in Side:
        lines += ["", *_batters(box.side(side), name)]
    lines += ["", *_wrapped(notes(box), cells)]
    for side in Side:
        lines += ["", *_pitchers(box.side(side), name)]
    return lines


def batter_label(name: str, position: int, *, pinch: bool) -> str:
    """A batter with his position, the pinch hitter indented with ph."""
    return f"  {name} ph" if pinch else f"{name} {POSITION_NAMES[position].lower()}"


def _batters(team: TeamBox, name: int) -> list[str]:
    lines = [fit(team.team.name, name) + "".join(f"{head:>{room}}" for head, _, room in _BATTING)]
    for batter in team.batting:
        label = batter_label(batter.name, batter.position, pinch=batter.pinch)
        lines.append(fit(label, name) + "".join(f"{getattr(batter, field):>{room}}" for _, field, room in _BATTING))
    lines.append(fit("Totals", name) + "".join(f"{team.total(field):>{room}}" for _, field, room in _BATTING))
    return lines


def _pitchers(team: TeamBox, name: int) -> list[str]:
    lines = [fit(team.team.name, name - 4) + "".join(f"{head:>{room}}" for head, _, room in _PITCHING) + "   P"]
    for pitcher in team.pitching:
        columns = "".join(f"{getattr(pitcher, field):>{room}}" for _, field, room in _PITCHING)
        lines.append(f"{fit(pitcher.name, name - 4)}{columns}{pitcher.pitches:>4}")
    return lines


def notes(box: Box) -> list[str]:
    """The notes under a box, each `2B: Abbott 2, Brooks.`; those with nobody in them are left out."""
    teams = (box.visitors, box.home)
    told = []
    for head, field in _NOTES:
        told.append(_note(head, ((b.name, getattr(b, field)) for team in teams for b in team.batting)))
    told.append(_note("WP", ((p.name, p.wp) for team in teams for p in team.pitching)))
    told.append(_note("DP", ((team.team.name, team.double_plays) for team in teams)))
    told.append(f"LOB: {', '.join(f'{team.team.name} {team.left}' for team in teams)}.")
    return [note for note in told if note]


def _note(head: str, who: Iterable[tuple[str, int]]) -> str:
    named = [name if n == 1 else f"{name} {n}" for name, n in who if n]
    return f"{head}: {', '.join(named)}." if named else ""


def _wrapped(paragraphs: Iterable[str], cells: int) -> list[str]:
    lines = []
    for paragraph in paragraphs:
        line = ""
        for word in paragraph.split(" "):
            if line and width(line) + 1 + width(word) > cells:
                lines.append(line)
                line = f"  {word}"
            else:
                line = f"{line} {word}" if line else word
        lines.append(line)
    return lines
