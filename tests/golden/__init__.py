"""Golden games: whole playthroughs written down, run again and compared line by line.

`python -m tests.golden` writes them anew. It refuses to change a file that was made under the same
rules version: when the engine is meant to behave otherwise, RULES_VERSION in p2pball/engine/terms.py
goes up first, because two clients of one version must agree on every roll.
"""

from __future__ import annotations

import dataclasses
from enum import Enum
from pathlib import Path

from p2pball.engine.events import Event
from p2pball.engine.moves import choice_to_json
from p2pball.engine.position import position
from p2pball.engine.terms import RULES_VERSION, Rules, Terms
from tests.engine.playing import patient, playthrough

FOLDER = Path(__file__).parent
GAMES = {
    "dice-nine-innings": Terms(),
    "dice-extra-innings": Terms(innings=1, home="guest"),
    "dice-no-walk-off": Terms(innings=3, walk_off=False),
    "cards-three-innings": Terms(Rules.CARDS, 3),
    "cards-nine-innings": Terms(Rules.CARDS, 9, home="host"),
    "cards-no-walk-off": Terms(Rules.CARDS, 2, 0, walk_off=False),
}

PATIENT = {"cards-nine-innings": "calm 4"}
"""Games whose windows are mostly held, so that Kings find runners to send; and the seed of the choices."""


def _spell(value: object) -> str:
    if isinstance(value, tuple):
        return f"[{' '.join(map(_spell, value))}]"
    if dataclasses.is_dataclass(value):
        return ":".join(_spell(getattr(value, field.name)) for field in dataclasses.fields(value))
    return str(value.value) if isinstance(value, Enum) else str(value)


def spell(event: Event) -> str:
    """An event as a line of text."""
    fields = (f"{field.name}={_spell(getattr(event, field.name))}" for field in dataclasses.fields(event))
    return " ".join((type(event).__name__, *fields))


def transcript(name: str) -> str:
    """A game written down: its terms, and every choice with the facts and the position that come of it."""
    terms = GAMES[name]
    lines = [f"rules version {RULES_VERSION}", f"terms {_spell(terms)}"]
    pick = patient(PATIENT[name]) if name in PATIENT else None
    for step in playthrough(terms, f"golden/{name}", pick):
        chosen = ", ".join(f"{seat.value} {_spell_choice(choice_to_json(c))}" for seat, c in step.choices.items())
        lines += [f"> {chosen}", *(f"  {spell(event)}" for event in step.after.events)]
        lines.append(f"= {position(step.after.state)}")
    return "\n".join(lines) + "\n"


def _spell_choice(data: dict[str, object]) -> str:
    ((kind, value),) = data.items()
    return kind if value is True else f"{kind} {value}"
