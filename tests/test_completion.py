"""Tab completes in bash, zsh and fish, set up by the very lines that docs/playing.md gives."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests import needs
from tests.harness import ROOT
from tests.terminal import Terminal, environment

START = {
    "bash": ("--norc", "--noprofile", "-i"),
    "zsh": ("-f", "-i"),
    "fish": ("--no-config", "-i"),
}
BEFORE = {"bash": "", "zsh": "autoload -Uz compinit; compinit -u -D;", "fish": ""}
PAGE = (ROOT / "docs" / "playing.md").read_text(encoding="utf-8")
LINES = {
    shell: line.replace("\\|", "|")
    for shell, line in re.findall(r"^\| (bash|zsh|fish) \|.*\| `([^`]+)` \|$", PAGE, re.MULTILINE)
}
OWNS = "import fcntl, os, sys, termios; fcntl.ioctl(0, termios.TIOCSCTTY, 0); os.execv(sys.argv[1], sys.argv[1:])"
"""A shell with job control wants its terminal to be the one that controls it."""
PATIENCE = 120


def test_the_page_has_a_line_for_every_shell() -> None:
    assert LINES.keys() == START.keys()


@pytest.fixture(params=START)
def shell(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Terminal]:
    """A shell that waits for a command, completion set up."""
    name = request.param
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    home = {"HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path), "XDG_DATA_HOME": str(tmp_path), "HISTFILE": ""}
    env = environment(tmp_path / "p2pball", PATH=path, **home)
    command = (sys.executable, "-c", OWNS, needs.program(name))
    with Terminal(START[name], env, size=(24, 200), command=command) as terminal:
        # What is typed is echoed: the word that is waited for must stand in the answer alone.
        terminal.type(f"{BEFORE[name]} {LINES[name]}; echo re''ady\n")
        terminal.expect("ready", seconds=PATIENCE)
        yield terminal


@pytest.mark.parametrize(
    ("typed", "answer"),
    [
        ("p2pball ver\t--help\n", "p2pball verify [OPTIONS] FILE"),
        ("p2pball play --rules car\t--level all\t--innings 9 --help\n", "p2pball play [OPTIONS]"),
        ("p2pball join 4821-zoo-zeb\t\n", "`p2pball join 4821-zoo-zebra@"),
    ],
    ids=["commands", "values", "words"],
)
def test_tab_completes(shell: Terminal, typed: str, answer: str) -> None:
    for part in re.split(r"(?<=\t)", typed):
        shell.type(part)
    shell.expect(answer, seconds=PATIENCE)
