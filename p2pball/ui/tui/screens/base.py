"""What every screen has: keys out of the one registry, panels that press them, and help about them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from textual.css.query import NoMatches
from textual.events import Key as Pressed
from textual.screen import Screen

from p2pball.ui.tui import keymap
from p2pball.ui.tui.ink import Ink, Line, Tone, cells, dim, joined, line
from p2pball.ui.tui.keymap import Act, Key
from p2pball.ui.tui.panel import Panel

if TYPE_CHECKING:
    from p2pball.ui.tui.app import FullScreen


class Keyed(Screen[Any]):
    """A screen whose keys are `keys`; each does what `act` says, and `redraw` draws it once it stands."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {tone.component for tone in Tone}
    DEFAULT_CSS = """
    Keyed > .tone--plain { color: $foreground; }
    Keyed > .tone--dim { color: $dim; }
    Keyed > .tone--strong { color: $foreground; text-style: bold; }
    Keyed > .tone--key { color: $accent; text-style: bold; }
    Keyed > .tone--own { color: $primary; text-style: bold; }
    Keyed > .tone--rival { color: $secondary; text-style: bold; }
    Keyed > .tone--good { color: $success; text-style: bold; }
    Keyed > .tone--alarm { color: $error; text-style: bold reverse; }
    Keyed > .tone--rule { color: $rule; }
    """
    """The tones of all its panels: on each of them they would be worked out anew."""
    stands = False
    """Whether its widgets are there."""

    def __init__(self) -> None:
        super().__init__()
        self._early: list[str] = []

    def on_mount(self) -> None:
        """Now there is something to draw on, and for keys that came too early to press."""
        self.stands = True
        self.redraw()
        early, self._early = self._early, []
        for pressed in early:
            self.call_next(self.type, pressed)

    def type(self, pressed: str) -> None:
        """A key that was pressed while this screen was on its way."""
        self.press(pressed.lower())

    def on_resize(self) -> None:
        """Draw for the new size."""
        self.redraw()

    def redraw(self, *names: str) -> None:
        """Draw what is to be seen now; harmless before and after the screen stands."""
        if not self.stands or not self.is_attached:
            return
        try:
            self.draw(*names)
        except NoMatches:
            if self in self.app.screen_stack and self.children:
                raise
            # It is being taken away, its children first.

    def draw(self, *names: str) -> None:
        """Draw everything, or only the panels named."""

    @property
    def theatre(self) -> FullScreen:
        """The app, by its own type."""
        from p2pball.ui.tui.app import FullScreen

        assert isinstance(self.app, FullScreen)
        return self.app

    @property
    def keys(self) -> tuple[Key, ...]:
        """The keys that do something now."""
        raise NotImplementedError

    def act(self, key: Key) -> None:
        """Do what a key does; those that are the same everywhere are done here."""
        match key.does:
            case Act.THEME:
                self.theatre.next_theme()
            case Act.CLOSE:
                self.dismiss(None)
            case Act.HELP:
                self.theatre.help(self.keys)
            case _:
                raise AssertionError(f"{type(self).__name__} does not know {key}")

    def press(self, pressed: str) -> bool:
        """Press a key; whether it did anything."""
        if key := keymap.find(self.keys, pressed):
            self.act(key)
        return key is not None

    def on_key(self, event: Pressed) -> None:
        """A key of the keyboard; capital letters are the same keys."""
        pressed = event.character if event.is_printable and event.character else event.key
        if pressed == " ":
            pressed = "space"
        # Keys typed faster than a screen opens arrive at the one below it; they are meant for the one above.
        top = self.app.screen
        if isinstance(top, Keyed) and not top.stands:
            top._early.append(pressed)
            event.stop()
        elif (top if isinstance(top, Keyed) else self).press(pressed.lower()):
            event.stop()
            event.prevent_default()

    def on_panel_pressed(self, message: Panel.Pressed) -> None:
        """A click that means a key."""
        message.stop()
        self.press(message.key)

    def key_line(self, keys: tuple[Key, ...], room: int, more: str = "") -> Line:
        """Keys side by side, and more words where there is room for them; closer together where there is little."""
        told = [key.label for key in keys]
        hint = [line(dim(more))] if more else []
        ways = ((told + hint, "   "), (told, "   "), (told, " "))
        lines = [line(" ", *joined(labels, gap)) for labels, gap in ways]
        bare = line(" ", *joined((line(Ink(f"[{key.cap}]", Tone.KEY, key.key)) for key in keys), " "))
        return next((row for row in lines if cells(row) <= room), bare)
