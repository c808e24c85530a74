"""The app of the full screen: runs the work of a game as a worker, and shows what its stage asks for.

Screens that come after the first frame are imported when they come.
"""

from __future__ import annotations

import asyncio
import signal
import sys
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from textual.app import App
from textual.binding import Binding, BindingType
from textual.screen import Screen
from textual.worker import Worker, WorkerState

from p2pball.clubhouse.settings import save
from p2pball.engine.terms import Rules
from p2pball.errors import P2PBallError
from p2pball.protocol.messages import Message
from p2pball.scorebook.game import Game, Moment
from p2pball.session import Ended
from p2pball.ui.book import Book
from p2pball.ui.display import Display
from p2pball.ui.terms import acquaintance, terms_lines
from p2pball.ui.tui import themes
from p2pball.ui.tui.glyphs import ASCII, UNICODE
from p2pball.ui.tui.keymap import Act, Key
from p2pball.ui.tui.look import Look
from p2pball.ui.tui.outside import words
from p2pball.ui.tui.scene import Odds
from p2pball.ui.tui.screens.base import Keyed
from p2pball.ui.tui.screens.game import GameScreen, resign
from p2pball.ui.tui.screens.lobby import Curtain, Page, Waiting
from p2pball.ui.tui.stage import Hint, Stage

if TYPE_CHECKING:
    from p2pball.ui.archive import Found
    from p2pball.ui.tui.screens.dialogs import Lost
    from p2pball.ui.tui.screens.final import Final

Work = Callable[[Display], Awaitable[Ended]]
LOOK = 1.0
"""Seconds between looks whether the terminal is still there."""


