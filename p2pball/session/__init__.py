"""The session: what moves one seat's game along, over links, disk, clock and a front end."""

from p2pball.session.front import Controls, Ended, Front, Journal
from p2pball.session.lobby import Declined, TermsRefused, WrongKey, answer, propose
from p2pball.session.pump import Session
from p2pball.session.series import Meet, close, play_out

__all__ = [
    "Controls",
    "Declined",
    "Ended",
    "Front",
    "Journal",
    "Meet",
    "Session",
    "TermsRefused",
    "WrongKey",
    "answer",
    "close",
    "play_out",
    "propose",
]
