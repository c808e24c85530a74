"""Averages and streaks, against plain arithmetic."""

from __future__ import annotations

from decimal import ROUND_HALF_UP, Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2pball.ui.tallies import Streaks, average, earned_run_average, innings, streaks


@pytest.mark.parametrize(
    ("outcomes", "expected"),
    [
        ([], Streaks("", 0, 0, 0)),
        (["won"], Streaks("won", 1, 1, 0)),
        (["lost", "lost", "drawn", "won", "won", "won", "lost"], Streaks("lost", 1, 3, 2)),
        (["won", "drawn", "won", "drawn", "drawn"], Streaks("drawn", 2, 1, 0)),
    ],
)
def test_streaks(outcomes: list[str], expected: Streaks) -> None:
    assert streaks(outcomes) == expected


@pytest.mark.parametrize(
    ("h", "ab", "text"),
    [(0, 0, ".---"), (0, 4, ".000"), (1, 3, ".333"), (2, 3, ".667"), (5, 5, "1.000"), (1, 16, ".063")],
)
def test_averages(h: int, ab: int, text: str) -> None:
    assert average({"h": h, "ab": ab}) == text


@pytest.mark.parametrize(("r", "outs", "text"), [(3, 0, "-.--"), (0, 27, "0.00"), (3, 19, "4.26"), (30, 1, "810.00")])
def test_earned_run_averages(r: int, outs: int, text: str) -> None:
    assert earned_run_average({"r": r, "outs": outs}) == text


def test_innings_count_in_thirds() -> None:
    assert [innings({"outs": outs}) for outs in (0, 1, 2, 3, 19)] == ["0.0", "0.1", "0.2", "1.0", "6.1"]


@given(st.integers(0, 5000), st.integers(1, 5000))
def test_rounding_is_that_of_paper(part: int, whole: int) -> None:
    exact = Decimal(min(part, whole)) / whole
    rounded = exact.quantize(Decimal("0.001"), ROUND_HALF_UP)
    assert average({"h": min(part, whole), "ab": whole}) == str(rounded).removeprefix("0")
    exact = Decimal(27 * part) / whole
    assert earned_run_average({"r": part, "outs": whole}) == str(exact.quantize(Decimal("0.01"), ROUND_HALF_UP))