class FullScreen(App[None]):
    """Curtain up: one work after another, each a worker of this app (experience.md, fact 3).

    After `run_async`, `ended` is how the last work ended, `fault` what it or the app raised,
    `interrupted` whether Ctrl+C, a signal or the loss of the terminal ended it all, and `farewell`
    what is to be said below on the terminal that is given back.
    """

    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [Binding("ctrl+c,ctrl+q", "interrupt", show=False, priority=True)]
    CSS = """
    Screen { background: $background; color: $foreground; overflow: hidden; }
    Dialog { background: $background 40%; }
    """

    def __init__(self, work: Work | None, look: Look, *, plays: bool = True, hint: Hint | None = None) -> None:
        super().__init__(ansi_color=True if look.colourless else None)
        for theme in themes.THEMES.values():
            self.register_theme(theme)
        self.theme = themes.PLAIN if look.colourless else look.theme
        self.look = look
        self.glyphs = ASCII if look.ascii else UNICODE
        self.ended: Ended | None = None
        self.fault: Exception | None = None
        self.interrupted = False
        self.farewell: list[str] = []
        self._work, self._plays, self._hint = work, plays, hint
        self._game: GameScreen | None = None
        self._waiting: Waiting | None = None
        self._lost: Lost | None = None
        self._final: Final | None = None
        self._answer: asyncio.Future[bool] | None = None
        self._warm: set[Rules] = set()
        self._warming: set[Rules] = set()
        self._odds: tuple[Game, Odds] | None = None

    def get_theme_variable_defaults(self) -> dict[str, str]:
        """What themes that are not ours do not know of."""
        return themes.PLAIN_VARIABLES

    @property
    def animated(self) -> bool:
        """Whether plays move."""
        return self.look.animation

    # -- life ------------------------------------------------------------------------------

    def on_mount(self) -> None:
        """Take the signals, watch the terminal, begin the work."""
        loop = asyncio.get_running_loop()
        for name in ("SIGTERM", "SIGHUP", "SIGINT"):
            if (number := getattr(signal, name, None)) is not None and not self.is_headless:
                try:
                    loop.add_signal_handler(number, self.action_interrupt)
                except (NotImplementedError, RuntimeError):  # Windows, or a loop outside the main thread
                    break
        if not self.is_headless:
            self.set_interval(LOOK, self._watch_terminal)
        if self._work:
            self.start(self._work, hint=self._hint, plays=self._plays)

    def start(self, work: Work, *, hint: Hint | None = None, plays: bool = True, offline: bool | None = None) -> None:
        """Begin a work; its stage is the display it is given."""
        stage = Stage(self, plays=plays, offline=self.look.offline if offline is None else offline, hint=hint)
        self._wait("One moment...")
        self.run_worker(work(stage), name="game", exit_on_error=False, exclusive=True, group="game")

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        """The work has ended, or failed: nothing that goes wrong in it is lost (experience.md, fact 3)."""
        if event.worker.name != "game":
            return
        if event.state is WorkerState.ERROR:
            error = event.worker.error
            self.failed(error if isinstance(error, Exception) else RuntimeError(repr(error)))
        elif event.state is WorkerState.SUCCESS:
            self.ended = event.worker.result
            if self._final is None:
                self.leave()
            else:
                self._stay()
        elif event.state is WorkerState.CANCELLED:
            self.leave()

    def failed(self, error: Exception) -> None:
        """The work has failed: its error is for the caller, who tells it below on the terminal."""
        self.fault = error
        self.exit(return_code=1)

    def leave(self) -> None:
        """The work is done and read: give the terminal back."""
        self.exit()

    @property
    def floor(self) -> int:
        """Screens that stay below all others."""
        return 1

    def begin(self, key: Key) -> None:
        """Only an app with a title begins anything by a key."""
        raise NotImplementedError

    def clear_stage(self) -> None:
        """Nothing is played any more."""
        self._final = self._lost = self._waiting = self._game = self._answer = None
        while len(self.screen_stack) > self.floor:
            self.pop_screen()

    def wear(self, look: Look) -> None:
        """Change the look."""
        self.look = look
        self.glyphs = ASCII if look.ascii else UNICODE
        if not look.colourless:
            self.theme = look.theme
        for screen in self.screen_stack:
            if isinstance(screen, Page):
                screen.redraw()

    def show_again(self, found: Found, *, pace: float = 1.0, spoilers: bool = True) -> None:
        """Watch a recorded game again."""
        from p2pball.ui.tui.screens.dialogs import Notice
        from p2pball.ui.tui.screens.replay import ReplayScreen

        if found.record.book is None:
            self.push_screen(Notice("Nothing to watch", "No pitch was thrown in this game."), self.shown_again)
        else:
            self.push_screen(ReplayScreen(found, found.record.book, pace=pace, spoilers=spoilers), self.shown_again)

    def shown_again(self, _: object) -> None:
        """The replay is over: back to whatever there was before."""

    def action_interrupt(self) -> None:
        """Ctrl+C, a signal, or no terminal any more: the game is saved as it is (experience.md, fact 2)."""
        self.interrupted = True
        self.exit(return_code=130)

    def _watch_terminal(self) -> None:
        """A terminal that has gone reads as its end for ever, and nobody would be told."""
        stream = sys.__stdin__
        if stream is None or not stream.isatty():
            self.action_interrupt()

    def _handle_exception(self, error: Exception) -> None:
        """An error of the screen itself: kept for the caller, no traceback on the terminal (fact 2)."""
        super()._handle_exception(error)
        self._exit_renderables.clear()
        if self.fault is None:
            self.fault = error

    # -- what a stage asks for -------------------------------------------------------------

    def raise_curtain(self, stage: Stage) -> None:
        """Show the game of this stage."""
        self._final = self._lost = self._waiting = None
        self.farewell.clear()
        self._game = GameScreen(stage)
        self._show(self._game)

    def redraw(self, stage: Stage, *panels: str) -> None:
        """Draw what has changed."""
        if self._game and self._game.stage is stage:
            self._game.redraw(*panels)

    def play(self, stage: Stage, moments: tuple[Moment, ...]) -> None:
        """Draw what has happened."""
        if self._game and self._game.stage is stage:
            self._game.play(moments)

    def show_room(self, code: str, relay: str, join: str) -> None:
        """The code, large."""
        self._wait("").open(code, join)

    def tell(self, text: str) -> None:
        """On the screen that waits for it; else as a note that goes by itself."""
        said = words(" ".join(text.split()), 400)
        if self._lost:
            self._lost.report(said)
        elif self._waiting:
            self._waiting.report(said)
        elif self._game and self._game.is_current:
            self._game.stage.note(said)  # a note on top would hide the hand
        else:
            self.notify(said, markup=False, timeout=6)

    def lose(self, stage: Stage) -> None:
        """The connection is lost."""
        from p2pball.ui.tui.screens.dialogs import Lost

        if self._lost:
            return
        self._lost = Lost()
        self.push_screen(self._lost, lambda answer: self._lost_answered(stage, answer))

    def find(self) -> None:
        """The connection is back."""
        lost, self._lost = self._lost, None
        if lost:
            self._remove(lost)

    async def ask_terms(self, hello: Message) -> bool:
        """The host and the terms."""
        from p2pball.ui.tui.screens.dialogs import TermsDialog

        said = tuple(words(text, 400) for text in (*terms_lines(hello.body), acquaintance(hello.body)))
        return await self.push_screen_wait(TermsDialog(said)) is Act.YES

    async def ask(self, title: str, *texts: str, value: str = "", longest: int = 24) -> str | None:
        """A line of text from the player; from a worker only."""
        from p2pball.ui.tui.screens.dialogs import Ask

        return await self.push_screen_wait(Ask(title, *texts, value=value, longest=longest))

    def turn_to(self, stage: Stage) -> None:
        """Two people at one screen: now it is this one's."""
        if self._game:
            self._game.stage = stage
            self._game.redraw()

    async def draw_curtain(self, name: str) -> None:
        """Hide the hand until the next player is alone with the screen."""
        drawn = Curtain(words(name, 24))
        opened = asyncio.Event()

        def opens(_: object) -> None:
            opened.set()

        self.push_screen(drawn, opens)
        try:
            await opened.wait()
        except asyncio.CancelledError:
            self._remove(drawn)
            raise

    def finish(self, stage: Stage, ended: Ended, record: Path, why: str) -> None:
        """The end of a game, or of today's part of it."""
        from p2pball.ui.tui.screens.final import Final, headline

        self.find()
        saved = ended not in (Ended.FINISHED, Ended.CHEATED)
        if saved:
            self.farewell.append(f"The game is saved: p2pball resume {record.parent.name}")
        self.farewell.append(f"Record: {record}")
        if ended is Ended.LEFT:
            return
        result = stage.ballgame.result if stage.ballgame else None
        book = stage.book
        winner = book.name(result.winner) if book and result and result.winner else ""
        played_out = stage.ballgame is not None and stage.ballgame.game.over
        resigned = "" if played_out or not (book and result and result.winner) else book.name(result.winner.other)
        self._final = Final(
            words(headline(ended, result, winner, resigned), 70),
            book.game if book else None,
            stage.log,
            record,
            why=why,
            saved=saved,
        )
        self._show(self._final)

    async def ask_rematch(self) -> bool:
        """Whether to play again; the answer comes from the last screen."""
        if self._final is None:
            return False
        self._answer = asyncio.get_running_loop().create_future()
        self._final.offers_rematch = True
        self._final.redraw()
        again = await self._answer
        self._answer = None
        if again:
            self._waiting = Waiting("Waiting for your rival to agree to a rematch", self.action_give_up)
            self.push_screen(self._waiting)  # the last screen stays below: it may be all there is to come
        else:
            self._final = None
        return again

    def odds(self, book: Book) -> Odds | None:
        """The chance to win, once the tables are there."""
        return self.odds_of(book.game) if book.game else None

    def odds_of(self, game: Game) -> Odds | None:
        """The chance to win where a game stands; None until the tables behind it are there."""
        rules = game.terms.rules
        if rules not in self._warm:
            if rules not in self._warming:
                self._warming.add(rules)
                self.run_worker(lambda: self._compute(game), thread=True, name="odds", exit_on_error=False)
            return None
        if not game.state.inning:
            return None
        if self._odds is None or self._odds[0] is not game:
            from p2pball.scorebook.winchance import home_chance, leverage
            from p2pball.ui.curve import chance_for, chance_words

            chance = chance_for(game.terms.rules)
            home = home_chance(game.state, chance)
            self._odds = game, Odds(home, leverage(game.state, chance), chance_words(game.terms.rules))
        return self._odds[1]

    # -- what screens ask for --------------------------------------------------------------

    def next_theme(self) -> None:
        """The next set of colours, kept for the next time."""
        if self.look.colourless:
            self.tell("NO_COLOR is set: there are no colours to change.")
            return
        self.theme = themes.after(self.theme)
        self.look = replace(self.look, theme=self.theme)
        try:
            save(theme=self.theme)
        except P2PBallError as error:
            self.tell(str(error))

    def help(self, keys: tuple[Key, ...]) -> None:
        """The keys of the moment and the rules."""
        from p2pball.ui.tui.screens.sheets import HelpSheet

        rules = None
        if self._game and self._game.is_current and self._game.stage.ballgame:
            rules = self._game.stage.ballgame.game.state.terms.rules
        self.push_screen(HelpSheet(keys, rules))

    def quit(self, stage: Stage, answer: Act | None) -> None:
        """Resign, leave, or stay."""
        assert stage.controls
        if answer is Act.LEAVE:
            stage.controls.leave()
        elif answer is Act.RESIGN and (why := resign(stage)):
            self.tell(why)

    def answer(self, *, again: bool) -> None:
        """The answer of the last screen: a rematch, or enough for today."""
        if self._answer and not self._answer.done():
            self._answer.set_result(again)
        elif not again:
            self.leave()

    # -- inside ----------------------------------------------------------------------------

    def _stay(self) -> None:
        """There is no other game: the last screen is read, with what was said about that."""
        assert self._final
        if self._waiting:
            self._final.say(self._waiting.news)
            self._remove(self._waiting)
            self._waiting = None
        self._final.offers_rematch = False
        self._final.redraw()

    def _lost_answered(self, stage: Stage, answer: Act | None) -> None:
        if answer is Act.RETRY:
            self._lost = None
            self.lose(stage)
            stage.retry()
        elif answer is not None:
            self._lost = None
            self.quit(stage, answer)

    def _wait(self, title: str) -> Waiting:
        if self._waiting is None:
            self._waiting = Waiting(title, self.action_give_up)
            self._show(self._waiting)
        return self._waiting

    def action_give_up(self) -> None:
        """Stop what is waited for."""
        self.workers.cancel_group(self, "game")

    def _show(self, screen: GameScreen | Waiting | Final) -> None:
        """Instead of every screen above the first."""
        while len(self.screen_stack) > self.floor:
            self.pop_screen()
        self.push_screen(screen)

    def _remove(self, screen: Screen[Any]) -> None:
        """Take a screen away, and whatever was put on top of it."""
        while screen in self.screen_stack:
            self.pop_screen()

    def _compute(self, game: Game) -> None:
        """The table behind the win chance, which takes a moment: in a thread, so that nothing waits for it."""
        from p2pball.scorebook.winchance import home_chance
        from p2pball.ui.curve import chance_for

        home_chance(game.start, chance_for(game.terms.rules))
        self.call_from_thread(self._computed, game.terms.rules)

    def _computed(self, rules: Rules) -> None:
        self._warm.add(rules)
        if isinstance(self.screen, Keyed):
            self.screen.redraw()
