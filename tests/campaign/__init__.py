"""Campaigns: reliability counted, not timed; N cases are run and told how many held."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass
class Tally:
    """How many cases of a campaign held, and what was wrong with the others.

    `rows` is for campaigns whose cases make a table (one JSON object a row).
    """

    held: int = 0
    failures: list[str] = field(default_factory=list)
    rows: list[dict[str, Any]] = field(default_factory=list)

    @property
    def cases(self) -> int:
        """How many cases were run."""
        return self.held + len(self.failures)

    def hold(self) -> None:
        """One more case held."""
        self.held += 1

    def fail(self, what: str) -> None:
        """One more case failed; `what` tells which and how, enough to run it again."""
        self.failures.append(what)

    def to_json(self) -> dict[str, Any]:
        """The tally as a JSON object."""
        return {"cases": self.cases, "held": self.held, "failures": self.failures, "rows": self.rows}
