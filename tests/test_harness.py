"""The bench and campaign commands: what is found, printed, written and returned."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from tests import harness
from tests.bench import Comparison, Figure, compare
from tests.campaign import Tally


def test_modules_are_found_by_their_run(tmp_path: Path) -> None:
    (tmp_path / "good.py").write_text('"""A bench."""\n\ndef run():\n    return []\n')
    (tmp_path / "helper.py").write_text("def runner():\n    return []\n")
    (tmp_path / "two_words.py").write_text("def run():\n    return []\n")
    (tmp_path / "__main__.py").write_text("def run():\n    return []\n")
    assert harness.names(tmp_path) == ["good", "two-words"]


def test_both_sides_are_measured_in_turn() -> None:
    calls: list[str] = []

    def side(name: str, value: float) -> float:
        calls.append(name)
        return value

    result = compare(lambda: side("a", 6.0), lambda: side("b", 2.0), rounds=3)
    assert "".join(calls) == "ab" + "ab" + "ba" + "ab"
    assert result == Comparison((6.0, 6.0, 6.0), (2.0, 2.0, 2.0))
    assert result.ratio == 3.0


def test_the_ratio_is_the_median_of_the_pairs() -> None:
    assert Comparison((1.0, 30.0, 4.0), (1.0, 10.0, 2.0)).ratio == 2.0


def test_a_figure_knows_its_bar() -> None:
    assert Figure("free", 1.0).held
    assert Figure("fast", 3.0, "x", at_least=3.0).held
    assert not Figure("fast", 2.9, "x", at_least=3.0).held
    assert Figure("small", 1.0, "x", at_most=1.5).held
    missed = Figure("small", 1.6, "x", at_most=1.5)
    assert not missed.held
    assert missed.line().split() == ["small", "1.6", "x", "bar", "at", "most", "1.5:", "MISSED"]
    assert missed.to_json() == {"name": "small", "value": 1.6, "unit": "x", "at_most": 1.5, "held": False}


def test_a_tally_counts() -> None:
    tally = Tally()
    tally.hold()
    tally.fail("case 2: gone")
    assert (tally.cases, tally.held) == (2, 1)
    assert tally.to_json() == {"cases": 2, "held": 1, "failures": ["case 2: gone"], "rows": []}


def _campaign(folder: Path, body: str, *args: str) -> subprocess.CompletedProcess[str]:
    """Run the campaign command over a folder of its own with one campaign `odd` in it."""
    package = folder / "tests" / "campaign"
    package.mkdir(parents=True)
    (folder / "tests" / "__init__.py").touch()
    for name in ("harness.py", "campaign/__init__.py", "campaign/__main__.py"):
        (folder / "tests" / name).write_text((harness.ROOT / "tests" / name).read_text())
    (package / "odd.py").write_text(body)
    command = [sys.executable, "-m", "tests.campaign", "odd", *args]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=60)


ODD = """
from tests.campaign import Tally
CASES = 2
def run(cases, seed):
    tally = Tally()
    for case in range(cases):
        tally.fail(f"case {case}") if case == seed else tally.hold()
    return tally
"""


def test_a_campaign_that_holds_ends_well(tmp_path: Path) -> None:
    done = _campaign(tmp_path, ODD, "--seed", "7")
    assert done.returncode == 0, done.stderr
    assert "odd: 2 of 2 held (seed 7" in done.stdout
    written = json.loads((tmp_path / ".campaign" / "odd.json").read_text())
    assert (written["cases"], written["held"], written["seed"]) == (2, 2, 7)


def test_a_failed_case_fails_the_command(tmp_path: Path) -> None:
    out = tmp_path / "deep" / "result.json"
    done = _campaign(tmp_path, ODD, "--cases", "5", "--seed", "3", "--json", str(out))
    assert done.returncode == 1
    assert "odd: FAILED case 3\nodd: 4 of 5 held" in done.stdout
    assert json.loads(out.read_text())["failures"] == ["case 3"]


def test_a_campaign_of_no_case_shows_nothing(tmp_path: Path) -> None:
    assert _campaign(tmp_path, ODD, "--cases", "0").returncode == 1
