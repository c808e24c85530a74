"""The plain front end beside a real session: what goes wrong with a typed line is never lost."""

from __future__ import annotations

import asyncio
import io
import os
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from p2pball.clubhouse.errors import DiskError
from p2pball.engine.moves import Choice
from p2pball.engine.terms import Rules, Seat, Terms
from p2pball.engine.view import View
from p2pball.net.link import Link
from p2pball.net.memory import memory_pair
from p2pball.session import Ended, Session
from p2pball.ui.book import Book
from p2pball.ui.keyboard import Keyboard
from p2pball.ui.plain import Plain
from tests.duet import Duet
from tests.session.table import Lines, Table


class Full(Lines):
    """A journal that has no room for a resignation."""

    def append(self, frames: Sequence[bytes]) -> None:
        if any(b"resign" in frame for frame in frames):
            raise DiskError("The disk is full.")
        super().append(frames)


class Terminal(io.TextIOWrapper):
    """A pipe in which somebody types, whenever that is."""

    def isatty(self) -> bool:
        return True


class Reader(Plain):
    """One that says when a choice is due."""

    def __init__(self, *streams: Any) -> None:
        super().__init__(*streams)
        self.due = asyncio.Event()

    async def choose(self, view: View, moves: tuple[Choice, ...], seconds: float | None) -> Choice:
        self.due.set()
        return await super().choose(view, moves, seconds)


class Looking(Reader):
    """One whose choices somebody else makes, and takes a long time over."""

    async def choose(self, view: View, moves: tuple[Choice, ...], seconds: float | None) -> Choice:
        self.due.set()
        await asyncio.Event().wait()
        return moves[0]


@asynccontextmanager
async def seated(kind: type[Reader], typed: Terminal) -> AsyncIterator[tuple[Session, Reader, Link]]:
    """A host at a plain terminal, over a disk that is too small, while a guest plays on."""
    table, front = Table(), kind(Keyboard(typed), io.StringIO(), io.StringIO())
    game = table.duet.games[Seat.HOST]
    host = Session(game, Full(), front)
    front.seated(game, host)
    here, there = memory_pair()
    guest = asyncio.ensure_future(table.sessions[Seat.GUEST].run(there))
    try:
        async with asyncio.timeout(60):
            yield host, front, here
    finally:
        guest.cancel()
        await asyncio.gather(guest, return_exceptions=True)


@pytest.mark.parametrize("kind", [Reader, Looking])
async def test_a_disk_that_takes_no_resignation_ends_the_game_with_its_reason(
    kind: type[Reader], tmp_path: Path
) -> None:
    out, into = os.pipe()
    async with seated(kind, Terminal(os.fdopen(out, "rb"))) as (host, front, link):
        playing = asyncio.ensure_future(host.run(link))
        await front.due.wait()
        os.write(into, b"q\nr\n")
        assert await playing is Ended.LEFT
        with pytest.raises(DiskError, match="full"):
            front.over(Ended.LEFT, tmp_path / "game" / "record.p2pball", "")
    os.close(into)


async def test_words_of_the_rival_have_a_line_of_their_own_and_the_question_stays(tmp_path: Path) -> None:
    out, into = os.pipe()
    async with seated(Reader, Terminal(os.fdopen(out, "rb"))) as (host, front, link):
        playing = asyncio.ensure_future(host.run(link))
        await front.due.wait()
        await asyncio.sleep(0)
        question = front._out.getvalue().splitlines()[-1]  # type: ignore[attr-defined] # a StringIO
        assert question.endswith("? help > ")
        front.chat("well hit")
        *_, asked, words, again = front._out.getvalue().split("\n")  # type: ignore[attr-defined]
        assert (asked, again) == (question, question)
        assert words.endswith(" says: well hit")
        os.write(into, b"q\ns\n")
        assert await playing is Ended.LEFT
    os.close(into)


class Window(io.StringIO):
    """A stream that a terminal shows."""

    def isatty(self) -> bool:
        return True


def at_a_window() -> tuple[Plain, Window]:
    """A guest at a plain terminal; a game has begun, and the host's pitch is due."""
    duet, window = Duet(Terms(Rules.DICE, 1, home="host")), Window()
    while any(duet.deliver(seat) for seat in Seat):
        pass
    front = Plain(None, window, window)
    front._ballgame = duet.games[Seat.GUEST]
    front._book = Book(front._ballgame.game)
    return front, window


def test_a_rival_who_takes_long_is_named_once_a_wait() -> None:
    front, window = at_a_window()
    front.link("direct", 0.01, 0.0)
    assert window.getvalue() == "", "it is only a moment"
    for _ in range(10):
        front.link("direct", 0.01, 0.0)
    assert window.getvalue() == "Waiting for Host.\n"
    front.show(())
    for _ in range(10):
        front.link("direct", 0.01, 0.0)
    assert window.getvalue() == "Waiting for Host.\n", "nothing has happened since"


def test_sentences_are_broken_between_words_where_a_terminal_shows_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    front, window = at_a_window()
    assert front._ballgame
    front.tell(front._situation(front._ballgame.view.state))
    front.notice("The connection to the other player is gone.\nThe line: p2pball resume 20261130-qp98")
    lines = window.getvalue().splitlines()
    assert max(map(len, lines)) <= 40
    assert "\n".join(lines).replace("\n", " ").startswith("Top of the 1st. Kettle Point 0, Riverbend 0. Nobody out.")
    assert lines[-1].endswith("20261130-qp98")


async def test_what_ends_a_game_at_an_open_question_begins_a_line(tmp_path: Path) -> None:
    out, into = os.pipe()
    async with seated(Reader, Terminal(os.fdopen(out, "rb"))) as (host, front, link):
        playing = asyncio.ensure_future(host.run(link))
        await front.due.wait()
        await asyncio.sleep(0)
        playing.cancel()  # as at Ctrl-C
        await asyncio.gather(playing, return_exceptions=True)
        front.over(Ended.LEFT, tmp_path / "game" / "record.p2pball", "")
        *_, question, heading, _, _, saved, _, _ = front._out.getvalue().split("\n")  # type: ignore[attr-defined]
        assert question.endswith("? help > ")
        assert heading.endswith("R  H  E LOB")
        assert saved.startswith("The game is saved")
    os.close(into)
