"""The codes of a meeting, as they are drawn, typed and completed (fair-play 8)."""

from __future__ import annotations

import hashlib
import secrets

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2pball.protocol.meeting import BadCode, completions, draw, parse
from p2pball.protocol.meeting.codes import complete_word, wordlist
from tests.protocol.meetings import CODE


class TestCodes:
    def test_the_list_is_bip39_and_its_words_are_told_apart_by_four_letters(self) -> None:
        words = wordlist()
        assert len(words) == len({word[:4] for word in words}) == 2048
        # The digest of the English list as BIP-39 publishes it.
        digest = hashlib.sha256("".join(word + "\n" for word in words).encode()).hexdigest()
        assert digest == "2f5eed53a4727b4bf8880d8f3f199efc90e58503646d9ff8eff3a2ed3b24dbda"

    def test_drawing_uses_every_digit_and_many_words_and_the_nameplate_tells_nothing_of_the_words(self) -> None:
        codes = [draw(secrets.choice) for _ in range(400)]
        assert {digit for code in codes for digit in code.nameplate} == set("0123456789")
        assert len({code.words for code in codes}) == 400
        assert all(parse(str(code)) == code for code in codes)

    @pytest.mark.parametrize(
        "typed",
        ["4821-crisp-wolf", "  4821-CRISP-Wolf\n", "4821 crisp wolf", "4821-cris-wolf", "4821 - crisp - wolf"],
    )
    def test_a_code_is_read_in_any_case_with_dashes_or_spaces_and_from_four_letters(self, typed: str) -> None:
        assert parse(typed) == CODE

    @pytest.mark.parametrize(
        ("typed", "told"),
        [
            ("4821-krisp-wolf", "crisp"),
            ("4821-crisp-wolg", "wolf"),
            ("4821-crisp-wol", "wolf"),
            ("4821-wol-crisp", "wolf"),
            ("4821-zzz-wolf", "Ask your host"),
            ("4821-\x1b[2J-wolf", "not one of"),
            ("482-crisp-wolf", "four digits"),
            ("crisp-wolf-4821", "four digits"),
            ("٤٨٢١-crisp-wolf", "four digits"),
            ("4821-crisp", "four digits and two words"),
            ("", "4821-crisp-wolf"),
            ("4821-crisp-wolf-wolf", "4821-crisp-wolf"),
        ],
    )
    def test_a_typo_is_answered_with_the_closest_words_and_no_control_character(self, typed: str, told: str) -> None:
        with pytest.raises(BadCode) as caught:
            parse(typed)
        assert told in str(caught.value)
        assert str(caught.value).isprintable()

    def test_completion(self) -> None:
        assert "4821-crisp" in completions("4821-cri")
        assert completions("4821-crisp-wol") == ("4821-crisp-wolf",)
        assert completions("4821") == completions("482-cri") == completions("4821-a-b-c") == ()
        assert complete_word("ZOO") == ("zoo",)

    @given(st.sampled_from(range(2048)), st.integers(4, 8))
    def test_four_letters_are_enough_for_every_word(self, index: int, length: int) -> None:
        word = wordlist()[index]
        assert parse(f"0000-{word[:length]}-zoo").words[0] == word
