"""Games exported and read by Chadwick: every number equal to our box, and every rule kept in what it reads."""

from __future__ import annotations

import tempfile
from datetime import date, timedelta
from itertools import islice
from pathlib import Path

from p2pball.scorebook.game import Game
from p2pball.scorebook.retrosheet import event_file, retrosheet_files
from tests.campaign import Tally
from tests.scorebook import chadwick
from tests.scorebook.agreement import differences
from tests.scorebook.games import random_games
from tests.scorebook.reading import broken_rules

CASES = 1000
_BATCH = 50
_FIRST_DAY = date(2026, 1, 1)


def run(cases: int, seed: int) -> Tally:
    """Export so many random games of both rule sets and every length, some of them resigned, and have them read."""
    tally = Tally()
    games = iter(random_games(cases, seed))
    for first in range(0, cases, _BATCH):
        _read(tuple(islice(games, _BATCH)), first, seed, tally)
    return tally


def _read(games: tuple[Game, ...], first: int, seed: int, tally: Tally) -> None:
    days = [(_FIRST_DAY + timedelta(days=case)).isoformat() for case in range(len(games))]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        files = retrosheet_files(games[0], days[0])
        book = next(file for file in files if file.endswith(".EVA"))
        files[book] = "".join(event_file(game, day) for game, day in zip(games, days, strict=True))
        chadwick.write(folder, files)
        try:
            reading = chadwick.read(folder)
        except chadwick.Complaint as complaint:
            for case in range(first, first + len(games)):
                tally.fail(f"case {case} of seed {seed}: {complaint}")
            return
    for case, (game, day) in enumerate(zip(games, days, strict=True)):
        wrong = _wrong(game, book[4:7] + day.replace("-", "") + "0", reading, case)
        if wrong:
            tally.fail(f"case {first + case} of seed {seed}: {'; '.join(wrong[:5])}")
        else:
            tally.hold()
    if len(reading.games) != len(games):
        tally.fail(f"cases from {first} of seed {seed}: {len(games)} games written, {len(reading.games)} read")


def _wrong(game: Game, game_id: str, reading: chadwick.Reading, case: int) -> list[str]:
    if game_id not in reading.games or case >= len(reading.boxes):
        return [f"{game_id} was not read"]
    events, summary, daily = reading.events.get(game_id, []), reading.games[game_id], reading.daily[game_id]
    return [
        *differences(game, events, summary, daily, reading.boxes[case]),
        *broken_rules(game.terms, events, called=game.called != ""),
    ]
