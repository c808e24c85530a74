"""The game screen: a stage's scene on the field, its keys, and the motion of what has just happened."""

from __future__ import annotations

from collections.abc import Iterable

from textual.app import ComposeResult
from textual.timer import Timer

from p2pball.ballgame import NotYourTurn
from p2pball.protocol.chat import clean
from p2pball.scorebook.boxscore import box_score
from p2pball.scorebook.game import Moment
from p2pball.ui.commands import Chosen
from p2pball.ui.tui import motion
from p2pball.ui.tui.field import STILL, Field
from p2pball.ui.tui.keymap import Act, Key
from p2pball.ui.tui.motion import Frame
from p2pball.ui.tui.scene import Scene
from p2pball.ui.tui.screens.base import Keyed
from p2pball.ui.tui.stage import Stage

EVERYTHING = frozenset(("status", "log", "prompt", "hand", "footer", "diamond"))
"""Names that together mean the whole screen."""
LIVE = ("prompt", "footer", "hand")
"""Panels that never wait for a motion: keys and what they are about."""


class GameScreen(Keyed):
    """The game of a stage."""

    def __init__(self, stage: Stage) -> None:
        super().__init__()
        self.stage = stage
        self._scene: Scene | None = None
        self._frames: list[Frame] = []
        self._timer: Timer | None = None
        self._stale: set[str] = set()

    def compose(self) -> ComposeResult:
        """The field fills the screen."""
        yield Field(self.theatre.glyphs)

    def on_mount(self) -> None:
        """Draw, and count the clock down once a second."""
        super().on_mount()
        self.set_interval(1.0, self._tick)

    @property
    def keys(self) -> tuple[Key, ...]:
        """The choices due, then the words."""
        return (*self.stage.move_keys, *self.stage.word_keys)

    def redraw(self, *names: str) -> None:
        """Draw soon: what changes at one moment is drawn once."""
        if not self._stale:
            self.call_next(self._draw_stale)
        self._stale |= set(names or EVERYTHING)

    def _draw_stale(self) -> None:
        names, self._stale = self._stale, set()
        super().redraw(*(() if names >= EVERYTHING else names))

    def draw(self, *names: str) -> None:
        """Draw the scene as it is now, only these panels if any are named."""
        self._scene = self.stage.scene()
        if self._frames:
            self._draw((*LIVE, *(name for name in names if name == "status")))
        else:
            self._draw(names)

    def play(self, moments: tuple[Moment, ...]) -> None:
        """Something happened: let it move if that is wanted; keys never wait for it."""
        frames = list(motion.frames(moments)) if self.theatre.animated and self.is_current else []
        self._stop()
        self._frames = frames
        self.redraw()
        if frames:
            self._timer = self.set_interval(motion.SECONDS, self._next_frame)

    def press(self, pressed: str) -> bool:
        """A key ends whatever is still moving."""
        if self._frames:
            self._stop()
            self.redraw()
        return super().press(pressed)

    def act(self, key: Key) -> None:
        """Choose, or open a screen about the game."""
        from p2pball.ui.tui.screens.dialogs import Chat, Quit
        from p2pball.ui.tui.screens.sheets import BoxSheet, LogSheet

        book = self.stage.book
        match key.does:
            case Chosen() as chosen:
                self.stage.take(chosen)
            case Act.HINT:
                self.theatre.tell(self.stage.advice())
            case Act.LOG:
                self.app.push_screen(LogSheet(self.stage.log))
            case Act.BOX if book and book.game:
                self.app.push_screen(BoxSheet(box_score(book.game)))
            case Act.BOX:
                self.theatre.tell("Nothing has happened yet.")
            case Act.CHAT:
                self.app.push_screen(Chat(), self._say)
            case Act.QUIT:
                self.app.push_screen(Quit(), self._quit)
            case _:
                super().act(key)

    # -- inside ----------------------------------------------------------------------------

    def _draw(self, names: Iterable[str], frame: Frame = STILL) -> None:
        if self._scene:
            self.query_one(Field).draw(self._scene, names, frame)

    def _tick(self) -> None:
        if self.stage.clock_runs:
            self.redraw("prompt")

    def _next_frame(self) -> None:
        if not self._frames:
            self._stop()
            self.redraw()
            return
        frame = self._frames.pop(0)
        if frame.dice:
            self._draw(("side",), frame)
        else:
            self._draw((), frame)

    def _stop(self) -> None:
        self._frames = []
        if self._timer:
            self._timer.stop()
            self._timer = None

    def _say(self, text: str | None) -> None:
        said = clean(text or "")  # as the rival will read it
        if said and self.stage.controls and self.stage.ballgame and self.stage.book:
            self.stage.controls.say(said)
            self.stage.say(self.stage.book.name(self.stage.ballgame.seat), said)

    def _quit(self, answer: Act | None) -> None:
        self.theatre.quit(self.stage, answer)


def resign(stage: Stage) -> str:
    """Resign a stage's game; why not, if it cannot be."""
    assert stage.controls
    try:
        stage.controls.resign()
    except NotYourTurn as error:
        return str(error)
    return ""
