"""`python -m tests.attacks.table`: write the last run of the campaign `cheat` into docs/fair-play.md."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from tests.harness import ROOT

PAGE = ROOT / "docs" / "fair-play.md"
RESULT = ROOT / ".campaign" / "cheat.json"
BEGIN, END = "<!-- attacks: begin -->", "<!-- attacks: end -->"


def table(result: dict[str, Any]) -> str:
    """The rows of a result as a Markdown table, with what it was made by."""
    rows = [
        f"| {row['section']} | {row['attack']} | {_ending(row['verdict'])} | {row['held']} |" for row in result["rows"]
    ]
    head = f"{result['held']} of {result['cases']} cases held (seed {result['seed']})."
    return "\n".join([head, "", "| section | attack | ends in | tried |", "| --- | --- | --- | ---: |", *rows])


def _ending(verdict: str) -> str:
    plain = {"refused": "refused, nothing lost", "ignored": "no effect", "fork": "both stop, nothing signed"}
    return plain.get(verdict, f"CHEAT: {verdict}")


def between(page: str) -> str:
    """What stands between the marks of a page."""
    return page.split(BEGIN)[1].split(END, maxsplit=1)[0].strip()


def main(result: Path = RESULT, page: Path = PAGE) -> int:
    """Put the table between the marks; 1 when cases failed."""
    ran = json.loads(result.read_text(encoding="utf-8"))
    text = page.read_text(encoding="utf-8")
    before, after = text.split(BEGIN)[0], text.split(END)[1]
    page.write_text(f"{before}{BEGIN}\n\n{table(ran)}\n\n{END}{after}", encoding="utf-8")
    return int(bool(ran["failures"]))


if __name__ == "__main__":
    sys.exit(main())
