"""The app without any game: its look, its signals, the terminal it is on, its questions and replays."""

from __future__ import annotations

import asyncio
import gc
import signal
import sys
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar

from textual.app import App
from textual.binding import Binding, BindingType
from textual.screen import Screen
from textual.theme import Theme

from p2pball.clubhouse.settings import save
from p2pball.errors import P2PBallError
from p2pball.protocol.messages import Message
from p2pball.scorebook.game import Game
from p2pball.ui.terms import acquaintance, terms_lines
from p2pball.ui.tui import themes
from p2pball.ui.tui.chances import Chances
from p2pball.ui.tui.glyphs import ASCII, UNICODE
from p2pball.ui.tui.keymap import Act
from p2pball.ui.tui.look import Look
from p2pball.ui.tui.outside import words
from p2pball.ui.tui.scene import Odds
from p2pball.ui.tui.screens.base import Keyed

if TYPE_CHECKING:
    from p2pball.ui.archive import Found

LOOK = 1.0
"""Seconds between looks whether the terminal is still there."""


class Shell(App[None]):
    """After `run_async`, `fault` is what the app raised, `interrupted` whether Ctrl+C, a signal or the loss of the
    terminal ended it, and `farewell` what is to be said below on the terminal that is given back.
    """

    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [Binding("ctrl+c,ctrl+q", "interrupt", show=False, priority=True)]
    CSS = """
    Screen { background: $background; color: $foreground; overflow: hidden; }
    Dialog { background: $background 40%; }
    """

    def __init__(self, look: Look) -> None:
        # First of all and not as `self.theme`: what is made for another theme would be made once more.
        self.set_reactive(App.theme, themes.PLAIN if look.colourless else look.theme)
        super().__init__(ansi_color=True if look.colourless else None)
        self.look = look
        self.glyphs = ASCII if look.ascii else UNICODE
        self.fault: Exception | None = None
        self.interrupted = False
        self.farewell: list[str] = []
        self._chances = Chances(self)

    @property
    def available_themes(self) -> dict[str, Theme]:
        """Ours and Textual's."""
        return themes.THEMES | super().available_themes

    def get_theme_variable_defaults(self) -> dict[str, str]:
        """What themes that are not ours do not know of."""
        return themes.PLAIN_VARIABLES

    @property
    def animated(self) -> bool:
        """Whether plays move."""
        return self.look.animation

    def on_mount(self) -> None:
        """Take the signals and watch the terminal."""
        loop = asyncio.get_running_loop()
        for name in ("SIGTERM", "SIGHUP", "SIGINT"):
            if (number := getattr(signal, name, None)) is not None and not self.is_headless:
                try:
                    loop.add_signal_handler(number, self.action_interrupt)
                except (NotImplementedError, RuntimeError):  # Windows, or a loop outside the main thread
                    break
        if not self.is_headless:
            self.set_interval(LOOK, self._watch_terminal)

    def on_ready(self) -> None:
        """The first frame stands: from now on garbage is collected, if whoever started the app had put that off."""
        gc.enable()

    # -- the look --------------------------------------------------------------------------

    def wear(self, look: Look) -> None:
        """Change the look."""
        self.look = look
        self.glyphs = ASCII if look.ascii else UNICODE
        if not look.colourless:
            self.theme = look.theme
        for screen in self.screen_stack:
            if isinstance(screen, Keyed):
                screen.redraw()

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

    def tell(self, text: str) -> None:
        """A sentence on whatever screen there is."""
        self.notify(text, markup=False, timeout=6)

    # -- replays ---------------------------------------------------------------------------

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

    def odds_of(self, game: Game) -> Odds | None:
        """The chance to win where a game stands; None until the tables behind it are there."""
        return self._chances.of(game)

    # -- questions -------------------------------------------------------------------------

    async def ask_terms(self, hello: Message) -> bool:
        """The host and the terms."""
        from p2pball.ui.tui.screens.dialogs import TermsDialog

        said = tuple(words(text, 400) for text in (*terms_lines(hello.body), acquaintance(hello.body)))
        return await self.push_screen_wait(TermsDialog(said)) is Act.YES

    async def ask(self, title: str, *texts: str, value: str = "", longest: int = 24) -> str | None:
        """A line of text from the player; from a worker only."""
        from p2pball.ui.tui.screens.dialogs import Ask

        return await self.push_screen_wait(Ask(title, *texts, value=value, longest=longest))

    async def draw_curtain(self, name: str) -> None:
        """Hide the hand until the next player is alone with the screen."""
        from p2pball.ui.tui.screens.lobby import Curtain

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

    # -- screens ---------------------------------------------------------------------------

    @property
    def floor(self) -> int:
        """Screens that stay below all others."""
        return 1

    def _show(self, screen: Screen[Any]) -> None:
        """Instead of every screen above the floor."""
        while len(self.screen_stack) > self.floor:
            self.pop_screen()
        self.push_screen(screen)

    def _remove(self, screen: Screen[Any]) -> None:
        """Take a screen away, and whatever was put on top of it."""
        while screen in self.screen_stack:
            self.pop_screen()

    # -- the end ---------------------------------------------------------------------------

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
