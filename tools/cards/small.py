"""A small cards game, exactly: four ranks, hands of three, one plate appearance from the count 1-1.

The tree is public but for the two hands, so strategies are arrays of hand and rank at every public
history. Regret minimisation runs on the whole tree; the tree is written as an extensive-form game
(EFG) for OpenSpiel, which measures how much the average strategy can be exploited.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import numpy as np

from p2pball.computer.cards_table import BATTER, trained
from p2pball.computer.steps import CONTACT, PLAYS, STEPS, STRIKEOUT, WALK
from p2pball.engine.card_rules import call
from p2pball.engine.events import Call

RANKS = (3, 5, 8, 10)
COPIES = 2
CARDS = 3
START = (1, 1)

Pairs = tuple[tuple[int, int], ...]
"""A public history: the batter's and the pitcher's rank of every pitch, as indices."""


def hands() -> dict[tuple[int, ...], float]:
    """Every hand of three and its chance."""
    deck = [rank for rank in range(len(RANKS)) for _ in range(COPIES)]
    dealt = [tuple(sorted(deck[at] for at in chosen)) for chosen in combinations(range(len(deck)), CARDS)]
    return {hand: dealt.count(hand) / len(dealt) for hand in sorted(set(dealt))}


HANDS = hands()
HOLDS = np.array([[hand.count(rank) for rank in range(len(RANKS))] for hand in HANDS])
"""How many of each rank: hand, rank."""
CHANCES = np.array(list(HANDS.values()))


def _worths() -> tuple[dict[tuple[int, int], float], float, float, float]:
    """Runs to the batter at every count, and of a strikeout, a walk and a ball in play: nobody on, nobody out."""
    know = trained().equal
    runs = [step.runs + know.runs[step.cell] for step in STEPS[0]]
    hit = sum(odds * runs[play] for play, odds in zip(range(len(PLAYS)), CONTACT[0][0], strict=True))
    ends = know.ends[BATTER][1]
    counts = {
        (b, s): ends[b * 3 + s][0] * runs[STRIKEOUT] + ends[b * 3 + s][1] * runs[WALK] + ends[b * 3 + s][2] * hit
        for b in range(4)
        for s in range(3)
    }
    return counts, runs[STRIKEOUT], runs[WALK], hit


COUNTS, OUT, WALKED, HIT = _worths()


def outcome(history: Pairs) -> tuple[int, int] | float:
    """The count after a history, or what the ended game pays the batter in runs (C4, C5)."""
    balls, strikes = START
    for swung, thrown in history:
        match call(RANKS[swung] - RANKS[thrown]):
            case Call.IN_PLAY:
                return HIT
            case Call.BALL:
                balls += 1
            case Call.STRIKE:
                strikes += 1
            case Call.FOUL:
                strikes = min(strikes + 1, 2)
        if balls == 4 or strikes == 3:
            return WALKED if balls == 4 else OUT
    return COUNTS[balls, strikes] if len(history) == CARDS else (balls, strikes)


class Node:
    """A public history that goes on: regrets and strategy sums of both sides, by hand and rank."""

    def __init__(self, history: Pairs) -> None:
        self.history = history
        self.held = [HOLDS - _played(history, role) for role in (0, 1)]
        self.alive = [(held >= 0).all(1) for held in self.held]
        self.legal = [(held > 0) & alive[:, None] for held, alive in zip(self.held, self.alive, strict=True)]
        self.regret = [np.zeros(HOLDS.shape) for _ in range(2)]
        self.total = [np.zeros(HOLDS.shape) for _ in range(2)]
        self.next: dict[tuple[int, int], Node | float] = {}
        for pair in np.ndindex(len(RANKS), len(RANKS)):
            if all(self.legal[role][:, pair[role]].any() for role in (0, 1)):
                after = outcome((*history, pair))
                self.next[pair] = after if isinstance(after, float) else Node((*history, pair))

    def strategy(self, role: int) -> np.ndarray:
        """What the regrets say now; even where they say nothing."""
        return _normal(np.maximum(self.regret[role], 0) * self.legal[role], self.legal[role])

    def average(self, role: int) -> np.ndarray:
        """The strategy that comes out: hand, rank."""
        return _normal(self.total[role], self.legal[role])

    def round(self, reach: list[np.ndarray], weight: float) -> list[np.ndarray]:
        """One round below here: what each side's hands are worth, the other side's reach counted in."""
        plays = [self.strategy(role) for role in (0, 1)]
        worth = [np.zeros(HOLDS.shape) for _ in range(2)]
        for pair, after in self.next.items():
            goes = [reach[role] * plays[role][:, pair[role]] for role in (0, 1)]
            if not (goes[0].any() or goes[1].any()):
                continue  # nobody comes here, so nothing is regretted here
            if isinstance(after, Node):
                below = after.round(goes, weight)
            else:
                below = [after * goes[1].sum(), -after * goes[0].sum()]
            for role in (0, 1):
                worth[role][:, pair[role]] += below[role]
        values = [(plays[role] * worth[role]).sum(1) for role in (0, 1)]
        for role in (0, 1):
            gone = (worth[role] - values[role][:, None]) * self.legal[role]
            self.regret[role] = np.maximum(self.regret[role] + gone, 0)
            self.total[role] += weight * reach[role][:, None] * plays[role]
        return values


def _all(node: Node) -> Iterator[Node]:
    yield node
    for after in node.next.values():
        if isinstance(after, Node):
            yield from _all(after)


def _played(history: Pairs, role: int) -> np.ndarray:
    return np.bincount([pair[role] for pair in history], minlength=len(RANKS))


def _normal(weights: np.ndarray, legal: np.ndarray) -> np.ndarray:
    total = weights.sum(1, keepdims=True)
    even = legal / np.maximum(legal.sum(1, keepdims=True), 1)
    return np.asarray(np.where(total > 0, weights / np.where(total > 0, total, 1), even))


def solve(rounds: int) -> Node:
    """The game's tree after so many rounds of regret minimisation."""
    root = Node(())
    for number in range(1, rounds + 1):
        root.round([CHANCES.copy(), CHANCES.copy()], number)
    return root


