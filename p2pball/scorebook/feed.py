"""A whole game as one JSON object with the public names of the MLB feed: plays, line score, box score."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from p2pball.engine.events import (
    BatterCameUp,
    CardsPlayed,
    DiceRolled,
    Outcome,
    PinchHitterSent,
    Play,
    StealSettled,
)
from p2pball.engine.state import Phase
from p2pball.engine.terms import Side
from p2pball.scorebook.boxscore import Batting, Box, Pitching, TeamBox, box_score
from p2pball.scorebook.feedplays import (
    PlayEvent,
    batter,
    event_type,
    half,
    pitch_object,
    pitcher,
    play_object,
    runners,
    runs_batted_in,
)
from p2pball.scorebook.game import Game, Moment
from p2pball.scorebook.linescore import LineScore
from p2pball.scorebook.phrases import ordinal
from p2pball.scorebook.retrosheet import Names
from p2pball.scorebook.teams import PITCHER_SLOT, POSITION_NAMES, POSITIONS, Team
from p2pball.scorebook.words import play_text

_SIDES = {Side.VISITORS: "away", Side.HOME: "home"}
_BATTING = {
    "plateAppearances": "pa",
    "atBats": "ab",
    "runs": "r",
    "hits": "h",
    "rbi": "rbi",
    "baseOnBalls": "bb",
    "strikeOuts": "so",
    "doubles": "doubles",
    "triples": "triples",
    "homeRuns": "hr",
    "stolenBases": "sb",
    "caughtStealing": "cs",
    "groundIntoDoublePlay": "gidp",
}
_PITCHING = {
    "inningsPitched": "ip",
    "outs": "outs",
    "battersFaced": "batters",
    "hits": "h",
    "runs": "r",
    "earnedRuns": "r",
    "baseOnBalls": "bb",
    "strikeOuts": "k",
    "homeRuns": "hr",
    "wildPitches": "wp",
    "numberOfPitches": "pitches",
}


def feed(game: Game, date: str = "") -> dict[str, Any]:
    """The game as a JSON object; `date` is YYYY-MM-DD or empty when it is not known."""
    box, names = box_score(game), Names.of(game.teams)
    plays = list(all_plays(game))
    return {
        "gameData": {
            "datetime": {"officialDate": date},
            "status": {"detailedState": _status(game)},
            "game": {"type": game.terms.rules.value, "scheduledInnings": game.terms.innings},
            "teams": {_SIDES[side]: _team(game.teams[side]) for side in Side},
            "players": {f"ID{man['id']}": man for side in Side for man in _men(game.teams[side], side, names)},
        },
        "liveData": {
            "plays": {
                "allPlays": plays,
                "scoringPlays": [play["atBatIndex"] for play in plays if play["about"]["isScoringPlay"]],
            },
            "linescore": _linescore(box.line, game),
            "boxscore": {"teams": {_SIDES[side]: _box(box, side, names) for side in Side}},
        },
    }


def _status(game: Game) -> str:
    if game.called:
        return "Completed Early"
    return "Final" if game.over else "In Progress"


def _team(team: Team) -> dict[str, Any]:
    return {"abbreviation": team.code, "name": team.name, "teamName": team.name}


def _men(team: Team, side: Side, names: Names) -> Iterator[dict[str, Any]]:
    for slot, (name, position) in enumerate(zip(team.players, POSITIONS, strict=True), start=1):
        place = {"code": str(position), "abbreviation": POSITION_NAMES[position]}
        yield {"id": names.player(side, slot), "fullName": name, "primaryPosition": place}
    place = {"code": "11", "abbreviation": "PH"}
    yield {"id": names.player(side, 0, pinch=True), "fullName": team.pinch, "primaryPosition": place}


@dataclass(slots=True)
class _Appearance:
    """A plate appearance while its moments are read."""

    first: Moment
    last: Moment
    events: list[dict[str, Any]] = field(default_factory=list)
    runners: list[dict[str, Any]] = field(default_factory=list)
    pitches: int = 0
    scored: bool = False

    def read(self, moment: Moment) -> bool:
        """Take in one moment; whether the appearance is over with it."""
        if isinstance(moment.event, CardsPlayed | DiceRolled | PlayEvent):
            self.last = moment
        match moment.event:
            case CardsPlayed() | DiceRolled() as pitch:
                self.pitches += 1
                self.events.append(pitch_object(moment, pitch, self.pitches))
                return False
            case Play() as play:
                self._moved(moment, play)
                if play.outcome is not Outcome.WILD_PITCH:
                    return True
                self._action(moment, play)
                return False
            case StealSettled() as steal:
                self._moved(moment, steal)
                self._action(moment, steal)
                return moment.after.outs == 3
            case PinchHitterSent() as sent:
                self._action(moment, sent)
                return False
            case _:
                return False

    def _moved(self, moment: Moment, event: PlayEvent) -> None:
        self.runners += runners(moment, event)
        self.scored = self.scored or moment.before.runs != moment.after.runs

    def _action(self, moment: Moment, event: PlayEvent) -> None:
        self.events.append({"isPitch": False, "type": "action", "details": play_object(moment, event)})

    def written(self, index: int, last: Moment, *, complete: bool) -> dict[str, Any]:
        """The object of `allPlays`."""
        event = last.event
        result: dict[str, Any] = {"type": "atBat", "awayScore": last.after.runs[0], "homeScore": last.after.runs[1]}
        if complete and isinstance(event, Play | StealSettled):
            kind, name = event_type(event)
            result |= {"event": name, "eventType": kind, "description": play_text(last), "rbi": runs_batted_in(event)}
        return {
            "atBatIndex": index,
            "result": result,
            "about": {"atBatIndex": index, **half(self.first), "isComplete": complete, "isScoringPlay": self.scored},
            "count": {"balls": last.before.balls, "strikes": last.before.strikes, "outs": last.after.outs},
            "matchup": {"batter": batter(last), "pitcher": pitcher(last)},
            "runners": self.runners,
            "playEvents": self.events,
        }


def all_plays(game: Game) -> Iterator[dict[str, Any]]:
    """Every plate appearance with its pitches, actions and runners; one that is still going on comes last."""
    index, appearance = 0, None
    for moment in game.moments:
        if isinstance(moment.event, BatterCameUp):
            appearance = _Appearance(moment, moment)
        elif appearance is not None and appearance.read(moment):
            yield appearance.written(index, moment, complete=True)
            index, appearance = index + 1, None
    if appearance is not None:  # cut short, or won on a wild pitch with the batter still up
        yield appearance.written(index, appearance.last, complete=game.state.phase is Phase.OVER)


def _linescore(line: LineScore, game: Game) -> dict[str, Any]:
    innings = []
    for n in range(1, len(line.visitors.innings) + 1):
        cells: dict[str, Any] = {"num": n, "ordinalNum": ordinal(n)}
        for side in Side:
            played = line.line(side).innings
            cells[_SIDES[side]] = {"runs": played[n - 1]} if n <= len(played) else {}
        innings.append(cells)
    teams = {}
    for side in Side:
        own = line.line(side)
        teams[_SIDES[side]] = {"runs": own.runs, "hits": own.hits, "errors": own.errors, "leftOnBase": own.left}
    state = game.state
    return {
        "scheduledInnings": game.terms.innings,
        "currentInning": state.inning,
        "isTopInning": state.batting is Side.VISITORS,
        "innings": innings,
        "teams": teams,
        "balls": state.balls,
        "strikes": state.strikes,
        "outs": state.outs,
    }


def _box(box: Box, side: Side, names: Names) -> dict[str, Any]:
    team: TeamBox = box.side(side)
    pitched = {line.pinch: line for line in team.pitching}
    players = {}
    for line in team.batting:
        number = names.player(side, line.slot, pinch=line.pinch)
        own = pitched.get(line.pinch) if line.slot == PITCHER_SLOT else None
        players[f"ID{number}"] = {
            "person": {"id": number, "fullName": line.name},
            "battingOrder": str(line.slot * 100 + line.pinch),
            "stats": {"batting": _stats(line, _BATTING), "pitching": _stats(own, _PITCHING) if own else {}},
        }
    return {
        "team": _team(team.team),
        "teamStats": {"batting": {name: team.total(field) for name, field in _BATTING.items()}},
        "players": players,
        "pitchers": [names.player(side, PITCHER_SLOT, pinch=line.pinch) for line in team.pitching],
    }


def _stats(line: Batting | Pitching, columns: dict[str, str]) -> dict[str, Any]:
    return {name: getattr(line, field) for name, field in columns.items()}
