"""The JSON front end: one object a line out, choices in; for scripts, bots and tests."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Awaitable, Callable
from enum import Enum, IntEnum
from pathlib import Path
from typing import Any

from p2pball.ballgame import Ballgame
from p2pball.engine.cards import NAMES
from p2pball.engine.ledger import Transition
from p2pball.engine.moves import PASS, Choice, IllegalMove, choice_from_json, choice_to_json
from p2pball.engine.position import position
from p2pball.engine.view import View
from p2pball.protocol.messages import Message
from p2pball.scorebook.game import Moment
from p2pball.scorebook.words import tell
from p2pball.session import Controls, Ended
from p2pball.ui.book import Book

MAX_LINE = 64 * 1024


class Json:
    """One seat by JSON lines: `write` takes a line without its newline, `line` gives one, None at the end."""

    def __init__(self, write: Callable[[str], None], line: Callable[[], Awaitable[str | None]]) -> None:
        self._write, self._line = write, line
        self._ballgame: Ballgame | None = None
        self._controls: Controls | None = None
        self._book: Book | None = None

    def send(self, kind: str, **fields: Any) -> None:
        """Write one object."""
        self._write(json.dumps({"t": kind, **fields}, ensure_ascii=True, separators=(",", ":")))

    def room(self, code: str, relay: str, join: str) -> None:
        """The room is open."""
        self.send("room", code=code, relay=relay, join=join)

    def hand_over(self, line: str) -> None:
        """A line for the other player."""
        self.send("send", line=line)

    async def pasted(self) -> str | None:
        """The other player's line, as it came."""
        self.send("paste")
        return await self._line()

    async def accepts(self, hello: Message) -> bool:
        """A program that joins has agreed to what its owner was told; it is shown the terms."""
        self.send("terms", name=hello.body["name"], key=hello.body["key"], terms=hello.body["terms"])
        return True

    def seated(self, ballgame: Ballgame, controls: Controls) -> None:
        """A game begins or goes on."""
        self._ballgame, self._controls, self._book = ballgame, controls, Book(ballgame.game)

    async def choose(self, view: View, moves: tuple[Choice, ...], seconds: float | None) -> Choice:
        """Write the state with its legal choices, and read until one of them is echoed back."""
        if moves == (PASS,):
            return PASS  # a roll is no choice; only a person takes time over it
        self.send("state", **state_fields(view, moves))
        assert self._controls
        while (line := await self._line()) is not None:
            try:
                choice = choice_from_json(json.loads(line))
                if choice in moves:
                    return choice
                why = "that is not one of the legal choices"
            except (ValueError, RecursionError, IllegalMove) as error:
                why = f"that line is no choice: {error}"
            self.send("error", text=f"{why}; echo back one object of legal", legal=_legal(moves))
        self._controls.leave()
        return moves[0]  # never made: leaving comes first

    def show(self, transitions: tuple[Transition, ...]) -> None:
        """Every play, in words and in codes, and every fact that leads to it."""
        from p2pball.scorebook.feedplays import play_line

        assert self._book
        for transition in transitions:
            for moment in self._book.add(transition.events):
                if line := play_line(moment):
                    self.send(line.pop("t"), **line)
                elif words := tell(moment):
                    self.send("fact", **_fact(moment), text=words)

    def chat(self, text: str) -> None:
        """The other player's words."""
        self.send("chat", text=text)

    def link(self, way: str, rtt: float | None, silent: float) -> None:
        """Only silence is told."""
        if silent:
            self.send("link", way=way, silent=round(silent))

    def notice(self, text: str) -> None:
        """A sentence about the connection or the clock."""
        self.send("notice", text=text)

    def meeting(self, again: Callable[[], object]) -> None:
        """The notices tell; trying again goes by itself."""

    def over(self, ended: Ended, record: Path, why: str) -> None:
        """The last line."""
        result = self._ballgame.result if self._ballgame else None
        stated = result.to_json() if result else None
        self.send("over", result=stated, file=str(record), ended=ended.value, **({"why": why} if why else {}))

    async def again(self) -> bool:
        """`over` is the last line."""
        return False


def state_fields(view: View, moves: tuple[Choice, ...]) -> dict[str, Any]:
    """What a program is told when a choice is due from its seat."""
    runs = view.state.runs
    return {
        "position": str(position(view.state)),
        "seat": view.seat.value,
        "side": view.side.name.lower(),
        "score": {"visitors": runs[0], "home": runs[1]},
        "hand": [NAMES[card] for card in view.hand],
        "legal": _legal(moves),
    }


def _legal(moves: tuple[Choice, ...]) -> list[dict[str, Any]]:
    return [choice_to_json(choice) for choice in moves]


def _fact(moment: Moment) -> dict[str, Any]:
    """A fact that is no play: its name, and the numbers and cards it consists of."""
    values = {field.name: getattr(moment.event, field.name) for field in dataclasses.fields(moment.event)}
    return {"fact": type(moment.event).__name__, **{name: _plain(name, value) for name, value in values.items()}}


def _plain(name: str, value: Any) -> Any:
    """A field of an event as JSON; cards by their names (C3)."""
    if name.endswith("_card") or (name in ("character", "pitcher") and value is not None):
        return NAMES[value] if value < len(NAMES) else "joker"
    if isinstance(value, IntEnum):
        return value.name.lower()
    return value.value if isinstance(value, Enum) else value
