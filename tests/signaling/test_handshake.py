"""A handshake read at a glance is answered as the WebSocket library would answer it, and so is every other one."""

import pytest
from websockets.exceptions import InvalidHandshake
from websockets.server import ServerProtocol

from signaling.handshake import proof
from tests.signaling.clients import handshake

USUAL = {
    "Upgrade": "websocket",
    "Connection": "Upgrade",
    "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
    "Sec-WebSocket-Version": "13",
}


def asked(headers: list[tuple[str, str]], line: str = "GET / HTTP/1.1"):
    """A request as the library reads it."""
    ws = ServerProtocol()
    ws.receive_data("\r\n".join([line, *(f"{name}: {value}" for name, value in headers), "", ""]).encode())
    (request,) = ws.events_received()
    return request


def judged(request):
    """What the library alone says to it."""
    try:
        return ServerProtocol().process_request(request)[0]
    except InvalidHandshake as error:
        return type(error)


def proved(request):
    try:
        return proof(ServerProtocol(), request)
    except InvalidHandshake as error:
        return type(error)


def test_the_example_of_rfc_6455_is_not_left_to_the_library():
    assert proof(None, asked(list(USUAL.items()))) == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo="


def test_clients_of_ours_are_not_left_to_the_library():
    ws = ServerProtocol()
    ws.receive_data(handshake("/v1/room/1234?role=host", "Sec-WebSocket-Extensions: permessage-deflate"))
    (request,) = ws.events_received()
    assert proof(None, request) == judged(request)


@pytest.mark.parametrize("line", ["GET / HTTP/1.1", "POST / HTTP/1.1", "GET / HTTP/1.0"])
def test_the_request_line_counts(line):
    request = asked(list(USUAL.items()), line)
    assert proved(request) == judged(request)


@pytest.mark.parametrize("name", [*USUAL, "Origin", "Sec-WebSocket-Protocol"])
@pytest.mark.parametrize(
    "values",
    [
        *([], [""], ["x"], ["?"], ["a, b"], [","], ["https://example.org"]),
        *(["websocket"], ["WebSocket"], ["websocket", "websocket"], ["websocket, h2c"]),
        *(["Upgrade"], ["upgrade"], ["keep-alive, Upgrade"], ["keep-alive", "Upgrade"], ["Upgrade", "Upgrade"]),
        *(["13"], ["013"], ["8"], ["13", "13"], ["13, 8"]),
        *(["dGhlIHNhbXBsZSBub25jZQ=="], ["dGhlIHNhbXBsZSBub25jZR=="], ["dGhlIHNhbXBsZSBub25jZQ==", "x"]),
        *(
            ["dGhlIHNhbXBsZSBub25jZQ"],
            ["dGhlIHNhbXBsZSBub25jZQ==="],
            ["dGhlIHNhbXBsZSBub25j"],
            ["dGhlIHNhbXBsZSBub25_ZQ=="],
        ),
    ],
)
def test_a_header_otherwise_worded_is_judged_by_the_library(name, values):
    others = [(other, value) for other, value in USUAL.items() if other != name]
    request = asked([*others, *((name, value) for value in values)])
    assert proved(request) == judged(request)
