"""Retrosheet: a game as an event file with its team and roster files, every runner's move written out."""

from __future__ import annotations

import re
from typing import assert_never

from p2pball.engine.events import HalfBegan, Outcome, PinchHitterSent, Play, StealSettled
from p2pball.engine.terms import Side
from p2pball.errors import P2PBallError
from p2pball.frozen import frozen
from p2pball.scorebook.boxscore import box_score
from p2pball.scorebook.game import Game, Moment
from p2pball.scorebook.teams import PITCHER_SLOT, POSITIONS, Team, Teams

_PINCH_HITTING = 11
"""The position that the format gives a pinch hitter while he bats."""
_POSITION_LETTERS = " PCIIIIOOO"
_DATE = re.compile(r"(\d{4})-(\d{2})-(\d{2})", re.ASCII)


class ExportError(P2PBallError):
    """The game cannot be written in that format as asked."""


def event_text(moment: Moment) -> str:
    """One fact as the event field of a `play` record; empty for facts that the format does not record."""
    event = moment.event
    match event:
        case Play():
            return _play(moment, event)
        case StealSettled(_, base, _, roll, _, safe):
            if safe:
                return f"SB{base}"
            if roll is None:
                return {2: "POCS2(136)", 3: "POCS3(165)"}[base]
            return {2: "CS2(24)", 3: "CS3(25)"}[base]
        case PinchHitterSent():
            return "NP"
        case _:
            return ""


def _play(moment: Moment, play: Play) -> str:
    at = play.fielder
    match play.outcome:
        case Outcome.SINGLE:
            head = f"S{at}"
        case Outcome.DOUBLE:
            head = f"D{at}"
        case Outcome.TRIPLE:
            head = f"T{at}"
        case Outcome.HOME_RUN:
            head = "HR"
        case Outcome.WALK:
            head = "W"
        case Outcome.STRIKEOUT:
            head = "K"
        case Outcome.FLY_OUT:
            head = f"{at}/F"
        case Outcome.POP_OUT:
            head = f"{at}/P"
        case Outcome.GROUND_OUT:
            head = "3/G" if at == 3 else f"{at}3/G"
        case Outcome.DOUBLE_PLAY:
            head = _DOUBLE_PLAYS[play.outs[0]]
        case Outcome.WILD_PITCH:
            head = "WP" if play.advances else ""
        case _:
            assert_never(play.outcome)
    moves = [f"{a.start}-{'H' if a.end == 4 else a.end}" for a in play.advances if a.start]
    return f"{head}.{';'.join(moves)}" if moves else head


_DOUBLE_PLAYS = {1: "64(1)3/GDP", 2: "6(B)4(2)/LDP", 3: "5(B)5(3)/LDP", 0: "63/G"}
"""By the base whose man is the other out; 0 when there is none and it is a plain out (B9)."""


@frozen
class Names:
    """The ids and codes that the files use: they come from side and slot, never from what players typed."""

    codes: tuple[str, str]

    @classmethod
    def of(cls, teams: Teams) -> Names:
        """Codes of exactly three letters, as the format has them; never the same for both teams."""
        visitors, home = ((team.code + "XX")[:3] for team in teams)
        if visitors == home:
            visitors = visitors[:2] + ("V" if visitors[2] != "V" else "W")
        return cls((visitors, home))

    def player(self, side: Side, slot: int, *, pinch: bool = False) -> str:
        """The id of a man: eight characters, his slot at the end, 010 for the pinch hitter."""
        return f"{'home' if side else 'visi'}p{10 if pinch else slot:03}"


