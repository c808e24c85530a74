"""Judge a record by replaying it: a pure function of its bytes (fair-play 7)."""

from __future__ import annotations

import io
from dataclasses import field
from enum import Enum
from typing import Any

from p2pball.engine.terms import Seat
from p2pball.frozen import frozen
from p2pball.game import Game
from p2pball.protocol.books import Cheat, CheatKind
from p2pball.protocol.messages import Malformed, Message, OutOfPlace, parse_frame


class Verdict(Enum):
    """What a record proves; `exit_code` is that of the command."""

    COMPLETE = "COMPLETE"
    SUSPENDED = "SUSPENDED"
    CHEAT = "CHEAT"
    MALFORMED = "MALFORMED"

    @property
    def exit_code(self) -> int:
        """0, 3, 4 or 5."""
        return {"COMPLETE": 0, "SUSPENDED": 3, "CHEAT": 4, "MALFORMED": 5}[self.value]


@frozen
class Report:
    """A verdict and what it rests on; `lines` are 1-based line numbers of the record.

    `game` is the replayed game up to the deciding line, `why` a sentence for MALFORMED and CHEAT.
    """

    verdict: Verdict
    game: Game = field(compare=False)
    why: str = ""
    lines: tuple[int, ...] = ()
    seat: Seat | None = None
    kind: CheatKind | None = None

    @property
    def owes(self) -> tuple[str, ...]:
        """The seats that a suspended game waits for."""
        return self.game.exchange.owed()

    def to_json(self) -> dict[str, Any]:
        """The object that `verify --json` prints."""
        data: dict[str, Any] = {"verdict": self.verdict.value}
        match self.verdict:
            case Verdict.COMPLETE:
                books = self.game.exchange
                data |= {"result": books.result(), "position": self.game.position}
                data |= {"chain": books.chain.hex(), "rounds": books.round}
            case Verdict.SUSPENDED:
                data |= {"position": self.game.position, "owes": list(self.owes)}
            case Verdict.CHEAT if self.seat and self.kind:
                data |= {"seat": self.seat.value, "cheat": self.kind.value}
            case _:
                pass
        return data


def split(record: bytes) -> tuple[list[bytes], bytes]:
    """The whole lines of a record, and what stands after the last newline."""
    *lines, rest = record.split(b"\n")
    return lines, rest


def _message(line: bytes) -> Message:
    frame = parse_frame(line)
    if not isinstance(frame, Message):
        raise Malformed("a line that is no signed message")
    return frame


def torn(rest: bytes) -> bool:
    """Whether a last line without its newline is not a whole message, so a torn write (fair-play 7)."""
    try:
        _message(rest)
    except OutOfPlace:
        return False  # whole, and wrong
    except Malformed:
        return True
    return False


def verify(record: bytes) -> Report:
    """The verdict on a record. Never raises; the first line that fails decides, what follows is not read."""
    game = Game()
    where: dict[str, int] = {}
    number = 0
    for line in io.BytesIO(record):  # one after the other: a hostile record may have millions
        if not line.endswith(b"\n") and torn(line):
            break
        number += 1
        try:
            message = _message(line.removesuffix(b"\n"))
            where.setdefault(message.payload, number)
            game.accept(message)
        except Malformed as error:
            return Report(Verdict.MALFORMED, game, f"line {number}: {error}", (number,))
        except Cheat as cheat:
            proof = tuple(sorted({where[m.payload] for m in cheat.proof} | {number}))
            return Report(Verdict.CHEAT, game, cheat.detail, proof, Seat(cheat.seat), cheat.kind)
    if not game.begun:
        return Report(Verdict.MALFORMED, game, "a record begins with both hellos", (number + 1,))
    complete = game.exchange.complete
    return Report(Verdict.COMPLETE if complete else Verdict.SUSPENDED, game)
