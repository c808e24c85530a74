"""The small cards game, solved by regret minimisation and measured exactly by OpenSpiel."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests import needs
from tools.cards.small import CHANCES, HANDS, Node, Written, outcome, solve
from tools.cards.small_star import ROLES, Star

BAR = 0.005
"""Runs that a perfect opponent may win from the average strategy (computer.md)."""


@pytest.fixture(scope="module")
def root() -> Node:
    return solve(75)


def test_the_tree_is_the_game() -> None:
    assert CHANCES.sum() == pytest.approx(1)
    assert len(HANDS) == 16
    assert outcome(()) == (1, 1)
    assert outcome(((0, 0),)) == (1, 2)  # level: a foul
    assert outcome(((0, 0), (1, 1))) == (1, 2)  # and with two strikes it stays
    assert isinstance(outcome(((1, 0),)), float)  # 5 against 3 is in play
    assert outcome(((3, 0),)) == (2, 1)  # 10 against 3 is a ball
    assert isinstance(outcome(((0, 3), (0, 3))), float)  # 3 against 10 twice: struck out


def exploited(root: Node, folder: Path) -> tuple[float, float]:
    """What a perfect opponent wins from a tree's average strategy in runs, and from even play, by OpenSpiel."""
    try:
        import pyspiel
    except ImportError:
        needs.missing("open_spiel is not installed")
    from open_spiel.python import policy
    from open_spiel.python.algorithms import exploitability

    written = Written(root)
    path = folder / "small.efg"
    path.write_text(written.text())
    game = pyspiel.load_game(f"efg_game(filename={path})")
    table = policy.TabularPolicy(game)
    even = exploitability.exploitability(game, table)
    nodes = {node.history: node for node in written.nodes}
    names = {f"{role}-{role}-{n}": key for role in (0, 1) for key, n in written.sets[role].items()}
    for state in table.states:
        name = state.information_state_string()
        history, hand = names[name.rpartition("-")[0]]
        row = nodes[history].average(state.current_player())[hand]
        for action in state.legal_actions():
            table.action_probability_array[table.state_lookup[name], action] = row[int(state.action_to_string(action))]
    return exploitability.exploitability(game, table), even


def test_the_average_strategy_can_hardly_be_exploited(root: Node, tmp_path: Path) -> None:
    ours, even = exploited(root, tmp_path)
    assert ours < BAR < even


def test_the_all_star_is_no_equilibrium_there_but_no_easy_prey(tmp_path: Path) -> None:
    """As docs/computer.md has it: its method gives up less than twice what even play does, and less than a rule."""
    tree, high = Node(()), Node(())
    Star().learn(tree, 4)
    for node in Written(tree).nodes:
        for role in ROLES:
            assert node.total[role][node.alive[role]].sum(1) == pytest.approx(1)
            assert not node.total[role][~node.legal[role]].any()
    for node in Written(high).nodes:
        for role in ROLES:
            for legal, row in zip(node.legal[role], node.total[role], strict=True):
                row[legal.nonzero()[0][-1:]] = 1
    (ours, even), (rule, _) = exploited(tree, tmp_path), exploited(high, tmp_path)
    assert BAR < ours < 2 * even
    assert ours < rule
