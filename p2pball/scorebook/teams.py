"""Teams: nine names and a pinch hitter, the two that come with the game and those read from TOML."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from typing import Any

from p2pball.errors import P2PBallError
from p2pball.frozen import frozen

NAME_LENGTH = 24
_UNPRINTABLE = frozenset({"Cc", "Cf", "Cs", "Co", "Zl", "Zp"})
"""Categories of control, format (bidi too), surrogate and private characters and line separators."""
POSITIONS: tuple[int, ...] = (8, 4, 6, 3, 7, 9, 5, 2, 1)
"""Fielding position by batting slot, from slot 1; the slot of the pitcher is the ninth."""
PITCHER_SLOT = 9
POSITION_NAMES: dict[int, str] = {
    1: "P",
    2: "C",
    3: "1B",
    4: "2B",
    5: "3B",
    6: "SS",
    7: "LF",
    8: "CF",
    9: "RF",
}


class TeamError(P2PBallError):
    """The team cannot be used as it is written."""


@frozen
class Team:
    """A team: `code` of 2 to 4 letters A to Z, `players` by batting slot, `pinch` the pinch hitter.

    Raises TeamError when a field is not as it must be.
    """

    code: str
    name: str
    players: tuple[str, ...]
    pinch: str

    def __post_init__(self) -> None:
        if not (2 <= len(self.code) <= 4 and self.code.isascii() and self.code.isalpha() and self.code.isupper()):
            raise TeamError(f"the team's code must be 2 to 4 capital letters A to Z, not {self.code!a}")
        if len(self.players) != 9:
            raise TeamError(f"a team has nine players, but {len(self.players)} are named; list nine under `players`")
        _check_name("the team's name", self.name)
        for slot, player in enumerate(self.players, start=1):
            _check_name(f"player {slot}", player)
        _check_name("the pinch hitter", self.pinch)


def _check_name(what: str, name: str) -> None:
    """A name is 1 to 24 printable characters, as in a hello (fair-play 3)."""
    if not 1 <= len(name) <= NAME_LENGTH:
        raise TeamError(f"{what} must be 1 to {NAME_LENGTH} characters long, not {len(name)}")
    if any(unicodedata.category(character) in _UNPRINTABLE for character in name):
        raise TeamError(f"{what} has a character that cannot be printed: {name!a}; use letters, digits and spaces")


def _check_own_names(team: Team) -> None:
    """What is asked of a team file beyond that, so that a play by play says who is who."""
    everyone = (*team.players, team.pinch)
    for name in (team.name, *everyone):
        if name != name.strip():
            raise TeamError(f"a name must not begin or end with a blank: {name!a}")
        if everyone.count(name) > 1:
            raise TeamError(f"{name!a} stands twice in the team; give each of the ten a name of their own")


RIVERBEND = Team(
    "RBN",
    "Riverbend",
    ("Abbott", "Brooks", "Cruz", "Daly", "Ellis", "Frost", "Gray", "Holt", "Irvin"),
    "Quincy",
)
KETTLE_POINT = Team(
    "KTP",
    "Kettle Point",
    ("Nash", "Ortiz", "Pike", "Quay", "Reed", "Stone", "Tuck", "Usher", "Vance"),
    "Wynn",
)
Teams = tuple[Team, Team]
"""Visitors and home, indexed by engine.terms.Side."""
DEFAULT_TEAMS: Teams = (KETTLE_POINT, RIVERBEND)

_FIELDS = {"code": str, "name": str, "players": list, "pinch": str}


def team_from_dict(data: Mapping[str, Any]) -> Team:
    """The team that a mapping with code, name, players and pinch describes; raises TeamError otherwise."""
    for field, kind in _FIELDS.items():
        if field not in data:
            raise TeamError(f"the team has no `{field}`; it needs code, name, players (nine names) and pinch")
        if type(data[field]) is not kind:
            raise TeamError(f"`{field}` must be {'a list of nine names' if kind is list else 'a text in quotes'}")
    if unknown := sorted(set(data) - set(_FIELDS)):
        raise TeamError(f"the team has a field nobody knows, {unknown[0]!a}; it needs code, name, players and pinch")
    players: list[Any] = data["players"]
    if not all(type(player) is str for player in players):
        raise TeamError("`players` must be a list of nine names, each in quotes")
    team = Team(data["code"], data["name"], tuple(players), data["pinch"])
    _check_own_names(team)
    return team


def team_from_toml(text: str) -> Team:
    """The team that a TOML text describes; raises TeamError when it is no TOML or no team."""
    import tomllib  # late: most games never read a team file

    try:
        data = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise TeamError(f"the team file is not valid TOML: {error}") from None
    return team_from_dict(data)


def team_to_dict(team: Team) -> dict[str, Any]:
    """The mapping that team_from_dict reads back to the same team."""
    return {"code": team.code, "name": team.name, "players": list(team.players), "pinch": team.pinch}
