"""`p2pball doctor`: with a real relay, without one, and with one that is not there."""

from __future__ import annotations

import subprocess
from pathlib import Path

from tests.e2e.relays import free_port, relay
from tests.terminal import COMMAND, Terminal, environment


def doctor(home: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*COMMAND, "doctor", *arguments],
        capture_output=True,
        text=True,
        timeout=90,
        env=environment(home),
        stdin=subprocess.DEVNULL,
        check=False,
    )


def test_all_is_well_at_a_relay(tmp_path: Path) -> None:
    port = free_port()
    with relay(port):
        done = doctor(tmp_path, "--relay", f"127.0.0.1:{port}")
    assert done.returncode == 0, done.stdout
    lines = {line[7:20].strip(): line for line in done.stdout.splitlines() if not line.startswith(" " * 8)}
    assert "introduces two seats" in lines["relay"]
    assert "Agrees" in lines["clock"]
    assert "MiB free" in lines["folders"]
    assert "plain" in lines["terminal"]


def test_a_relay_that_is_not_there_is_bad(tmp_path: Path) -> None:
    done = doctor(tmp_path, "--relay", f"127.0.0.1:{free_port()}")
    assert done.returncode == 1
    assert "BAD  relay" in done.stdout
    assert "-> " in done.stdout


def test_on_a_terminal_it_is_broken_between_words(tmp_path: Path) -> None:
    with Terminal(["doctor", "--relay", f"127.0.0.1:{free_port()}"], environment(tmp_path)) as terminal:
        assert terminal.wait(90) == 1
    _, _, told = terminal.said.partition("BAD  relay")
    assert "which needs none." in " ".join(told.split())
    assert max(map(len, told.splitlines())) <= 80


def test_without_a_relay_it_says_how_to_reach_beyond(tmp_path: Path) -> None:
    done = doctor(tmp_path)
    assert done.returncode == 0
    assert "--by-hand" in done.stdout


def test_folders_that_cannot_be_written(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("no folder")
    done = doctor(blocked)
    assert done.returncode == 1
    assert "BAD  folders" in done.stdout
    assert "Traceback" not in done.stderr


def test_the_terminal_is_looked_at(tmp_path: Path) -> None:
    for size, says in (((24, 80), "the full screen"), ((15, 50), "the narrow screen"), ((8, 30), "too small")):
        with Terminal(["doctor"], environment(tmp_path), size=size) as terminal:
            terminal.expect(says, seconds=60)
            terminal.wait(90)
