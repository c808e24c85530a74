"""What can go wrong between two players who are about to meet; each docstring is the sentence shown."""

from __future__ import annotations

from p2pball.errors import P2PBallError


class MeetingError(P2PBallError):
    """The two players could not be introduced to each other."""


class BadCode(MeetingError):
    """That is no game code. A code looks like 4821-crisp-wolf; nothing was sent, so type it again."""


class WrongCode(MeetingError):
    """The code words of the two sides differ. A code is good for one guess and this one is used up: somebody
    mistyped or misheard a word, or somebody else tried to get in. Host again, and read the new code out."""


class Tampered(MeetingError):
    """What came from the other side was changed on its way, so nothing of it was used. The relay or somebody on
    the network interferes: host again through another relay, or with --by-hand."""


class BadLine(MeetingError):
    """That is no line from the other player's p2pball. Copy the whole line, from its first character to its last,
    and paste it again."""
