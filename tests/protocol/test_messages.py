"""What is no message: every field of every type wrong in every way, and what still fits the limits (fair-play 3)."""

from __future__ import annotations

import contextlib
import copy
import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from p2pball.protocol.messages import Chat, Malformed, Message, OtherVersion, Ping, Pong, Stored, parse_frame
from p2pball.protocol.shapes import SMALL_ORDER
from tests.attacks.forging import dump, seal, sign
from tests.duet import CARDS, Duet, message, secrets

OWN = secrets("messages")
D = "ab" * 32
BODIES: dict[str, dict[str, Any]] = {
    "commit": {"round": 1, "chain": D, "commitment": D, "deal": D},
    "reveal": {"round": 1, "nonce": D, "action": {"card": "AS"}, "hand_secret": D},
    "move": {"chain": D, "move": {"hold": True}},
    "final": {"chain": D, "result": {"winner": "host", "home": 1, "visitors": 0}, "hand_secret": D},
    "resign": {},
    "decline": {"reason": "no"},
    "resume": {"mine": [3, D], "yours": [-1, ""], "chain": D},
    "hello": json.loads(message(Duet(CARDS).disk[next(iter(Duet(CARDS).disk))][0]).payload)["body"],
}


def made(kind: str, **changes: Any) -> dict[str, Any]:
    """A well-formed message of a type."""
    first = kind in ("hello", "decline")
    fields = {
        "v": 1,
        "game": "" if first else D,
        "seat": "host",
        "seq": 0 if first else -1 if kind == "resume" else 4,
        "prev": "" if first or kind == "resume" else D,
        "ack": "" if kind == "resume" else D,
        "type": kind,
        "body": copy.deepcopy(BODIES[kind]),
    }
    return fields | changes


def frame(fields: Any) -> bytes:
    return seal(OWN, dump(fields))


def refused(data: bytes) -> None:
    with pytest.raises(Malformed) as caught:
        parse_frame(data)
    assert str(caught.value)


@pytest.mark.parametrize("kind", BODIES)
def test_a_message_of_every_type(kind: str) -> None:
    parsed = parse_frame(frame(made(kind)))
    assert isinstance(parsed, Message)
    assert (parsed.type, parsed.body) == (kind, BODIES[kind])
    assert parse_frame(parsed.frame) == parsed


WRONG: list[Any] = [
    None,
    True,
    False,
    -2,
    2**53,
    1.5,
    "",
    "x",
    D.upper(),
    D[:-1],
    D + "a",
    "ab" * 33,
    [],
    {},
    [1],
    {"a": 1},
    "é",
]


@pytest.mark.parametrize("kind", BODIES)
def test_every_field_of_the_envelope(kind: str) -> None:
    for name, right in made(kind).items():
        if name == "body":
            continue
        without = made(kind)
        del without[name]
        refused(frame(without))
        for wrong in WRONG:
            if wrong == right or (name in ("ack",) and wrong == ""):
                continue
            if name == "ack" and kind == "resume":
                continue
            refused(frame(made(kind, **{name: wrong})))
    refused(frame(made(kind, more=1)))
    refused(frame([made(kind)]))


def test_seq_prev_and_ack_that_do_not_fit_the_type() -> None:
    for fields in (
        made("hello", seq=1, prev=D),
        made("decline", seq=1, prev=D),
        made("resume", ack=D),
        made("resume", seq=0),
        made("commit", seq=-1, prev=""),
        made("commit", seq=0),
        made("hello", game=D),
        made("decline", game=D),
        made("commit", game=""),
        made("resume", game=""),
    ):
        refused(frame(fields))


def walk(value: Any, path: tuple[Any, ...] = ()) -> Any:
    """Every place in a JSON value."""
    yield path
    for key, item in value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ():
        yield from walk(item, (*path, key))


def put(value: Any, path: tuple[Any, ...], new: Any) -> Any:
    if not path:
        return new
    changed = copy.deepcopy(value)
    at = changed
    for step in path[:-1]:
        at = at[step]
    at[path[-1]] = new
    return changed


def get(value: Any, path: tuple[Any, ...]) -> Any:
    for step in path:
        value = value[step]
    return value


