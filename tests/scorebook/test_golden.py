"""Whole games told word for word as they were told before."""

from __future__ import annotations

import pytest

from tests.scorebook.golden import FOLDER, GAMES, told


@pytest.mark.parametrize("name", GAMES)
def test_a_whole_game_is_told_word_for_word(name: str) -> None:
    assert told(name) == (FOLDER / f"{name}.txt").read_text(encoding="utf-8")
