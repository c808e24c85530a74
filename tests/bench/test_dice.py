"""The short form of the bench `dice`: fair rolls pass, crooked ones do not."""

from __future__ import annotations

import numpy as np

from tests.bench import dice


def test_jointly_made_rolls_are_fair_whoever_holds_its_nonce_constant() -> None:
    figures = dice.run(4500)
    assert len(figures) == 2 * 3 * len(dice.PURPOSES)
    assert [figure.name for figure in figures if not figure.held] == []


def test_the_tests_see_a_bias_and_a_memory() -> None:
    rng = np.random.default_rng(1)
    fair = rng.integers(0, 6, 20_000)
    assert min(dice.tests(fair, 6).values()) > 0.001
    loaded = np.where(rng.random(20_000) < 0.03, 5, fair)
    assert dice.tests(loaded, 6)["chi-squared"] < 1e-6
    sticky = np.where(rng.random(20_000) < 0.05, np.roll(fair, 1), fair)
    assert dice.tests(sticky, 6)["serial"] < 1e-6


def test_chances_agree_with_printed_tables() -> None:
    for statistic, freedom in ((3.841, 1), (5.991, 2), (11.070, 5), (49.802, 35), (70.993, 53)):
        assert abs(dice.chance(statistic, freedom) - 0.05) < 0.0005
