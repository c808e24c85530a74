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
from p2pball.ui.tui.outside import words
from p2pball.ui.tui.screens.sheets import LogSheet, Sheet
from p2pball.ui.tui.stage import Stage


class Final(Sheet):
    """The end of a game."""

    def __init__(
        self, headline: str, game: Game | None, log: list[Entry], record: Path, *, why: str = "", saved: bool = False
    ) -> None:
        super().__init__(headline)
        self._game, self._log, self._record, self._why, self._saved = game, log, record, why, saved
        self.offers_rematch = False
        self._curve: Curve | None = None

    def say(self, news: str) -> None:
        """Say first of all what has happened since."""
        self._why = news or self._why

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
        """Why it ended, line score, curve, play of the game, record: all at a glance; then the box."""
        rows: list[Line] = []
        if self._why:
            rows += [line(" ", Ink(row, Tone.RIVAL)) for row in wrapped(self._why, room - 2)]
            rows.append(line())
        if self._saved:
            rows += [line(" ", f"The game is saved: p2pball resume {self._record.parent.name}"), line()]
        room = max(min(room - 2, 100), 37)
        box = box_score(self._game) if self._game else None
        ascii_only = self.theatre.glyphs.ascii
        if self._game and box:
            rows += [line(" ", text) for text in box.line.rows(room, ascii_only=ascii_only)]
            rows += [line(), *self._chances(self._game, room), line()]
        for head, text in (
            ("Record: ", str(self._record)),
            ("Again:  ", f"p2pball show, replay or verify {self._record.parent.name}"),
        ):
            first, *more = wrapped(text, room - len(head))
            rows += [line(" ", dim(head), first), *(line(" " * (len(head) + 1), rest) for rest in more)]
        if box:
            texts = box_lines(box, room)[len(Side) + 1 :]  # the line score stands above
            rows += [line(" ", text) for text in texts]
        return tuple(rows)

    def _chances(self, game: Game, room: int) -> list[Line]:
        self._curve = self._curve or Curve.of(game)
        rows = [line(" ", strong(chance_words(game.terms.rules)))]
        rows += [line(" ", text) for text in self._curve.lines(room, ascii_only=self.theatre.glyphs.ascii)]
        if best := most_valuable(self._curve.swings):
            side = game.teams[Side.HOME if best.home > 0 else Side.VISITORS]
            said = f"Play of the game, worth {abs(best.home):.0%} to {side.name}: {best.text}"
            rows += [line(" ", row) for row in wrapped(said, room)]
        return rows


def goes_on(ended: Ended) -> bool:
    """Whether a game that ended so can be resumed."""
    return ended not in (Ended.FINISHED, Ended.CHEATED)


def ending(stage: Stage, ended: Ended, record: Path, why: str) -> Final:
    """The last screen of a stage's game."""
    result, book = stage.ballgame.result if stage.ballgame else None, stage.book
    winner = book.name(result.winner) if book and result and result.winner else ""
    played_out = stage.ballgame is not None and stage.ballgame.game.over
    resigned = "" if played_out or not (book and result and result.winner) else book.name(result.winner.other)
    title = words(headline(ended, result, winner, resigned), 70)
    return Final(title, book.game if book else None, stage.log, record, why=why, saved=goes_on(ended))


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
