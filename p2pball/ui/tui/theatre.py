"""What a stage asks of the app around it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from p2pball.protocol.messages import Message
from p2pball.scorebook.game import Moment
from p2pball.session import Ended
from p2pball.ui.book import Book
from p2pball.ui.tui.scene import Odds

if TYPE_CHECKING:
    from p2pball.ui.tui.stage import Stage


class Theatre(Protocol):
    """What a stage asks of the app around it."""

    def raise_curtain(self, stage: Stage) -> None:
        """Show the game of this stage."""
        ...

    def redraw(self, stage: Stage, *panels: str) -> None:
        """The scene of this stage has changed; only in these panels, when any are named."""
        ...

    def play(self, stage: Stage, moments: tuple[Moment, ...]) -> None:
        """Something happened: draw it, moving if that is wanted."""
        ...

    def show_room(self, code: str, relay: str, join: str) -> None:
        """Show the code of an open room."""
        ...

    def tell(self, text: str) -> None:
        """A sentence on whatever screen there is."""
        ...

    def lose(self, stage: Stage) -> None:
        """The connection is lost; its screen goes when `find` is called."""
        ...

    def find(self) -> None:
        """The connection is back."""
        ...

    async def ask_terms(self, hello: Message) -> bool:
        """Show the host's terms, and ask."""
        ...

    def finish(self, stage: Stage, ended: Ended, record: Path, why: str) -> None:
        """Show the end."""
        ...

    async def ask_rematch(self) -> bool:
        """Whether the player wants another game."""
        ...

    def turn_to(self, stage: Stage) -> None:
        """The game screen shows this stage from now on."""
        ...

    async def draw_curtain(self, name: str) -> None:
        """Hide the hand until the player of this name is alone with the screen."""
        ...

    async def ask(self, title: str, *texts: str, value: str = "", longest: int = 24) -> str | None:
        """A line of text from the player."""
        ...

    def odds(self, book: Book) -> Odds | None:
        """The chance to win after these facts, when it is known yet."""
        ...