class Written:
    """The tree as an extensive-form game, and where every information set of the file stands in ours."""

    def __init__(self, root: Node) -> None:
        self.sets: tuple[dict[tuple[Pairs, int], int], ...] = ({}, {})
        self.nodes: list[Node] = list(_all(root))
        self.ended = 0
        self.lines = ['EFG 2 R "one plate appearance" { "batter" "pitcher" } ""']
        deals = " ".join(f'"{at}" {chance:.17g}' for at, chance in enumerate(CHANCES))
        self.lines.append(f'c "" 1 "" {{ {deals} }} 0')
        for batter in range(len(HANDS)):
            self.lines.append(f'c "" {batter + 2} "" {{ {deals} }} 0')
            for pitcher in range(len(HANDS)):
                self.lines += self._node(root, (batter, pitcher))

    def _node(self, node: Node, dealt: tuple[int, int]) -> Iterator[str]:
        ranks = [np.flatnonzero(node.legal[role][dealt[role]]) for role in (0, 1)]
        actions = [" ".join(f'"{rank}"' for rank in legal) for legal in ranks]
        sets = [self._set(role, node.history, dealt[role]) for role in (0, 1)]
        yield f'p "" 1 {sets[0]} "b{sets[0]}" {{ {actions[0]} }} 0'
        for swung in ranks[0]:
            yield f'p "" 2 {sets[1]} "p{sets[1]}" {{ {actions[1]} }} 0'
            for thrown in ranks[1]:
                after = node.next[int(swung), int(thrown)]
                if isinstance(after, Node):
                    yield from self._node(after, dealt)
                else:
                    self.ended += 1
                    yield f't "" {self.ended} "" {{ {after:.17g} {-after:.17g} }}'

    def _set(self, role: int, history: Pairs, hand: int) -> int:
        return self.sets[role].setdefault((history, hand), len(self.sets[role]) + 1)

    def text(self) -> str:
        """The file."""
        return "\n".join(self.lines) + "\n"
