"""The all-star's windows: whether a steal or the pinch hitter is worth it, by the chance to win."""

from __future__ import annotations

from p2pball.computer.cards_win import appearance_chance, batting_chance
from p2pball.computer.steps import OUT
from p2pball.engine.card_rules import PICKOFF_NEEDS, STEAL_NEEDS, is_king
from p2pball.engine.moves import HOLD, Choice, Hold, PinchHit, StealBase
from p2pball.engine.state import Phase, State
from p2pball.engine.view import View

KEEPING = (0.0, 0.06, 0.07, 0.075)
"""What the pinch hitter is worth after this inning, in win chance, by the innings still to come (the last for more)."""
STILL = (0.06, 0.04, 0.0)
"""What he is worth to the batters still to come in this inning, by the outs.

Both are the best stopping rule's value in games between all-stars who kept him.
"""


def best(view: View) -> Choice:
    """The choice of a window that gives the best chance; holding when nothing gains."""
    state = view.state
    stay = appearance_chance(state)
    gains = {choice: _gain(state, choice, stay) for choice in view.moves()}
    return max(gains, key=lambda choice: (gains[choice], choice == HOLD))


def _gain(state: State, choice: Choice, stay: float) -> float:
    match choice:
        case Hold():
            return 0.0
        case StealBase(base):
            return steal_chance(state, base) - stay
        case PinchHit():
            return appearance_chance(state.but(pinch_up=True)) - stay - patience(state)
        case _:
            raise AssertionError("that is no choice of a window")


def steal_chance(state: State, base: int) -> float:
    """The batting side's chance when it sends a runner to `base` (C10, C12, C13)."""
    need = STEAL_NEEDS[base] + (state.phase is Phase.KING)
    safe = (7 - need) / 6
    if is_king(state.pitcher):
        safe *= (PICKOFF_NEEDS - 1) / 6
    runner = state.bases[base - 2]
    empty = tuple(0 if at == base - 2 else slot for at, slot in enumerate(state.bases))
    there = tuple(runner if at == base - 1 else slot for at, slot in enumerate(empty))
    arrived = appearance_chance(state.but(bases=there))
    if state.outs == 2:
        out = batting_chance(state, 0, OUT)
    else:
        out = appearance_chance(state.but(bases=empty, outs=state.outs + 1))
    return safe * arrived + (1 - safe) * out


def patience(state: State) -> float:
    """What keeping the pinch hitter is worth: less and less as the chances to send him in run out."""
    to_come = max(state.terms.innings - state.inning, 0)
    return max(KEEPING[min(to_come, len(KEEPING) - 1)], STILL[state.outs])
