"""Our books against Chadwick's: every number of the box that both know must be the same."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from p2pball.engine.terms import Side
from p2pball.scorebook.boxscore import Box, box_score
from p2pball.scorebook.game import Game
from p2pball.scorebook.retrosheet import Names, event_text
from p2pball.scorebook.teams import PITCHER_SLOT
from tests.scorebook.chadwick import Row

_BATTING = {
    "B_PA": "pa",
    "B_AB": "ab",
    "B_R": "r",
    "B_H": "h",
    "B_RBI": "rbi",
    "B_BB": "bb",
    "B_SO": "so",
    "B_2B": "doubles",
    "B_3B": "triples",
    "B_HR": "hr",
    "B_SB": "sb",
    "B_CS": "cs",
    "B_GDP": "gidp",
}
_PITCHING = {
    "P_OUT": "outs",
    "P_TBF": "batters",
    "P_R": "r",
    "P_ER": "r",
    "P_H": "h",
    "P_HR": "hr",
    "P_BB": "bb",
    "P_SO": "k",
    "P_WP": "wp",
}
_NEVER = ("B_IBB", "B_HP", "B_SH", "B_SF", "B_XI", "P_IBB", "P_HP", "P_SH", "P_SF", "P_XI")
"""Columns of things that do not exist in the two games."""
_TOTALS = {
    "AB": "ab",
    "2B": "doubles",
    "3B": "triples",
    "HR": "hr",
    "BI": "rbi",
    "BB": "bb",
    "SO": "so",
    "SB": "sb",
    "CS": "cs",
    "GDP": "gidp",
}


def differences(game: Game, events: list[Row], summary: Row, daily: list[Row], printed: str) -> Iterator[str]:
    """What Chadwick's reading of one game has otherwise than our books; nothing when they agree."""
    box, names = box_score(game), Names.of(game.teams)
    expected = {
        **dict(_players(box, names)),
        **dict(_summary(game, box)),
        "records": [text for m in game.moments if (text := event_text(m)) not in ("", "NP")],
    }
    got: dict[str, Any] = {row["PLAYER_ID"]: _numbers(row) for row in daily}
    got |= {name: summary[name] for name in expected if name in summary}
    got["records"] = [row["EVENT_TX"] for row in events]
    for name in sorted(expected.keys() | got.keys()):
        if expected.get(name) != got.get(name):
            yield f"{name}: ours {expected.get(name)}, theirs {got.get(name)}"
    yield from _printed(box, printed)


def _numbers(row: Row) -> dict[str, str]:
    kept = {name: row[name] for name in (*_BATTING, *_PITCHING, "P_G", "SLOT_CT", "SEQ_CT")}
    return {**kept, "never": "".join(row[name] for name in _NEVER)}


def _players(box: Box, names: Names) -> Iterator[tuple[str, dict[str, str]]]:
    for side in Side:
        team = box.side(side)
        pitchers = {line.pinch: line for line in team.pitching}
        for line in team.batting:
            pitched = pitchers.get(line.pinch) if line.slot == PITCHER_SLOT else None
            row = {column: str(getattr(line, field)) for column, field in _BATTING.items()}
            row |= {column: str(getattr(pitched, field) if pitched else 0) for column, field in _PITCHING.items()}
            row |= {"P_G": str(int(pitched is not None)), "SLOT_CT": str(line.slot), "SEQ_CT": str(1 + line.pinch)}
            yield names.player(side, line.slot, pinch=line.pinch), {**row, "never": "0" * len(_NEVER)}


def _summary(game: Game, box: Box) -> Iterator[tuple[str, str]]:
    yield "INN_CT", str(game.state.inning)
    yield "OUTS_CT", str(sum(line.outs for side in Side for line in box.side(side).pitching))
    for head, side in (("AWAY", Side.VISITORS), ("HOME", Side.HOME)):
        line, team = box.line.line(side), box.side(side)
        yield f"{head}_SCORE_CT", str(line.runs)
        yield f"{head}_HITS_CT", str(line.hits)
        yield f"{head}_ERR_CT", str(line.errors)
        yield f"{head}_LOB_CT", str(line.left)
        cells = (box.line.cell(side, n + 1) for n in range(len(box.line.visitors.innings)))
        yield f"{head}_LINE_TX", "".join(f"({cell})" if len(cell) > 1 else cell for cell in cells if cell != "x")
        for column, field in _TOTALS.items():
            yield f"{head}_{column}_CT", str(team.total(field))
        yield f"{head}_PITCHER_CT", str(len(team.pitching))
        yield f"{head}_ER_CT", str(sum(p.r for p in team.pitching))
        yield f"{head}_TER_CT", str(sum(p.r for p in team.pitching))
        yield f"{head}_WP_CT", str(sum(p.wp for p in team.pitching))
        yield f"{head}_PO_CT", str(sum(p.outs for p in team.pitching))
        yield f"{head}_DP_CT", str(team.double_plays)


def _printed(box: Box, printed: str) -> Iterator[str]:
    """The box that cwbox prints must have our men left on base and our innings pitched."""
    teams = (box.visitors, box.home)
    left = f"LOB -- {', '.join(f'{team.team.name} {team.left}' for team in teams)}"
    if left not in printed and any(team.left for team in teams):  # it says nothing when nobody was left
        yield f"cwbox has no {left!r}"
    for team in teams:
        for line in team.pitching:
            numbers = [line.ip, *(str(n) for n in (line.h, line.r, line.r, line.bb, line.k))]
            # A pitcher stands once among the batters too; his pitching line is the one with his innings.
            lines = (row.split()[-6:] for row in printed.splitlines() if row.startswith(line.name))
            if numbers not in lines:
                yield f"cwbox has no pitching line {line.name} {numbers}"
