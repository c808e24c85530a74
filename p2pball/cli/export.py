"""`p2pball export`: a game in the formats that other programs read."""

from __future__ import annotations

import json
from datetime import datetime
from pathlib import Path

import click

from p2pball.cli.show import begun
from p2pball.clubhouse.disk import explained
from p2pball.errors import P2PBallError
from p2pball.scorebook.feed import feed
from p2pball.scorebook.game import Game
from p2pball.scorebook.retrosheet import retrosheet_files
from p2pball.ui.archive import Found, find
from p2pball.verify import Verdict


class WouldOverwrite(P2PBallError):
    """There is another file of that name already."""


@click.command()
@click.argument("game")
@click.option(
    "--format",
    "kind",
    type=click.Choice(["retrosheet", "json"]),
    required=True,
    help="Event files, or one JSON object.",
)
@click.option("--out", type=click.Path(file_okay=False, path_type=Path), help="Folder to write to; made if needed.")
def export(game: str, kind: str, out: Path | None) -> None:
    """Export a GAME (its id, the beginning or end of it, or a record file).

    retrosheet writes the event file YYYYHOM.EVA, two rosters .ROS and TEAMYYYY, here or into --out. json has the names
    of the MLB feed and goes to standard output, or into --out.
    """
    found = find(game)
    book = begun(found)
    if found.record.report.verdict is not Verdict.COMPLETE:
        click.echo("The game is not finished: this is what there is of it.", err=True)
    if kind == "json":
        text = json.dumps(_json(found, book), indent=1)
        if out is None:
            print(text)
        else:
            _write(out, {f"{_name(found)}.json": text + "\n"})
    else:
        _write(out or Path(), retrosheet_files(book, _date(found)))


def _json(found: Found, book: Game) -> dict[str, object]:
    """The feed, and beside it what the record proves."""
    return {**feed(book, _date(found)), "record": found.record.report.to_json()}


def _date(found: Found) -> str:
    """The day a game began; of a record from elsewhere the day its file was written."""
    if found.info:
        return found.info.started[:10]
    return datetime.fromtimestamp(found.path.stat().st_mtime).astimezone().date().isoformat()


def _name(found: Found) -> str:
    return found.info.id if found.info else found.path.stem


def _write(folder: Path, files: dict[str, str]) -> None:
    """Write files and name them on standard output; raises DiskError, and WouldOverwrite before anything is written."""
    with explained("write the export", folder):
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in files.items():
            path = folder / name
            if path.exists() and path.read_text(encoding="utf-8", errors="replace") != text:
                raise WouldOverwrite(f"{path} is there already and holds something else. Choose another folder: --out.")
        for name, text in files.items():
            (folder / name).write_text(text, encoding="utf-8", newline="\n")
            print(str(folder / name))
