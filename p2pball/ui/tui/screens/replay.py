"""A recorded game on the field again: step by step, by halves, by runs, or by itself."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.timer import Timer

from p2pball.engine.events import DiceRolled, HalfBegan
from p2pball.scorebook.boxscore import box_score
from p2pball.scorebook.game import Game, Lineup
from p2pball.ui.archive import Found
from p2pball.ui.record import result_words
from p2pball.ui.replay import Replay
from p2pball.ui.tui.field import Field
from p2pball.ui.tui.keymap import REPLAY_KEYS, Act, Key
from p2pball.ui.tui.logbook import entries
from p2pball.ui.tui.scene import Scene
from p2pball.ui.tui.screens.base import Keyed
from p2pball.ui.tui.screens.sheets import BoxSheet, HelpSheet, LogSheet
from p2pball.ui.tui.stage import SHOWN

FASTEST, SLOWEST = 0.05, 30.0


class ReplayScreen(Keyed):
    """A game again; `pace` are seconds between steps by itself, without `spoilers` nothing to come is said."""

    def __init__(self, found: Found, game: Game, *, pace: float, spoilers: bool) -> None:
        super().__init__()
        self._found, self._replay = found, Replay(game)
        self._pace, self._spoilers = max(pace, FASTEST), spoilers
        self._timer: Timer | None = None
        self._shown: tuple[int, Game] | None = None

    def compose(self) -> ComposeResult:
        """The same field as in a game."""
        yield Field(self.theatre.glyphs)

    @property
    def keys(self) -> tuple[Key, ...]:
        """Those of the plain replay, and the pages about it."""
        return REPLAY_KEYS

    def act(self, key: Key) -> None:
        """Move through the game, or look something up."""
        replay = self._replay
        match key.does:
            case Act.NEXT:
                self._stop()
                replay.forward()
            case Act.BACK:
                self._stop()
                replay.back()
            case Act.HALF:
                replay.next_half()
            case Act.SCORE:
                replay.next_score()
            case Act.RUN:
                self._stop() if self._timer else self._run()
            case Act.FASTER | Act.SLOWER:
                factor = 0.5 if key.does is Act.FASTER else 2
                self._pace = min(max(self._pace * factor, FASTEST), SLOWEST)
                if self._timer:
                    self._stop()
                    self._run()
            case Act.BOX:
                self.app.push_screen(BoxSheet(box_score(self._so_far())))
            case Act.HELP:
                self.app.push_screen(HelpSheet(self.keys, replay.game.terms.rules))
            case Act.LOG:
                self.app.push_screen(LogSheet(entries(self._so_far().moments, None)))
            case _:
                super().act(key)
        if self.is_current:
            self.redraw()

    def draw(self, *names: str) -> None:
        """Draw where the replay is."""
        self.query_one(Field).draw(self.scene(), names)

    def scene(self) -> Scene:
        """The scene after the steps shown so far, as an onlooker sees it."""
        game = self._so_far()
        rolls = [m.event for m in game.moments if isinstance(m.event, DiceRolled | HalfBegan)]
        last = rolls[-1] if rolls else None
        return Scene(
            book=game,
            state=game.state,
            prompt=self._prompt(),
            asked=True,
            moves=REPLAY_KEYS[1:2] if self._replay.ended else REPLAY_KEYS[:5],
            words=REPLAY_KEYS[5:],
            link="replay",
            chain=self._found.record.report.game.exchange.chain.hex() if self._replay.ended else "",
            log=entries(game.moments[-SHOWN:], None),
            odds=self.theatre.odds_of(game),
            dice=last if isinstance(last, DiceRolled) else None,
            box=box_score(game),
        )

    # -- inside ----------------------------------------------------------------------------

    def _so_far(self) -> Game:
        """The game up to the last fact shown."""
        replay = self._replay
        if self._shown is None or self._shown[0] != replay.at:
            game, moment = replay.game, replay.moment
            count = sum(len(step.moments) for step in replay.steps[: replay.at])
            lineup = moment.lineup if moment else Lineup(game.teams)
            self._shown = replay.at, Game(game.start, lineup, game.moments[:count])
        return self._shown[1]

    def _prompt(self) -> str:
        replay = self._replay
        if replay.ended:
            return result_words(self._found.record)
        place = f"{replay.at} of {len(replay.steps)}" if self._spoilers else f"step {replay.at}"
        return f"{place}, playing" if self._timer else place

    def _run(self) -> None:
        self._timer = self.set_interval(self._pace, self._step)

    def _step(self) -> None:
        self._replay.forward()
        if self._replay.ended:
            self._stop()
        self.redraw()

    def _stop(self) -> None:
        if self._timer:
            self._timer.stop()
            self._timer = None
