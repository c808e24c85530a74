"""The box score: what every batter and pitcher did, added up from the facts by the official scoring rules."""

from __future__ import annotations

from collections import Counter

from p2pball.engine.events import (
    CardsPlayed,
    DiceRolled,
    HalfBegan,
    Outcome,
    PinchHitterSent,
    Play,
    StealSettled,
)
from p2pball.engine.terms import Side
from p2pball.frozen import frozen
from p2pball.scorebook.game import Game, Moment
from p2pball.scorebook.linescore import HITS, LineScore, line_score
from p2pball.scorebook.teams import PITCHER_SLOT, POSITIONS, Team


@frozen
class Batting:
    """One batter's line; `pinch` marks the pinch hitter, `position` where the slot fields, 1 to 9."""

    name: str
    slot: int
    pinch: bool
    position: int
    pa: int = 0
    ab: int = 0
    r: int = 0
    h: int = 0
    rbi: int = 0
    bb: int = 0
    so: int = 0
    doubles: int = 0
    triples: int = 0
    hr: int = 0
    sb: int = 0
    cs: int = 0
    gidp: int = 0


@frozen
class Pitching:
    """One pitcher's line; every run is earned, for there are no errors. `pitches` are cards or rolls."""

    name: str
    pinch: bool
    outs: int = 0
    batters: int = 0
    h: int = 0
    r: int = 0
    bb: int = 0
    k: int = 0
    hr: int = 0
    wp: int = 0
    pitches: int = 0

    @property
    def ip(self) -> str:
        """Innings pitched: 6.1 is six and a third."""
        return f"{self.outs // 3}.{self.outs % 3}"


@frozen
class TeamBox:
    """One team's box: batters in order, each pinch hitter after the man he replaced, then pitchers."""

    team: Team
    batting: tuple[Batting, ...]
    pitching: tuple[Pitching, ...]
    double_plays: int
    left: int

    def total(self, field: str) -> int:
        """The team's sum of one batting number, by its field's name."""
        return sum(getattr(line, field) for line in self.batting)


@frozen
class Box:
    """Both teams' boxes and the line score."""

    visitors: TeamBox
    home: TeamBox
    line: LineScore

    def side(self, side: Side) -> TeamBox:
        """The box of a side."""
        return self.home if side is Side.HOME else self.visitors


Man = tuple[Side, int, bool]
"""A man in the books: his side, slot, and whether he is the pinch hitter."""


class _Books:
    """Counters by man while the facts are read; men stand in the order they came in."""

    def __init__(self) -> None:
        self.batters: dict[Man, Counter[str]] = {}
        self.pitchers: dict[Man, Counter[str]] = {}
        self.double_plays: Counter[Side] = Counter()

    def batter(self, moment: Moment, side: Side, slot: int) -> Counter[str]:
        man = (side, slot, moment.lineup.pinch[side] == slot)
        return self.batters.setdefault(man, Counter())

    def pitcher(self, moment: Moment, batting: Side) -> Counter[str]:
        side = batting.other
        man = (side, PITCHER_SLOT, moment.lineup.pinch[side] == PITCHER_SLOT)
        return self.pitchers.setdefault(man, Counter())

    def read(self, moment: Moment) -> None:
        """Book one fact."""
        event, batting = moment.event, moment.before.batting
        match event:
            case HalfBegan():
                self.pitcher(moment, event.side)  # a man who came in to pitch, from his first step on the mound
            case CardsPlayed() | DiceRolled():
                self.pitcher(moment, batting)["pitches"] += 1
            case PinchHitterSent(side, slot):
                self.batter(moment, side, slot)
            case StealSettled(slot, _, _, _, _, safe):
                self.batter(moment, batting, slot)["sb" if safe else "cs"] += 1
                self.pitcher(moment, batting)["outs"] += not safe
            case Play():
                self.play(moment, event)
            case _:
                pass  # the rest counts for nothing in a box

    def play(self, moment: Moment, play: Play) -> None:
        """Book a play for the batter, everyone who scored, and the pitcher."""
        batter, pitcher = self.batter(moment, play.side, play.slot), self.pitcher(moment, play.side)
        for advance in play.advances:
            if advance.end == 4:
                self.batter(moment, play.side, advance.slot)["r"] += 1
        pitcher["r"] += play.runs
        if play.outcome is Outcome.WILD_PITCH:
            pitcher["wp"] += bool(play.advances)  # only a wild pitch that moves somebody is one in the books
            return
        pitcher["batters"] += 1
        pitcher["outs"] += len(play.outs)
        batter["pa"] += 1
        batter["ab"] += play.outcome is not Outcome.WALK
        batter["rbi"] += play.runs  # none scores on a double play, and a wild pitch has been left above
        if play.outcome in HITS:
            batter["h"] += 1
            pitcher["h"] += 1
        match play.outcome:
            case Outcome.DOUBLE:
                batter["doubles"] += 1
            case Outcome.TRIPLE:
                batter["triples"] += 1
            case Outcome.HOME_RUN:
                batter["hr"] += 1
                pitcher["hr"] += 1
            case Outcome.WALK:
                batter["bb"] += 1
                pitcher["bb"] += 1
            case Outcome.STRIKEOUT:
                batter["so"] += 1
                pitcher["k"] += 1
            case Outcome.DOUBLE_PLAY if len(play.outs) == 2:
                self.double_plays[play.side.other] += 1
                batter["gidp"] += play.outs[0] == 1  # a liner is no grounder
            case _:
                pass  # singles and plain outs have no column of their own


def box_score(game: Game) -> Box:
    """The box of a game, or of what there is of one."""
    books, line = _Books(), line_score(game)
    if game.moments:
        for side in Side:  # whoever starts stands in the box though he never throws a pitch
            books.pitchers[side, PITCHER_SLOT, False] = Counter()
    for moment in game.moments:
        books.read(moment)
    visitors, home = (_team(game, books, side, line.line(side).left) for side in Side)
    return Box(visitors, home, line)


def _team(game: Game, books: _Books, side: Side, left: int) -> TeamBox:
    team, batting = game.teams[side], []
    for slot in range(1, 10):
        for pinch in (False, True):
            booked = books.batters.get((side, slot, pinch))
            if booked is not None or not pinch:
                name = team.pinch if pinch else team.players[slot - 1]
                batting.append(Batting(name, slot, pinch, POSITIONS[slot - 1], **(booked or Counter())))
    pitching = tuple(
        Pitching(team.pinch if pinch else team.players[PITCHER_SLOT - 1], pinch, **booked)
        for (own, _, pinch), booked in books.pitchers.items()
        if own is side
    )
    return TeamBox(team, tuple(batting), pitching, books.double_plays[side], left)
