"""The app of the full screen: runs the work of a game as a worker, and shows what its stage asks for.

Screens that come after the first frame are imported when they come.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING

from textual.worker import Worker, WorkerState

from p2pball.scorebook.game import Moment
from p2pball.session import Ended
from p2pball.ui.book import Book
from p2pball.ui.display import Display, Hint
from p2pball.ui.tui.keymap import Act, Key
from p2pball.ui.tui.look import Look
from p2pball.ui.tui.outside import words
from p2pball.ui.tui.scene import Odds
from p2pball.ui.tui.screens.game import GameScreen, resign
from p2pball.ui.tui.shell import Shell
from p2pball.ui.tui.stage import Stage

if TYPE_CHECKING:
    from p2pball.ui.tui.screens.dialogs import Lost
    from p2pball.ui.tui.screens.final import Final
    from p2pball.ui.tui.screens.lobby import Waiting

Work = Callable[[Display], Awaitable[Ended]]


class FullScreen(Shell):
    """Curtain up: one work after another, each a worker of this app (experience.md, fact 3).

    After `run_async`, `ended` is how the last work ended, `fault` what it or the app raised,
    `interrupted` whether Ctrl+C, a signal or the loss of the terminal ended it all, and `farewell`
    what is to be said below on the terminal that is given back.
    """

    def __init__(self, work: Work | None, look: Look, *, plays: bool = True, hint: Hint | None = None) -> None:
        super().__init__(look)
        self.ended: Ended | None = None
        self._work, self._plays, self._hint = work, plays, hint
        self._game: GameScreen | None = None
        self._waiting: Waiting | None = None
        self._lost: Lost | None = None
        self._final: Final | None = None
        self._answer: asyncio.Future[bool] | None = None
        self._worker: Worker[Ended] | None = None

    # -- life ------------------------------------------------------------------------------

    def on_mount(self) -> None:
        """Begin the work."""
        if self._work:
            self.start(self._work, hint=self._hint, plays=self._plays)

    def start(self, work: Work, *, hint: Hint | None = None, plays: bool = True, offline: bool | None = None) -> None:
        """Begin a work; its stage is the display it is given."""
        offline = self.look.offline if offline is None else offline
        stage = Stage(self, plays=plays, offline=offline, hint=hint)
        if not offline:  # a game on this machine is there before such a screen would be
            self._wait("One moment...")
        self._worker = self.run_worker(work(stage), name="game", exit_on_error=False, exclusive=True, group="game")

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        """The work has ended, or failed: nothing that goes wrong in it is lost (experience.md, fact 3)."""
        if event.worker.name != "game":
            return
        if event.worker is not self._worker and event.state is not WorkerState.ERROR:
            return  # it was left already, and something else may stand here now
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

    def begin(self, key: Key) -> None:
        """Only an app with a title begins anything by a key."""
        raise NotImplementedError

    def clear_stage(self) -> None:
        """Nothing is played any more."""
        self._final = self._lost = self._waiting = self._game = self._answer = self._worker = None
        while len(self.screen_stack) > self.floor:
            self.pop_screen()

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
            super().tell(said)

    def lose(self, stage: Stage) -> None:
        """The connection is lost."""
        from p2pball.ui.tui.screens.dialogs import Lost

        if self._lost:
            return
        self._lost = Lost(ended=stage.ballgame is not None and stage.ballgame.game.exchange.complete)
        self.push_screen(self._lost, lambda answer: self._lost_answered(stage, answer))

    def find(self) -> None:
        """The connection is back."""
        lost, self._lost = self._lost, None
        if lost:
            self._remove(lost)

    def turn_to(self, stage: Stage) -> None:
        """Two people at one screen: now it is this one's."""
        if self._game:
            self._game.stage = stage
            self._game.redraw()

    def finish(self, stage: Stage, ended: Ended, record: Path, why: str) -> None:
        """The end of a game, or of today's part of it."""
        from p2pball.ui.tui.screens.final import ending, goes_on

        self.find()
        if goes_on(ended):
            self.farewell.append(f"The game is saved: p2pball resume {record.parent.name}")
        self.farewell.append(f"Record: {record}")
        if ended is Ended.LEFT:
            return
        self._final = ending(stage, ended, record, why)
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
            from p2pball.ui.tui.screens.lobby import Waiting

            self._waiting = Waiting("Waiting for your rival to agree to a rematch", self.action_give_up)
            self.push_screen(self._waiting)  # the last screen stays below: it may be all there is to come
        else:
            self._final = None
        return again

    def odds(self, book: Book) -> Odds | None:
        """The chance to win, once the tables are there."""
        return self.odds_of(book.game) if book.game else None

    # -- what screens ask for --------------------------------------------------------------

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
            from p2pball.ui.tui.screens.lobby import Waiting

            self._waiting = Waiting(title, self.action_give_up)
            self._show(self._waiting)
        return self._waiting

    def action_give_up(self) -> None:
        """Stop what is waited for."""
        self.workers.cancel_group(self, "game")
