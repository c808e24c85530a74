"""Choices as JSON, the set of playable cards, and terms as JSON."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2pball.engine.cards import NAMES
from p2pball.engine.moves import (
    EVERY_CHOICE,
    HOLD,
    PASS,
    PINCH,
    PLAY_CARD,
    STEALS,
    CardSet,
    Choice,
    ChoosePitch,
    IllegalMove,
    Pitch,
    PlayCard,
    Result,
    card_from_name,
    choice_from_json,
    choice_to_json,
)
from p2pball.engine.terms import Rules, Seat, Side, Terms, TermsError
from p2pball.errors import P2PBallError


@pytest.mark.parametrize(
    ("choice", "text"),
    [
        (PASS, '{"pass":true}'),
        (HOLD, '{"hold":true}'),
        (PINCH, '{"pinch":true}'),
        (STEALS[2], '{"steal":2}'),
        (STEALS[3], '{"steal":3}'),
        (ChoosePitch(Pitch.SLIDER), '{"pitch":"slider"}'),
        (ChoosePitch(None), '{"pitch":"random"}'),
        (PLAY_CARD[9], '{"card":"TS"}'),
    ],
)
def test_d5_c14_choices_as_they_stand_in_messages(choice: Choice, text: str) -> None:
    assert json.dumps(choice_to_json(choice), separators=(",", ":")) == text
    assert choice_from_json(json.loads(text)) == choice


def test_every_choice_comes_back() -> None:
    assert len(set(EVERY_CHOICE)) == 1 + 1 + 1 + 2 + 7 + 52
    assert [choice_from_json(choice_to_json(choice)) for choice in EVERY_CHOICE] == list(EVERY_CHOICE)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=6,
)


@given(JSON | st.dictionaries(st.sampled_from(["pass", "hold", "pinch", "steal", "pitch", "card"]), JSON))
def test_anything_else_is_refused(data: Any) -> None:
    known = {json.dumps(choice_to_json(choice)) for choice in EVERY_CHOICE}
    if json.dumps(data) not in known:
        with pytest.raises(IllegalMove):
            choice_from_json(data)


@pytest.mark.parametrize(
    "data",
    [
        {"hold": 1},
        {"hold": False},
        {"pass": 1},
        {"steal": 2.0},
        {"steal": "2"},
        {"steal": 1},
        {"steal": 4},
        {"steal": True},
        {"pitch": None},
        {"pitch": "Fastball"},
        {"card": "10S"},
        {"card": "sT"},
        {"card": ["TS"]},
        {"card": "TS", "x": 1},
        {"hold": True, 1: 2},
        {"card": {1, 2}},
        [],
        {},
        "pass",
    ],
)
def test_near_misses_are_refused(data: object) -> None:
    with pytest.raises(IllegalMove):
        choice_from_json(data)


def test_deep_nesting_is_refused() -> None:
    deep: object = 0
    for _ in range(100_000):
        deep = [deep]
    with pytest.raises(IllegalMove):
        choice_from_json(deep)


def test_c3_cards_by_name() -> None:
    assert [card_from_name(name) for name in NAMES] == list(range(52))
    for name in ("1S", "ts", "TSX", "", "JOKER"):
        with pytest.raises(IllegalMove, match="is not a card"):
            card_from_name(name)


def test_c2_a_card_set_is_the_cards_of_its_mask() -> None:
    cards = CardSet(0b1010)
    assert list(cards) == [PLAY_CARD[1], PLAY_CARD[3]]
    assert len(cards) == 2
    assert [card for card in range(52) if PlayCard(card) in cards] == [1, 3]
    for stranger in (PASS, HOLD, 1, None, PlayCard(-1), PlayCard(-64), PlayCard(52), PlayCard(1000)):
        assert stranger not in cards


def test_a_result_as_it_stands_in_a_final() -> None:
    assert Result(Seat.GUEST, 3, 1).to_json() == {"winner": "guest", "home": 1, "visitors": 3}
    assert Result(None, 2, 2).to_json() == {"winner": "draw", "home": 2, "visitors": 2}


def test_b1_to_b3_terms_and_their_defaults() -> None:
    assert Terms() == Terms(Rules.DICE, 9, 3, walk_off=True, home="coin", clock=0)


@given(
    st.builds(
        Terms,
        st.sampled_from(Rules),
        st.integers(1, 9),
        st.integers(0, 3),
        st.booleans(),
        st.sampled_from(["host", "guest", "coin"]),
        st.integers(0, 600),
    )
)
def test_terms_come_back_from_json(terms: Terms) -> None:
    data = json.loads(json.dumps(terms.to_json()))
    assert set(data) == {"rules", "rules_version", "innings", "extra_innings", "walk_off", "home", "clock"}
    assert data["rules_version"] == 1
    assert Terms.from_json(data) == terms


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"innings": 0}, "innings must be 1 to 9, not 0"),
        ({"innings": 10}, "innings must be 1 to 9, not 10"),
        ({"extra_innings": -1}, "extra innings must be 0 to 3, not -1"),
        ({"extra_innings": 4}, "extra innings must be 0 to 3, not 4"),
        ({"clock": -1}, "clock must be 0 to 600, not -1"),
        ({"clock": 601}, "clock must be 0 to 600, not 601"),
        ({"home": "away"}, "home must be host, guest or coin, not 'away'"),
    ],
)
def test_b1_b2_b12_terms_out_of_range(change: dict[str, Any], message: str) -> None:
    with pytest.raises(TermsError, match=message) as refused:
        Terms(**change)
    assert isinstance(refused.value, P2PBallError)


def test_seats_and_sides_face_each_other() -> None:
    assert [seat.other for seat in Seat] == [Seat.GUEST, Seat.HOST]
    assert [side.other for side in Side] == [Side.HOME, Side.VISITORS]
