"""Win chance through a game: the curve, what every play swung, the play that swung most, and leverage.

Where chances come from is none of its business: they are handed in as a function of a state at rest.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache

from p2pball.engine import card_odds
from p2pball.engine.chart_odds import ODDS
from p2pball.engine.events import GameBegan, Outcome
from p2pball.engine.ledger import evolve, follow_up
from p2pball.engine.moves import PITCHES
from p2pball.engine.plays import make_play
from p2pball.engine.state import Phase, State
from p2pball.engine.terms import Rules
from p2pball.frozen import frozen
from p2pball.scorebook.game import Game, Moment
from p2pball.scorebook.words import is_play, play_text

Chance = Callable[[State], float]
"""The home team's chance, 0 to 1, to win from a state at rest; a draw counts half."""


@frozen
class Swing:
    """One round in which something happened on the field, with the home team's chance before and after it."""

    moments: tuple[Moment, ...]
    text: str
    before: float
    after: float

    @property
    def home(self) -> float:
        """What the home team won by it, less than 0 when it lost."""
        return self.after - self.before

    @property
    def play(self) -> Moment:
        """The first play in it, for where and when it happened."""
        return next(moment for moment in self.moments if is_play(moment.event))


def swings(game: Game, chance: Chance) -> tuple[Swing, ...]:
    """Every round with a play in it; one begins where the last one ended, so that they add up to the result.

    What is chosen in between without a word in the play by play (a pitch, a window held) counts with the play that
    follows.
    """
    found: list[Swing] = []
    before = opening(game, chance)
    for moments in game.rounds():
        text = " ".join(play_text(moment) for moment in moments if is_play(moment.event))
        if not text:
            continue
        after = home_chance(moments[-1].after, chance)
        found.append(Swing(moments, text, before, after))
        before = after
    return tuple(found)


def opening(game: Game, chance: Chance) -> float:
    """The home team's chance before the first pitch; a half while nobody is at home yet."""
    first = next(game.rounds(), None)
    if first is None or not isinstance(first[0].event, GameBegan):
        return 0.5
    return home_chance(first[-1].after, chance)


def home_chance(state: State, chance: Chance) -> float:
    """The home team's chance in a state at rest; what an ended game came to."""
    if state.phase is not Phase.OVER:
        return min(max(chance(state), 0.0), 1.0)  # sums of chances miss the ends by a rounding
    visitors, home = state.runs
    return 0.5 if visitors == home else float(home > visitors)


def most_valuable(played: tuple[Swing, ...]) -> Swing | None:
    """The play of the game: the one that moved the chances most, the earlier of two alike; None before any."""
    return max(played, key=lambda swing: abs(swing.home), default=None)


@lru_cache(maxsize=2)
def mean_odds(rules: Rules) -> Mapping[Outcome, float]:
    """What a plate appearance comes to when both sides choose at random: any pitch in dice, any rank in cards."""
    if rules is Rules.CARDS:
        return card_odds.mean_odds()
    return {outcome: float(sum(ODDS[pitch][outcome] for pitch in PITCHES) / len(PITCHES)) for outcome in Outcome}


def stake(state: State, chance: Chance) -> float:
    """How far the next plate appearance moves the chances on the average (0 when the game is over)."""
    if state.phase is Phase.OVER:
        return 0.0
    now, odds = home_chance(state, chance), mean_odds(state.terms.rules)
    return sum(p * abs(home_chance(_after(state, outcome), chance) - now) for outcome, p in odds.items() if p)


class _Plain:
    """Dice for what follows a play that was only thought of: every character drawn is one without help."""

    def below(self, purpose: str, n: int) -> int:
        """A two of spades."""
        return 1


def _after(state: State, outcome: Outcome) -> State:
    """The state at rest after an outcome."""
    state = evolve(state, make_play(state, outcome, None))
    while following := follow_up(state, _Plain()):
        state = evolve(state, following)
    return state


_FIRST = {Rules.DICE: 0.75, Rules.CARDS: 0.83}
"""What hangs on a game's first plate appearance, of what hangs on the average one.

Measured over random games of 1, 3 and 9 innings: 0.81, 0.73, 0.76 in dice, 0.93, 0.82, 0.84 in cards.
"""


def leverage(state: State, chance: Chance) -> float:
    """How much hangs on the next plate appearance: 1 is the average one, 2 twice as much, 0 nothing any more."""
    first = State(state.terms, Phase.CHOOSE, inning=1)
    return _FIRST[state.terms.rules] * stake(state, chance) / stake(first, chance)
