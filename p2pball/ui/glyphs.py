"""Which characters a stream can show: every front end asks here before it draws."""

from __future__ import annotations

import sys
from typing import TextIO


def ascii_only(wanted: bool, stream: TextIO | None = None) -> bool:
    """Whether to keep to ASCII: when it is wanted, or when the stream (standard output) does not take UTF-8."""
    encoding = getattr(stream or sys.stdout, "encoding", None) or "ascii"
    return wanted or "utf" not in encoding.lower()
