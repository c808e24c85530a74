"""The chance to win beside the field; the tables behind it take a moment, and nothing waits for them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from p2pball.engine.terms import Rules
from p2pball.scorebook.game import Game
from p2pball.ui.tui.scene import Odds
from p2pball.ui.tui.screens.base import Keyed

if TYPE_CHECKING:
    from p2pball.ui.tui.shell import Shell


class Chances:
    """What is known of them; tables that are missing are made in a thread, and then the screen is drawn again."""

    def __init__(self, app: Shell) -> None:
        self._app = app
        self._warm: set[Rules] = set()
        self._warming: set[Rules] = set()
        self._last: tuple[Game, Odds] | None = None

    def of(self, game: Game) -> Odds | None:
        """The chance where a game stands; None while its table is made, and before the first inning."""
        rules = game.terms.rules
        if rules not in self._warm:
            if rules not in self._warming:
                self._warming.add(rules)
                self._app.call_after_refresh(self._begin, game)
            return None
        if not game.state.inning:
            return None
        if self._last is None or self._last[0] is not game:
            from p2pball.scorebook.winchance import home_chance, leverage
            from p2pball.ui.curve import chance_for, chance_words

            chance = chance_for(rules)
            self._last = game, Odds(home_chance(game.state, chance), leverage(game.state, chance), chance_words(rules))
        return self._last[1]

    def _begin(self, game: Game) -> None:
        """Only now that the screen is drawn: a thread at work would keep it waiting after all."""
        self._app.run_worker(lambda: self._compute(game), thread=True, name="odds", exit_on_error=False)

    def _compute(self, game: Game) -> None:
        from p2pball.scorebook.winchance import home_chance
        from p2pball.ui.curve import chance_for

        home_chance(game.start, chance_for(game.terms.rules))
        self._app.call_from_thread(self._computed, game.terms.rules)

    def _computed(self, rules: Rules) -> None:
        self._warm.add(rules)
        if isinstance(self._app.screen, Keyed):
            self._app.screen.redraw()
