"""docs/rules.md says what the engine does: its chart, its odds, its matchups, its steals and its position lines."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from p2pball.engine.card_rules import STEAL_NEEDS, call
from p2pball.engine.chart import CHART
from p2pball.engine.chart_odds import ODDS
from p2pball.engine.events import Call, Outcome
from p2pball.engine.moves import PITCHES
from p2pball.engine.position import parse

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "rules.md").read_text(encoding="utf-8")
RANKS = {"ace": 1, "jack": 11, "queen": 12, "king": 13}


def table(after: str) -> list[list[str]]:
    """The rows of the first table after a piece of text, its ruler left out."""
    lines = PAGE.split(after, 1)[1].split("\n")
    start = next(i for i, line in enumerate(lines) if line.startswith("|"))
    rows = []
    for line in lines[start:]:
        if not line.startswith("|"):
            break
        rows.append([cell.strip() for cell in line.strip("|").split("|")])
    return [rows[0], *rows[2:]]


def test_d4_the_chart_of_the_page_is_the_engines() -> None:
    head, *rows = table("<!-- chart -->")
    assert head == ["sum", *(pitch.value for pitch in PITCHES)]
    assert [int(row[0]) for row in rows] == list(range(2, 13))
    for total, *names in rows:
        assert [Outcome(name) for name in names] == [CHART[pitch][int(total)] for pitch in PITCHES]


def test_d4_the_odds_of_the_page_are_the_engines() -> None:
    (_, *names), *rows = table("<!-- odds -->")
    assert [row[0] for row in rows] == [pitch.value for pitch in PITCHES]
    for pitch, row in zip(PITCHES, rows, strict=True):
        assert [int(ways) for ways in row[1:]] == [36 * ODDS[pitch][Outcome(name)] for name in names]


def test_c4_the_worked_matchups_of_the_page() -> None:
    _, *rows = table("<!-- matchups -->")
    assert len(rows) == 3
    for batter, pitcher, difference, words in rows:
        values = [RANKS.get(name) or int(name) for name in (batter, pitcher)]
        assert values[0] - values[1] == int(difference)
        named = {"ball in play": Call.IN_PLAY, "strike": Call.STRIKE, "ball": Call.BALL, "foul": Call.FOUL}
        assert call(int(difference)) is named[words]


def test_c12_c13_the_steals_of_the_page() -> None:
    _, *rows = table("- **steal**")
    for (_, window, king), base in zip(rows, (2, 3), strict=True):
        assert int(window.split(",")[0]) == STEAL_NEEDS[base]
        assert int(king.split(",")[0]) == STEAL_NEEDS[base] + 1


def test_the_position_lines_of_the_page() -> None:
    lines = [line.strip() for line in PAGE.split("\n") if line.startswith("    ")]
    assert len(lines) == 3
    for line in lines:
        assert str(parse(line)) == line


@pytest.mark.parametrize("rule", [f"B{n}" for n in (*range(1, 5), *range(6, 11), 12)] + ["D1", "D2", "D3", "D4"])
def test_the_page_names_the_rules(rule: str) -> None:
    assert re.search(rf"\b{rule}\b", PAGE)


@pytest.mark.parametrize("number", range(1, 15))
def test_the_page_names_the_rules_of_the_cards_game(number: int) -> None:
    assert number == 3 or re.search(rf"\bC{number}\b", PAGE)
