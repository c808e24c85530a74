"""Frames as one line of text that survives any chat: base64url between two marks (connection 1, --by-hand)."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Sequence

from p2pball.protocol.meeting.errors import BadLine

MARK = "p2pball:"
END = "."
LINE_LIMIT = 16_384


def pack(frames: Sequence[bytes]) -> str:
    """Frames, each below 64 KiB, as one line; the closing dot shows that nothing was cut off."""
    body = b"".join(len(frame).to_bytes(2, "big") + frame for frame in frames)
    return MARK + base64.urlsafe_b64encode(body).decode().rstrip("=") + END


def unpack(line: str) -> tuple[bytes, ...]:
    """The frames of a pasted line, white space anywhere forgiven; raises BadLine for anything else."""
    text = re.sub(r"\s+", "", line[:LINE_LIMIT])
    if not (text.startswith(MARK) and text.endswith(END)):
        raise BadLine
    coded = text[len(MARK) : -len(END)]
    try:
        body = base64.b64decode(coded + "=" * (-len(coded) % 4), altchars=b"-_", validate=True)
    except (binascii.Error, ValueError) as error:
        raise BadLine from error
    frames = []
    while body:
        length = int.from_bytes(body[:2], "big")
        if len(body) < 2 + length:
            raise BadLine
        frames.append(body[2 : 2 + length])
        body = body[2 + length :]
    return tuple(frames)
