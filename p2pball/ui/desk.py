"""The plain terminal before and after a game: lines are appended, questions are asked, answers are read."""

from __future__ import annotations

from collections.abc import Callable
from typing import TextIO

from p2pball.protocol.messages import Message
from p2pball.ui.keyboard import Keyboard
from p2pball.ui.lines import folded
from p2pball.ui.terms import acquaintance, terms_lines


class Desk:
    """What is said goes to `out`, talk beside it to `err`; without a keyboard nobody is asked anything."""

    def __init__(self, keyboard: Keyboard | None, out: TextIO, err: TextIO) -> None:
        self._keyboard, self._out, self._err = keyboard, out, err
        self._open = False
        """Whether a question's line waits for its answer."""

    def write(self, text: str, end: str = "\n") -> None:
        """Append text, spelled with what the stream can take."""
        encoding = self._out.encoding or "utf-8"
        self._append(self._out, text.encode(encoding, "replace").decode(encoding) + end)
        self._open = "\n" not in end

    def tell(self, text: str, end: str = "\n") -> None:
        """Append sentences, which a terminal would break anywhere."""
        self.write(folded(text, self._out), end)

    def notice(self, text: str) -> None:
        """A sentence about the connection or the clock."""
        self._append(self._err, "".join(folded(line, self._err) + "\n" for line in text.split("\n")))

    async def ask(self, question: str) -> str | None:
        """A question outside a game; None when the input has ended."""
        if self._keyboard is None:
            return None
        self.write(question, end=" ")
        line = await self._keyboard.line()
        self._open = False
        return line

    def room(self, code: str, relay: str, join: str) -> None:
        """The code, and the line that the other player types."""
        self.write(f"Your code is {code}\nThe other player types: {join}")

    def meeting(self, again: Callable[[], object]) -> None:
        """The notices tell; trying again goes by itself."""

    def hand_over(self, line: str) -> None:
        """A line for the other player."""
        self.write(f"\nSend this line to the other player:\n\n{line}\n")

    async def pasted(self) -> str | None:
        """The other player's line."""
        return await self.ask("Paste the other player's line here, then Enter >")

    async def accepts(self, hello: Message) -> bool:
        """Show the host and the terms, and ask."""
        for line in (*terms_lines(hello.body), acquaintance(hello.body)):
            self.tell(line)
        while (answer := await self.ask("Play? Enter for yes, n for no >")) is not None:
            if (word := answer.strip().lower()) in ("", "y", "yes"):
                return True
            if word in ("n", "no", "q", "quit"):
                return False
        return False

    async def again(self) -> bool:
        """Ask for a rematch."""
        answer = await self.ask("r for a rematch, Enter to finish >")
        return answer is not None and answer.strip().lower() in ("r", "rematch")

    def _append(self, stream: TextIO, text: str) -> None:
        """Write; a reader who has gone, be it a pipe or a closed window, has left."""
        try:
            stream.write(text)
            stream.flush()
        except (OSError, ValueError):
            self._gone()

    def _gone(self) -> None:
        """Nobody reads any more: there is nothing to leave outside a game."""
