"""Benches: figures that are ratios or counts, both sides measured in one run on the same work."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from statistics import median
from typing import Any

ROUNDS = 5
"""How often each side is measured at least."""


@dataclass(frozen=True)
class Figure:
    """One number of a bench, and the bar it has to meet when it has one."""

    name: str
    value: float
    unit: str = ""
    at_least: float | None = None
    at_most: float | None = None
    detail: dict[str, Any] = field(default_factory=dict)

    @property
    def held(self) -> bool:
        """Whether the value meets its bar; true of a figure without one."""
        low = self.at_least is None or self.value >= self.at_least
        return low and (self.at_most is None or self.value <= self.at_most)

    def line(self) -> str:
        """The figure as one line of print."""
        bars = [f"at least {self.at_least:g}"] if self.at_least is not None else []
        bars += [f"at most {self.at_most:g}"] if self.at_most is not None else []
        verdict = f"   bar {', '.join(bars)}: {'held' if self.held else 'MISSED'}" if bars else ""
        number = f"{self.value:,.0f}" if abs(self.value) >= 1000 else f"{self.value:.4g}"
        return f"{self.name:<44} {number:>12} {self.unit:<10}{verdict}".rstrip()

    def to_json(self) -> dict[str, Any]:
        """The figure as a JSON object."""
        bars = {"at_least": self.at_least, "at_most": self.at_most}
        return {
            "name": self.name,
            "value": self.value,
            "unit": self.unit,
            **{name: bar for name, bar in bars.items() if bar is not None},
            "held": self.held,
            **({"detail": self.detail} if self.detail else {}),
        }


@dataclass(frozen=True)
class Comparison:
    """Paired measurements of the same work by two sides."""

    ours: tuple[float, ...]
    theirs: tuple[float, ...]

    @property
    def ratio(self) -> float:
        """Ours over theirs, the median over the pairs: a slow moment of the machine hits both of a pair."""
        return median(a / b for a, b in zip(self.ours, self.theirs, strict=True))

    @property
    def detail(self) -> dict[str, list[float]]:
        """Every measurement, for the JSON."""
        return {"ours": list(self.ours), "theirs": list(self.theirs)}


def compare(ours: Callable[[], float], theirs: Callable[[], float], rounds: int = ROUNDS) -> Comparison:
    """Measure both sides in turn, the one that goes first changing from round to round.

    Each callable does the work once and returns its own measurement (a rate or a duration). One
    round before the first warms both up and is not counted.
    """
    ours(), theirs()
    pairs: list[tuple[float, float]] = []
    for i in range(rounds):
        if i % 2:
            b = theirs()
            pairs.append((ours(), b))
        else:
            a = ours()
            pairs.append((a, theirs()))
    return Comparison(tuple(a for a, _ in pairs), tuple(b for _, b in pairs))
