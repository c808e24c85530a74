"""The rules themselves, asserted on what cwevent reads: nothing of ours but the terms and rules.md is used here.

Whether a game may end where it does, who bats, where runners go: all is told from the rows.
"""

from __future__ import annotations

from collections.abc import Iterator

from p2pball.engine.terms import Terms
from tests.scorebook.chadwick import Row

_OUT, _STRIKEOUT, _STEAL, _CAUGHT, _PICKED_OFF, _WILD_PITCH, _WALK, _SINGLE, _HOME_RUN = 2, 3, 4, 6, 8, 9, 14, 20, 23


def broken_rules(terms: Terms, events: list[Row], *, called: bool = False) -> Iterator[str]:
    """What the rows of one game have against rules.md; nothing when all is well. A `called` one may end anywhere."""
    inning, half, outs, bases = 1, 0, 0, (0, 0, 0)
    runs, due = [0, 0], [1, 1]
    for number, row in enumerate(events):
        at = f"row {number} {row['EVENT_TX']}"
        if over(terms, inning, half, outs, runs):
            yield f"{at}: the game was over (B2, B3)"
        if outs == 3:
            inning, half, outs, bases = inning + half, 1 - half, 0, (0, 0, 0)  # B1
        slots = tuple(int(row[f"BASE{base}_RUN_ID"][-3:] or 0) for base in (1, 2, 3))
        seen = (int(row["INN_CT"]), int(row["BAT_HOME_ID"]), int(row["OUTS_CT"]), tuple(map(bool, slots)))
        if seen != (inning, half, outs, tuple(map(bool, bases))):
            yield f"{at}: read at {seen}, not {(inning, half, outs, bases)} (B1)"
        if [int(row["AWAY_SCORE_CT"]), int(row["HOME_SCORE_CT"])] != runs:
            yield f"{at}: another score than {runs}"
        if int(row["BAT_LINEUP_ID"]) != due[half]:
            yield f"{at}: slot {row['BAT_LINEUP_ID']} bats, slot {due[half]} is due (B4)"
        ends = tuple(int(row[field]) for field in ("BAT_DEST_ID", "RUN1_DEST_ID", "RUN2_DEST_ID", "RUN3_DEST_ID"))
        if ends not in legal_ends(row, tuple(map(bool, bases)), outs):
            yield f"{at}: with {bases} on base and {outs} out the men went to {ends} (B6 to B10, C12)"
        scored = ends.count(4)
        credited = 0 if int(row["EVENT_CD"]) == _WILD_PITCH else scored
        if int(row["RBI_CT"]) != credited:
            yield f"{at}: {row['RBI_CT']} batted in, {credited} came home"
        here = (due[half], *bases)
        bases = tuple(
            next((slot for slot, end in zip(here, ends, strict=True) if end == base), 0) for base in (1, 2, 3)
        )
        outs += int(row["EVENT_OUTS_CT"])
        runs[half] += scored
        due[half] = due[half] % 9 + 1 if row["BAT_EVENT_FL"] == "T" else due[half]
        if outs > 3:
            yield f"{at}: {outs} outs (B9)"
    if not called and not over(terms, inning, half, outs, runs):
        yield "the game ended before it was over (B1 to B3)"


def over(terms: Terms, inning: int, half: int, outs: int, runs: list[int]) -> bool:
    """Whether a game is over here (B1 to B3)."""
    visitors, home = runs
    if terms.walk_off and inning >= terms.innings and home > visitors and (half or outs == 3):
        return True
    if not half or outs < 3 or inning < terms.innings:
        return False
    return visitors != home or inning == terms.innings + terms.extra_innings


def legal_ends(row: Row, on: tuple[bool, ...], outs: int) -> list[tuple[int, ...]]:
    """Where batter and runners may stand after a row: 0 nowhere, 4 home; on which bases men stood is given."""
    kind, put_out = int(row["EVENT_CD"]), int(row["EVENT_OUTS_CT"])
    stay = tuple(base if held else 0 for base, held in enumerate(on, start=1))
    if _SINGLE <= kind <= _HOME_RUN and put_out == 0:
        n = kind - _SINGLE + 1
        return [(n, *(min(base + n, 4) if base else 0 for base in stay))]  # B6
    if kind == _WALK and put_out == 0:
        forced = on.index(False) if False in on else 3
        return [(1, *(base + 1 if base and base <= forced else base for base in stay))]  # B7
    if kind == _WILD_PITCH and put_out == 0 and any(on):
        return [(0, *(base + 1 if base else 0 for base in stay))]  # B10
    if kind in (_OUT, _STRIKEOUT) and put_out == 1:
        return [(0, *stay)]  # B8
    if kind == _OUT and put_out == 2 and any(on) and outs < 2:
        lowest = on.index(True)
        return [(0, *(0 if i == lowest else base for i, base in enumerate(stay)))]  # B9
    if kind == _STEAL and put_out == 0:
        return [_moved(stay, base, base + 1) for base in (1, 2) if on[base - 1] and not on[base]]  # C12
    if kind in (_CAUGHT, _PICKED_OFF) and put_out == 1:
        return [_moved(stay, base, 0) for base in (1, 2) if on[base - 1] and not on[base]]
    return []


def _moved(stay: tuple[int, ...], base: int, end: int) -> tuple[int, ...]:
    return (0, *(end if i + 1 == base else held for i, held in enumerate(stay)))
