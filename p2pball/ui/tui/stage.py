"""One seat in front of the full screen: what the session tells it, kept as values that the screens draw."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from pathlib import Path

from p2pball.ballgame import Ballgame
from p2pball.engine.events import DiceRolled, HalfBegan
from p2pball.engine.ledger import Transition
from p2pball.engine.moves import Choice
from p2pball.engine.state import Phase
from p2pball.engine.terms import Seat
from p2pball.engine.view import View
from p2pball.protocol.messages import Message
from p2pball.scorebook.boxscore import Box, box_score
from p2pball.scorebook.game import Game, Moment
from p2pball.session import Controls, Ended
from p2pball.ui.book import Book
from p2pball.ui.commands import Chosen
from p2pball.ui.display import Hint
from p2pball.ui.tui import keymap
from p2pball.ui.tui.ink import Tone
from p2pball.ui.tui.keymap import Key
from p2pball.ui.tui.logbook import Entry, entries
from p2pball.ui.tui.outside import words
from p2pball.ui.tui.prompts import question, waiting
from p2pball.ui.tui.scene import Scene
from p2pball.ui.tui.theatre import Theatre

SHOWN = 60
"""Entries of the log that the game screen may show at once."""


class Stage:
    """A display of the full screen; `plays` is false when somebody else makes the choices."""

    def __init__(
        self, theatre: Theatre, *, plays: bool = True, offline: bool = False, hint: Hint | None = None
    ) -> None:
        self.theatre, self.plays, self.offline, self.hint = theatre, plays, offline, hint
        self.ballgame: Ballgame | None = None
        self.controls: Controls | None = None
        self.book: Book | None = None
        self.log: list[Entry] = []
        self.hidden = False
        """Whether the hand is not to be seen now, for somebody else looks on."""
        self._dice: DiceRolled | None = None
        self._asking: tuple[View, tuple[Choice, ...], asyncio.Future[Choice]] | None = None
        self._deadline: float | None = None
        self._box: tuple[Game, Box] | None = None
        self._next: Choice | None = None
        self.retry: Callable[[], object] = lambda: None
        """Starts the attempt to meet the rival anew."""
        self._link, self._way, self._link_bad = ("offline", "", False) if offline else ("link ok", "", False)

    @property
    def voice(self) -> Seat | None:
        """Whose `you` the telling is; None names everybody."""
        return self.ballgame.seat if self.ballgame else None

    # -- the display -----------------------------------------------------------------------

    def room(self, code: str, relay: str, join: str) -> None:
        """The code large, and the line that the other player types."""
        self.theatre.show_room(code, relay, join)

    async def accepts(self, hello: Message) -> bool:
        """Show the host and the terms, and ask; one who only looks on has nothing to say."""
        return not self.plays or await self.theatre.ask_terms(hello)

    async def again(self) -> bool:
        """Ask for a rematch."""
        return await self.theatre.ask_rematch()

    def over(self, ended: Ended, record: Path, why: str) -> None:
        """The end."""
        self.theatre.finish(self, ended, record, why)

    def seated(self, ballgame: Ballgame, controls: Controls) -> None:
        """A game begins or goes on."""
        self.sit(ballgame, controls)
        self.theatre.raise_curtain(self)

    def sit(self, ballgame: Ballgame, controls: Controls) -> None:
        """Take the seat, with the log of what has happened before."""
        self.ballgame, self.controls, self.book = ballgame, controls, Book(ballgame.game)
        self.log, self._dice, self._next = [], None, None
        if self.book.game:
            self._note(self.book.game.moments)

    def queued(self, moves: tuple[Choice, ...]) -> bool:
        """Whether the last key has said already which of these moves it is to be."""
        return self._next is not None and self._next in moves

    async def choose(self, view: View, moves: tuple[Choice, ...], seconds: float | None) -> Choice:
        """Wait until a key means one of the moves."""
        known, queued, self._next = self.queued(moves), self._next, None
        if known and queued is not None:
            return queued
        future: asyncio.Future[Choice] = asyncio.get_running_loop().create_future()
        self._asking = view, moves, future
        self._deadline = time.monotonic() + seconds if seconds else None
        try:
            self.theatre.redraw(self)
            return await future
        finally:
            self._asking = self._deadline = None
            self.theatre.redraw(self)

    def show(self, transitions: tuple[Transition, ...]) -> None:
        """Book what has just happened and draw it."""
        assert self.book
        moments = tuple(moment for t in transitions for moment in self.book.add(t.events))
        self._note(moments)
        self.theatre.find()
        self.theatre.play(self, moments)

    def chat(self, text: str) -> None:
        """The other player's words."""
        assert self.book
        assert self.ballgame
        self.say(self.book.name(self.ballgame.seat.other), text)

    def link(self, way: str, rtt: float | None, silent: float) -> None:
        """The state of the connection."""
        self._way = "turn" if way == "turn-udp" else way
        heard = "link ok" if rtt is None else f"link ok {rtt * 1000:.0f} ms"
        self._link = f"silent {silent:.0f} s" if silent else heard
        self._link_bad = bool(silent)
        self.theatre.find()
        self.theatre.redraw(self, "status")

    def meeting(self, again: Callable[[], object]) -> None:
        """There is no connection; the rival is being met again."""
        self.retry = again
        self._link, self._way, self._link_bad = "link lost", "", True
        self.theatre.lose(self)
        self.theatre.redraw(self, "status")

    def notice(self, text: str) -> None:
        """A sentence about the connection or the clock."""
        self.theatre.tell(text)

    # -- the screens -----------------------------------------------------------------------

    def say(self, name: str, text: str) -> None:
        """A line of talk in the log."""
        self.log.append(Entry(f"{words(name, 24)}: {text}", Tone.OWN))
        self.theatre.redraw(self, "log")

    def note(self, text: str) -> None:
        """A remark in the log, where it need not be made twice running."""
        entry = Entry(text, Tone.OWN)
        if self.log[-1:] != [entry]:
            self.log.append(entry)
            self.theatre.redraw(self, "log")

    def take(self, chosen: Chosen) -> None:
        """A key that chose a move."""
        if self._asking and not self._asking[2].done():
            self._next = chosen.then
            self._asking[2].set_result(chosen.choice)

    @property
    def clock_runs(self) -> bool:
        """Whether a choice is due within a time."""
        return self._deadline is not None

    @property
    def move_keys(self) -> tuple[Key, ...]:
        """The keys of the choices due now."""
        if self._asking is None or self._asking[2].done():
            return ()
        view, moves, _ = self._asking
        return keymap.move_keys(view, moves, hints=self.hint is not None)

    @property
    def word_keys(self) -> tuple[Key, ...]:
        """The keys that are always there."""
        return keymap.word_keys(talks=not self.offline)

    def advice(self) -> str:
        """What an all-star would do now."""
        if self.hint is None or self._asking is None:
            return "Hints are for games against the computer, when a choice is due."
        return self.hint(self._asking[0])

    def scene(self) -> Scene:
        """Everything that is to be seen now."""
        assert self.ballgame
        assert self.book
        exchange, seat = self.ballgame.game.exchange, self.ballgame.seat
        state, sides = self.ballgame.game.state, exchange.sides
        pitching = state.phase is Phase.PITCH
        moves = self.move_keys
        return Scene(
            book=self.book.game,
            state=state,
            seat=None if self.hidden else seat,
            hand=() if self.hidden else self.ballgame.view.hand,
            asked=bool(moves),
            prompt=self._prompt(bool(moves)),
            moves=moves,
            words=self.word_keys,
            locked=pitching and bool(sides[seat.value].commit),
            rival_left=state.decks[state.side(seat.other)].left if state.inning else 0,
            rival_locked=pitching and bool(sides[seat.other.value].commit),
            link=self._link,
            way=self._way,
            link_bad=self._link_bad,
            odds=self.theatre.odds(self.book),
            chain=exchange.chain.hex() if self.book.game else "",
            clock=None if self._deadline is None else max(round(self._deadline - time.monotonic()), 0),
            log=tuple(self.log[-SHOWN:]),
            dice=self._dice,
            box=self._counted(),
        )

    def _counted(self) -> Box | None:
        """The box score, added up once a fact."""
        game = self.book.game if self.book else None
        if game and (self._box is None or self._box[0] is not game):
            self._box = game, box_score(game)
        return self._box[1] if game and self._box else None

    # -- inside ----------------------------------------------------------------------------

    def _note(self, moments: tuple[Moment, ...]) -> None:
        self.log += entries(moments, self.voice)
        for moment in moments:
            if isinstance(moment.event, DiceRolled):
                self._dice = moment.event
            elif isinstance(moment.event, HalfBegan):
                self._dice = None

    def _prompt(self, asked: bool) -> str:
        assert self.ballgame
        phase = self.ballgame.view.state.phase
        if asked:
            return question(self.ballgame.view)
        if phase is Phase.OVER or self.ballgame.finished:
            return "The game is over."
        if not self.plays:
            return "This seat is played for you: you look on."
        if not self.ballgame.waiting_for_other:
            return "..."
        return waiting(phase)
