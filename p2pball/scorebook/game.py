"""A game as the scorebook reads it: its facts in order, the state around each, and who stood in which slot."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from p2pball.engine.events import (
    BatterCameUp,
    ContactRolled,
    Event,
    GameEnded,
    HalfBegan,
    HandsDealt,
    PinchHitterSent,
    Play,
)
from p2pball.engine.ledger import begin, evolve
from p2pball.engine.state import Phase, State
from p2pball.engine.terms import Side, Terms
from p2pball.frozen import frozen
from p2pball.scorebook.teams import DEFAULT_TEAMS, PITCHER_SLOT, Team, Teams

_FOLLOWING = (ContactRolled, Play, HandsDealt, HalfBegan, BatterCameUp, GameEnded)
"""Facts that never come first in a round or a move."""


@frozen
class Lineup:
    """Both orders of nine; `pinch` is the slot (visitors, home) its pinch hitter took for good, 0 before (C11)."""

    teams: Teams = DEFAULT_TEAMS
    pinch: tuple[int, int] = (0, 0)

    def team(self, side: Side) -> Team:
        """The team of a side."""
        return self.teams[side]

    def name(self, side: Side, slot: int) -> str:
        """Who stands in a batting slot, 1 to 9."""
        team = self.teams[side]
        return team.pinch if self.pinch[side] == slot else team.players[slot - 1]

    def pitcher(self, batting: Side) -> str:
        """Who pitches against the side at bat."""
        return self.name(batting.other, PITCHER_SLOT)

    def sent(self, side: Side, slot: int) -> Lineup:
        """This order once the pinch hitter has taken a slot (C11)."""
        return Lineup(self.teams, (slot, self.pinch[1]) if side is Side.VISITORS else (self.pinch[0], slot))


@frozen
class Moment:
    """One fact with the states before and after it; `lineup` is the one in force after it."""

    before: State
    event: Event
    after: State
    lineup: Lineup

    @property
    def batter(self) -> str:
        """Who stands at the plate when it happens."""
        return self.lineup.name(self.before.batting, self.before.slot)

    @property
    def pitcher(self) -> str:
        """Who stands on the mound when it happens."""
        return self.lineup.pitcher(self.before.batting)


@frozen
class Game:
    """A whole game, or what there is of one. Make it with `Game.of`, go on with `add`.

    `called` says in a word or two how a game ended that was not played out, such as `by resignation`.
    """

    start: State
    lineup: Lineup = Lineup()
    moments: tuple[Moment, ...] = ()
    called: str = ""

    @classmethod
    def of(cls, terms: Terms, teams: Teams = DEFAULT_TEAMS, events: Iterable[Event] = ()) -> Game:
        """The game that these facts make, from round 0 on (engine.ledger.Transition.events, one after another)."""
        return cls(begin(terms), Lineup(teams)).add(events)

    def add(self, events: Iterable[Event]) -> Game:
        """The game with these facts after its own."""
        state, lineup, moments = self.state, self.lineup, list(self.moments)
        for event in events:
            after = evolve(state, event)
            if isinstance(event, PinchHitterSent):
                lineup = lineup.sent(event.side, event.slot)
            moments.append(Moment(state, event, after, lineup))
            state = after
        return Game(self.start, lineup, tuple(moments))

    def call(self, how: str) -> Game:
        """This game, ended here without being played out."""
        return replace(self, called=how)

    @property
    def over(self) -> bool:
        """Whether nothing can happen any more."""
        return self.called != "" or self.state.phase is Phase.OVER

    def rounds(self) -> Iterator[tuple[Moment, ...]]:
        """The moments of each round and open move, the facts that follow of themselves with it.

        The state after the last moment of each is at rest: a player is awaited, or the game is over.
        """
        group: list[Moment] = []
        for moment in self.moments:
            if group and not isinstance(moment.event, _FOLLOWING):
                yield tuple(group)
                group = []
            group.append(moment)
        if group:
            yield tuple(group)

    @property
    def state(self) -> State:
        """The state after the last fact."""
        return self.moments[-1].after if self.moments else self.start

    @property
    def terms(self) -> Terms:
        """What it is played for."""
        return self.start.terms

    @property
    def teams(self) -> Teams:
        """Visitors and home."""
        return self.lineup.teams
