"""PURE: why a connection ends: the codes of the relay and of its clients, their sentences, what to do next."""

import re
from dataclasses import dataclass
from enum import Enum, IntEnum

_RETRY = re.compile(r"\[retry ([0-9]{1,5}) s\]")


class Again(Enum):
    """What a client does after a close."""

    NO = "no"
    LATER = "later"  # the same, after the time that `Closing.retry` says
    SEAT = "seat"  # by itself, with the token; if that is refused, as SAME_CODE
    SAME_CODE = "same code"  # by itself, with the same nameplate and no token, after `retry` seconds if it says so
    OTHER_NAMEPLATE = "other nameplate"  # a host draws another


class Code(IntEnum):
    """Why the relay closed; one code for each reason."""

    PROTOCOL = 1002
    TOO_BIG = 1009
    NO_ROOM = 4000
    FULL = 4001
    TAKEN = 4002
    BAD_TOKEN = 4003
    BAD_ADDRESS = 4004
    JOINS = 4005
    FAILED_JOINS = 4006
    CONNECTIONS = 4007
    ROOMS = 4008
    RELAY_FULL = 4009
    RELAY_ROOMS = 4010
    DRAINING = 4011
    WAITED = 4012
    SILENT = 4013
    GONE = 4014
    TEXT = 4015
    MESSAGES = 4016
    BYTES = 4017
    KEPT = 4018
    SAME_CODE = 4019
    REPLACED = 4020
    NO_ANSWER = 4021


class Outcome(IntEnum):
    """What became of an introduction: the code a client closes with; any other counts as `left`."""

    LEFT = 1000
    DIRECT = 4100
    TURN = 4101
    FAILED = 4102
    WRONG_CODE = 4103

    @classmethod
    def of(cls, code: int) -> "Outcome":
        """What a client's close code says."""
        return _OUTCOMES.get(code, cls.LEFT)


_OUTCOMES = {int(outcome): outcome for outcome in Outcome}


_CLOSES: dict[Code, tuple[Again, str]] = {
    Code.PROTOCOL: (Again.NO, "The relay did not understand this program. Check that both are up to date."),
    Code.TOO_BIG: (Again.NO, "A message was larger than the relay carries. Check that both are up to date."),
    Code.NO_ROOM: (
        Again.NO,
        "No one waits under this code: mistyped, expired or used. Ask your partner for a new one.",
    ),
    Code.FULL: (Again.NO, "Two players are in this room already. Ask your partner for a new code."),
    Code.TAKEN: (Again.OTHER_NAMEPLATE, "This room number is in use. Host again to get another."),
    Code.BAD_TOKEN: (Again.SAME_CODE, "Your seat in this room is gone. Open the room again with the same code."),
    Code.BAD_ADDRESS: (Again.NO, "This is no room address. Check the code and the relay's address."),
    Code.JOINS: (Again.LATER, "Too many tries from your network in one minute. Wait a little."),
    Code.FAILED_JOINS: (Again.LATER, "Too many wrong codes from your network in one minute. Wait a little."),
    Code.CONNECTIONS: (Again.LATER, "Too many connections from your network. Close one and try again."),
    Code.ROOMS: (Again.LATER, "Too many waiting games from your network. Close one and try again."),
    Code.RELAY_FULL: (Again.LATER, "The relay is full at the moment. Wait a little or use another relay."),
    Code.RELAY_ROOMS: (Again.LATER, "The relay has no free room at the moment. Wait or use another relay."),
    Code.DRAINING: (Again.SAME_CODE, "The relay is restarting. Try again in a moment."),
    Code.WAITED: (Again.SAME_CODE, "No one came in the time that the relay keeps a room. Open it again."),
    Code.SILENT: (Again.NO, "Neither side sent anything for too long. Start again with a new code."),
    Code.GONE: (Again.NO, "Your partner has left or lost the connection. Start again with a new code."),
    Code.TEXT: (Again.NO, "The relay carries binary messages only. Check that both are up to date."),
    Code.MESSAGES: (Again.NO, "More messages than the relay carries. Start again with a new code."),
    Code.BYTES: (Again.NO, "More data than the relay carries. Start again with a new code."),
    Code.KEPT: (Again.NO, "More messages than the relay keeps for a partner who is not there."),
    Code.SAME_CODE: (Again.SAME_CODE, "The relay lost a part of itself. Try again with the same code."),
    Code.REPLACED: (Again.NO, "Your seat was taken over by a newer connection of yours."),
    Code.NO_ANSWER: (Again.SEAT, "The relay heard nothing from you. Check the network and try again."),
}


@dataclass(frozen=True, slots=True)
class Closing:
    """A close, read: the relay's reason or None for a plain loss, the sentence to show, what to do next.

    `retry` is in seconds and present when the relay said how long to wait.
    """

    code: Code | None
    sentence: str
    again: Again
    retry: int | None = None


def close_reason(code: Code, retry: int | None = None) -> str:
    """The sentence of a close as it travels, at most 123 bytes (RFC 6455 5.5); `retry` in seconds."""
    sentence = _CLOSES[code][1]
    return sentence if retry is None else f"{sentence} [retry {retry} s]"


def closing(code: int | None, reason: str) -> Closing:
    """Read how a connection ended; our own sentence is shown, never the relay's text.

    `code` is None, 1000, 1001, 1005 or 1006 when the relay or the network simply went away.
    """
    try:
        known = Code(code) if code is not None else None
    except ValueError:
        known = None
    if known is None:
        return Closing(None, "The connection to the relay was lost.", Again.SEAT)
    again, sentence = _CLOSES[known]
    found = _RETRY.search(reason)
    return Closing(known, sentence, again, int(found[1]) if found else None)
