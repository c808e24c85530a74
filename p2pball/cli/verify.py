"""`p2pball verify`: the verdict on a record, and how every roll in it came about."""

from __future__ import annotations

import json
import os
from contextlib import suppress
from pathlib import Path

import click

from p2pball.clubhouse.disk import explained, read_head
from p2pball.clubhouse.errors import Damaged, DiskError, NoSuchGame
from p2pball.clubhouse.games import find_game, record_in
from p2pball.clubhouse.journal import MAX_RECORD
from p2pball.engine.terms import Seat
from p2pball.protocol.chat import clean
from p2pball.ui.fingerprint import fingerprint
from p2pball.ui.record import Record, result_words
from p2pball.verify import Verdict


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print the verdict as one JSON object.")
@click.option("--explain", "by_hand", is_flag=True, help="Print every roll, deal and outcome and how it came about.")
def verify(file: Path, as_json: bool, by_hand: bool) -> int:
    """Judge a record FILE (or a game by its id): is it whole, and did both players play fair?

    Exit code 0: complete and right. 3: right so far but not finished; who owes which message is said. 4: proof that a
    seat cheated. 5: not a record.
    """
    if as_json and by_hand:
        raise click.UsageError("--json and --explain each have their own output: ask for one of them.")
    with explained("read the record", file):
        file = file if file.is_file() else _record_of(str(file))
        data = read_head(file, MAX_RECORD + 1)  # one byte more, when there is more than a record may have
    record = Record.of(data)
    if len(data) > MAX_RECORD and record.report.verdict in (Verdict.COMPLETE, Verdict.SUSPENDED):
        raise Damaged(f"{file} is longer than the {MAX_RECORD} bytes that are read of a record: it cannot be judged.")
    if as_json:
        print(json.dumps(record.report.to_json()))
    else:
        if by_hand:
            from p2pball.ui.explain import explain

            for line in explain(data):
                print(line)
        for line in verdict_lines(record):
            print(line)
    return record.report.verdict.exit_code


def _record_of(text: str) -> Path:
    """The record of a game on this machine; raises BadParameter when there is none of this id."""
    if os.sep not in text:
        with suppress(NoSuchGame, DiskError):
            return record_in(find_game(text))
    why = f"there is no file and no game {clean(text)!r}."
    if Path(text).exists():
        why = f"{clean(text)!r} is a folder, a pipe or a device. Name a file that holds a record."
    raise click.BadParameter(why, param_hint="FILE")


def verdict_lines(record: Record) -> list[str]:
    """The verdict in words: what it is, what proves it, whose keys signed."""
    report = record.report
    books = report.game.exchange
    lines = [f"{report.verdict.value}  {result_words(record)}"]
    if report.why:
        lines.append(f"why       {clean(report.why)}")
    if report.verdict is Verdict.CHEAT:
        lines.append(f"proof     {'lines' if len(report.lines) > 1 else 'line'} {_listed(report.lines)} of the record")
    if not record.begun:
        return lines
    if report.game.position:
        lines.append(f"position  {report.game.position}")
    lines += [f"chain     {books.chain.hex()}", f"rounds    {books.round}"]
    lines += [f"{seat.value:<10}{record.name(seat)}, key {fingerprint(record.key(seat))}" for seat in Seat]
    lines.append("A record proves what these keys signed, not whose they are:")
    lines.append("compare the digits with the other player.")
    return lines


def _listed(numbers: tuple[int, ...]) -> str:
    *most, last = map(str, numbers)
    return f"{', '.join(most)} and {last}" if most else last
