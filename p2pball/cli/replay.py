"""`p2pball replay`: watch a recorded game again, step by step or at speed."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

import click

from p2pball.cli.options import look_options
from p2pball.cli.run import Mode, mode, watch_full
from p2pball.cli.show import begun
from p2pball.engine.events import GameEnded
from p2pball.scorebook.phrases import situation
from p2pball.ui.archive import Found, find
from p2pball.ui.record import result_words
from p2pball.ui.replay import Replay, Step

_START = "Before the first pitch."
_FASTEST, _SLOWEST = 0.05, 30.0
_HELP = """\
Enter  the next step            h  on to the next half
b      one step back            s  on to the next run
p      play on by itself        +  faster, - slower
w      where we are             q  quit"""


@click.command()
@click.argument("game")
@click.option("--pace", type=click.FloatRange(0, _SLOWEST), help="Seconds between steps when it plays by itself.")
@click.option("--no-spoilers", is_flag=True, help="Say nothing that is still to come: no result, no number of steps.")
@click.option("--plain", is_flag=True, help="Lines of text instead of the full screen.")
@look_options
def replay(game: str, pace: float | None, no_spoilers: bool, plain: bool) -> None:
    """Watch a GAME again (its id, the beginning or end of it, or a record file).

    Commands are read from standard input, one a line; when it ends, the rest is played at once.
    """
    found = find(game)
    if mode(plain=plain, as_json=False) is Mode.FULL:
        begun(found)  # nothing to watch is said below, not on a screen
        watch_full(found, pace=1.0 if pace is None else pace, spoilers=not no_spoilers)
        return
    terminal = sys.stdin.isatty() and sys.stdout.isatty()
    wait = pace if pace is not None else 1.0 if terminal else 0.0
    Reel(found, Replay(begun(found)), pace=wait, asks=terminal, spoilers=not no_spoilers).run()


class Reel:
    """A replay in lines of text; `pace` are seconds between steps that play by themselves, `asks` prints prompts."""

    def __init__(self, found: Found, replay: Replay, *, pace: float, asks: bool, spoilers: bool) -> None:
        self._found, self._replay = found, replay
        self._pace, self._asks, self._spoilers = pace, asks, spoilers

    def run(self) -> None:
        """Show the game until its end or `q`."""
        if self._spoilers:
            print(result_words(self._found.record))
        while (line := self._command()) not in ("q", "quit"):
            if line is None:
                self._play_on()
                return
            try:
                self._do(line)
            except KeyboardInterrupt:
                if not self._asks:
                    raise
                click.echo("", err=True)

    def _command(self) -> str | None:
        """The next command; None when the input has ended."""
        if self._asks:
            print(
                f"{self._place()}Enter next, b back, h half, s score, p play on, ? help, q quit > ", end="", flush=True
            )
        line = sys.stdin.readline()
        return line.strip().lower() if line else None

    def _place(self) -> str:
        return f"[{self._replay.at} of {len(self._replay.steps)}] " if self._spoilers else ""

    def _do(self, line: str) -> None:
        replay = self._replay
        match line:
            case "" | "n" | "next":
                self._show(replay.forward)
            case "b" | "back":
                self._show(replay.back, forward=False)
            case "h" | "half":
                self._show(replay.next_half)
            case "s" | "score":
                self._show(replay.next_score)
            case "p" | "play":
                self._play_on()
            case "+":
                self._pace = max(self._pace / 2, _FASTEST)
                print(f"{self._pace:g} seconds between steps.")
            case "-":
                self._pace = min(max(self._pace, _FASTEST) * 2, _SLOWEST)
                print(f"{self._pace:g} seconds between steps.")
            case "w" | "where":
                print(self._where())
            case _:
                print(_HELP)

    def _show(self, move: Callable[[], Step | None], *, forward: bool = True) -> None:
        """Move, and tell the step arrived at; where we are comes first unless it follows on what was told last."""
        if forward and self._replay.ended:
            print(f"That was all. {result_words(self._found.record)} b goes back, q quits.")
            return
        before = self._replay.at
        step = move()
        if step is None:
            print(_START)
            return
        if self._replay.at != before + 1:
            first = step.moments[0]
            print(situation(first.before, first.lineup))
        for line in step.lines:
            print(line)

    def _where(self) -> str:
        moment = self._replay.moment
        return situation(moment.after, moment.lineup) if moment else _START

    def _play_on(self) -> None:
        while not self._replay.ended:
            self._show(self._replay.forward)
            if self._pace:
                sys.stdout.flush()
                time.sleep(self._pace)
        if not isinstance(self._replay.game.moments[-1].event, GameEnded):
            print(result_words(self._found.record))  # resigned, or not finished yet
