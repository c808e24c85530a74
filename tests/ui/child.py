"""`python -m tests.ui.child crash|hostile ARGUMENTS`: the program, with a bug on B, or with a rude player far away."""

from __future__ import annotations

import sys
from collections import deque
from typing import Any

from p2pball.protocol.encoding import canonical
from p2pball.scorebook.teams import Team

RUDE = (
    "\x1b]0;PWNED\x07\x1b[31mred\x1b[0m",
    "\x1b[2J\x1b[Hgone",
    "[b]bold[/b] [@click=app.quit]click[/] [link=http://example.org]x[/link]",
    "\u202eright to left\u2066",
    "\x9b31mC1\x9d0;PWNED\x9c",
    "Z\u0301\u0302\u0303\u0304\u0305\u0306algo " * 20,
    "漢字" * 100,
    "tab\there\nand\rthere\x00\x07",
)
RUDE_NOW = deque(RUDE)
NAMES = Team(
    "EVIL",
    "[red]Rude[/red] \u0627\u0644\u0639",
    ("[b]", "[/b]", "[@click=x]", "e\u0301" * 12, "漢" * 24, "\u0627" * 24, "$(reboot)", "%s%n", "[/] {x}"),
    "W" * 24,
)


def crash() -> None:
    """B divides by nought."""
    from p2pball.ui.tui.keymap import Act
    from p2pball.ui.tui.screens.game import GameScreen

    act = GameScreen.act

    def buggy(self: GameScreen, key: Any) -> None:
        if key.does is Act.BOX:
            raise ZeroDivisionError("a bug")
        act(self, key)

    GameScreen.act = buggy  # type: ignore[method-assign]


def hostile() -> None:
    """The far seat says rude things, uncleaned, and has rude names."""
    from p2pball.ui import solo
    from p2pball.ui.seats import Computer

    show = Computer.show

    def rude(self: Computer, transitions: Any) -> None:
        show(self, transitions)
        session: Any = self._session  # type: ignore[attr-defined]
        session._outbox.add(canonical({"chat": RUDE_NOW[0]}).encode())
        RUDE_NOW.rotate()
        session._nudge.set()

    def seated(self: Computer, ballgame: Any, controls: Any) -> None:
        self._ballgame, self._session = ballgame, controls  # type: ignore[attr-defined]

    Computer.show, Computer.seated = rude, seated  # type: ignore[method-assign]
    solo.default_team = lambda *, first: NAMES  # type: ignore[attr-defined]


if __name__ == "__main__":
    {"crash": crash, "hostile": hostile}[sys.argv.pop(1)]()
    from p2pball.cli import main

    main()
