"""The line score: runs by inning, then runs, hits, errors and men left on base."""

from __future__ import annotations

from p2pball.engine.events import GameEnded, HalfBegan, Outcome, Play, StealSettled
from p2pball.engine.terms import Side
from p2pball.frozen import frozen
from p2pball.scorebook.cells import fit, width
from p2pball.scorebook.game import Game

HITS = frozenset({Outcome.SINGLE, Outcome.DOUBLE, Outcome.TRIPLE, Outcome.HOME_RUN})


@frozen
class Line:
    """One team's line: `innings` its runs in each half begun; errors there are none."""

    code: str
    innings: tuple[int, ...] = ()
    runs: int = 0
    hits: int = 0
    left: int = 0
    errors: int = 0


@frozen
class LineScore:
    """Both lines; `innings` are the columns, `live` the half under way, `over` when the game was played out."""

    visitors: Line
    home: Line
    innings: int
    live: tuple[int, Side] | None
    over: bool

    def line(self, side: Side) -> Line:
        """The line of a side."""
        return self.home if side is Side.HOME else self.visitors

    def cell(self, side: Side, inning: int) -> str:
        """What stands in one inning: runs, `x` for a half not needed, `·` under way without a run, blank before."""
        played = self.line(side).innings
        if inning <= len(played):
            runs = played[inning - 1]
            return "·" if self.live == (inning, side) and not runs else str(runs)
        return "x" if self.over and inning <= len(self.visitors.innings) else ""

    def rows(self, cells: int = 80, *, ascii_only: bool = False) -> tuple[str, str, str]:
        """Heading, visitors, home in at most so many cells; the oldest innings go when there is no room for all."""
        name = max(width(self.visitors.code), width(self.home.code))
        room = max((cells - name - 16) // 3, 1)
        shown = range(max(self.innings - room, 0) + 1, self.innings + 1)
        heading = " " * name + "".join(f"{n:>3}" for n in shown) + "    R  H  E LOB"
        return heading, self._row(Side.VISITORS, shown, name, ascii_only), self._row(Side.HOME, shown, name, ascii_only)

    def _row(self, side: Side, shown: range, name: int, ascii_only: bool) -> str:
        line = self.line(side)
        inner = "".join(f"{self.cell(side, n):>3}" for n in shown)
        row = f"{fit(line.code, name)}{inner}  {line.runs:>3}{line.hits:>3}{line.errors:>3}{line.left:>4}"
        return row.replace("·", ".") if ascii_only else row


def line_score(game: Game) -> LineScore:
    """The line score of a game, or of what there is of one."""
    innings: tuple[list[int], list[int]] = ([], [])
    hits, up_and_done = [0, 0], [0, 0]
    outs = [0, 0]
    over = False
    for moment in game.moments:
        event, side = moment.event, moment.before.batting
        match event:
            case HalfBegan():
                innings[event.side].append(0)
            case Play():
                innings[side][-1] += event.runs
                hits[side] += event.outcome in HITS
                up_and_done[side] += event.outcome is not Outcome.WILD_PITCH
                outs[side] += len(event.outs)
            case StealSettled():
                outs[side] += not event.safe
            case GameEnded():
                over = True
            case _:
                pass  # the rest moves nobody and counts for nothing here
    state = game.state
    live = (state.inning, state.batting) if state.inning and not game.over else None
    lines = []
    for side in Side:
        # Every batter has been put out, has scored, is on base now, or was left there.
        left = up_and_done[side] - outs[side] - state.runs[side]
        if live and side is state.batting:
            left -= sum(slot > 0 for slot in state.bases)
        lines.append(
            Line(game.teams[side].code, tuple(innings[side]), state.runs[side], hits[side], left),
        )
    columns = max(game.terms.innings, len(innings[0]))
    return LineScore(lines[0], lines[1], columns, live, over)
