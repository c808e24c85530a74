"""Frozen values: what is asked of them is what the standard library's frozen dataclasses with slots do."""

from __future__ import annotations

import copy
import pickle
from dataclasses import FrozenInstanceError, asdict, dataclass, field, fields, is_dataclass, replace
from typing import Any

import pytest

from p2pball.frozen import frozen


@frozen
class Pair:
    """Two fields, one with a default."""

    first: int
    second: str = "two"


@frozen
class Nothing:
    """No field at all."""


@frozen
class Single:
    """One field."""

    only: Any


@frozen
class Checked:
    """One that looks at what it is given."""

    number: int

    def __post_init__(self) -> None:
        if self.number < 0:
            raise ValueError("below zero")


@frozen
class Partly:
    """Fields that do not count for equality or for the hash."""

    name: str
    unhashed: list[int] = field(hash=False)
    unasked: float = field(compare=False)


@frozen
class Triple(Pair):
    """One field more than Pair."""

    third: float = 3.0


class Named(Pair):
    """Pair by another name."""


@dataclass(frozen=True, slots=True)
class Plain:
    """What Pair would be as a dataclass."""

    first: int
    second: str = "two"


def test_fields_are_given_by_place_by_name_or_not_at_all() -> None:
    assert Pair(1, "b") == Pair(1, second="b") == Pair(second="b", first=1)
    assert (Pair(1).first, Pair(1).second) == (1, "two")
    assert Nothing() == Nothing()
    assert Single(None).only is None


@pytest.mark.parametrize(
    "call", [lambda: Pair(), lambda: Pair(1, "b", 3), lambda: Pair(1, first=1), lambda: Pair(1, third=3)]
)
def test_a_field_too_many_twice_or_missing_is_an_error(call: Any) -> None:
    with pytest.raises(TypeError, match="__init__"):
        call()


def test_values_are_equal_by_kind_and_fields() -> None:
    assert Pair(1) != Pair(2)
    assert Pair(1) != Plain(1)
    assert Pair(1) != (1, "two")
    assert Single(()) != Nothing()
    assert Pair(1).__eq__(1) is NotImplemented


def test_a_class_made_of_another_is_a_kind_of_its_own() -> None:
    assert (Triple(1).first, Triple(1, "b").second, Triple(1, third=4.0).third) == (1, "b", 4.0)
    assert Triple(1) == Triple(1) != Pair(1)
    assert Named(1) == Named(1) != Pair(1)
    assert [repr(Triple(1)), repr(Named(1))] == [
        "Triple(first=1, second='two', third=3.0)",
        "Named(first=1, second='two')",
    ]


def test_equal_values_have_equal_hashes() -> None:
    assert {Pair(1): "a"}[Pair(1, "two")] == "a"
    assert len({Nothing(), Nothing(), Single(1), Single(1), Single(2)}) == 3
    with pytest.raises(TypeError):
        hash(Single([]))


def test_fields_can_be_left_out_of_equality_and_hash() -> None:
    assert Partly("a", [1], 0.5) == Partly("a", [1], 0.7) != Partly("a", [2], 0.5)
    assert hash(Partly("a", [1], 0.5)) == hash(Partly("a", [2], 0.7)) != hash(Partly("b", [1], 0.5))


def test_nothing_changes() -> None:
    pair = Pair(1)
    with pytest.raises(FrozenInstanceError):
        pair.first = 2  # type: ignore[misc]
    with pytest.raises(FrozenInstanceError):
        del pair.second
    with pytest.raises(FrozenInstanceError):
        pair.third = 3  # type: ignore[attr-defined]
    assert pair == Pair(1)
    assert not hasattr(pair, "__dict__")


def test_the_text_is_a_dataclass_s() -> None:
    assert repr(Pair(1)) == repr(Plain(1)).replace("Plain", "Pair")
    assert repr(Nothing()) == "Nothing()"
    assert repr(Single("a")) == "Single(only='a')"


def test_the_standard_library_takes_them_for_dataclasses() -> None:
    assert is_dataclass(Pair)
    assert [one.name for one in fields(Pair)] == ["first", "second"]
    assert replace(Pair(1), second="b") == Pair(1, "b")
    assert asdict(Pair(1)) == {"first": 1, "second": "two"}
    match Pair(1):
        case Pair(first, second):
            assert (first, second) == (1, "two")


@pytest.mark.parametrize("value", [Pair(1), Nothing(), Single("a"), Checked(1), Triple(1), Named(1)])
def test_they_can_be_sent_to_another_process(value: object) -> None:
    sent = pickle.loads(pickle.dumps(value))
    assert sent == copy.deepcopy(value) == value
    assert type(sent) is type(value)


def test_what_is_given_can_be_checked() -> None:
    assert Checked(0).number == 0
    with pytest.raises(ValueError, match="below zero"):
        Checked(-1)
