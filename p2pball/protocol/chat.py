"""Words between players: unsigned, never recorded, and harmless once cleaned (fair-play 3)."""

from __future__ import annotations

import re
import unicodedata

from p2pball.protocol.messages import MAX_CHAT

_ESCAPES = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|[\]PX^_].*?(?:\x07|\x1b\\|$)|[ -/]*[0-~]?)", re.DOTALL)
"""Whole escape sequences: without their first character alone their rest would stay as litter."""


def clean(text: str) -> str:
    """A text without control and format characters, bidi controls and escape sequences; newlines become blanks."""
    bare = _ESCAPES.sub("", text[:MAX_CHAT])
    spaced = re.sub(r"[\t\n\v\f\r\x85\u2028\u2029]+", " ", bare)
    return "".join(char for char in spaced if unicodedata.category(char) not in ("Cc", "Cf", "Cs", "Co")).strip()
