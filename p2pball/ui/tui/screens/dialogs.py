"""Small questions over a screen: quit, chat, the lost connection, terms, a name."""

from __future__ import annotations

from typing import Any

from textual.app import ComposeResult
from textual.containers import Container, Vertical
from textual.screen import ModalScreen
from textual.widgets import Input

from p2pball.ui.tui.ink import Ink, Line, Tone, cells, joined, line, strong, wrapped
from p2pball.ui.tui.keymap import CLOSE, LOST_KEYS, QUIT_KEYS, TERMS_KEYS, UNHEARD_KEYS, Act, Key
from p2pball.ui.tui.panel import Panel
from p2pball.ui.tui.screens.base import Keyed
from p2pball.ui.tui.scroll import Scroll

MAX_CHAT = 500
WIDTH = 64
_BORDER = _PADDING = 2
"""Rows above and below what stands in the box."""
_BESIDE = 7
"""Cells of border, padding and scroll bar."""


class Dialog(Keyed, ModalScreen[Any]):
    """A box in the middle of the screen below it; dismissed with what its key does.

    Its rows are blank to both sides: of words that it covers only in part, the rest would look like its own.
    """

    DEFAULT_CSS = """
    Dialog { align: center middle; }
    Dialog > Container { width: 100%; height: auto; max-height: 100%; align: center middle; background: $background; }
    Dialog Vertical { width: auto; min-width: 38; max-width: 100%; height: auto; max-height: 100vh; padding: 1 2; }
    Dialog Vertical { background: $panel; border: round $rule; }
    Dialog.plain Vertical { border: ascii $rule; }
    Dialog.low Vertical { padding: 0 2; }
    Dialog Panel { width: auto; }
    Dialog Scroll { width: auto; height: auto; }
    Dialog Input { border: none; height: 1; padding: 0; width: 58; background: $background; }
    Dialog Input > .input--cursor { color: $foreground; background: $background; text-style: reverse; }
    """

    def __init__(self, title: str, texts: tuple[str, ...], keys: tuple[Key, ...]) -> None:
        super().__init__()
        self._title, self._texts, self._keys = title, texts, keys
        self._typing: Input | None = None

    @property
    def keys(self) -> tuple[Key, ...]:
        """Those it was made with."""
        return self._keys

    def act(self, key: Key) -> None:
        """The answer is what the key does."""
        self.dismiss(key.does)

    def compose(self) -> ComposeResult:
        """Title and texts, a line to type in if there is one, keys."""
        self.set_class(self.theatre.glyphs.ascii, "plain")
        with Container(), Vertical():
            with Scroll(can_focus=self._typing is None):
                yield Panel(id="said")
            if self._typing:
                yield self._typing
            yield Panel(id="keys")

    def on_mount(self) -> None:
        """Draw, and type at once, or take the arrow keys for scrolling."""
        super().on_mount()
        (self._typing or self.query_one(Scroll)).focus()

    def draw(self, *names: str) -> None:
        """Draw all of it; on a low screen blank rows go first, then the texts scroll, and the keys always stand."""
        room, height = self._room, self.app.size.height
        said, keys = self.rows(room), self.key_rows(room)
        rest = _BORDER + (1 if self._typing else 0)
        low = len(said) + len(keys) + rest + _PADDING > height
        if low:
            said, keys = ([row for row in rows if row] for rows in (said, keys))
        self.set_class(low, "low")
        self.query_one(Scroll).styles.max_height = max(height - rest - len(keys), 1) if low else None
        self.query_one("#said", Panel).show(tuple(said))
        self.query_one("#keys", Panel).show(tuple(keys))

    @property
    def _room(self) -> int:
        return max(min(self.app.size.width - _BESIDE, WIDTH), 30)

    def rows(self, room: int) -> list[Line]:
        """What the box says."""
        texts = [line(row) for text in self._texts for row in wrapped(text, room)]
        return [line(strong(self._title)), *([line(), *texts] if texts else [])]

    def key_rows(self, room: int) -> list[Line]:
        """The keys, one below the other when they do not fit side by side."""
        labels = [key.label for key in self._keys]
        beside = joined(labels)
        return [line(), *([beside] if cells(beside) <= room else labels)]


class Quit(Dialog):
    """Resign, leave and save, or stay."""

    def __init__(self) -> None:
        super().__init__(
            "Leave the game?",
            ("A game that is left is saved and goes on with `p2pball resume`; a game that is resigned is lost.",),
            QUIT_KEYS,
        )


class Lost(Dialog):
    """The connection is lost: it is built anew meanwhile, by itself; `ended` when the result is proven by then."""

    def __init__(self, *, ended: bool) -> None:
        text = "The game is saved. It goes on by itself as soon as you have met again."
        if ended:
            text = (
                "The game has ended, and is saved. Your rival may lack its end, and is waited for. Leave when you like."
            )
        super().__init__("No connection to your rival", (text,), UNHEARD_KEYS if ended else LOST_KEYS)

    def report(self, text: str) -> None:
        """The latest about it."""
        self._texts = (self._texts[0], text)
        self.redraw()


class TermsDialog(Dialog):
    """The host and the terms, before the first pitch."""

    def __init__(self, texts: tuple[str, ...]) -> None:
        super().__init__("A game is proposed", texts, TERMS_KEYS)


class Notice(Dialog):
    """Something to be read before going on."""

    def __init__(self, title: str, *texts: str) -> None:
        super().__init__(title, texts, (CLOSE,))


class Ask(Dialog):
    """A line of text; dismissed with it, or with None."""

    def __init__(self, title: str, *texts: str, value: str = "", longest: int = MAX_CHAT) -> None:
        super().__init__(title, texts, ())
        self._typing = Input(value, max_length=longest, compact=True)

    def rows(self, room: int) -> list[Line]:
        """What the box says, apart from the line to type in."""
        return [*super().rows(room), line()]

    def key_rows(self, room: int) -> list[Line]:
        """They stand below the line."""
        return [line(), line(Ink("[Enter]", Tone.KEY), " done   ", Ink("[Esc]", Tone.KEY), " back")]

    @property
    def keys(self) -> tuple[Key, ...]:
        """Esc alone; the rest is typed."""
        return (Key("escape", "back", "say nothing", Act.CLOSE),)

    def act(self, key: Key) -> None:
        """Esc says nothing."""
        self.dismiss(None)

    def type(self, pressed: str) -> None:
        """What was typed too early is typed now."""
        text = " " if pressed == "space" else pressed
        if pressed == "enter":
            self.dismiss(self.query_one(Input).value)
        elif len(text) == 1:
            self.query_one(Input).insert_text_at_cursor(text)
        else:
            super().type(pressed)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Enter says it."""
        self.dismiss(event.value)


class Chat(Ask):
    """A line for the other player."""

    def __init__(self) -> None:
        super().__init__("Say to your rival")
