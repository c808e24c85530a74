"""The engine and the naive reading of the rules go through the same games and agree on every line."""

from __future__ import annotations

import pytest

from p2pball.engine.ledger import awaited
from p2pball.engine.moves import Open, Over, Sealed, choice_to_json
from p2pball.engine.position import position
from p2pball.engine.state import Phase, State
from p2pball.engine.terms import Rules, Seat, Terms
from tests.engine.naive import Said, Story, Table, Turn, story
from tests.engine.playing import HashedDice, Picker, every_terms, patient, playthrough


def allowed(state: State) -> Turn | None:
    """What the engine waits for, in the oracle's words."""
    match awaited(state):
        case Open(seat, moves):
            return {seat.value: [choice_to_json(move) for move in moves]}
        case Sealed() as sealed:
            return {seat.value: [choice_to_json(move) for move in sealed.moves(seat)] for seat in Seat}
        case Over():
            return None


def ask(told: Story, said: Said | None) -> Turn | None:
    """The oracle's next turn, None when its story is over."""
    try:
        return next(told) if said is None else told.send(said)
    except StopIteration:
        return None


def agree(terms: Terms, seed: str, pick: Picker | None = None) -> list[str]:
    """Play one game in both; every position, every legal choice and every draw must be the same."""
    dice = [HashedDice("unused")]
    home = terms.home
    table = Table(
        terms.rules.value, terms.innings, terms.extra_innings, terms.walk_off, home, lambda p, n: dice[0].below(p, n)
    )
    told = story(table)
    turn, lines = ask(told, None), []
    for step in playthrough(terms, seed, pick):
        assert allowed(step.before) == turn
        said = {seat.value: choice_to_json(choice) for seat, choice in step.choices.items()}
        dice[0] = HashedDice(step.dice.seed)
        turn = ask(told, said)
        line = table.line()
        lines.append(line)
        assert str(position(step.after.state)) == line
        assert dice[0].log == step.dice.log, line
    assert turn is None
    return lines


@pytest.mark.parametrize("terms", every_terms(), ids=lambda t: f"{t.rules.value}{t.innings}+{t.extra_innings}")
def test_short_games_agree(terms: Terms) -> None:
    for game in range(12):
        agree(terms, f"naive/{terms}/{game}")


@pytest.mark.parametrize("rules", list(Rules))
def test_long_games_agree(rules: Rules) -> None:
    lines = [line for game in range(8) for line in agree(Terms(rules), f"naive/long/{game}")]
    assert len(lines) > 800


def test_every_phase_is_compared() -> None:
    seen = set()
    for game in range(60):
        for rules in Rules:
            lines = agree(Terms(rules, 3), f"naive/phases/{game}", patient(f"naive/phases/{game}"))
            seen |= {line.split()[-1] for line in lines}
    assert {phase.value for phase in Phase if phase.value.startswith("@")} <= seen
