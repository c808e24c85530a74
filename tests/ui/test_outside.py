"""Words from outside on the screen: harmless, as wide as they are said to be, and never more than there is room for."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from p2pball.scorebook.cells import width
from p2pball.ui.tui.ink import cells, fitted, line, spread, wrapped
from p2pball.ui.tui.outside import harmless, words
from tests.ui.child import RUDE

ANY = st.text(st.characters(codec="utf-8"), max_size=120)


@given(ANY)
def test_nothing_harmful_is_left_and_everybody_measures_the_same(text: str) -> None:
    """Fact 1: control and format characters are gone, and the width is what every program takes it for."""
    bare = harmless(text)
    assert not any(unicodedata.category(char) in ("Cc", "Cf", "Cs", "Co") for char in bare)
    assert cell_len(bare) == width(bare)


@given(ANY, st.integers(2, 60))
def test_words_keep_to_their_cells(text: str, room: int) -> None:
    said = words(text, room)
    assert width(said) <= room
    assert cell_len(said) <= room


@pytest.mark.parametrize("text", RUDE)
def test_rude_words(text: str) -> None:
    said = words(text, 40)
    assert "\x1b" not in said
    assert "\u202e" not in said
    assert width(said) <= 40


@pytest.mark.parametrize("name", ["Ann", "Zoë", "Dvořák", "東京", "O'Neil", "e\u0301mile"])
def test_names_stay_what_they_are(name: str) -> None:
    assert words(name, 24) == name


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\U0001f600 hi \u0378", "\U0001f600 hi ?"),
        ("\U0001f600 hi \x07", "\U0001f600 hi ?"),
        ("\U0001f600 \U0001f44d\U0001f3fd", "\U0001f600 \U0001f44d"),
        ("\U0001f600 \u2764\ufe0f", "\U0001f600 \u2764"),
    ],
)
def test_one_bad_character_costs_no_other(text: str, shown: str) -> None:
    assert harmless(text) == shown


def test_a_cut_is_shown() -> None:
    assert words("Bartholomew", 8) == "Bartho.."
    assert words("東京ベース", 7) == "東京.."


@given(ANY, st.integers(1, 80))
def test_lines_are_as_wide_as_they_are_told(text: str, room: int) -> None:
    assert cells(fitted(line(harmless(text)), room)) == room
    assert cells(spread(line(harmless(text)), line("right"), room)) == room


@given(st.text("abc dé東 ", max_size=200), st.integers(8, 60))
def test_wrapping_loses_nothing(text: str, room: int) -> None:
    rows = wrapped(text, room, 1)
    assert all(width(row) <= room for row in rows)
    assert "".join("".join(rows).split()) == "".join(text.split())
