"""The line score, the pitcher, the batter, and the chance to win."""

from __future__ import annotations

from dataclasses import replace

from p2pball.engine.terms import Side
from p2pball.scorebook.boxscore import Batting, Box, Pitching
from p2pball.scorebook.cells import fit, width
from p2pball.ui.tui.glyphs import Glyphs
from p2pball.ui.tui.ink import Ink, Line, Lines, Tone, cells, dim, fitted, line, spread, strong
from p2pball.ui.tui.outside import words
from p2pball.ui.tui.scene import Scene

WHOLE = 47
"""Cells that nine innings need."""
FAR = 64
"""What belongs together stands no further apart, however wide the screen is."""
_FIRST = "first time up"
_DAY = (("HR", "hr"), ("3B", "triples"), ("2B", "doubles"), ("BB", "bb"), ("SB", "sb"), ("RBI", "rbi"))


def score(scene: Scene, room: int, glyphs: Glyphs) -> Lines:
    """Seven rows: three of line score, a blank, pitcher, batter, win chance."""
    box = scene.full_box
    if box is None:
        return (fitted(line(" The game has not begun."), room),)
    rows = line_rows(scene, box, room, glyphs)
    near = min(room, FAR)
    told = (pitcher(scene, box, near), batter(scene, box, near), chance(scene, near))
    return (*rows, fitted((), room), *(fitted(row, room) for row in told))


def line_rows(scene: Scene, box: Box, room: int, glyphs: Glyphs) -> Lines:
    """The line score's three rows."""
    shown = box.line
    if room < WHOLE:  # innings to come make room for those that have been
        shown = replace(shown, innings=max(scene.state.inning, 1))
    heading, *rows = shown.rows(room - 1, ascii_only=glyphs.ascii)
    tones = [Tone.OWN if scene.side is side else Tone.PLAIN for side in Side]
    drawn = (line(" ", Ink(row, tone)) for row, tone in zip(rows, tones, strict=True))
    return (fitted(line(" ", dim(heading)), room), *(fitted(row, room) for row in drawn))


def pitcher(scene: Scene, box: Box, room: int) -> Line:
    """`P Vance 6.0 IP 8 H 4 R 2 BB 5 K 71 p`."""
    state = scene.state
    man = pitching(scene, box)
    name = scene.lineup.pitcher(state.batting)
    told = f"{man.ip} IP {man.h:>2} H {man.r:>2} R {man.bb:>2} BB {man.k:>2} K" if man else ""
    pitches = f"{man.pitches:>4} p " if man else " "
    left = room - 5 - len(told) - len(pitches) - 2
    called = strong(fit(words(name, left), min(left, 8)))
    return spread(line(" ", dim("P"), "   ", called, "  ", told), line(pitches), room)


def pitching(scene: Scene, box: Box) -> Pitching | None:
    """The line of the man on the mound."""
    name = scene.lineup.pitcher(scene.state.batting)
    return next((p for p in box.side(scene.state.batting.other).pitching if p.name == name), None)


def batter(scene: Scene, box: Box, room: int) -> Line:
    """`AB Cruz 1-3, 2B, RBI`, and who is on deck."""
    state = scene.state
    name, following = (scene.lineup.name(state.batting, slot) for slot in (state.slot, state.slot % 9 + 1))
    done = next((b for b in box.side(state.batting).batting if b.slot == state.slot and b.name == name), None)
    deck = line("  ", dim("on deck"), "  ", words(following, 12), " ")
    called = words(name, 16)
    said = line(" ", dim("AB"), "  ", strong(called + " " * (8 - width(called))), "  ")
    return spread((*said, Ink(day(done, room - cells(said) - cells(deck)))), deck, room)


def day(done: Batting | None, room: int) -> str:
    """A batter's day in so many cells, as much of it as there is room for: `1-3, 2B, RBI`."""
    if done is None or not done.pa:
        return _FIRST if len(_FIRST) <= room else ""
    told = f"{done.h}-{done.ab}"
    for label, field in _DAY:
        n = getattr(done, field)
        more = f"{told}, {label if n == 1 else f'{n} {label}'}"
        if n and len(more) <= room:
            told = more
    return told


def chance(scene: Scene, room: int) -> Line:
    """`Win chance RBN 74% leverage 2.4`, named an estimate where it is one."""
    if scene.odds is None:
        return fitted((), room)
    side = Side.HOME if scene.odds.home >= 0.5 else Side.VISITORS
    value = max(scene.odds.home, 1 - scene.odds.home)
    code = scene.lineup.team(side).code
    told = line(" ", dim(scene.odds.words), f"  {code} {value:.0%}")
    return spread(told, line(dim("leverage"), f" {scene.odds.leverage:.1f} "), room)
