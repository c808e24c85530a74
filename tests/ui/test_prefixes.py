"""A record may end anywhere: whatever is there is told, explained, replayed and exported without a stumble."""

from __future__ import annotations

from pathlib import Path

import pytest

from p2pball.cli.show import sheet, web_page
from p2pball.cli.verify import verdict_lines
from p2pball.scorebook.feed import feed
from p2pball.scorebook.retrosheet import retrosheet_files
from p2pball.ui.archive import Found
from p2pball.ui.explain import explain
from p2pball.ui.record import Record
from p2pball.ui.replay import Replay

RECORDS = Path(__file__).parents[1] / "records"


@pytest.mark.parametrize(
    ("name", "step"),
    [
        ("resigned", 1),
        ("torn", 3),
        ("owes-a-reveal", 1),
        ("dice-draw", 5),
        ("cards-no-walk-off", 11),
        ("cheat-deal", 4),
    ],
)
def test_every_prefix_can_be_looked_at(name: str, step: int) -> None:
    path = RECORDS / f"{name}.p2pball"
    lines = path.read_bytes().splitlines(keepends=True)
    for count in {*range(0, len(lines), step), len(lines)}:
        data = b"".join(lines[:count])
        record = Record.of(data)
        assert verdict_lines(record)
        told = list(explain(data))
        assert sum(line.startswith("line ") for line in told) == len(record.report.game.exchange.lines)
        if record.book is None:
            continue
        found = Found(path, None, record)
        assert sheet(found, record.book, plain=True)
        assert web_page(found, record.book).endswith("</html>\n")
        assert feed(record.book)["liveData"]
        assert len(retrosheet_files(record.book, "2026-11-30")) == 4
        replay = Replay(record.book)
        while not replay.ended:
            replay.forward()
        assert replay.moment is record.book.moments[-1]
