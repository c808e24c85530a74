"""A record as people look at it: the verdict, who sat where, and the game in the scorebook's words."""

from __future__ import annotations

from dataclasses import replace

from p2pball.engine.moves import Result
from p2pball.engine.terms import Seat, Side, Terms
from p2pball.frozen import frozen
from p2pball.protocol.chat import clean
from p2pball.scorebook.game import Game
from p2pball.ui.book import Book
from p2pball.verify import Report, Verdict, verify


@frozen
class Record:
    """A record that has been replayed; `book` is None until round 0 has settled who is at home."""

    report: Report
    book: Game | None
    unbegun: bool = False
    """Whether all is well so far and only the hellos are not both in: no record yet, and no bad one."""

    @classmethod
    def of(cls, data: bytes) -> Record:
        """What these bytes hold. Never raises: the verdict tells what is wrong with them."""
        report = verify(data)
        if report.game.begun:
            record = cls(report, Book(report.game).game)
            if record.book and record.resigned and report.verdict is Verdict.COMPLETE:
                return replace(record, book=record.book.call("by resignation"))
            return record
        return cls(report, None, unbegun=data.count(b"\n") == len(report.game.exchange.lines))

    @property
    def begun(self) -> bool:
        """Whether both hellos are in, so that there are players to name."""
        return self.report.game.begun

    @property
    def terms(self) -> Terms:
        """What was played for; the defaults while `begun` is false."""
        return self.report.game.state.terms

    @property
    def result(self) -> Result | None:
        """The result that the record proves; None unless it is COMPLETE."""
        return self.report.game.result() if self.report.verdict is Verdict.COMPLETE else None

    @property
    def resigned(self) -> tuple[Seat, ...]:
        """Who gave the game up before it was over."""
        if self.report.game.over:
            return ()
        return tuple(seat for seat in Seat if self.report.game.exchange.sides[seat.value].resign)

    def name(self, seat: Seat) -> str:
        """A player's name, harmless on a screen; only when `begun`."""
        return clean(self.report.game.hello(seat)["name"]) or "?"

    def key(self, seat: Seat) -> str:
        """A seat's public key in hex; only when `begun`."""
        key = self.report.game.hello(seat)["key"]
        assert isinstance(key, str)
        return key

    def side(self, seat: Seat) -> Side | None:
        """The side of a seat; None before round 0 is complete."""
        return self.book.state.side(seat) if self.book else None

    def titled(self, seat: Seat) -> str:
        """A seat in words: `the host (Vera)`."""
        return f"the {seat.value} ({self.name(seat)})" if self.begun else f"the {seat.value}"


def result_words(record: Record) -> str:
    """How a game stands in a sentence, with the players' names: who won, who owes, who cheated."""
    report = record.report
    match report.verdict:
        case Verdict.MALFORMED:
            return "This is not the record of a game."
        case Verdict.CHEAT:
            assert report.seat is not None
            assert report.kind is not None
            return f"{_capital(record.titled(report.seat))} cheated: {report.kind.value}."
        case Verdict.SUSPENDED:
            owing = " and ".join(record.titled(Seat(seat)) for seat in report.owes)
            return f"The game is not finished. The next message is due from {owing}."
        case Verdict.COMPLETE:
            return _complete(record)


def _complete(record: Record) -> str:
    result = record.result
    assert result is not None
    gave_up = record.resigned
    if result.winner is None:
        said = f"A draw, {result.visitors}-{result.home}."
        return f"{said} Both players resigned." if gave_up else said
    high, low = result.visitors, result.home
    if record.side(result.winner) is Side.HOME:
        high, low = low, high
    said = f"{_capital(record.titled(result.winner))} won {high}-{low}."
    if gave_up:
        said = f"{_capital(record.titled(result.winner))} won at {high}-{low}: {record.titled(gave_up[0])} resigned."
    return said


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
