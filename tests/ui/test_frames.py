"""Golden screens: what stands on the full screen in every kind of situation, size and set of glyphs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from p2pball.engine.state import Phase, State
from p2pball.engine.terms import Rules, Seat, Side, Terms
from p2pball.scorebook.cells import width
from p2pball.scorebook.linescore import line_score
from p2pball.scorebook.teams import DEFAULT_TEAMS, Team
from p2pball.ui.tui.glyphs import ASCII, UNICODE
from p2pball.ui.tui.scene import Scene
from tests.ui.stagecraft import drawn, golden, reached, seen

CARDS = Terms(Rules.CARDS, innings=9, home="host")
DICE = Terms(Rules.DICE, innings=9, home="host")
SHORT = Terms(Rules.CARDS, innings=3, home="host")
LONG = Team(
    "LONG",
    "The Very Long Named Ones",
    tuple(f"Bartholomew Featherston{n}" for n in range(1, 10)),
    "Maximilian Quartermaines",
)
WIDE = Team(
    "WIDE",
    "東京ベースボール倶楽部",
    ("大谷翔平", "イチロー", "松井秀喜", "野茂英雄", "王貞治", "長嶋茂雄", "張本勲", "e\u0301mile", "❤\ufe0f🇩🇪👍🏽"),
    "代打の神様",
)
SEATS = {"host": Seat.HOST, "guest": Seat.GUEST}


def at_start(state: State) -> bool:
    return state.inning == 1


def loaded_cards(state: State) -> bool:
    bats = state.phase is Phase.WINDOW and state.batting is Side.HOME and state.inning > 3
    return bats and all(state.bases) and state.decks[Side.HOME].left >= 4


def loaded_dice(state: State) -> bool:
    return state.phase is Phase.CHOOSE and all(state.bases) and state.batting is Side.VISITORS and state.inning > 3


def full_count(state: State) -> bool:
    at_bat = state.phase in (Phase.WINDOW, Phase.PITCH) and state.batting is Side.HOME and state.inning > 5
    return at_bat and (state.outs, state.balls, state.strikes) == (2, 3, 2) and any(state.bases)


def twelfth(state: State) -> bool:
    due = state.phase in (Phase.WINDOW, Phase.PITCH, Phase.ROLL)
    return state.inning == 12 and state.batting is Side.HOME and due


def ten_runs() -> Callable[[State], bool]:
    before: dict[tuple[int, Side], int] = {}

    def scored(state: State) -> bool:
        runs = state.runs[state.batting]
        return runs - before.setdefault((state.inning, state.batting), runs) >= 10

    return scored


def over(state: State) -> bool:
    return state.phase is Phase.OVER


SCENES: dict[str, Callable[[], Scene]] = {
    "start-cards": lambda: seen(reached(SHORT, "1", at_start), Seat.HOST),
    "start-dice": lambda: seen(reached(DICE, "1", at_start), Seat.HOST),
    "full-bases-cards": lambda: seen(reached(CARDS, "72", loaded_cards), Seat.HOST, clock=24),
    "full-bases-dice": lambda: seen(reached(DICE, "1", loaded_dice), Seat.HOST, clock=4),
    "two-out-three-two": lambda: seen(reached(CARDS, "0", full_count), Seat.HOST),
    "extra-innings-cards": lambda: seen(reached(CARDS, "9", twelfth), Seat.HOST),
    "extra-innings-dice": lambda: seen(reached(DICE, "17", twelfth), Seat.HOST),
    "ten-run-inning": lambda: seen(reached(DICE, "41", ten_runs()), Seat.GUEST),
    "long-names": lambda: seen(reached(CARDS, "72", loaded_cards, (LONG, LONG)), Seat.HOST),
    "wide-names": lambda: seen(reached(CARDS, "72", loaded_cards, (WIDE, WIDE)), Seat.HOST),
    "silent-link": lambda: replace(
        seen(reached(CARDS, "0", full_count), Seat.GUEST), link="silent 4 s", way="direct", link_bad=True
    ),
    "over": lambda: replace(seen(reached(SHORT, "1", over), Seat.HOST), prompt="The game is over."),
    "onlooker": lambda: replace(seen(reached(SHORT, "1", full_count_early), Seat.HOST), seat=None, hand=(), moves=()),
}


def full_count_early(state: State) -> bool:
    return (state.balls, state.strikes) == (3, 2)


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
