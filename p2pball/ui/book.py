"""A game's scorebook, kept while it is played: who plays where, and every moment so far."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from p2pball.engine.events import Event, GameBegan
from p2pball.engine.terms import Seat, Terms
from p2pball.game import Game as PublicGame
from p2pball.protocol.chat import clean
from p2pball.scorebook.game import Game, Moment
from p2pball.scorebook.teams import Team, Teams


def team_of(hello: dict[str, Any]) -> Team:
    """The team of a hello, its names cleaned for the screen."""
    team = hello["team"]
    players = tuple(clean(player) or "?" for player in team["players"])
    return Team(team["code"], clean(team["name"]) or "?", players, clean(team["pinch"]) or "?")


class Book:
    """The scorebook of a public game under way; empty until round 0 has settled who is at home."""

    def __init__(self, game: PublicGame) -> None:
        self._public = game
        self.game: Game | None = None
        if game.transitions:
            self.add(game.events)

    def name(self, seat: Seat) -> str:
        """The name of a seat's player."""
        return clean(self._public.hello(seat)["name"]) or "?"

    def teams(self, home: Seat) -> Teams:
        """Visitors and home."""
        return team_of(self._public.hello(home.other)), team_of(self._public.hello(home))

    def add(self, events: Iterable[Event]) -> tuple[Moment, ...]:
        """Book what happened; the new moments."""
        events = tuple(events)
        if self.game is None:
            began = next((event for event in events if isinstance(event, GameBegan)), None)
            if began is None:
                return ()
            terms = Terms.from_json(self._public.hello(Seat.HOST)["terms"])
            self.game = Game.of(terms, self.teams(began.home))
        count = len(self.game.moments)
        self.game = self.game.add(events)
        return self.game.moments[count:]
