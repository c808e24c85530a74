"""Two real clients over a real relay, both played by the computer; either can be killed and started again."""

from __future__ import annotations

import re
import subprocess
import time
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Self

from p2pball.verify import Report, Verdict, verify
from tests.terminal import COMMAND, environment

SEATS = ("host", "guest")


class Match:
    """A game between two processes; `homes` are the folders of both players."""

    def __init__(self, room: Path, port: int, *, rules: str = "dice", innings: int = 1, pace: float = 0.05) -> None:
        self.homes = {seat: room / seat for seat in SEATS}
        self._relay = ["--relay", f"127.0.0.1:{port}"] if port else []  # else the host's own
        self._watch = ["--plain", "--auto", "rookie", "--pace", str(pace)]
        self._game = ["--rules", rules, "--innings", str(innings), "--extra-innings", "0"]
        self._outs = {seat: room / f"{seat}.out" for seat in SEATS}
        self._processes: dict[str, subprocess.Popen[bytes]] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        for process in self._processes.values():
            if process.poll() is None:
                process.kill()
            process.wait(60)

    def begin(self) -> None:
        """Host and join; returns when both records have begun."""
        self._start("host", ["host", *self._watch, *self._game, *self._relay, "--name", "Ann"])
        target = self._found("host", r"p2pball join (\S+)\n")
        self._start("guest", ["join", target, *self._watch, "--name", "Bob"])
        for seat in SEATS:
            until = time.monotonic() + 60
            while len(self.record(seat).splitlines()) < 4:
                assert time.monotonic() < until, self.said()
                time.sleep(0.01)

    def resume(self, seat: str) -> None:
        """Start a seat again, with the game named: it may lack nothing but the other's receipt."""
        (path,) = self.homes[seat].glob("games/2*")
        self._start(seat, ["resume", path.name, *self._watch])

    def has_both_finals(self, seat: str) -> bool:
        """Whether nothing more can come into a seat's record."""
        return self.record(seat).count(b'\\"type\\":\\"final\\"') == len(SEATS)

    def wait_until_longer(self, seat: str, size: int) -> None:
        """Wait until a seat's record has more than that many bytes: a game has gone on, however slow the machine."""
        until = time.monotonic() + 60
        while len(self.record(seat)) <= size:
            assert time.monotonic() < until, self.said()
            time.sleep(0.01)

    def kill(self, seat: str) -> bytes:
        """kill -9; the record as it stands afterwards, whole lines only."""
        process = self._processes[seat]
        process.kill()
        process.wait(60)
        record = self.record(seat)
        return record[: record.rfind(b"\n") + 1]

    def signal(self, seat: str, number: int) -> None:
        """Send a signal to a seat."""
        self._processes[seat].send_signal(number)

    def record(self, seat: str) -> bytes:
        """A seat's record so far."""
        for path in self.homes[seat].glob("games/2*/record.p2pball"):
            with suppress(OSError):
                return path.read_bytes()
        return b""

    def finish(self, seconds: float = 120) -> dict[str, Report]:
        """Wait for both to end well; the verdicts on both records."""
        for seat in SEATS:
            try:
                code = self._processes[seat].wait(seconds)
            except subprocess.TimeoutExpired:
                raise AssertionError(f"the {seat} does not end: {self.said()}") from None
            assert code == 0 or (code == -9 and self.has_both_finals(seat)), (
                f"the {seat} ended with {code}: {self.said()}"
            )
        reports = {seat: verify(self.record(seat)) for seat in SEATS}
        for seat, report in reports.items():
            assert report.verdict is Verdict.COMPLETE, f"{seat}: {report.to_json()} {report.why}"
        assert reports["host"].to_json() == reports["guest"].to_json()
        return reports

    def said(self, characters: int = 800) -> str:
        """The end of what both said."""
        outs = [(seat, path) for seat, path in self._outs.items() if path.exists()]
        return "\n".join(f"{seat}: {path.read_text()[-characters:]}" for seat, path in outs)

    def _start(self, seat: str, arguments: list[str]) -> None:
        with self._outs[seat].open("ab") as out:
            self._processes[seat] = subprocess.Popen(
                [*COMMAND, *arguments],
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=out,
                env=environment(self.homes[seat]),
            )

    def _found(self, seat: str, pattern: str) -> str:
        until = time.monotonic() + 60
        while not (found := re.search(pattern, self._outs[seat].read_text())):
            assert time.monotonic() < until, self.said()
            time.sleep(0.02)
        return found[1]
