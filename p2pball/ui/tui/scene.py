"""Everything that the game screen shows at one moment, as one value: the views read nothing else."""

from __future__ import annotations

from dataclasses import field

from p2pball.engine.events import DiceRolled
from p2pball.engine.state import Phase, State
from p2pball.engine.terms import Seat, Side
from p2pball.frozen import frozen
from p2pball.scorebook.boxscore import Box, box_score
from p2pball.scorebook.game import Game, Lineup
from p2pball.ui.tui.keymap import Key
from p2pball.ui.tui.logbook import Entry


@frozen
class Odds:
    """The home team's chance to win, 0 to 1, and the leverage; `words` says what kind of number it is."""

    home: float
    leverage: float
    words: str


@frozen
class Scene:
    """One moment of a game as a seat sees it; without a seat as an onlooker does.

    `prompt` is the sentence that says whose move it is, `asked` whether it is this seat's.
    """

    book: Game | None
    state: State
    seat: Seat | None = None
    hand: tuple[int, ...] = ()
    asked: bool = False
    prompt: str = ""
    moves: tuple[Key, ...] = ()
    words: tuple[Key, ...] = ()
    locked: bool = False
    rival_left: int = 0
    rival_locked: bool = False
    link: str = ""
    way: str = ""
    link_bad: bool = False
    odds: Odds | None = None
    chain: str = ""
    clock: int | None = None
    log: tuple[Entry, ...] = ()
    dice: DiceRolled | None = None
    """The last roll of the dice game in this half."""
    box: Box | None = field(default=None, compare=False)

    @property
    def lineup(self) -> Lineup:
        """Who stands where."""
        return self.book.lineup if self.book else Lineup()

    @property
    def side(self) -> Side | None:
        """The side of the seat that looks on; None for an onlooker or before round 0."""
        if self.seat is None or self.book is None or not self.state.inning:
            return None
        return self.state.side(self.seat)

    @property
    def batting(self) -> bool:
        """Whether the seat that looks on bats."""
        return self.side is self.state.batting

    @property
    def over(self) -> bool:
        """Whether the game has been played out."""
        return self.state.phase is Phase.OVER

    @property
    def full_box(self) -> Box | None:
        """The box score so far."""
        return self.box or (box_score(self.book) if self.book else None)
