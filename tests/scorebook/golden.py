"""Whole games in words, kept word for word; `python -m tests.scorebook.golden` writes them again.

Whoever changes a word reads the difference before it is committed.
"""

from __future__ import annotations

from pathlib import Path

from p2pball.engine.terms import Rules, Seat, Terms
from p2pball.scorebook.boxscore import box_score
from p2pball.scorebook.boxtext import box_lines
from p2pball.scorebook.words import tell
from tests.scorebook.games import random_game

FOLDER = Path(__file__).parent / "golden"
GAMES = {"dice": Terms(Rules.DICE, 2, 0), "cards": Terms(Rules.CARDS, 1, 0)}


def told(name: str) -> str:
    """One game as the host hears it, then its box."""
    game = random_game(GAMES[name], f"golden {name}")
    lines = [text for moment in game.moments if (text := tell(moment, Seat.HOST))]
    return "\n".join([*lines, "", *box_lines(box_score(game))]) + "\n"


def main() -> None:
    """Write every game again."""
    FOLDER.mkdir(exist_ok=True)
    for name in GAMES:
        (FOLDER / f"{name}.txt").write_text(told(name), encoding="utf-8")


if __name__ == "__main__":
    main()
