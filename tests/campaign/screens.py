"""Rude surroundings of the full screen: signals, sizes, crashes, odd terminals, closed ends, rude peers.

Every case is the real program in a real pseudo-terminal; it holds when the exit code is right, the terminal is
as it was, and nothing of a peer has reached it unescaped.
"""

from __future__ import annotations

import random
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from p2pball.clubhouse.journal import Journal
from p2pball.verify import Verdict, verify
from tests.campaign import Tally
from tests.terminal import environment
from tests.ui.child import NAMES
from tests.ui.screen import CHILD, COLOUR, Screen

CASES = 100
INTERRUPTED = 130
RULES = ("dice", "cards")


def run(cases: int, seed: int) -> Tally:
    """So many cases of every kind in turn; what differs within a kind comes from the seed."""
    tally = Tally()
    kinds = list(KINDS)
    for case in range(cases):
        kind = kinds[case % len(kinds)]
        try:
            play(kind, f"{seed}/{case}")
        except AssertionError as error:
            tally.fail(f"case {case} of seed {seed}, {kind}: {error}")
        else:
            tally.hold()
    return tally


def play(kind: str, seed: str) -> None:
    """One case; raises AssertionError when it does not hold."""
    with tempfile.TemporaryDirectory() as home:
        KINDS[kind](Path(home), random.Random(f"{kind}/{seed}"))


def _arguments(rng: random.Random) -> list[str]:
    return ["play", "--rules", rng.choice(RULES), "--seed", str(rng.randrange(1000))]


def _some_moves(screen: Screen, rng: random.Random) -> None:
    """Play a little, so that it ends at a random moment."""
    screen.shows(" ▶ ")
    for _ in range(rng.randrange(6)):
        screen.type(rng.choice("123\r"))
        screen.pump(rng.random() / 5)


def _saved(home: Path) -> None:
    """The only game is whole as far as it went, and can be gone on with."""
    (record,) = home.glob("games/*/record.p2pball")
    assert verify(record.read_bytes()).verdict is Verdict.SUSPENDED
    Journal.open(record).close()


def _signalled(number: signal.Signals) -> Callable[[Path, random.Random], None]:
    def case(home: Path, rng: random.Random) -> None:
        with Screen(home, _arguments(rng)) as screen:
            _some_moves(screen, rng)
            screen.process.send_signal(number)
            assert screen.wait(20) == INTERRUPTED
            screen.restored()
            _no_traceback(screen)
        _saved(home)

    return case


def _control_c(home: Path, rng: random.Random) -> None:
    with Screen(home, _arguments(rng)) as screen:
        _some_moves(screen, rng)
        screen.type(rng.choice(["\x03", "c\x03", "l\x03", "q\x03", "?\x03"]))  # from a page over the game too
        assert screen.wait(20) == INTERRUPTED
        screen.restored()
        _no_traceback(screen)
    _saved(home)


def _quit(home: Path, rng: random.Random) -> None:
    with Screen(home, _arguments(rng)) as screen:
        screen.shows(" ▶ ")
        screen.type("q")
        screen.shows("Leave the game?")
        screen.type("s")
        assert screen.wait(20) == 0
        screen.restored()
        assert "The game is saved: p2pball resume" in screen.said[screen.said.rindex("\x1b[?1049l") :]
    _saved(home)


def _crash(home: Path, rng: random.Random) -> None:
    with Screen(home, ["crash", *_arguments(rng)], command=CHILD) as screen:
        _some_moves(screen, rng)
        screen.shows(" ▶ ")
        screen.type("b")
        assert screen.wait(20) == 1
        screen.restored()
        after = screen.said[screen.said.rindex("\x1b[?1049l") :]
        assert "ZeroDivisionError: a bug" in " ".join(after.split())
        assert "Your games are safe on disk" in " ".join(after.split())
        _no_traceback(screen)
    _saved(home)


def _hung_up(home: Path, rng: random.Random) -> None:
    """The terminal goes, as a closed window or a lost connection takes it, and nobody sends a signal."""
    with Screen(home, _arguments(rng)) as screen:
        _some_moves(screen, rng)
        screen.hang_up()
        end = time.monotonic() + 20
        while screen.process.poll() is None:
            assert time.monotonic() < end, "it goes on without a terminal"
            time.sleep(0.05)
        assert screen.process.returncode != 0
    _saved(home)


