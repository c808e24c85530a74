"""The table of attacks in docs/fair-play.md is the one of the last full run, and complete."""

from __future__ import annotations

import json
from pathlib import Path

from tests.attacks import table
from tests.attacks.catalogue import ATTACKS
from tests.attacks.staged import STAGED
from tests.campaign import cheat


def rows(text: str) -> list[list[str]]:
    return [
        [cell.strip() for cell in line.strip("|").split("|")] for line in text.splitlines() if line.startswith("| ")
    ]


def test_the_page_names_every_attack_and_what_it_ends_in() -> None:
    shown = rows(table.between(table.PAGE.read_text(encoding="utf-8")))[1:]
    tried = {"held": 0, "cases": 0, "seed": 0, "rows": cheat.run(0, 1).rows}
    assert len(tried["rows"]) == len(ATTACKS) + len(STAGED)  # type: ignore[arg-type]
    assert [row[:3] for row in shown if row[0] != "---"] == [row[:3] for row in rows(table.table(tried))[2:]]
    assert all(int(row[3]) >= 2 for row in shown if row[0] != "---")


def test_a_page_is_rewritten_between_its_marks_alone(tmp_path: Path) -> None:
    page, result = tmp_path / "page.md", tmp_path / "cheat.json"
    page.write_text(f"before\n{table.BEGIN}\nstale\n{table.END}\nafter\n")
    ran = cheat.run(3, 5)
    assert not ran.failures
    result.write_text(json.dumps({"seed": 5, **ran.to_json()}))
    assert table.main(result, page) == 0
    text = page.read_text()
    assert text.startswith("before\n")
    assert text.endswith("after\n")
    assert "3 of 3 cases held (seed 5)." in text
    assert "stale" not in text


def test_the_short_campaign_counts_what_held() -> None:
    ran = cheat.run(8, 2)
    assert (ran.held, ran.failures) == (8, [])
    assert sum(row["held"] for row in ran.rows) == 8
