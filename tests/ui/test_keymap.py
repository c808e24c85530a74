"""The registry of keys: what each means in a moment, and none means two things."""

from __future__ import annotations

from p2pball.engine.moves import HOLD, PINCH, PlayCard
from p2pball.engine.terms import Seat
from p2pball.engine.view import View
from p2pball.ui.tui import keymap
from p2pball.ui.tui.keymap import move_keys
from tests.ui.situations import CARDS, loaded_cards
from tests.ui.stagecraft import HAND, reached


def test_holding_is_what_a_card_key_says_in_a_window() -> None:
    state = reached(CARDS, "72", loaded_cards).state
    keys = move_keys(View(state, Seat.HOST, HAND), (HOLD, PINCH), hints=False)
    assert [key.key for key in keys] == ["1", "2", "3", "4", "5", "6", "p"]
    assert keys[0].does.choice is HOLD  # type: ignore[union-attr]
    assert isinstance(keys[0].does.then, PlayCard)  # type: ignore[union-attr]


def test_no_two_keys_are_the_same() -> None:
    """One registry: on every screen a key means one thing."""
    groups = {
        name: keys
        for name, keys in vars(keymap).items()
        if isinstance(keys, tuple) and keys and all(isinstance(key, keymap.Key) for key in keys)
    }
    assert {"LOG_KEYS", "QUIT_KEYS", "LOST_KEYS", "TITLE_KEYS", "REPLAY_KEYS"} <= groups.keys()
    for name, keys in groups.items():
        pressed = [key for one in keys for key in (one.key, *one.also)]
        assert len(pressed) == len(set(pressed)), name