def _closed_pipe(home: Path, rng: random.Random) -> None:
    """Output into a pipe that closes is plain, and ends quietly."""
    command = [sys.executable, "-m", "p2pball", *_arguments(rng), "--auto", "rookie"]
    with subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment(home)
    ) as process:
        assert process.stdout
        assert process.stderr
        line = process.stdout.readline()
        process.stdout.close()
        said = process.stderr.read()
        assert process.wait(30) == 0  # whoever closes it has left the game
    assert b"\x1b" not in line
    assert b"Traceback" not in said
    _saved(home)


def _sizes(home: Path, rng: random.Random) -> None:
    with Screen(home, _arguments(rng)) as screen:
        screen.shows(" ▶ ")
        for _ in range(6):
            columns, rows = rng.choice([(20, 5), (39, 12), (40, 12), (60, 20), (79, 24), (120, 40), (200, 60)])
            screen.resize(columns, rows)
            if columns < 40 or rows < 12:
                screen.shows("too small"[: max(columns - 15, 3)])
            else:
                screen.shows("[?]")
            screen.type(rng.choice("1\r"))
        screen.resize(80, 24)
        screen.shows("[B]ox score")
        screen.type("qs")
        assert screen.wait(20) == 0
        screen.restored()


def _no_colour(home: Path, rng: random.Random) -> None:
    with Screen(home, _arguments(rng), NO_COLOR="1") as screen:
        _some_moves(screen, rng)
        screen.type("t?")
        screen.shows("scroll")  # its last line: what is typed next is meant for this page
        screen.type("\x1b")
        screen.shows("[B]ox score")
        screen.type("qs")
        assert screen.wait(20) == 0
        found = COLOUR.findall(screen.said)
        assert not found, f"colours in spite of NO_COLOR: {found[:3]}"
        screen.restored()


def _dumb(home: Path, rng: random.Random) -> None:
    term = rng.choice(["dumb", ""])
    with Screen(home, [*_arguments(rng), "--level", "rookie"], TERM=term) as screen:
        screen.expect("? help >")
        screen.type("q\n")
        screen.expect("Enter to stay")
        screen.type("s\n")
        assert screen.wait(20) == 0
        assert b"\x1b" not in screen.raw, "an escape on a dumb terminal"


def _hostile(home: Path, rng: random.Random) -> None:
    seed, rules = rng.randrange(1000), rng.choice(RULES)
    with Screen(home, ["hostile", "play", "--rules", rules, "--seed", str(seed)], command=CHILD) as screen:
        screen.shows(NAMES.code)
        for _ in range(12):
            screen.type("1\r")
            screen.pump(0.3)
        screen.type("l")
        screen.shows("scroll")
        screen.type("\x1b")
        screen.shows("[B]ox score")
        screen.type("qs")
        assert screen.wait(20) == 0
        screen.restored()
        said = screen.said.replace("\x1b]22;default\x07", "")  # the program's own: the shape of the mouse
        for bad in ("\x1b]", "\x9b", "\x9d", "\u202e", "\u2066", "\x00"):
            assert bad not in said, f"{bad!r} reached the terminal"
        assert "\x1b[31mred" not in said, "a peer's colour reached the terminal"
        assert "[@click" in screen.said or "[b]" in screen.said, "what looks like markup is shown as it is"


def _no_traceback(screen: Screen) -> None:
    assert "Traceback" not in screen.said


KINDS: dict[str, Callable[[Path, random.Random], None]] = {
    "quit": _quit,
    "ctrl-c": _control_c,
    "sigint": _signalled(signal.SIGINT),
    "sigterm": _signalled(signal.SIGTERM),
    "sighup": _signalled(signal.SIGHUP),
    "crash": _crash,
    "hung-up": _hung_up,
    "closed-pipe": _closed_pipe,
    "sizes": _sizes,
    "no-colour": _no_colour,
    "dumb": _dumb,
    "hostile": _hostile,
}
