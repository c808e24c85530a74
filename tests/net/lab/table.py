"""Writes the tables of docs/connecting.md from the JSON of the campaign `nat`.

python -m tests.net.lab.table [JSON]
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from tests.harness import ROOT
from tests.net.lab.networks import Kind

PAGE = ROOT / "docs" / "connecting.md"
BEGIN, END = "<!-- campaign nat: begin -->", "<!-- campaign nat: end -->"
SHORT = {"direct": "direct", "turn-udp": "TURN/UDP", "turn-tcp": "TURN/TCP"}

Row = dict[str, Any]


def cell(row: Row | None) -> str:
    """One game in the table: its ways in turn and how long the first took, or that there was none, or what failed."""
    if row is None:
        return ""
    if row["wrong"]:
        return "**failed**"
    ways = " then ".join(SHORT[way] for way in row["ways"])
    return f"{ways}, {row['seconds']:.1f} s" if ways else "none"


def matrix(rows: list[Row], turn: bool) -> list[str]:
    """Hosts down, guests across."""
    kinds = [kind.value for kind in Kind]
    found = {(row["host"], row["guest"]): row for row in rows if row["turn"] is turn and not row["condition"]}
    lines = [f"| host \\ guest | {' | '.join(kinds)} |", f"| --- |{' --- |' * len(kinds)}"]
    for host in kinds:
        lines.append(f"| **{host}** | {' | '.join(cell(found.get((host, guest))) for guest in kinds)} |")
    return lines


def rough(rows: list[Row]) -> list[str]:
    """Conditions down, pairs across."""
    rows = [row for row in rows if row["condition"]]
    pairs = list(dict.fromkeys((row["host"], row["guest"]) for row in rows))
    conditions = list(dict.fromkeys(row["condition"] for row in rows))
    found = {(row["host"], row["guest"], row["condition"]): row for row in rows}
    lines = [f"| host's line | {' | '.join(f'{a} to {b}' for a, b in pairs)} |", f"| --- |{' --- |' * len(pairs)}"]
    for condition in conditions:
        lines.append(f"| {condition} | {' | '.join(cell(found.get((*pair, condition))) for pair in pairs)} |")
    return lines


def tables(result: dict[str, Any]) -> str:
    """All of it, in Markdown."""
    rows = result["rows"]
    held = f"{result['held']} of {result['cases']} games ended as they should ({result['run']['when'][:10]})."
    parts = [
        held,
        "Without a TURN server:",
        "\n".join(matrix(rows, turn=False)),
        "With one:",
        "\n".join(matrix(rows, turn=True)),
        "On a rough line, with a TURN server; where a game changed its way, each in turn:",
        "\n".join(rough(rows)),
    ]
    return "\n\n".join(parts)


def main() -> None:
    """Put the tables between the marks."""
    source = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / ".campaign" / "nat.json"
    before, _, rest = PAGE.read_text(encoding="utf-8").partition(BEGIN)
    _, _, after = rest.partition(END)
    made = tables(json.loads(source.read_text(encoding="utf-8")))
    PAGE.write_text(f"{before}{BEGIN}\n\n{made}\n\n{END}{after}", encoding="utf-8")


if __name__ == "__main__":
    main()
