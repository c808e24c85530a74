"""The win-chance curve of a game as lines of text, and where its chances come from."""

from __future__ import annotations

from collections.abc import Sequence

from p2pball.computer import cards_win, dice_play
from p2pball.engine.state import State
from p2pball.engine.terms import Rules, Side
from p2pball.frozen import frozen
from p2pball.scorebook.game import Game
from p2pball.scorebook.winchance import Chance, Swing, opening, swings

_BLOCKS = " ▁▂▃▄▅▆▇█"
_ASCII = " .#"
_HEIGHT = 5


def chance_for(rules: Rules) -> Chance:
    """The home team's chance in a state at rest: exact for dice, an estimate for cards."""
    return _dice_chance if rules is Rules.DICE else _cards_chance


def _dice_chance(state: State) -> float:
    return 1 - dice_play.visitors_chance(state)


def _cards_chance(state: State) -> float:
    return 1 - cards_win.visitors_chance(state)


def chance_words(rules: Rules) -> str:
    """What to call these chances: those of the cards game are estimated, and it is said wherever they stand."""
    return "Win chance" if rules is Rules.DICE else "Win chance (estimate)"


@frozen
class Curve:
    """The home team's chance before the game and after every play."""

    game: Game
    start: float
    swings: tuple[Swing, ...]

    @classmethod
    def of(cls, game: Game) -> Curve:
        """The curve of a game, or of what there is of one."""
        chance = chance_for(game.terms.rules)
        return cls(game, opening(game, chance), swings(game, chance))

    @property
    def points(self) -> tuple[float, ...]:
        """The chances, 0 to 1."""
        return (self.start, *(swing.after for swing in self.swings))

    def lines(self, cells: int = 80, *, ascii_only: bool = False) -> list[str]:
        """The curve drawn in five rows of at most so many cells: the higher, the better for the home team."""
        home, visitors = (self.game.teams[side].code for side in (Side.HOME, Side.VISITORS))
        labels = (f"{home:>4} 100%", "", "50%", "", f"{visitors:>4} 100%")
        room = cells - 11
        columns = [_column(value, ascii_only=ascii_only) for value in _spread(self.points, room)]
        edge = "|" if ascii_only else "│"
        return [
            f"{label:>9} {edge}{''.join(column[row] for column in columns)}".rstrip()
            for row, label in enumerate(labels)
        ]


def _spread(points: Sequence[float], room: int) -> list[float]:
    """The points, or when there is no room for all, evenly chosen ones with the first and the last."""
    if len(points) <= room:
        return list(points)
    return [points[round(i * (len(points) - 1) / (room - 1))] for i in range(room)]


def _column(value: float, *, ascii_only: bool) -> str:
    """One column from the top down."""
    glyphs = _ASCII if ascii_only else _BLOCKS
    steps = len(glyphs) - 1
    filled = round(value * _HEIGHT * steps)
    levels = (max(0, min(filled - row * steps, steps)) for row in range(_HEIGHT - 1, -1, -1))
    return "".join(glyphs[level] for level in levels)
