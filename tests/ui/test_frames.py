"""Golden screens: what stands on the full screen in every kind of situation, size and set of glyphs."""

from __future__ import annotations

from dataclasses import replace

import pytest

from p2pball.engine.terms import Seat
from p2pball.scorebook.cells import width
from p2pball.scorebook.linescore import line_score
from p2pball.scorebook.teams import DEFAULT_TEAMS
from p2pball.ui.tui.glyphs import ASCII, UNICODE
from tests.ui.situations import DICE, SCENES, SHORT, WIDE, at_start, ten_runs
from tests.ui.stagecraft import drawn, golden, reached, seen


@pytest.mark.parametrize("name", SCENES)
async def test_a_screen_of_80_by_24(name: str) -> None:
    scene = SCENES[name]()
    lines = await drawn(scene, (80, 24), UNICODE)
    golden(f"{name}-80x24", lines)
    plain = await drawn(scene, (80, 24), ASCII)
    if name != "wide-names":
        assert all(line.isascii() for line in plain), "a glyph of the ASCII set is not ASCII"
    golden(f"{name}-80x24-ascii", plain)


@pytest.mark.parametrize("size", [(120, 40), (100, 30), (79, 24), (60, 20), (50, 14), (40, 12), (39, 12), (40, 11)])
@pytest.mark.parametrize("name", ["full-bases-cards", "full-bases-dice", "extra-innings-dice", "wide-names"])
async def test_a_screen_of_every_size(name: str, size: tuple[int, int]) -> None:
    lines = await drawn(SCENES[name](), size, UNICODE)
    golden(f"{name}-{size[0]}x{size[1]}", lines)


async def test_a_first_time_up_is_told_whole_or_not_at_all() -> None:
    for names in ("大谷翔平大谷翔平大谷翔平", "Cruz"):
        team = replace(WIDE, players=(names,) * 9)
        scene = seen(reached(SHORT, "first time up", at_start, (team, team)), Seat.HOST)
        row = next(line for line in await drawn(scene, (80, 24), UNICODE) if "│ AB" in line)
        assert "first time up" in row or "  f" not in row, row


def test_the_ten_run_inning_is_one() -> None:
    innings = line_score(reached(DICE, "41", ten_runs())).visitors.innings
    assert max(innings) >= 10


async def test_nothing_is_wider_than_the_screen_whatever_the_size() -> None:
    scene = SCENES["long-names"]()
    for size in [(80, 24), (81, 25), (60, 20), (40, 12), (20, 5), (7, 3)]:
        lines = await drawn(scene, size, UNICODE)
        assert len(lines) == size[1]
        assert all(width(line) <= size[0] for line in lines)


async def test_the_mock_up_is_what_is_drawn() -> None:
    """The skeleton of experience.md, line by line."""
    lines = await drawn(SCENES["full-bases-cards"](), (80, 24), UNICODE)
    assert lines[0].startswith(" KTP ")
    assert "link ok 42 ms" in lines[0]
    assert lines[1] == "─" * 31 + "┬" + "─" * 48
    assert [line[31] for line in lines[2:9]] == ["│"] * 7
    assert lines[2][12] == "◆"
    assert lines[2][14:16] == "2B"
    assert (lines[5][9], lines[5][15]) == ("◆", "◆")
    assert lines[8][12] == "⌂"
    assert lines[2].endswith("R  H  E LOB")
    assert lines[9] == "─" * 31 + "┴" + "─" * 14 + "┬" + "─" * 33
    assert lines[15] == "─" * 46 + "┴" + "─" * 33
    assert lines[16].startswith(" YOUR HAND")
    assert lines[17].startswith("   ┌─────┐   ┌─────┐")
    assert lines[20].startswith("     [1]       [2]")
    assert lines[22].startswith(" ▶ Your card, batter?  [1-")
    assert lines[22].endswith("0:24")
    assert lines[23].startswith(" [?] help  [L]og  [B]ox score  [T]heme  [C]hat  [Q]uit")
    assert lines[23].endswith("chain a41f..9c")


def test_default_teams_are_those_of_the_mock_up() -> None:
    assert [team.code for team in DEFAULT_TEAMS] == ["KTP", "RBN"]
