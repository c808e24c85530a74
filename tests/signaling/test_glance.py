"""What is read at a glance is read as the WebSocket library would read it; everything else is left to it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from websockets.frames import Frame, Opcode
from websockets.http11 import Request
from websockets.protocol import Protocol, Side
from websockets.server import ServerProtocol

from signaling import glance
from signaling.glance import Glimpse
from signaling.wire import Door, Outcome, Role, WireError, read_path, room_path
from tests.signaling.clients import frame, handshake

DOOR = Door("1234", Role.HOST)
LINE = f"GET {room_path(DOOR)} HTTP/1.1"
USUAL = {
    "Host": "relay.example:8765",
    "Upgrade": "websocket",
    "Connection": "Upgrade",
    "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
    "Sec-WebSocket-Version": "13",
}


def worded(headers, line: str = LINE) -> bytes:
    return "\r\n".join([line, *(f"{name}: {value}" for name, value in headers), "", ""]).encode("latin-1")


def judged(data: bytes) -> Glimpse | None:
    """What the library makes of it; None when that is no seat, or not the whole of it."""
    ws = ServerProtocol()
    ws.receive_data(data)
    events = ws.events_received()
    if len(events) != 1 or not isinstance(request := events[0], Request) or ws.eof_sent or ws.reader.buffer:
        return None
    answer = ws.accept(request)
    try:
        door = read_path(request.path)
    except WireError:
        return None
    if door is None or answer.status_code != 101:
        return None
    fields = [",".join(request.headers.get_all(name)) for name in ("Host", "X-Forwarded-For")]
    return Glimpse(door, answer.headers["Sec-WebSocket-Accept"], *fields)


def test_the_example_of_rfc_6455_is_not_left_to_the_library():
    seen = Glimpse(DOOR, "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=", "relay.example:8765", "")
    assert glance.request(worded(USUAL.items())) == seen == judged(worded(USUAL.items()))


@pytest.mark.parametrize("door", [DOOR, Door("0" * 32, Role.GUEST), Door("1234", Role.GUEST, "ab" * 16)])
def test_clients_of_ours_are_not_left_to_the_library(door):
    asked = handshake(
        room_path(door), "Sec-WebSocket-Extensions: permessage-deflate", "X-Forwarded-For: 192.0.2.1, ::1"
    )
    assert glance.request(asked) is not None
    assert glance.request(asked) == judged(asked)


LINES = [
    *(LINE, LINE.replace("GET", "POST"), LINE.replace("1.1", "1.0"), LINE.replace(" ", "  "), LINE + " ", " " + LINE),
    *("GET / HTTP/1.1", "GET /v1/room/12345?role=host HTTP/1.1", "GET /v1/room/1234 HTTP/1.1", "GET /v1/room/1234"),
    *(LINE.replace("/v1", "http://relay.example/v1"), LINE.replace("host", "host#x"), LINE.replace("host", "höst")),
]
HEADERS = [
    *([], [""], [" "], ["x"], ["?"], ["a, b"], [","], ["https://example.org"], ["x\ty"], ["\x00"], ["ä"]),
    *(["websocket"], ["WebSocket"], ["websocket", "websocket"], ["websocket, h2c"], ["  websocket  "], ["\twebsocket"]),
    *(["Upgrade"], ["upgrade"], ["keep-alive, Upgrade"], ["keep-alive", "Upgrade"], ["Upgrade", "Upgrade"]),
    *(["13"], ["013"], ["8"], ["13", "13"], ["13, 8"], ["0"], ["5"], ["chunked"]),
    *(["dGhlIHNhbXBsZSBub25jZQ=="], ["dGhlIHNhbXBsZSBub25jZR=="], ["dGhlIHNhbXBsZSBub25jZQ==", "x"]),
    *(["dGhlIHNhbXBsZSBub25jZQ"], ["dGhlIHNhbXBsZSBub25jZQ==="], ["dGhlIHNhbXBsZSBub25j"]),
    *(["dGhlIHNhbXBsZSBub25_ZQ=="], ["192.0.2.7"], ["192.0.2.7", "192.0.2.8"]),
]
NAMES = ["Origin", "Sec-WebSocket-Protocol", "Content-Length", "Transfer-Encoding", "X-Forwarded-For", "X Y", "Ä", ""]


def taken_alike(data: bytes) -> None:
    seen = glance.request(data)
    assert seen is None or seen == judged(data)


@pytest.mark.parametrize("line", LINES)
def test_the_request_line_counts(line):
    taken_alike(worded(USUAL.items(), line))


@pytest.mark.parametrize("name", [*USUAL, *NAMES])
@pytest.mark.parametrize("values", HEADERS)
def test_a_header_otherwise_worded_is_judged_by_the_library(name, values):
    others = [(other, value) for other, value in USUAL.items() if other != name]
    taken_alike(worded([*others, *((name, value) for value in values)]))


@pytest.mark.parametrize("count", [90, 100, 120, 124, 200])
def test_more_lines_than_the_library_takes_are_left_to_it(count):
    letters = "abcdefghijklmnopqrst"
    names = [one + other for one in letters for other in letters][:count]
    taken_alike(worded([*USUAL.items(), *((name, "x") for name in names)]))


@pytest.mark.parametrize("more", [b"x", b"\r\n", b"\x82\x80\0\0\0\0", worded(USUAL.items())])
def test_nothing_may_follow(more):
    assert glance.request(worded(USUAL.items()) + more) is None


@given(st.data())
def test_any_wording_is_taken_alike(data):
    headers = data.draw(st.permutations(list(USUAL.items())))
    made = bytearray(worded(headers, data.draw(st.sampled_from(LINES))))
    for _ in range(data.draw(st.integers(0, 3))):
        at = data.draw(st.integers(0, len(made) - 1))
        upto = data.draw(st.integers(at, min(at + 3, len(made))))
        made[at:upto] = data.draw(
            st.sampled_from([b"", b" ", b"\t", b"\r", b"\n", b"\r\n", b":", b"\0", b"A", b"\xff"])
        )
    taken_alike(bytes(made))


# Frames

LIMIT = 200
NEXT = frame(2, b"the next")


def told(data: bytes) -> tuple[Opcode, bytes] | None:
    """What the library makes of it; None when that is not one frame to its end."""
    ws = Protocol(Side.SERVER, max_size=LIMIT)
    ws.receive_data(data)
    ended = ws.eof_sent
    if not ended:
        ws.receive_data(NEXT)
    read = [(one.opcode, bytes(one.data)) for one in ws.events_received() if isinstance(one, Frame) and one.fin]
    if not ended and read.pop() != (Opcode.BINARY, b"the next"):
        return None
    return read[0] if len(read) == 1 and ws.parser_exc is None else None


def seen(data: bytes) -> tuple[Opcode, bytes] | None:
    return glance.frame(memoryview(data), LIMIT)


@pytest.mark.parametrize("size", [0, 1, 125, 126, 127, LIMIT])
def test_messages_are_not_left_to_the_library(size):
    data = bytes(range(size))
    assert seen(frame(2, data)) == (Opcode.BINARY, data) == told(frame(2, data))


@pytest.mark.parametrize("outcome", Outcome)
def test_outcomes_are_not_left_to_the_library(outcome):
    data = outcome.to_bytes(2, "big")
    assert seen(frame(8, data)) == (Opcode.CLOSE, data) == told(frame(8, data))


def test_the_answer_to_a_ping_is_not_left_to_the_library():
    assert seen(frame(10, b"")) == (Opcode.PONG, b"") == told(frame(10, b""))


OTHERS = [
    *(frame(2, bytes(LIMIT + 1)), frame(2, bytes(70_000)), frame(2, b"x", fin=False), frame(1, b"x"), frame(0, b"x")),
    *(frame(9, b""), frame(10, bytes(126)), frame(10, b"", fin=False), frame(8, b""), frame(8, b"\x03\xed")),
    *(frame(8, b"\x10\x04bye"), frame(8, b"\x03"), frame(3, b"x"), frame(11, b"x"), frame(2, b"a") + frame(2, b"b")),
    *(frame(2, b"abc")[:-1], frame(2, b"abc") + b"\x82", b"\x82\x03abc", b"\xc2" + frame(2, b"abc")[1:], b"\x82"),
    *(b"\x8a\xff" + bytes(131), b"\x82\xff" + bytes(131), b"\x82\xff" + bytes(7) + b"\x01" + bytes(5)),
]


@pytest.mark.parametrize("data", OTHERS)
def test_any_other_frame_is_left_to_the_library(data):
    assert seen(data) is None


@given(st.data())
def test_whatever_comes_is_taken_alike(data):
    size = data.draw(st.sampled_from([0, 1, 2, 3, 124, 125, 126, 127, LIMIT, LIMIT + 1]))
    body = data.draw(st.sampled_from([bytes(size), b"\x03\xe8", b"\x10\x04", b"\x10\x05", b"\x03\xed"]))
    lengths = [bytes((0x80 | min(len(body), 127),)), b"\xfe" + len(body).to_bytes(2, "big")]
    lengths.append(b"\xff" + len(body).to_bytes(8, "big"))
    first = data.draw(st.sampled_from([0x82, 0x82, 0x88, 0x8A]) | st.integers(0, 255))
    made = bytearray((first,)) + data.draw(st.sampled_from(lengths)) + bytes(4) + body
    for _ in range(data.draw(st.integers(0, 2))):
        made[data.draw(st.integers(0, min(len(made), 12) - 1))] = data.draw(st.integers(0, 255))
    made = made[: data.draw(st.integers(1, len(made)) | st.just(len(made)))] + data.draw(
        st.sampled_from([b"", b"\x82"])
    )
    found = seen(bytes(made))
    assert found is None or found == told(bytes(made))