def retrosheet_files(game: Game, date: str, number: int = 0) -> dict[str, str]:
    """File names and texts: YYYYHOM.EVA, two rosters .ROS and TEAMYYYY.

    `date` is YYYY-MM-DD, `number` 0 for the day's only game, else 1, 2, ... Raises ExportError for another date.
    """
    year = _date(date)[0]
    names = Names.of(game.teams)
    files = {
        f"{year}{names.codes[Side.HOME]}.EVA": event_file(game, date, number),
        f"TEAM{year}": "".join(
            f"{names.codes[side]},A,{_plain(game.teams[side].name)},{_plain(game.teams[side].name)}\n" for side in Side
        ),
    }
    for side in Side:
        files[f"{names.codes[side]}{year}.ROS"] = _roster(game.teams[side], side, names)
    return files


def event_file(game: Game, date: str, number: int = 0) -> str:
    """The records of one game; several make one file when they are simply joined."""
    year, month, day = _date(date)
    names = Names.of(game.teams)
    visitors, home = names.codes
    records = [
        f"id,{home}{year}{month}{day}{number}",
        f"info,visteam,{visitors}",
        f"info,hometeam,{home}",
        f"info,date,{year}/{month}/{day}",
        f"info,number,{number}",
        "info,attendance,0",
    ]
    for side in Side:
        for slot, position in enumerate(POSITIONS, start=1):
            name = _plain(game.teams[side].players[slot - 1])
            records.append(f'start,{names.player(side, slot)},"{name}",{int(side)},{slot},{position}')
    records += _plays(game, names)
    box = box_score(game)
    for side in Side:
        for pitcher in box.side(side).pitching:
            # Every run is earned: there are no errors.
            records.append(f"data,er,{names.player(side, PITCHER_SLOT, pinch=pitcher.pinch)},{pitcher.r}")
    return "\n".join(records) + "\n"


def _plays(game: Game, names: Names) -> list[str]:
    records: list[str] = []
    batting_only: set[Side] = set()
    for moment in game.moments:
        event, lineup = moment.event, moment.lineup
        if isinstance(event, HalfBegan) and (fielding := event.side.other) in batting_only:
            slot = lineup.pinch[fielding]
            records.append(_sub(game.teams, fielding, slot, POSITIONS[slot - 1], names))
            batting_only.discard(fielding)
        text = event_text(moment)
        if not text:
            continue
        side, slot = moment.before.batting, moment.before.slot
        sent = isinstance(event, PinchHitterSent)
        batter = names.player(side, slot, pinch=lineup.pinch[side] == slot and not sent)
        records.append(f"play,{moment.before.inning},{int(side)},{batter},??,,{text}")
        if sent:
            records.append(_sub(game.teams, side, slot, _PINCH_HITTING, names))
            batting_only.add(side)
    state = game.state
    here = f"play,{state.inning},{int(state.batting)},"
    if state.inning and not any(record.startswith(here) for record in records):
        # A game that ends early in a half without a play in it yet: the half would be lost.
        pinch = game.lineup.pinch[state.batting] == state.slot
        records.append(f"{here}{names.player(state.batting, state.slot, pinch=pinch)},??,,NP")
    return records


def _sub(teams: Teams, side: Side, slot: int, position: int, names: Names) -> str:
    return f'sub,{names.player(side, slot, pinch=True)},"{_plain(teams[side].pinch)}",{int(side)},{slot},{position}'


def _roster(team: Team, side: Side, names: Names) -> str:
    code = names.codes[side]
    rows = [
        f"{names.player(side, slot)},{_plain(player)},,R,R,{code},{_POSITION_LETTERS[POSITIONS[slot - 1]]}\n"
        for slot, player in enumerate(team.players, start=1)
    ]
    rows.append(f"{names.player(side, 0, pinch=True)},{_plain(team.pinch)},,R,R,{code},X\n")
    return "".join(rows)


def _plain(name: str) -> str:
    """A name without the two characters that the format gives a meaning."""
    return name.replace('"', "'").replace(",", " ")


def _date(date: str) -> tuple[str, str, str]:
    match = _DATE.fullmatch(date)
    if match is None:
        raise ExportError(f"the date of a game is written YYYY-MM-DD, not {date!r}")
    return match[1], match[2], match[3]
