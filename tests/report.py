"""`python -m tests.report`: write what benches and campaigns came to into the docs.

The last results in .bench/ and .campaign/ go between the marks of docs/performance.md and docs/reliability.md and,
where the campaign was run in full, into docs/fair-play.md (cheat) and docs/connecting.md (nat). What was not run is
said to be so.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests import harness
from tests.attacks import table as attacks
from tests.net.lab import table as networks

PERFORMANCE = harness.ROOT / "docs" / "performance.md"
RELIABILITY = harness.ROOT / "docs" / "reliability.md"
BENCHES = harness.names(harness.ROOT / "tests" / "bench")
CAMPAIGNS = harness.names(harness.ROOT / "tests" / "campaign")

Result = dict[str, Any]


def read(path: Path) -> Result | None:
    """A result, or None when there is none that can be read."""
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return found if isinstance(found, dict) and "run" in found else None


def number(value: float) -> str:
    """A figure with as many digits as mean something."""
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.3g}"


def bar(figure: Result) -> str:
    """The bar of a figure in words; empty when it has none."""
    bars = [f"at least {figure['at_least']:g}"] if "at_least" in figure else []
    bars += [f"at most {figure['at_most']:g}"] if "at_most" in figure else []
    return ", ".join(bars)


def machine(result: Result) -> str:
    """When and on what it was run."""
    run = result["run"]
    return f"{run['when'][:10]}, {run['system']}, {run['cores']} cores, Python {run['python']}"


def bench(result: Result) -> str:
    """The table of a bench."""
    lines = [machine(result) + ":", "", "| figure | value | bar | held |", "| --- | ---: | --- | --- |"]
    for figure in result["figures"]:
        wanted = bar(figure)
        held = "" if not wanted else "yes" if figure["held"] else "**no**"
        lines.append(f"| {figure['name']} | {number(figure['value'])} {figure['unit']} | {wanted} | {held} |")
    return "\n".join(lines)


def campaign(result: Result) -> str:
    """What a campaign came to, and each case that failed."""
    full = full_form(result["campaign"])
    of_all = "" if result["cases"] >= full else f" of the {full:,} of the full form"
    lines = [
        f"**{result['held']:,} of {result['cases']:,}** cases held{of_all}: seed {result['seed']}, "
        f"{result['seconds']:,.0f} seconds, {machine(result)}."
    ]
    return "\n".join(
        [*lines, *([""] if result["failures"] else []), *(f"- failed: {why}" for why in result["failures"])]
    )


def full_form(name: str) -> int:
    """How many cases the full form of a campaign has."""
    return int(getattr(harness.module("tests.campaign", name), "CASES", 100))


def between(page: str, mark: str, text: str) -> str:
    """A page with a text between its two marks; raises ValueError when they are not there."""
    begin, end = f"<!-- {mark}: begin -->", f"<!-- {mark}: end -->"
    found = re.compile(f"{re.escape(begin)}.*?{re.escape(end)}", re.DOTALL)
    if len(found.findall(page)) != 1:
        raise ValueError(f"the page has no place for {mark}")
    return found.sub(lambda _: f"{begin}\n\n{text}\n\n{end}", page)


def fill(page: str, kind: str, names: list[str], folder: Path, told: Callable[[Result], str]) -> str:
    """A page with the results of all benches or campaigns in their places."""
    for name in names:
        result = read(folder / f"{name}.json")
        page = between(page, f"{kind} {name}", told(result) if result else "Not measured.")
    return page


def main() -> int:
    """Write the pages."""
    made = (
        (PERFORMANCE, "bench", BENCHES, harness.ROOT / ".bench", bench),
        (RELIABILITY, "campaign", CAMPAIGNS, harness.ROOT / ".campaign", campaign),
    )
    for page, kind, names, folder, told in made:
        page.write_text(fill(page.read_text(encoding="utf-8"), kind, names, folder, told), encoding="utf-8")
    for name, write in (("cheat", attacks.main), ("nat", networks.main)):
        result = read(harness.ROOT / ".campaign" / f"{name}.json")
        if result and result["cases"] >= full_form(name):
            write()
    return 0


if __name__ == "__main__":
    sys.exit(main())
