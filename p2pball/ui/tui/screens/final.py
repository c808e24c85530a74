"""The last screen of a game: who won, the box, the win-chance curve, the record, and perhaps a rematch."""

from __future__ import annotations

from pathlib import Path

from p2pball.engine.moves import Result
from p2pball.engine.terms import Side
from p2pball.scorebook.boxscore import box_score
from p2pball.scorebook.boxtext import box_lines
from p2pball.scorebook.game import Game
from p2pball.scorebook.winchance import most_valuable
from p2pball.session import Ended
from p2pball.ui.curve import Curve, chance_words
from p2pball.ui.tui.ink import Ink, Line, Lines, Tone, dim, line, strong, wrapped
from p2pball.ui.tui.keymap import DONE, LOG, REMATCH, THEME, Act, Key
from p2pball.ui.tui.logbook import Entry
from p2pball.ui.tui.screens.sheets import LogSheet, Sheet


class Final(Sheet):
    """The end of a game."""

    def __init__(
        self, headline: str, game: Game | None, log: list[Entry], record: Path, *, why: str = "", saved: bool = False
    ) -> None:
        super().__init__(headline)
        self._game, self._log, self._record, self._why, self._saved = game, log, record, why, saved
        self.offers_rematch = False
        self._curve: Curve | None = None

    @property
    def keys(self) -> tuple[Key, ...]:
        """A rematch when there can be one."""
        return (*((REMATCH,) if self.offers_rematch else ()), LOG, THEME, DONE)

    def act(self, key: Key) -> None:
        """Answers go to the app, which knows what comes next."""
        match key.does:
            case Act.REMATCH:
                self.theatre.answer(again=True)
            case Act.CLOSE:
                self.theatre.answer(again=False)
            case Act.LOG:
                self.app.push_screen(LogSheet(self._log))
            case _:
                super().act(key)

    def lines(self, room: int) -> Lines:
        """Why it ended, box, curve, play of the game, record."""
        rows: list[Line] = []
        if self._why:
            rows += [line(" ", Ink(row, Tone.RIVAL)) for row in wrapped(self._why, room - 2)]
            rows.append(line())
        if self._saved:
            rows += [line(" ", f"The game is saved: p2pball resume {self._record.parent.name}"), line()]
        if self._game:
            rows += self._sheet(self._game, max(min(room - 2, 100), 37))
        rows.append(line(" ", dim("Record: "), str(self._record)))
        rows.append(line(" ", dim("Again:  "), f"p2pball show, replay or verify {self._record.parent.name}"))
        return tuple(rows)

    def _sheet(self, game: Game, room: int) -> list[Line]:
        ascii_only = self.theatre.glyphs.ascii
        self._curve = self._curve or Curve.of(game)
        texts = box_lines(box_score(game), room)
        rows = [line(" ", text.replace("·", ".") if ascii_only else text) for text in texts]
        rows += [line(), line(" ", strong(chance_words(game.terms.rules)))]
        rows += [line(" ", text) for text in self._curve.lines(room, ascii_only=ascii_only)]
        if best := most_valuable(self._curve.swings):
            side = game.teams[Side.HOME if best.home > 0 else Side.VISITORS]
            said = f"Play of the game: {best.text} {abs(best.home):.0%} for {side.name}."
            rows += [line(" ", row) for row in wrapped(said, room)]
        return [*rows, line()]


def headline(ended: Ended, result: Result | None, winner: str, resigned: str) -> str:
    """How it ended in a line; `resigned` names who gave up, if anybody did."""
    if result is None:
        return {
            Ended.CHEATED: "The game was stopped: proof of a cheat",
            Ended.FORKED: "The game was stopped: two histories",
            Ended.REFUSED: "The game was put aside",
        }.get(ended, "The game is not finished")
    high, low = max(result.home, result.visitors), min(result.home, result.visitors)
    if result.winner is None:
        return f"A draw, {high} to {low}"
    return f"{winner} wins, for {resigned} resigned" if resigned else f"{winner} wins, {high} to {low}"
