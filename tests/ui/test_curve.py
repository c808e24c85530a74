"""The win-chance curve in text: where it stands, and that it fits."""

from __future__ import annotations

from pathlib import Path

import pytest

from p2pball.engine.terms import Rules
from p2pball.scorebook.cells import width
from p2pball.ui.archive import find
from p2pball.ui.curve import Curve, chance_for, chance_words

RECORDS = Path(__file__).parents[1] / "records"


def curve(name: str) -> Curve:
    game = find(str(RECORDS / f"{name}.p2pball")).record.book
    assert game is not None
    return Curve.of(game)


@pytest.mark.parametrize("name", ["cards-three-innings", "dice-nine-innings", "dice-draw", "resigned"])
def test_it_begins_near_even_and_ends_with_the_result(name: str) -> None:
    drawn = curve(name)
    assert drawn.points[0] == pytest.approx(0.5, abs=0.1)
    assert all(0 <= point <= 1 for point in drawn.points)
    ends = {"cards-three-innings": 1.0, "dice-nine-innings": 1.0, "dice-draw": 0.5}
    if name in ends:
        assert drawn.points[-1] == ends[name]


@pytest.mark.parametrize("cells", [40, 80, 120])
@pytest.mark.parametrize("ascii_only", [False, True])
def test_it_fits_and_rises_with_the_chance(cells: int, ascii_only: bool) -> None:
    drawn = curve("dice-nine-innings")
    lines = drawn.lines(cells, ascii_only=ascii_only)
    assert len(lines) == 5
    assert max(map(width, lines)) <= cells
    assert lines[0].startswith(" KTP 100%")
    assert lines[4].startswith(" RBN 100%")
    full = "#" if ascii_only else "█"
    assert [line[-1] for line in (lines[0], lines[4])] == [full, full]  # the home team won: the last column is full
    if ascii_only:
        assert all(map(str.isascii, lines))


def test_a_column_is_as_high_as_its_chance() -> None:
    drawn = curve("dice-draw")
    rows = [line[11:].ljust(len(drawn.points)) for line in drawn.lines()]
    for at, point in enumerate(drawn.points):
        eighths = sum(" ▁▂▃▄▅▆▇█".index(row[at]) for row in rows)
        assert eighths == round(point * 40)


def test_estimates_are_called_so() -> None:
    assert "estimate" in chance_words(Rules.CARDS)
    assert "estimate" not in chance_words(Rules.DICE)
    assert chance_for(Rules.CARDS) is not chance_for(Rules.DICE)
