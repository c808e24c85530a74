"""The list of mutants fits the source, and a few of them are run; `python -m tests.mutants` runs them all."""

from __future__ import annotations

import dataclasses

import pytest

from tests.harness import ROOT
from tests.mutants import MUTANTS, VALUES, Mutant, survives


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: f"{mutant.section} {mutant.sentence}")
def test_every_mutant_takes_away_one_check_that_is_there(mutant: Mutant) -> None:
    text = (ROOT / mutant.path).read_text(encoding="utf-8")
    assert text.count(mutant.old) == 1
    assert mutant.new != mutant.old
    compile(text.replace(mutant.old, mutant.new), mutant.path, "exec")


def test_a_check_taken_away_is_noticed_and_an_idle_change_is_not() -> None:
    mutant = next(mutant for mutant in MUTANTS if mutant.sentence == "a key has 32 bytes or is refused")
    quick = dataclasses.replace(mutant, tests=(f"{VALUES}::test_a_key_has_32_bytes",))
    assert not survives(quick)
    assert survives(dataclasses.replace(quick, new=f"{mutant.old}  # the same"))
