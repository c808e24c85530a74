"""What a command loads before it is of use, in processes of their own: nothing that it does not need for that."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from p2pball.cli import COMMANDS
from tests.terminal import Terminal, environment

RECORDS = Path(__file__).parent / "records"
REPORT = """
import atexit, json, os, signal, sys
from pathlib import Path
def report(*_):
    kept = Path(os.environ["LOADED"])
    kept.with_suffix(".new").write_text(json.dumps(sorted(sys.modules)))
    kept.with_suffix(".new").rename(kept)
atexit.register(report)
signal.signal(signal.SIGUSR1, report)
from p2pball.cli import main
main()
"""
"""The program as it is, which tells its modules when it ends, and before when it is asked by a signal."""
COMMAND = (sys.executable, "-c", REPORT)

ONLINE = {
    "aiortc",
    "aioice",
    "av",
    "websockets",
    "spake2",
    "mnemonic",
    "signaling",
    "p2pball.net.webrtc",
    "p2pball.net.relay",
}
BOOKS = {
    "sqlite3",
    "p2pball.clubhouse.history",
    "p2pball.scorebook.html",
    "p2pball.scorebook.svg",
    "p2pball.scorebook.feed",
    "p2pball.scorebook.retrosheet",
    "p2pball.ui.archive",
}
HEAVY = {"numpy", "multiprocessing", "difflib", "tomllib", "unittest", "fractions", "p2pball.ui.simulation"}
FULL_SCREEN = {"textual", "rich"}
TABLES = {"p2pball.computer.cards_play", "p2pball.computer.cards_table", "p2pball.computer.dice_table"}
"""What the computer and the win chance know by heart."""
GAME = {"asyncio", "ssl", "cryptography", "hashlib", "p2pball.engine", "p2pball.protocol", "p2pball.ui"}
"""What any game needs, and a command about the program itself does not."""


def program(home: Path, *arguments: str) -> set[str]:
    """What the program has loaded when it has ended, of a run without a terminal."""
    env = environment(home, LOADED=str(home / "loaded"))
    done = subprocess.run(
        [*COMMAND, *arguments],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        env=env,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return loaded(home)


def program_until(text: str, home: Path, *arguments: str) -> set[str]:
    """What the program has loaded when it shows a text on a terminal."""
    env = environment(home, LOADED=str(home / "loaded"), TERM="xterm-256color", P2PBALL_NAME="A")
    with Terminal(arguments, env, command=COMMAND) as terminal:
        terminal.expect(text, seconds=120)
        terminal.process.send_signal(signal.SIGUSR1)
        until = time.monotonic() + 120
        while not (home / "loaded").exists():
            assert time.monotonic() < until, terminal.said[-1500:]
            assert terminal.pump(0.05), terminal.said[-1500:]
        return loaded(home)


def loaded(home: Path) -> set[str]:
    return set(json.loads((home / "loaded").read_text()))


@pytest.mark.parametrize("arguments", [("--help",), ("--version",)])
def test_the_program_about_itself_loads_no_command(arguments: tuple[str, ...], tmp_path: Path) -> None:
    new = program(tmp_path, *arguments)
    assert "p2pball.cli" in new
    assert not new & (ONLINE | BOOKS | HEAVY | FULL_SCREEN | TABLES | GAME)
    assert not new & {f"p2pball.cli.{module}" for module, _ in COMMANDS.values()}


def test_completing_the_name_of_a_command_loads_no_command(tmp_path: Path) -> None:
    env = environment(tmp_path, LOADED=str(tmp_path / "loaded"))
    asked = {"_P2PBALL_COMPLETE": "bash_complete", "COMP_WORDS": "p2pball s", "COMP_CWORD": "1"}
    done = subprocess.run(
        COMMAND, stdin=subprocess.DEVNULL, capture_output=True, text=True, env=env | asked, timeout=120, check=False
    )
    assert done.stdout.splitlines() == [f"plain,{name}" for name in COMMANDS if name.startswith("s")], done.stderr
    assert not loaded(tmp_path) & (ONLINE | BOOKS | HEAVY | FULL_SCREEN | TABLES | GAME)


@pytest.mark.parametrize("rules", ["dice", "cards"])
def test_a_plain_game_has_loaded_little_when_it_first_asks(rules: str, tmp_path: Path) -> None:
    new = program_until("? help >", tmp_path, "play", "--plain", "--rules", rules, "--name", "A")
    assert {"asyncio", "cryptography", "p2pball.ui.plain"} <= new
    # In cards the computer has chosen by now, and has its tables for that.
    computer = TABLES | {"fractions"}
    assert not new & (ONLINE | BOOKS | HEAVY | FULL_SCREEN | TABLES) - (computer if rules == "cards" else set())
    assert not new & {
        "shutil",
        "p2pball.ui.evening",
        "p2pball.ui.hotseat",
        "p2pball.ui.online",
        "p2pball.scorebook.boxscore",
    }


def test_a_full_screen_has_loaded_no_more_than_it_shows(tmp_path: Path) -> None:
    new = program_until("Your pitch?", tmp_path, "play", "--rules", "dice", "--name", "A")
    assert {"textual", "p2pball.ui.tui.screens.game"} <= new
    assert not new & (
        ONLINE | BOOKS | {"numpy", "multiprocessing", "p2pball.ui.simulation", "p2pball.engine.chart_odds"}
    )
    assert not new & {
        f"p2pball.ui.tui.screens.{name}" for name in ("dialogs", "final", "form", "lobby", "pick", "replay", "sheets")
    }


def test_a_record_is_judged_without_asyncio_or_a_screen(tmp_path: Path) -> None:
    new = program(tmp_path, "verify", str(RECORDS / "dice-draw.p2pball"))
    assert "p2pball.verify" in new
    assert not new & (ONLINE | BOOKS | HEAVY | FULL_SCREEN | TABLES | {"asyncio", "ssl"})


def test_the_title_has_loaded_no_more_than_it_shows(tmp_path: Path) -> None:
    new = program_until("until the next time", tmp_path)
    assert {"textual", "p2pball.ui.tui.screens.title"} <= new
    assert not new & (ONLINE | BOOKS | TABLES | {"numpy", "multiprocessing", "p2pball.ui.simulation"})
