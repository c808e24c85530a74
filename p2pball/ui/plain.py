"""The plain front end: lines appended one after another, made to be read aloud and to work in a pipe."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TextIO

from p2pball.ballgame import Ballgame, NotYourTurn
from p2pball.engine.ledger import Transition
from p2pball.engine.moves import Choice
from p2pball.engine.state import Phase, State
from p2pball.engine.terms import Seat
from p2pball.engine.view import View
from p2pball.scorebook.game import Lineup
from p2pball.scorebook.phrases import hand_words, situation
from p2pball.scorebook.words import play_by_play
from p2pball.session import Controls, Ended
from p2pball.ui.book import Book
from p2pball.ui.commands import Chosen, Say, Unclear, Word, prompt, read
from p2pball.ui.desk import Desk
from p2pball.ui.display import Hint
from p2pball.ui.helptext import help_lines
from p2pball.ui.keyboard import Keyboard
from p2pball.ui.telling import pitch_lines, result_line, told

MOMENT = 3
"""Beats of the connection, one a second, after which a rival who has not acted is waited for aloud."""
_QUIT = "Quit: r resign, s leave and save, Enter to stay > "


class Plain(Desk):
    """One seat at a plain terminal or pipe: the game on `out`, talk on `err`.

    Without a keyboard it only tells: somebody else plays. `hint` is there offline only.
    """

    def __init__(self, keyboard: Keyboard | None, out: TextIO, err: TextIO, *, hint: Hint | None = None) -> None:
        super().__init__(keyboard, out, err)
        self._hint = hint
        self._ballgame: Ballgame | None = None
        self._controls: Controls | None = None
        self._book: Book | None = None
        self._listening: asyncio.Task[None] | None = None
        self._asking: tuple[View, tuple[Choice, ...], asyncio.Future[Choice]] | None = None
        self._next: Choice | None = None
        self._due = asyncio.Event()
        self._quitting = False
        self._silent = False
        self._beats = 0
        self._faults: list[BaseException] = []

    @property
    def voice(self) -> Seat | None:
        """Whose `you` the telling is; None names everybody."""
        return self._ballgame.seat if self._ballgame else None

    # -- the session's front ---------------------------------------------------------------

    def over(self, ended: Ended, record: Path, why: str) -> None:
        """The end, the line score, and where the record is; raises what went wrong with a line that was typed."""
        if self._listening:
            self._listening.cancel()
        if self._open:
            self.write("")
        if self._book and self._book.game:
            from p2pball.scorebook.linescore import line_score

            for row in line_score(self._book.game).rows():
                self.write(row.rstrip())
        if self._ballgame and self._book and (said := result_line(self._ballgame, self._book)):
            self.write(said)
        if why:
            self.tell(why)
        if ended is Ended.CHEATED:
            self.write(f"What your record proves, and by which lines: p2pball verify {record}")
        elif ended is not Ended.FINISHED:
            self.write(f"The game is saved: p2pball resume {record.parent.name}")
        self.write(f"Record: {record}")
        if self._faults:
            raise self._faults[0]

    def seated(self, ballgame: Ballgame, controls: Controls) -> None:
        """A game begins or goes on."""
        self._ballgame, self._controls, self._book = ballgame, controls, Book(ballgame.game)
        other = self._book.name(ballgame.seat.other)
        if self._keyboard is None:
            self.write(f"{self._book.name(ballgame.seat)} plays {other}.")
            return
        self.write(f"You play {other}. Type ? for help at any time.")
        if ballgame.game.state.inning and ballgame.waiting_for_other and ballgame.result is None:
            self.tell(f"{self._situation(ballgame.game.state)} It is your rival's turn.")
            self._beats = MOMENT
        if self._listening is None or self._listening.done():
            self._listening = self._listen_to(self._keyboard)

    async def choose(self, view: View, moves: tuple[Choice, ...], seconds: float | None) -> Choice:
        """Ask until a line means one of the moves."""
        queued, self._next = self._next, None
        if queued in moves and queued is not None:
            return queued
        future: asyncio.Future[Choice] = asyncio.get_running_loop().create_future()
        self._asking = view, moves, future
        self._due.set()
        try:
            self._ask_again(seconds)
            return await future
        finally:
            self._asking = None
            self._due.clear()

    def show(self, transitions: tuple[Transition, ...]) -> None:
        """Tell what has just happened, one line a fact, the rolls behind the cards they settle."""
        assert self._ballgame and self._book
        for transition in transitions:
            self._beats = 0
            for line in told(self._book.add(transition.events), self.voice):
                self.tell(line)

    def chat(self, text: str) -> None:
        """The other player's words; a question that is open is asked again."""
        name = self._book.name(self._ballgame.seat.other) if self._book and self._ballgame else "?"
        if self._open:
            self.write("")
        self.write(f"{name} says: {text}")
        if self._asking and not self._quitting:
            self._prompt()

    def link(self, way: str, rtt: float | None, silent: float) -> None:
        """Only a silence is worth a line here, its end, and on a terminal a rival who takes long."""
        if silent and not self._silent:
            self.write(f"Nothing heard for {silent:.0f} seconds...")
        elif self._silent and not silent:
            self.write("The connection is back.")
        self._silent = bool(silent)
        if self._book and self._ballgame and self._ballgame.waiting_for_other:
            self._beats += 1
            if self._beats == MOMENT and self._out.isatty():
                self.tell(f"Waiting for {self._book.name(self._ballgame.seat.other)}.")

    # -- inside ----------------------------------------------------------------------------

    def _ask_again(self, seconds: float | None = None) -> None:
        """The situation, what is held, and the prompt."""
        assert self._asking and self._ballgame and self._book
        view = self._asking[0]
        self.tell(self._situation(view.state))
        if view.state.in_cards:
            self.tell(hand_words(view.hand) + self._rival(view))
        elif view.state.phase is Phase.CHOOSE:
            for line in pitch_lines():
                self.tell(line)
        self._prompt(seconds)

    def _situation(self, state: State) -> str:
        return situation(state, self._book.game.lineup if self._book and self._book.game else Lineup())

    def _prompt(self, seconds: float | None = None) -> None:
        """What can be typed now, in one line that stays open."""
        assert self._asking
        view, moves, _ = self._asking
        clock = f" ({seconds:.0f} seconds)" if seconds else ""
        words = ", h hint" if self._hint else ""
        self.tell(f"{prompt(view, moves)}, l log, b box{words}, ? help{clock} >", end=" ")

    def _rival(self, view: View) -> str:
        assert self._ballgame
        side = self._ballgame.game.exchange.sides[self._ballgame.seat.other.value]
        return " Your rival has chosen." if side.commit and view.state.phase is Phase.PITCH else ""

    def _listen_to(self, keyboard: Keyboard) -> asyncio.Task[None]:
        """Listen beside the game; what goes wrong there ends the game, for nobody else would notice."""
        listening = asyncio.ensure_future(self._listen(keyboard))
        listening.add_done_callback(self._listened)
        return listening

    def _listened(self, listening: asyncio.Task[None]) -> None:
        if not listening.cancelled() and (error := listening.exception()):
            self._faults.append(error)
            self._gone()

    def _gone(self) -> None:
        """Whoever reads no more has left the game."""
        if self._controls:
            self._controls.leave()

    async def _listen(self, keyboard: Keyboard) -> None:
        """Take lines for as long as the game lasts: a person's at any time, those of a pipe when they are asked for."""
        while True:
            if not keyboard.interactive:
                await self._due.wait()
            if (line := await keyboard.line()) is None:
                break
            self._typed(line)
        if self._controls:
            self.write("")
            self.notice("The input has ended.")
            self._gone()

    def _typed(self, line: str) -> None:
        self._open = False
        if self._quitting:
            self._quit(line.strip().lower())
            return
        view, moves, future = self._asking or (None, (), None)
        assert self._ballgame and self._controls
        match read(line, view or self._ballgame.view, moves):
            case Chosen(choice, then):
                self._next = then
                if future and not future.done():
                    future.set_result(choice)
                    self._due.clear()
            case Say(text):
                self._controls.say(text)
            case Unclear(why):
                self.write(why)
                if self._asking:
                    self._prompt()
            case Word.QUIT:
                self._quitting = True
                self.write(_QUIT, end="")
            case word:
                self.write("\n".join(self._about(word)))
                if self._asking and word is not Word.HELP:
                    self._ask_again()

    def _about(self, word: Word) -> list[str]:
        assert self._ballgame and self._book
        game = self._book.game
        if word is Word.HELP:
            return help_lines(self._ballgame.game.state.terms.rules, hints=self._hint is not None)
        if word is Word.HINT:
            due = self._asking and self._hint and self._hint(self._asking[0])
            return [due or "Hints are for games against the computer, when a choice is due."]
        if game is None:
            return ["Nothing has happened yet."]
        if word is Word.BOX:
            from p2pball.scorebook.boxscore import box_score
            from p2pball.scorebook.boxtext import box_lines

            return box_lines(box_score(game))
        log = [f"{half.heading}: {text}" for half in play_by_play(game)[-2:] for _, text in half.plays]
        return log or ["Nothing has happened yet."]

    def _quit(self, answer: str) -> None:
        assert self._controls
        self._quitting = False
        if answer in ("s", "save", "leave"):
            self._controls.leave()
        elif answer in ("r", "resign"):
            try:
                self._controls.resign()
            except NotYourTurn as error:
                self.write(str(error))
        elif self._asking:
            self._ask_again()
