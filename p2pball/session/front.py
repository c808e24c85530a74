"""What the session asks of its surroundings: a front end, a journal, and the word for how a connection ended."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager
from enum import Enum
from typing import Protocol, runtime_checkable

from p2pball.ballgame import Ballgame
from p2pball.engine.ledger import Transition
from p2pball.engine.moves import Choice
from p2pball.engine.view import View
from p2pball.protocol.messages import Message


class Ended(Enum):
    """How play over one link ended."""

    FINISHED = "finished"
    LEFT = "left"
    LOST = "lost"
    REFUSED = "refused"
    CHEATED = "cheated"
    FORKED = "forked"


class Journal(Protocol):
    """Where lines are stored before anything is sent or shown."""

    def append(self, frames: Sequence[bytes]) -> None:
        """Store frames durably, in order; raises P2PBallError when that fails."""
        ...


class Controls(Protocol):
    """What a front end may do at any time."""

    def leave(self) -> None:
        """Stop here; the game stays saved and can be resumed."""
        ...

    def resign(self) -> None:
        """Give the game up; raises NotYourTurn when there is none to give up."""
        ...

    def say(self, text: str) -> None:
        """Send words to the other player."""
        ...


@runtime_checkable
class Sharing(Protocol):
    """A front end at a keyboard that is another's too."""

    def turn(self, view: View, moves: tuple[Choice, ...]) -> AbstractAsyncContextManager[None]:
        """Entered once the keyboard is its player's own: only then is the choice asked for, and its clock starts."""
        ...


class Front(Protocol):
    """A front end: told what happened, asked for choices."""

    def seated(self, ballgame: Ballgame, controls: Controls) -> None:
        """A game is about to be played, or gone on with: both hellos are in."""
        ...

    async def accepts(self, hello: Message) -> bool:
        """Whether the guest's player takes the terms of the host's hello."""
        ...

    async def choose(self, view: View, moves: tuple[Choice, ...], seconds: float | None) -> Choice:
        """One of the moves; cancelled when none is due any more. `seconds` is what the clock leaves."""
        ...

    def show(self, transitions: tuple[Transition, ...]) -> None:
        """What has just happened; none when only whose turn it is has changed."""
        ...

    def chat(self, text: str) -> None:
        """The other player's words, cleaned."""
        ...

    def link(self, way: str, rtt: float | None, silent: float) -> None:
        """The state of the connection, once a second: the way, the round trip and the silence, in seconds."""
        ...

    def notice(self, text: str) -> None:
        """A sentence about the connection or the other player."""
        ...
