"""How two players meet through anyone: code words, keys, sealing, introductions; pure, entropy passed in."""

from p2pball.protocol.meeting.codes import Code, completions, draw, draw_nameplate, parse
from p2pball.protocol.meeting.errors import BadCode, BadLine, MeetingError, Tampered, WrongCode
from p2pball.protocol.meeting.keys import Entropy, Role, RoomKeys, resume_nameplate
from p2pball.protocol.meeting.machine import Meeting, Phase

__all__ = [
    "BadCode",
    "BadLine",
    "Code",
    "Entropy",
    "Meeting",
    "MeetingError",
    "Phase",
    "Role",
    "RoomKeys",
    "Tampered",
    "WrongCode",
    "completions",
    "draw",
    "draw_nameplate",
    "parse",
    "resume_nameplate",
]
