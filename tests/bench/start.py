"""Bench `start`: from a command to what it shows first, against the least a program of its kind can do."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path

from tests.bench import Figure, compare
from tests.terminal import COMMAND, Terminal, environment

ROUNDS = 15
HELLO = """
from textual.app import App
from textual.widgets import Static
class Hello(App):
    def compose(self):
        yield Static("hello, world")
Hello().run()
"""
FIRST_FRAME = "Your pitch?"
"""The question at the bottom of the first frame: all above it is drawn, and the player can play."""
PYTHON = (sys.executable, "-c")


@cache
def bytecode() -> tempfile.TemporaryDirectory[str]:
    """Where this run's programs keep what Python has compiled of them, gone when the run ends."""
    return tempfile.TemporaryDirectory()


def installed(home: Path, **more: str) -> dict[str, str]:
    """The environment of a player whose packages are compiled, as an installer leaves them, whatever is set here."""
    env = environment(home, PYTHONPYCACHEPREFIX=bytecode().name, **more)
    env.pop("PYTHONDONTWRITEBYTECODE", None)
    return env


def seconds_to_end(*command: str) -> float:
    """A program that ends by itself."""
    with tempfile.TemporaryDirectory() as home:
        started = time.perf_counter()
        subprocess.run(command, check=True, capture_output=True, env=installed(Path(home)))
        return time.perf_counter() - started


def seconds_to(text: str, arguments: tuple[str, ...], command: tuple[str, ...] = COMMAND) -> float:
    """A program in a terminal, until it shows a text; then it is ended."""
    with tempfile.TemporaryDirectory() as home:
        env = installed(Path(home), TERM="xterm-256color")
        started = time.perf_counter()
        with Terminal(arguments, env, command=command) as terminal:
            terminal.expect(text, seconds=60)
            return time.perf_counter() - started


def run() -> list[Figure]:
    """Version, plain and full screen, each against its reference."""
    click = partial(seconds_to_end, *PYTHON, "import click")
    hello = partial(seconds_to, "hello, world", (), (*PYTHON, HELLO))
    plain = ("play", "--plain", "--rules", "dice", "--name", "A")
    full = ("play", "--rules", "dice", "--name", "A")
    sides: list[tuple[str, Callable[[], float], Callable[[], float], float]] = [
        ("p2pball --version / import click", partial(seconds_to_end, *COMMAND, "--version"), click, 1.5),
        ("play --plain to the prompt / import click", partial(seconds_to, "? help >", plain), click, 3.0),
        ("full screen to the first frame / hello world", partial(seconds_to, FIRST_FRAME, full), hello, 1.5),
    ]
    figures = []
    for name, ours, theirs, bar in sides:
        measured = compare(ours, theirs, ROUNDS)
        figures.append(Figure(name, measured.ratio, "x", at_most=bar, detail=measured.detail))
    return figures
