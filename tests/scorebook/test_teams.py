"""Teams: the two that come with the game, and what a team file may and may not say."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2pball.scorebook.teams import (
    DEFAULT_TEAMS,
    KETTLE_POINT,
    PITCHER_SLOT,
    POSITIONS,
    RIVERBEND,
    Team,
    TeamError,
    team_from_dict,
    team_from_toml,
    team_to_dict,
)

GOOD = """
code = "OWL"
name = "Night Owls"
players = ["Ann", "Bea", "Cy", "Dot", "Eve", "Flo", "Gus", "Hal", "Ida"]
pinch = "Joe"
"""


def test_the_two_teams_of_the_game() -> None:
    assert DEFAULT_TEAMS == (KETTLE_POINT, RIVERBEND)
    assert (KETTLE_POINT.code, KETTLE_POINT.pinch) == ("KTP", "Wynn")
    assert (RIVERBEND.code, RIVERBEND.pinch) == ("RBN", "Quincy")
    assert sorted(POSITIONS) == list(range(1, 10))
    assert POSITIONS[PITCHER_SLOT - 1] == 1


def test_a_team_file_is_read() -> None:
    team = team_from_toml(GOOD)
    assert team.code == "OWL"
    assert team.name == "Night Owls"
    assert team.players == ("Ann", "Bea", "Cy", "Dot", "Eve", "Flo", "Gus", "Hal", "Ida")
    assert team.pinch == "Joe"


@pytest.mark.parametrize(
    ("line", "instead", "says"),
    [
        ('code = "OWL"', "", "no `code`"),
        ('code = "OWL"', "code = 7", "`code` must be a text"),
        ('code = "OWL"', 'code = "owl"', "capital letters"),
        ('code = "OWL"', 'code = "OWLETS"', "2 to 4"),
        ('code = "OWL"', 'code = "O"', "2 to 4"),
        ('code = "OWL"', 'code = "ÖWL"', "A to Z"),
        ('name = "Night Owls"', 'name = ""', "the team's name must be 1 to 24"),
        ('name = "Night Owls"', f'name = "{"x" * 25}"', "1 to 24 characters long, not 25"),
        ('name = "Night Owls"', 'name = "Night\\u001b[2JOwls"', "cannot be printed"),
        ('name = "Night Owls"', 'name = "\\u202eslwO"', "cannot be printed"),
        ('name = "Night Owls"', 'name = "a\\u200bb"', "cannot be printed"),
        ('name = "Night Owls"', 'name = " Owls"', "begin or end with a blank"),
        ('"Bea"', '"Ann"', "'Ann' stands twice"),
        ('"Bea"', '"Be\\na"', "player 2 has a character"),
        ('"Bea", ', "", "8 are named"),
        ('"Bea"', '"Bea", "Bob"', "10 are named"),
        ('"Bea"', "2", "each in quotes"),
        ('pinch = "Joe"', "", "no `pinch`"),
        ('pinch = "Joe"', 'pinch = "Ida"', "'Ida' stands twice"),
        ('pinch = "Joe"', 'pinch = "\\t"', "the pinch hitter has a character"),
        ('pinch = "Joe"', 'pinch = "Joe"\ncoach = "Kim"', "'coach'"),
        ('pinch = "Joe"', 'pinch = "Joe', "not valid TOML"),
    ],
)
def test_a_team_file_that_will_not_do_says_what_is_wrong(line: str, instead: str, says: str) -> None:
    assert line in GOOD
    with pytest.raises(TeamError) as refused:
        team_from_toml(GOOD.replace(line, instead))
    assert says in str(refused.value)
    assert str(refused.value).isprintable()


def test_a_file_nested_without_end_is_refused_too() -> None:
    with pytest.raises(TeamError):
        team_from_toml("a = " + "[" * 100_000)


def test_players_that_are_no_list_are_refused() -> None:
    with pytest.raises(TeamError, match="list of nine names"):
        team_from_dict({**team_to_dict(RIVERBEND), "players": "Ann"})


@given(st.lists(st.text(max_size=30), min_size=12, max_size=12))
def test_what_is_refused_is_refused_in_printable_words(texts: list[str]) -> None:
    with pytest.raises(TeamError) as refused:
        Team(texts[0].lower(), texts[1], tuple(texts[2:11]), texts[11])
    assert str(refused.value).isprintable()


@given(st.lists(st.text(st.characters(codec="utf-8"), min_size=1, max_size=24), min_size=11, max_size=11))
def test_names_that_are_taken_are_fit_to_be_printed(texts: list[str]) -> None:
    try:
        team = Team("OWL", texts[0], tuple(texts[1:10]), texts[10])
    except TeamError:
        return
    for name in (team.name, *team.players, team.pinch):
        assert not {unicodedata.category(char) for char in name} & {"Cc", "Cf", "Cs", "Co", "Zl", "Zp"}


def test_a_team_that_a_hello_may_bring_is_taken_though_a_file_could_not_have_it() -> None:
    """What fair-play 3 lets through must not stop anyone from telling the game."""
    team = Team("OWL", " ", ("Ann",) * 8 + (" Ann",), "Ann")
    with pytest.raises(TeamError):
        team_from_dict(team_to_dict(team))


def test_a_team_reads_back() -> None:
    for team in DEFAULT_TEAMS:
        assert team_from_dict(team_to_dict(team)) == team
