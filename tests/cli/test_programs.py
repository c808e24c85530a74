"""A program in a seat at the end of its game: it is told, it is gone with all it started, and nobody complains."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.cli.running import run
from tests.terminal import COMMAND, environment
from tests.ui.screen import Screen

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there are no process groups here")

PLAYER = """
import json, os, signal, sys, time
{first}
with open({note!r}, "a") as note:
    note.write(str(os.getpid()) + "\\n")
for line in sys.stdin:
    told = json.loads(line)
    if told["t"] == "over":
        with open({note!r}, "a") as note:
            note.write("over\\n")
    if told["t"] == "state":
        {at_a_choice}
        print(json.dumps(told["legal"][0]), flush=True)
"""
CHILD = """
if not os.fork():
    {leaves}
    os.close(2)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    with open({note!r}, "a") as note:
        note.write(str(os.getpid()) + "\\n")
    time.sleep(20)
    os._exit(0)
"""


def program(tmp_path: Path, first: str = "", at_a_choice: str = "pass") -> tuple[str, Path]:
    """The command line of a player, and the file where it and its child leave their numbers."""
    note, path = tmp_path / "note", tmp_path / "bot.py"
    path.write_text(
        PLAYER.format(first=first.replace("{note!r}", repr(str(note))), at_a_choice=at_a_choice, note=str(note))
    )
    return f"{sys.executable} {path}", note


def alive(number: int) -> bool:
    """Whether a process runs; one that has ended and is not yet waited for does not."""
    stated = subprocess.run(
        ["ps", "-o", "stat=", "-p", str(number)], capture_output=True, text=True, check=False
    ).stdout
    return bool(stated.strip()) and not stated.startswith("Z")


@pytest.mark.parametrize("leaves", ["pass", "os.setsid()"])
@pytest.mark.parametrize("command", ["play", "simulate"])
def test_a_child_that_holds_the_pipe_holds_up_nobody(command: str, leaves: str, tmp_path: Path) -> None:
    engine, note = program(tmp_path, CHILD.replace("{leaves}", leaves))
    seat = (
        ("play", "--engine", engine, "--name", "A")
        if command == "play"
        else ("simulate", "--games", "1", "--home-engine", engine)
    )
    ran = run(*seat, "--rules", "cards", "--innings", "1", home=tmp_path, PYTHONDEVMODE="1")
    assert ran.code == 0
    assert ran.err.removeprefix("games\n") == ""
    numbers = [int(line) for line in note.read_text().split() if line != "over"]
    try:
        assert len(numbers) == 2
        # What leaves the session cannot be found again.
        assert [alive(number) for number in sorted(numbers)] == [False, leaves != "pass"]
    finally:
        for number in numbers:
            if alive(number):
                os.kill(number, signal.SIGKILL)


def test_a_program_that_crashed_is_no_stranger_to_the_loop(tmp_path: Path) -> None:
    engine, _ = program(tmp_path, at_a_choice="os.kill(os.getpid(), signal.SIGKILL)")
    ran = run("simulate", "--games", "8", "--rules", "cards", "--innings", "1", "--home-engine", engine, home=tmp_path)
    assert (ran.code, ran.err.removeprefix("games\n")) == (0, "")


def test_a_program_is_told_that_its_game_is_over(tmp_path: Path) -> None:
    engine, note = program(tmp_path)
    ran = run("play", "--rules", "cards", "--innings", "1", "--engine", engine, "--name", "A", home=tmp_path)
    assert ran.code == 0, ran.err
    assert note.read_text().split()[-1] == "over"


def test_ctrl_c_again_and_again_is_one_wish(tmp_path: Path) -> None:
    engine, note = program(tmp_path, at_a_choice="signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(20)")
    command = [*COMMAND, "play", "--rules", "cards", "--plain", "--engine", engine, "--name", "A"]
    with subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment(tmp_path)
    ) as player:
        assert player.stdout
        while b"bats with" not in player.stdout.readline():
            pass  # with the hand on the table the first choice is due
        time.sleep(0.5)
        for pause in (0.001, 0.1, 0.5):
            player.send_signal(signal.SIGINT)
            time.sleep(pause)
        _, err = player.communicate(timeout=30)
    assert (player.returncode, err.strip()) == (130, b"Interrupted.")
    assert not alive(int(note.read_text()))


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
@pytest.mark.parametrize("programs", [False, True])
def test_a_simulation_cut_short_ends_in_silence(programs: bool, number: signal.Signals, tmp_path: Path) -> None:
    """As at a terminal, where every process of the command is told."""
    engine, note = program(tmp_path, "signal.signal(signal.SIGTERM, signal.SIG_IGN)", "time.sleep(20)")
    command = [*COMMAND, "simulate", "--rules", "cards", *(("--home-engine", engine) if programs else ())]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment(tmp_path), start_new_session=True
    ) as player:
        until = time.monotonic() + 30
        while programs and not (note.exists() and note.read_text()):
            assert time.monotonic() < until
            time.sleep(0.05)
        time.sleep(1 if programs else 2)  # the programs of all cores
        os.killpg(player.pid, number)
        _, err = player.communicate(timeout=30)
    hung_up = number is signal.SIGHUP
    assert player.returncode == (-number if hung_up else 130)
    assert b"Traceback" not in err
    assert hung_up or b"Interrupted." in err
    if programs:
        until = time.monotonic() + 5
        while any(alive(int(line)) for line in note.read_text().split()):
            assert time.monotonic() < until
            time.sleep(0.05)


DEAF = """
import hashlib
from p2pball.engine.terms import Rules, Terms
from p2pball.ui.programs import Program
from p2pball.ui.simulation import Plan, _begin
_begin(Plan(Terms(Rules.DICE, 1), Program("one"), Program("other"), 1))
print("ready", flush=True)
hashlib.pbkdf2_hmac("sha256", b"", b"", 2**31 - 1)  # like a lock that is waited for: no handler runs before it returns
"""


def test_a_core_that_waits_is_ended_all_the_same() -> None:
    with subprocess.Popen([sys.executable, "-c", DEAF], stdout=subprocess.PIPE) as core:
        assert core.stdout
        assert core.stdout.readline() == b"ready\n"
        time.sleep(0.2)
        core.terminate()
        try:
            assert core.wait(10) == 1
        finally:
            core.kill()


def test_what_a_program_says_aside_does_not_draw_on_the_full_screen(tmp_path: Path) -> None:
    engine, _ = program(tmp_path, at_a_choice="print('noise', file=sys.stderr, flush=True)")
    with Screen(tmp_path, ["play", "--rules", "cards", "--innings", "1", "--engine", engine]) as screen:
        screen.expect("Again:")
        assert b"noise" not in screen.raw
