"""For the tests of verdicts: the records of the specification, what a script proves, games played but for their end."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from p2pball.engine.terms import Seat
from p2pball.protocol.books import CheatKind
from p2pball.verify import Verdict, split
from tests.duet import Duet
from tests.script import HOST, Script

RECORDS = sorted((Path(__file__).parents[1] / "records").glob("*.p2pball"))


def record_lines(path: Path) -> list[bytes]:
    return split(path.read_bytes())[0]


def proves(script: Script, seat: Seat, kind: CheatKind, lines: int | None = None) -> None:
    report = script.verify()
    assert report.verdict is Verdict.CHEAT
    assert (report.seat, report.kind) == (seat, kind)
    assert report.to_json() == {"verdict": "CHEAT", "seat": seat.value, "cheat": kind.value}
    assert 2 <= len(report.lines) <= 4
    assert report.lines[-1] == len(script.frames)
    assert lines is None or len(report.lines) == lines
    assert report.why


@cache
def played_out(terms: Any, seed: int) -> Duet:
    return Duet(terms, seed=str(seed)).play_at_random(seed)


def last_pitch(terms: Any, seed: int) -> tuple[Script, list[bytes]]:
    """A played game read up to its last reveal, which is due; and the lines from there on."""
    duet = played_out(terms, seed)
    script = Script(terms, hellos=False)
    script.secrets = duet.secrets
    lines = split(duet.record(HOST))[0]
    for line in lines[:-3]:
        script.put(line)
    return script, lines[-3:]
