"""The narrow form: the same game on a screen from 40x12 up, log and side panel folded to what there is room for."""

from __future__ import annotations

from p2pball.engine.state import Phase
from p2pball.engine.terms import Side
from p2pball.scorebook.boxscore import Box
from p2pball.ui.tui.glyphs import Glyphs
from p2pball.ui.tui.ink import Ink, Line, Lines, Tone, cells, dim, fitted, line, spread, strong
from p2pball.ui.tui.logbook import log_lines
from p2pball.ui.tui.outside import words
from p2pball.ui.tui.scene import Scene
from p2pball.ui.tui.views import diamond, hand, score, side, status

_TALL, _ROOMY = 18, 60
"""Rows from which the diamond is drawn, and columns from which the line score stands beside it."""


def folded(scene: Scene, columns: int, rows: int, glyphs: Glyphs, running: dict[int, int] | None = None) -> Lines:
    """The rows between the status line and the prompt, two for the footer and the prompt not among them."""
    rule = status.rule(columns, glyphs)
    below = [rule, *(_choices(scene, columns, glyphs))]
    box = scene.full_box
    above = [rule, *_field(scene, box, columns, rows, glyphs, running)]
    room = rows - len(above) - len(below)
    log = log_lines(scene.log, columns, room - 1) if room > 1 else ()
    middle = [rule, *log] if room > 1 else []
    blank = [fitted((), columns)] * max(room - len(middle), 0)
    drawn = (*above, *middle, *blank, *below)
    return tuple(fitted(row, columns) for row in drawn[:rows])


def _field(
    scene: Scene, box: Box | None, columns: int, rows: int, glyphs: Glyphs, running: dict[int, int] | None
) -> list[Line]:
    if box is None:
        return [line(" The game has not begun.")]
    men = [_men(scene, columns)]
    if rows < _TALL - 3:
        return [_bases(scene, columns), *men]
    if columns < _ROOMY:
        return [*diamond.diamond(scene, columns, glyphs, running), *men]
    beside = [*score.line_rows(scene, box, columns - status.DIAMOND, glyphs), line(), *_helps(scene)]
    drawn = diamond.diamond(scene, status.DIAMOND, glyphs, running)
    rest = [*beside, *[line()] * (len(drawn) - len(beside))]
    return [(*left, *right) for left, right in zip(drawn, rest, strict=False)] + men


def _bases(scene: Scene, room: int) -> Line:
    """`1B Brooks 2B Abbott 3B -`."""
    state = scene.state
    said: list[str | Ink] = [" "]
    for base, slot in enumerate(state.bases, start=1):
        name = words(scene.lineup.name(state.batting, slot), max((room - 12) // 3, 6)) if slot else "-"
        said += [dim(f"{base}B "), strong(name), "  "]
    return fitted(line(*said), room)


def _men(scene: Scene, room: int) -> Line:
    """`P Vance AB Cruz`, and in the cards game what the characters do."""
    state = scene.state
    cells = max((room - 10) // 3, 8)
    pitcher = words(scene.lineup.pitcher(state.batting), cells)
    batter = words(scene.lineup.name(state.batting, state.slot), cells)
    said = line(" ", dim("P "), pitcher, "  ", dim("AB "), strong(batter))
    if scene.odds is None:
        return fitted(said, room)
    mine = scene.odds.home if scene.side is None or scene.side else 1 - scene.odds.home
    code = scene.lineup.team(scene.side if scene.side is not None else Side.HOME).code
    return spread(said, line(dim("win "), f"{code} {mine:.0%} "), room)


def _helps(scene: Scene) -> list[Line]:
    if scene.state.in_cards:
        return [*side.characters(scene, brief=True)]
    return [side.rolled(scene.dice)] if scene.dice else []


def _choices(scene: Scene, columns: int, glyphs: Glyphs) -> list[Line]:
    if scene.state.in_cards:
        rival = f" rival {scene.rival_left}{' ' + glyphs.locked if scene.rival_locked else ''}" if scene.seat else ""
        held = line(" ", *hand.card_line(scene, glyphs))
        return [spread(held, line(dim(rival)) if cells(held) + len(rival) <= columns else (), columns)]
    if scene.state.phase is Phase.CHOOSE and scene.moves:
        return list(hand.pitch_lines(columns))
    pitch = scene.state.pitch.value if scene.state.pitch else "-"
    said: list[str | Ink] = [" ", dim("pitch "), Ink(pitch, Tone.RIVAL)]
    if scene.dice:
        said += ["   ", dim("last roll "), f"{scene.dice.first}+{scene.dice.second} {scene.dice.outcome.value}"]
    return [fitted(line(*said), columns)]
