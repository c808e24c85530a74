"""What every front end of a whole game has beyond the session's: rooms, ends and rematches."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from p2pball.engine.view import View
from p2pball.session import Ended, Front

Hint = Callable[[View], str]
"""Advice to a player on the choice due in a view, as a sentence."""


class Display(Front, Protocol):
    """A front end for a whole evening: the room, the game, its end, and perhaps another game."""

    def room(self, code: str, relay: str, join: str) -> None:
        """The room is open: its code, the relay, and the exact line for the other player to type."""
        ...

    def meeting(self, again: Callable[[], object]) -> None:
        """The other player is being met again, however long it takes; `again` makes this attempt start anew."""
        ...

    def over(self, ended: Ended, record: Path, why: str) -> None:
        """Play has ended, for now or for good; `why` says more when it was not the game's own end."""
        ...

    async def again(self) -> bool:
        """Whether this player wants a rematch on the same connection."""
        ...
