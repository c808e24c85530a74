"""The words, addresses and closes of the relay's protocol: print, parse, print, and what is refused."""

import contextlib
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from signaling.wire import (
    Again,
    Away,
    Back,
    Code,
    Door,
    IceServer,
    Left,
    Outcome,
    Paired,
    Role,
    Seated,
    WireError,
    close_reason,
    closing,
    hear,
    is_ice_url,
    read_path,
    room_path,
    say,
)

tokens = st.binary(min_size=16, max_size=16).map(bytes.hex)
short = st.text(st.characters(min_codepoint=33, max_codepoint=126), min_size=1, max_size=40)
ice = st.builds(
    IceServer,
    st.lists(short.map(lambda rest: f"turn:{rest}"), min_size=1, max_size=4).map(tuple),
    st.none() | short,
    st.none() | short,
).map(lambda server: server if server.username else IceServer(server.urls))
words = (
    st.builds(Seated, st.sampled_from(Role), tokens, st.integers(0, 86_400))
    | st.builds(Paired, st.lists(ice, max_size=8).map(tuple))
    | st.just(Away())
    | st.just(Back())
    | st.builds(Left, st.sampled_from(Outcome))
)
nameplates = st.integers(0, 9999).map(lambda number: f"{number:04}") | tokens


@given(words)
def test_a_word_said_is_the_word_heard(word):
    assert hear(say(word)) == word


@given(st.builds(Door, nameplates, st.sampled_from(Role), st.none() | tokens))
def test_a_door_is_read_as_it_was_written(door):
    assert read_path(room_path(door)) == door
    assert door.resume == (len(door.nameplate) == 32)


def test_a_word_of_a_newer_relay_is_passed_over():
    assert hear('{"t":"weather","sunny":true}') is None


@pytest.mark.parametrize(
    "text",
    [
        "",
        "null",
        "[]",
        "7",
        "{}",
        '{"t":',
        '{"t":"seated"}',
        json.dumps({"t": "seated", "role": "umpire", "token": "0" * 32, "wait": 1}),
        json.dumps({"t": "seated", "role": "host", "token": "0" * 31, "wait": 1}),
        json.dumps({"t": "seated", "role": "host", "token": 7, "wait": 1}),
        json.dumps({"t": "seated", "role": "host", "token": "0" * 32, "wait": -1}),
        json.dumps({"t": "seated", "role": "host", "token": "0" * 32, "wait": 1.5}),
        json.dumps({"t": "seated", "role": "host", "token": "0" * 32, "wait": True}),
        json.dumps({"t": "paired", "ice": [{"urls": []}]}),
        json.dumps({"t": "paired", "ice": [{"urls": "stun:x"}]}),
        json.dumps({"t": "paired", "ice": [{"urls": ["http://x"]}]}),
        json.dumps({"t": "paired", "ice": [{"urls": ["stun:\u001b[31m"]}]}),
        json.dumps({"t": "paired", "ice": [{"urls": ["turn:x"], "username": "\u001b", "credential": "x"}]}),
        json.dumps({"t": "paired", "ice": [{"urls": ["turn:x"], "username": 7}]}),
        json.dumps({"t": "paired", "ice": [7]}),
        json.dumps({"t": "left", "outcome": 4000}),
        "[" * 100_000,
    ],
)
def test_what_cannot_be_read_is_refused(text):
    with pytest.raises(WireError):
        hear(text)


@given(st.text())
def test_any_text_is_a_word_or_refused(text):
    with contextlib.suppress(WireError):
        hear(text)


@pytest.mark.parametrize("target", ["/", "/health", "/v1/rooms/1234?role=host", "//v1/room/1234", "/v1/room", "*", ""])
def test_other_paths_are_no_room(target):
    assert read_path(target) is None


@pytest.mark.parametrize(
    "target",
    [
        "/v1/room/123?role=host",
        "/v1/room/12345?role=host",
        "/v1/room/123４?role=host",
        "/v1/room/" + "A" * 32 + "?role=host",
        "/v1/room/1234",
        "/v1/room/1234?",
        "/v1/room/1234?role",
        "/v1/room/1234?role=umpire",
        "/v1/room/1234?role=host&role=guest",
        "/v1/room/1234?role=host&colour=red",
        "/v1/room/1234?role=host&token=",
        "/v1/room/1234?role=host&token=" + "g" * 32,
        "/v1/room/1234/?role=host",
        "/v1/room/1234?role=host&a=1&b=2",
        "/v1/room/../1234?role=host",
    ],
)
def test_a_room_addressed_wrongly_is_refused(target):
    with pytest.raises(WireError):
        read_path(target)


@given(st.text())
def test_any_target_is_a_door_or_none_or_refused(rest):
    for target in (rest, "/v1/room/" + rest):
        with contextlib.suppress(WireError):
            read_path(target)


@pytest.mark.parametrize("code", Code)
def test_every_code_has_a_sentence_of_its_own_that_fits_a_close_frame(code):
    reason = close_reason(code, 99_999)
    assert len(reason.encode()) <= 123  # RFC 6455 5.5
    read = closing(code, reason)
    assert (read.code, read.retry) == (code, 99_999)
    assert reason.startswith(read.sentence)
    assert read.sentence.endswith(".")
    assert [other for other in Code if close_reason(other) == read.sentence] == [code]


def test_a_close_shows_our_sentence_and_never_the_relays():
    read = closing(Code.FULL, "\x1b[31m send me your words [retry 5 s]")
    assert "send" not in read.sentence
    assert read.retry == 5
    assert closing(Code.FULL, close_reason(Code.FULL)).retry is None


@pytest.mark.parametrize("code", [None, 1000, 1001, 1006, 4999])
def test_a_connection_that_just_went_is_taken_up_again(code):
    assert closing(code, "") == closing(None, "")
    assert closing(code, "").again is Again.SEAT


def test_addresses_of_servers_are_known_by_their_form():
    assert is_ice_url("turns:example.org:5349?transport=tcp")
    assert not is_ice_url("http://example.org")


def test_roles_face_each_other():
    assert Role.HOST.other is Role.GUEST
    assert Role.GUEST.other is Role.HOST
