"""A cut game taken up again: one seat of it as its folder has it, or why it does not go on."""

from __future__ import annotations

from p2pball.ballgame import Ballgame, NotBegun, Secrets
from p2pball.clubhouse.errors import Damaged
from p2pball.clubhouse.games import GameFolder
from p2pball.engine.terms import Seat
from p2pball.errors import P2PBallError
from p2pball.protocol.messages import Malformed, Message, parse_frame


class BadRecord(P2PBallError):
    """The record of this game is damaged."""


class CheatProven(P2PBallError):
    """The record of this game ends in proof of a cheat."""

    exit_code = 4


def take_up(folder: GameFolder, seat: Seat, secrets: Secrets) -> Ballgame:
    """The game of this seat, nothing signed yet.

    Raises Damaged, BadRecord, NotBegun, CheatProven (exit code 4) or LostSecret.
    """
    if (folder.resume_secret if folder.info.kind == "online" else folder.rival) is None:
        raise Damaged(f"{folder.path} lacks a secret of its game. Put the folder back whole, from a backup.")
    try:
        ballgame = Ballgame.load(seat, secrets, [_message(line) for line in folder.journal.lines])
    except Malformed as error:
        raise BadRecord(f"The record {folder.record} is damaged: {error}. Put it back from a backup.") from None
    if ballgame.stopped:
        raise CheatProven(
            f"This game has ended: {ballgame.stopped}. "
            f"What its record proves, and by which lines: p2pball verify {folder.record}"
        )
    if not ballgame.game.begun:
        if folder.info.kind == "online" and folder.info.opponent_key:  # noted down once both hellos were in
            raise BadRecord(f"The record {folder.record} has lost what was played. Put it back from a backup.")
        raise NotBegun
    return ballgame


def _message(line: bytes) -> Message:
    message = parse_frame(line)
    if not isinstance(message, Message):
        raise Malformed("a line that is no message")
    return message
