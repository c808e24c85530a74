"""The pages of figures: what is written from a result, from none, from a bad one."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests import report

RUN = {"when": "2026-11-30T05:22:00+00:00", "python": "3.11.7", "system": "Linux x86_64", "cores": 2}
ENGINE = {
    "bench": "engine",
    "figures": [
        {"name": "plies a second", "value": 14586.07, "unit": "/s", "held": True},
        {"name": "pitches to plies", "value": 4.42687, "unit": "x", "at_least": 3.0, "held": True},
        {"name": "full / hello", "value": 1.6163, "unit": "x", "at_most": 1.5, "held": False},
    ],
    "run": RUN,
}
KILL = {"campaign": "kill", "seed": 3, "seconds": 112.9, "cases": 8, "held": 7, "failures": ["case 2: x"], "run": RUN}


def test_a_bench_is_a_table() -> None:
    assert report.bench(ENGINE).splitlines() == [
        "2026-11-30, Linux x86_64, 2 cores, Python 3.11.7:",
        "",
        "| figure | value | bar | held |",
        "| --- | ---: | --- | --- |",
        "| plies a second | 14,586 /s |  |  |",
        "| pitches to plies | 4.43 x | at least 3 | yes |",
        "| full / hello | 1.62 x | at most 1.5 | **no** |",
    ]


def test_a_campaign_is_a_sentence_and_its_failures() -> None:
    assert report.campaign(KILL).splitlines() == [
        "**7 of 8** cases held of the 100 of the full form: seed 3, 113 seconds, 2026-11-30, Linux x86_64, 2 cores, "
        "Python 3.11.7.",
        "",
        "- failed: case 2: x",
    ]


def test_what_is_missing_or_damaged_was_not_measured(tmp_path: Path) -> None:
    page = "".join(f"# {name}\n<!-- bench {name}: begin -->old<!-- bench {name}: end -->\n" for name in "abc")
    (tmp_path / "b.json").write_text(json.dumps(ENGINE))
    (tmp_path / "c.json").write_text('{"bench": "c", "fig')
    once = report.fill(page, "bench", ["a", "b", "c"], tmp_path, report.bench)
    assert "old" not in once
    assert once.count("Not measured.") == 2
    assert "| pitches to plies |" in once.partition("# c")[0].partition("# b")[2]
    assert report.fill(once, "bench", ["a", "b", "c"], tmp_path, report.bench) == once


def test_a_page_without_the_place_is_refused() -> None:
    with pytest.raises(ValueError, match="bench x"):
        report.between("# A page", "bench x", "text")


def test_the_pages_have_a_place_for_everything_that_is_measured(tmp_path: Path) -> None:
    for page, kind, names in (
        (report.PERFORMANCE, "bench", report.BENCHES),
        (report.RELIABILITY, "campaign", report.CAMPAIGNS),
    ):
        text = page.read_text(encoding="utf-8")
        assert report.fill(text, kind, names, tmp_path, str).count("Not measured.") >= len(names)
        assert [name for name in names if f"`python -m tests.{kind} {name}`" not in text] == []
