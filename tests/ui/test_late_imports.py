"""Fact 4: what front end it is to be is decided before Textual is imported, and only the full screen imports it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from p2pball.cli.run import Mode, mode
from tests.terminal import environment
from tests.ui.screen import Screen

REPORT = (
    "import atexit, sys;"
    "atexit.register(lambda: print('TEXTUAL', 'textual' in sys.modules, file=sys.__stdout__));"
    "from p2pball.cli import main; main()"
)
PLAYED = ["play", "--rules", "dice", "--innings", "1", "--auto", "rookie", "--seed", "1", "--pace", "0"]


@pytest.mark.parametrize("arguments", [["--plain"], ["--json"], []])
def test_no_textual_without_a_full_screen(arguments: list[str], tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", REPORT, *PLAYED, *arguments],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        env=environment(tmp_path),
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1] == "TEXTUAL False"


def test_a_dumb_terminal_is_noticed_before(tmp_path: Path) -> None:
    with Screen(tmp_path, PLAYED, command=(sys.executable, "-c", REPORT), TERM="dumb") as screen:
        assert screen.wait(60) == 0
        assert "TEXTUAL False" in screen.said


def test_a_terminal_gets_the_full_screen(tmp_path: Path) -> None:
    with Screen(tmp_path, PLAYED, command=(sys.executable, "-c", REPORT)) as screen:
        screen.shows("[Q]uit", 60)
        screen.shows("wins", 60)
        screen.type("q")
        assert screen.wait(60) == 0
        assert "TEXTUAL True" in screen.said


def test_play_alone_asks_how(tmp_path: Path) -> None:
    with Screen(tmp_path, ["play"], P2PBALL_NAME="Ann") as screen:
        screen.shows("A game on this machine", 60)
        screen.type("\x1b")
        screen.shows("[H] host", 60)
        screen.type("q")
        assert screen.wait(60) == 0


@pytest.mark.parametrize("missing", ["stdin", "stdout", "stderr"])
def test_a_stream_that_is_no_terminal_means_plain_lines(missing: str, monkeypatch: pytest.MonkeyPatch) -> None:
    class Tty:
        def __init__(self, tty: bool) -> None:
            self.isatty = lambda: tty

    monkeypatch.setenv("TERM", "xterm")
    for name in ("stdin", "stdout", "stderr"):
        monkeypatch.setattr(sys, name, Tty(True))
    assert mode(plain=False, as_json=False) is Mode.FULL
    assert mode(plain=True, as_json=False) is Mode.PLAIN
    assert mode(plain=False, as_json=True) is Mode.JSON
    monkeypatch.setattr(sys, missing, Tty(False))
    assert mode(plain=False, as_json=False) is Mode.PLAIN
