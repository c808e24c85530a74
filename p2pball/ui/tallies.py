"""What many games add up to: averages as they are written in baseball, and streaks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby

from p2pball.frozen import frozen


@frozen
class Streaks:
    """The run of equal results that the last game ends, and the longest ones of wins and defeats."""

    kind: str
    """won, lost or drawn; empty without games."""
    length: int
    longest_won: int
    longest_lost: int


def streaks(outcomes: Sequence[str]) -> Streaks:
    """The streaks in results (won, lost, drawn), oldest first."""
    runs = [(kind, len(list(same))) for kind, same in groupby(outcomes)]
    longest = {kind: max((n for k, n in runs if k == kind), default=0) for kind in ("won", "lost")}
    kind, length = runs[-1] if runs else ("", 0)
    return Streaks(kind, length, longest["won"], longest["lost"])


def average(numbers: Mapping[str, int]) -> str:
    """Hits by at bats with three places and no leading zero: .312; .--- without an at bat."""
    if not numbers["ab"]:
        return ".---"
    thousandths = (2000 * numbers["h"] + numbers["ab"]) // (2 * numbers["ab"])
    return f"{thousandths // 1000 or ''}.{thousandths % 1000:03}"


def innings(numbers: Mapping[str, int]) -> str:
    """Innings pitched: 6.1 is six and a third."""
    return f"{numbers['outs'] // 3}.{numbers['outs'] % 3}"


def earned_run_average(numbers: Mapping[str, int]) -> str:
    """Runs by nine innings with two places (every run is earned); -.-- without an out."""
    if not numbers["outs"]:
        return "-.--"
    hundredths = (2 * 2700 * numbers["r"] + numbers["outs"]) // (2 * numbers["outs"])
    return f"{hundredths // 100}.{hundredths % 100:02}"
