"""Every kind of situation that a screen can show, out of real games."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from p2pball.engine.state import Phase, State
from p2pball.engine.terms import Rules, Seat, Side, Terms
from p2pball.scorebook.teams import Team
from p2pball.ui.tui.scene import Scene
from tests.ui.stagecraft import reached, seen

CARDS = Terms(Rules.CARDS, innings=9, home="host")
DICE = Terms(Rules.DICE, innings=9, home="host")
SHORT = Terms(Rules.CARDS, innings=3, home="host")
LONG = Team(
    "LONG",
    "The Very Long Named Ones",
    tuple(f"Bartholomew Featherston{n}" for n in range(1, 10)),
    "Maximilian Quartermaines",
)
WIDE = Team(
    "WIDE",
    "東京ベースボール倶楽部",
    ("大谷翔平", "イチロー", "松井秀喜", "野茂英雄", "王貞治", "長嶋茂雄", "張本勲", "e\u0301mile", "❤\ufe0f🇩🇪👍🏽"),
    "代打の神様",
)
SEATS = {"host": Seat.HOST, "guest": Seat.GUEST}


def at_start(state: State) -> bool:
    return state.inning == 1


def loaded_cards(state: State) -> bool:
    bats = state.phase is Phase.WINDOW and state.batting is Side.HOME and state.inning > 3
    return bats and all(state.bases) and state.decks[Side.HOME].left >= 4


def loaded_dice(state: State) -> bool:
    return state.phase is Phase.CHOOSE and all(state.bases) and state.batting is Side.VISITORS and state.inning > 3


def full_count(state: State) -> bool:
    at_bat = state.phase in (Phase.WINDOW, Phase.PITCH) and state.batting is Side.HOME and state.inning > 5
    return at_bat and (state.outs, state.balls, state.strikes) == (2, 3, 2) and any(state.bases)


def twelfth(state: State) -> bool:
    due = state.phase in (Phase.WINDOW, Phase.PITCH, Phase.ROLL)
    return state.inning == 12 and state.batting is Side.HOME and due


def ten_runs() -> Callable[[State], bool]:
    before: dict[tuple[int, Side], int] = {}

    def scored(state: State) -> bool:
        runs = state.runs[state.batting]
        return runs - before.setdefault((state.inning, state.batting), runs) >= 10

    return scored


def over(state: State) -> bool:
    return state.phase is Phase.OVER


SCENES: dict[str, Callable[[], Scene]] = {
    "start-cards": lambda: seen(reached(SHORT, "1", at_start), Seat.HOST),
    "start-dice": lambda: seen(reached(DICE, "1", at_start), Seat.HOST),
    "full-bases-cards": lambda: seen(reached(CARDS, "72", loaded_cards), Seat.HOST, clock=24),
    "full-bases-dice": lambda: seen(reached(DICE, "1", loaded_dice), Seat.HOST, clock=4),
    "two-out-three-two": lambda: seen(reached(CARDS, "0", full_count), Seat.HOST),
    "extra-innings-cards": lambda: seen(reached(CARDS, "9", twelfth), Seat.HOST),
    "extra-innings-dice": lambda: seen(reached(DICE, "17", twelfth), Seat.HOST),
    "ten-run-inning": lambda: seen(reached(DICE, "41", ten_runs()), Seat.GUEST),
    "long-names": lambda: seen(reached(CARDS, "72", loaded_cards, (LONG, LONG)), Seat.HOST),
    "wide-names": lambda: seen(reached(CARDS, "72", loaded_cards, (WIDE, WIDE)), Seat.HOST),
    "silent-link": lambda: replace(
        seen(reached(CARDS, "0", full_count), Seat.GUEST), link="silent 4 s", way="direct", link_bad=True
    ),
    "over": lambda: replace(seen(reached(SHORT, "1", over), Seat.HOST), prompt="The game is over."),
    "onlooker": lambda: replace(seen(reached(SHORT, "1", full_count_early), Seat.HOST), seat=None, hand=(), moves=()),
}


def full_count_early(state: State) -> bool:
    return (state.balls, state.strikes) == (3, 2)
