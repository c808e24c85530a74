"""What the relay frames by itself is what the WebSocket library would frame, to the byte."""

import pytest
from websockets.frames import Frame, Opcode

from signaling import framing


@pytest.mark.parametrize("size", [0, 1, 125, 126, 127, 2048, 16384, 65535])
@pytest.mark.parametrize("opcode", [Opcode.TEXT, Opcode.BINARY])
def test_frames_are_those_of_the_library(opcode, size):
    data = bytes(range(256)) * 256
    assert framing.framed(opcode, data[:size]) == Frame(opcode, data[:size]).serialize(mask=False)


def test_the_answer_of_rfc_6455():
    answer = framing.accepted("s3pPLMBiTxaQ9kYGzzhZRbK+xOo=", 784111777)
    head, *headers = answer.removesuffix(b"\r\n\r\n").split(b"\r\n")
    assert head == b"HTTP/1.1 101 Switching Protocols"
    assert dict(line.split(b": ") for line in headers) == {
        b"Upgrade": b"websocket",
        b"Connection": b"Upgrade",
        b"Date": b"Sun, 06 Nov 1994 08:49:37 GMT",
        b"Sec-WebSocket-Accept": b"s3pPLMBiTxaQ9kYGzzhZRbK+xOo=",
    }