OPEN = {"name", "pinch", "reason"}
"""Fields of free text, tried apart."""


def right(path: tuple[Any, ...], kind: str, old: Any, new: Any) -> bool:
    """Whether another value in this place is well-formed too."""
    if path and (path[-1] in OPEN or (len(path) > 1 and path[-2] == "players")):
        return isinstance(new, str) and (path[-1] == "reason" or 1 <= len(new) <= 24)
    if "action" in path or "move" in path:
        return (len(path) > 1 and type(new) is not float and new not in (-2, 2**53)) or isinstance(new, dict)
    if path[-1:] == ("walk_off",):
        return type(new) is bool
    if path in (("deal",), ("hand_secret",)) or (kind == "final" and path == ("chain",)):
        return bool(new == "")
    if path[-1:] in (("home",), ("visitors",), ("round",)) and "terms" not in path:
        return type(new) is int and 0 <= new < 2**53
    return type(new) is type(old) and new == old


@pytest.mark.parametrize("kind", BODIES)
def test_every_place_in_every_body(kind: str) -> None:
    body = BODIES[kind]
    for path in walk(body):
        old = get(body, path)
        for wrong in [*WRONG, *([[*old, 1]] if isinstance(old, list) else [])]:
            data = frame(made(kind, body=put(body, path, wrong)))
            if right(path, kind, old, wrong):
                assert isinstance(parse_frame(data), Message), (path, wrong)
            elif not (type(wrong) is type(old) and wrong == old):
                refused(data)
        if isinstance(old, dict) and path[-1:] not in (("action",), ("move",)):
            refused(frame(made(kind, body=put(body, path, old | {"more": 1}))))
            for name in old:
                refused(frame(made(kind, body=put(body, path, {k: v for k, v in old.items() if k != name}))))


@pytest.mark.parametrize(
    ("path", "good", "bad"),
    [
        (
            ("name",),
            ["a", "a" * 24, "Zoë", "李", "a b", "🙂"],
            ["", "a" * 25, "a\n", "\x1b[2J", "a\u202eb", "\u200b", "\ud800", "\u2028", "\x7f", "\u2066"],
        ),
        (("team", "code"), ["AB", "ABC", "ABCD"], ["A", "ABCDE", "ab", "A1", "ÄB", "AB\n", "А" * 2]),
        (("team", "players"), [["a"] * 9], [["a"] * 8, ["a"] * 10, ["a"] * 8 + [""], "aaaaaaaaa"]),
        (("terms", "rules"), ["dice", "cards"], ["Dice", "chess", ""]),
        (("terms", "rules_version"), [1], [0, 2, True]),
        (("terms", "innings"), [1, 9], [0, 10, True]),
        (("terms", "extra_innings"), [0, 3], [-1, 4, False]),
        (("terms", "walk_off"), [True, False], [0, 1]),
        (("terms", "home"), ["host", "guest", "coin"], ["home", ""]),
        (("terms", "clock"), [0, 600], [-1, 601]),
        (("protocol",), [1], [0, 2, True]),
        (("nonce",), [D], ["", D[:62], D + "ab"]),
    ],
)
def test_hello(path: tuple[str, ...], good: list[Any], bad: list[Any]) -> None:
    for value in good:
        assert isinstance(parse_frame(frame(made("hello", body=put(BODIES["hello"], path, value)))), Message)
    for value in bad:
        refused(frame(made("hello", body=put(BODIES["hello"], path, value))))


