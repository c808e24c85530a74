"""The program as its users run it, and games put where it finds them."""

from __future__ import annotations

import dataclasses
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from p2pball.cli import main
from p2pball.clubhouse.games import GameInfo, create_game
from p2pball.engine.terms import Rules, Seat, Terms
from tests.duet import TEAMS, Duet

ROOT = Path(__file__).resolve().parents[2]
RECORDS = ROOT / "tests" / "records"
PATIENCE = 60

DICE = Terms(Rules.DICE, innings=1, home="host")
CARDS = Terms(Rules.CARDS, innings=1, home="guest")


@dataclasses.dataclass(frozen=True)
class Ran:
    """What a command came to."""

    code: int
    out: str
    err: str

    @property
    def lines(self) -> list[str]:
        return self.out.splitlines()


def run(*args: str | Path, home: Path | None = None, stdin: str = "", **environment: str) -> Ran:
    """Run the program in a process of its own, in a home of its own."""
    env = {**os.environ, "P2PBALL_HOME": str(home or "/nonexistent/never made"), **environment}
    done = subprocess.run(
        [sys.executable, "-m", "p2pball", *map(str, args)],
        cwd=ROOT,
        env=env,
        input=stdin.encode(),
        capture_output=True,
        timeout=PATIENCE,
        check=False,
    )
    encoding = environment.get("PYTHONIOENCODING", "utf-8")
    return Ran(done.returncode, done.stdout.decode(encoding), done.stderr.decode(encoding))


class Here:
    """The program in this process, as `main` runs it: many times faster, and just as far as exit code and text go."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
        self._monkeypatch, self._capsys = monkeypatch, capsys

    def __call__(self, *args: str | Path) -> Ran:
        self._monkeypatch.setattr(sys, "argv", ["p2pball", *map(str, args)])
        with pytest.raises(SystemExit) as ended:
            main()
        captured = self._capsys.readouterr()
        code = ended.value.code
        assert isinstance(code, int)
        return Ran(code, captured.out, captured.err)


@dataclasses.dataclass
class NamedDuet(Duet):
    """A duet whose players and teams have names of their own."""

    names: dict[Seat, str] = dataclasses.field(default_factory=dict)
    teams: dict[Seat, dict[str, Any]] = dataclasses.field(default_factory=lambda: dict(TEAMS))

    def hello(self, seat: Seat) -> dict[str, Any]:
        body = super().hello(seat)
        return {**body, "name": self.names.get(seat, body["name"]), "team": self.teams[seat]}


def keep(duet: Duet, seat: Seat = Seat.HOST, lines: int | None = None, **said: Any) -> str:
    """Put a seat's record of a duet among the games of P2PBALL_HOME; the id."""
    words: dict[str, Any] = {
        "seat": seat.value,
        "kind": "online",
        "rules": duet.terms.rules.value,
        "started": "2026-11-30T20:15:00+00:00",
        "name": seat.value.title(),
    }
    with create_game(GameInfo(**{**words, **said}), duet.secrets[seat].master) as folder:
        folder.journal.append(duet.disk[seat][:lines])
        return folder.info.id


def keep_record(name: str, seat: Seat = Seat.HOST, **said: Any) -> str:
    """Put a record of tests/records among the games of P2PBALL_HOME, as one of this seat; the id."""
    lines = (RECORDS / f"{name}.p2pball").read_bytes().splitlines()
    words: dict[str, Any] = {"kind": "online", "started": "2026-11-30T20:15:00+00:00", "rules": name.partition("-")[0]}
    with create_game(GameInfo(**{**words, "seat": seat.value, **said}), bytes(32)) as folder:
        folder.journal.append(lines)
        return folder.info.id
