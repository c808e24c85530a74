"""Every attack of the catalogue, by either seat, in both games, at changing moments of changing games."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Iterator

from p2pball.engine.terms import Rules, Seat
from tests.attacks import scene
from tests.attacks.catalogue import ATTACKS
from tests.attacks.scene import Attack, Wrong
from tests.attacks.staged import STAGED, Staged
from tests.campaign import Tally

CASES = 1000
_MOMENTS = 4


def run(cases: int, seed: int) -> Tally:
    """Carry out so many attacks, all kinds in turn; a row for each kind."""
    tally = Tally()
    held: Counter[str] = Counter()
    for name, attack in itertools.islice(_cases(seed), cases):
        try:
            outcome = attack()
        except Wrong as wrong:
            tally.fail(f"{name}: {wrong}")
        except Exception as crash:  # an honest client that crashes has failed, and the next attack is tried
            tally.fail(f"{name}: crashed with {crash!r}")
        else:
            tally.hold()
            held[name.split(" | ", maxsplit=1)[0]] += bool(outcome)
    for kind in (*ATTACKS, *STAGED):
        expected = getattr(kind.expected, "value", kind.expected)
        tally.rows.append({"attack": kind.name, "section": kind.section, "verdict": expected, "held": held[kind.name]})
    return tally


def _cases(seed: int) -> Iterator[tuple[str, Callable[[], str]]]:
    """The cases without end: each attack once in every game and by every seat before any comes again."""
    for turn in itertools.count():
        for villain, shift in itertools.product(Seat, range(2)):
            for kind in (*ATTACKS, *STAGED):
                if shift >= len(kind.rules):
                    continue
                rules = kind.rules[shift]
                game = f"{seed}.{turn}"
                yield (
                    f"{kind.name} | {villain.value}, {rules.value}, game {game}",
                    _case(kind, villain, rules, game, turn),
                )


def _case(kind: Attack | Staged, villain: Seat, rules: Rules, game: str, turn: int) -> Callable[[], str]:
    def staged() -> str:
        assert isinstance(kind, Staged)
        outcome = kind.run(villain, rules, game)
        if outcome != getattr(kind.expected, "value", kind.expected):
            raise Wrong(f"{outcome}, not {kind.expected}")
        return outcome

    def forged() -> str:
        assert isinstance(kind, Attack)
        return scene.run(kind, villain, rules, game, turn % _MOMENTS)

    return staged if isinstance(kind, Staged) else forged