def test_keys_of_small_order() -> None:
    """Every encoding of a point whose order divides eight, found by arithmetic, is refused; there are 14."""
    p = 2**255 - 19
    d = -121665 * pow(121666, -1, p) % p

    def double(point: tuple[int, int]) -> tuple[int, int]:
        x, y = point
        k = d * x * x * y * y % p
        return 2 * x * y * pow(1 + k, -1, p) % p, (y * y + x * x) * pow(1 - k, -1, p) % p

    def root(square: int) -> int | None:
        r = pow(square, (p + 3) // 8, p)
        for candidate in (r, r * pow(2, (p - 1) // 4, p) % p):
            if candidate * candidate % p == square % p:
                return candidate
        return None

    assert len(SMALL_ORDER) == 14
    for key in SMALL_ORDER:
        y = (int.from_bytes(key, "little") & (2**255 - 1)) % p
        x = root((y * y - 1) * pow(d * y * y + 1, -1, p))
        assert x is not None
        point = (x, y)
        for _ in range(3):
            point = double(point)
        assert point == (0, 1)
        refused(frame(made("hello", body=BODIES["hello"] | {"key": key.hex()})))


def test_another_version_is_said_aloud() -> None:
    for fields in (made("move", v=2), made("hello", body=BODIES["hello"] | {"protocol": 2})):
        with pytest.raises(OtherVersion, match="Update"):
            parse_frame(frame(fields))


@pytest.mark.parametrize("change", ["+", "/", "=", " ", "\n", "é", "A"])
def test_a_signature_is_its_own_canonical_base64url(change: str) -> None:
    payload = dump(made("move"))
    good = sign(OWN, payload)
    refused(dump({"payload": payload, "sig": good + change}).encode())
    refused(dump({"payload": payload, "sig": change + good[1:-1]}).encode())
    refused(dump({"payload": payload, "sig": good[:-1]}).encode())
    tail = good[:-1] + chr(ord(good[-1]) + 1)  # the same 64 bytes, other spare bits
    refused(dump({"payload": payload, "sig": tail}).encode())
    refused(dump({"payload": payload, "sig": ""}).encode())


def test_8_kib_and_not_a_byte_more() -> None:
    def of(size: int) -> bytes:
        bare = len(frame(made("move", body={"chain": D, "move": {"x": ""}})))
        data = frame(made("move", body={"chain": D, "move": {"x": "y" * (size - bare)}}))
        assert len(data) == size
        return data

    assert isinstance(parse_frame(of(8192)), Message)
    refused(of(8193))
    refused(b" " * 10_000_000)


@pytest.mark.parametrize(
    "text",
    [
        "{}",
        "[]",
        "1",
        '"x"',
        "null",
        '{"chat":1}',
        '{"chat":"a","ping":1}',
        '{"ping":-1}',
        '{"ping":true}',
        '{"pong":"1"}',
        '{"stored":"x"}',
        '{"stored":1}',
        '{"payload":"{}","sig":1}',
        '{"payload":{},"sig":""}',
        '{"hello":1}',
        '{"ping":1.0}',
        '{"pong":9007199254740992}',
        '{"payload":"{}"}',
    ],
)
def test_no_frame_at_all(text: str) -> None:
    refused(text.encode())


def test_unsigned_frames() -> None:
    assert parse_frame(b'{"chat":"hi"}') == Chat("hi")
    assert parse_frame(dump({"chat": "x" * 500}).encode()) == Chat("x" * 500)
    refused(dump({"chat": "x" * 501}).encode())
    assert parse_frame(b'{"ping":7}') == Ping(7)
    assert parse_frame(b'{"pong":7}') == Pong(7)
    assert parse_frame(dump({"stored": D}).encode()) == Stored(D)
    assert parse_frame(b'{"stored":""}') == Stored("")


def test_a_payload_that_is_not_json_of_its_own_parse() -> None:
    payload = dump(made("move"))
    for other in (
        payload + " ",
        " " + payload,
        payload.replace(":", ": ", 1),
        payload[:-1],
        payload.replace('"v":1', '"v":1.0'),
        '{"ack":"",' + payload[1:],
        payload.replace("move", "\\u006dove", 1),
    ):
        refused(seal(OWN, other))


@settings(max_examples=300, deadline=None)
@given(st.binary(max_size=200))
def test_any_bytes_are_a_frame_or_refused(data: bytes) -> None:
    with contextlib.suppress(Malformed):
        parse_frame(data)


@settings(max_examples=300, deadline=None)
@given(st.sampled_from(sorted(BODIES)), st.data())
def test_any_damage_is_a_frame_or_refused(kind: str, data: st.DataObject) -> None:
    raw = bytearray(frame(made(kind)))
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(raw) - 1))
        raw[at] = data.draw(st.integers(0, 255))
    try:
        again = parse_frame(bytes(raw))
    except Malformed:
        return
    assert isinstance(again, Message)
    assert again.frame == bytes(raw)
