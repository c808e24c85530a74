"""What is sent in a meeting (fair-play 8): letters, and the lines of text that carry them by hand."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2pball.protocol.meeting import BadLine, Role
from p2pball.protocol.meeting.letters import (
    Answer,
    BadLetter,
    Candidate,
    Description,
    Failed,
    Letter,
    Offer,
    read,
    write,
)
from p2pball.protocol.meeting.lines import pack, unpack
from tests.protocol.meetings import met


class TestLines:
    @given(st.lists(st.binary(max_size=200), max_size=4), st.sampled_from(["", "\n", " \n "]))
    def test_round_trip_even_when_a_chat_has_wrapped_the_line(self, frames: list[bytes], wrap: str) -> None:
        line = pack(frames)
        half = len(line) // 2
        assert unpack(line[:half] + wrap + line[half:] + wrap) == tuple(frames)
        assert "\n" not in line

    def test_a_cut_line_is_refused_wherever_it_is_cut(self) -> None:
        line = pack([b"one", b"three"])
        for cut in range(len(line)):
            with pytest.raises(BadLine):
                unpack(line[:cut])

    @pytest.mark.parametrize("line", ["p2pball:!!!!.", "p2pball:AAE.", "p2pball:AA.", "p2pball:é.", "hello"])
    def test_other_text_is_refused(self, line: str) -> None:
        with pytest.raises(BadLine, match="whole line"):
            unpack(line)

    @given(st.text(max_size=80))
    def test_nothing_pasted_breaks_it(self, text: str) -> None:
        for line in (text, f"p2pball:{text}."):
            try:
                unpack(line)
            except BadLine:
                continue


HALF = Description(
    ufrag="3UxW",
    password="M2zDMSOkF3e04z2mfwlfp4",
    fingerprint=bytes(range(32)),
    setup="actpass",
    candidates=(Candidate("host", "192.0.2.2", 40192), Candidate("srflx", "2001:db8::1", 1)),
)
LETTERS: list[Letter] = [
    Offer("direct", bytes(32), HALF, ("direct", "turn-tcp")),
    Answer("turn-tcp", bytes(32), HALF),
    Failed("direct", ("turn-tcp",)),
]


class TestLetters:
    @pytest.mark.parametrize("letter", LETTERS)
    def test_round_trip(self, letter: Letter) -> None:
        assert read(write(letter)) == letter

    @pytest.mark.parametrize(
        ("old", "new"),
        [
            (b'"host","192.0.2.2"', b'"prflx","192.0.2.2"'),
            (b'"192.0.2.2"', b'"192.0.2.999"'),
            (b'"192.0.2.2"', b'"fe80::1%a\\r\\na=x"'),
            (b'"192.0.2.2"', b'"name.local"'),
            (b'"192.0.2.2"', b"3232235777"),
            (b"40192", b"0"),
            (b"40192", b"65536"),
            (b"40192", b"true"),
            (b"40192", b'"40192"'),
            (b'"3UxW"', b'"3Ux\\n"'),
            (b'"3UxW"', b"7"),
            (b"mfwlfp4", b"mfwlfp4 x"),
            (b'"actpass"', b'"holdconn"'),
            (b'"direct"', b'"carrier-pigeon"'),
            (b'"offer"', b'"order"'),
            (b'"offer"', b"[]"),
            (b'"key":"AA', b'"key":"'),
            (b'"key":"A', b'"key":"\xc3\xa9'),
            (b'"turn-tcp"]', b"7]"),
            (b'"ways":', b'"way":'),
            (b'"candidates":[', b'"candidates":[["host","1.1.1.1"],'),
            (b'"candidates":[', b'"candidates":[' + b'["host","1.1.1.1",1],' * 31),
            (
                b"{",
                b"[",
            ),
        ],
    )
    def test_a_letter_out_of_its_bounds_is_refused(self, old: bytes, new: bytes) -> None:
        text = write(LETTERS[0])
        assert old in text
        with pytest.raises(BadLetter, match="same version"):
            read(text.replace(old, new, 1))

    @given(st.binary(max_size=60))
    def test_no_bytes_break_it(self, data: bytes) -> None:
        with pytest.raises(BadLetter):
            read(data)

    @pytest.mark.parametrize("text", [b"[" * 50_000, b"7", b"{}", b'{"t":"failed","way":"direct","ways":7}'])
    def test_no_json_breaks_it(self, text: bytes) -> None:
        with pytest.raises(BadLetter):
            read(text)

    def test_an_introduction_with_four_addresses_fits_in_a_line_of_chat(self) -> None:
        host, _ = met()
        letter = Offer("direct", bytes(32), Description("3UxW", "M" * 22, bytes(32), "actpass", HALF.candidates * 2))
        assert len(pack([host.keys.confirmation(Role.HOST), host.seal(write(letter))])) < 700
