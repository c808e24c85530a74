"""The first line of the game screen, the rules between its parts, and its last two lines."""

from __future__ import annotations

from p2pball.engine.state import State
from p2pball.engine.terms import Side
from p2pball.ui.tui.glyphs import Glyphs
from p2pball.ui.tui.ink import Ink, Line, Tone, cells, dim, fitted, joined, line, spread, strong
from p2pball.ui.tui.keymap import Key
from p2pball.ui.tui.logbook import half_name
from p2pball.ui.tui.scene import Scene

DIAMOND, SIDE = 31, 33
"""Cells of the diamond on the left and of the panel on the right."""


def status(scene: Scene, room: int, glyphs: Glyphs) -> Line:
    """Score, half, count and outs on the left; who you are and the link on the right."""
    state = scene.state
    narrow = room < 80
    gap = " " if narrow else "  "
    said: list[str | Ink] = [" "]
    for side in Side:
        tone = Tone.OWN if scene.side is side else Tone.STRONG
        said += [Ink(f"{scene.lineup.team(side).code} {state.runs[side]}", tone), gap]
    said += [half_name(state.inning, state.batting) if state.inning else "not begun", gap]
    said += counts(state, glyphs, gap="" if narrow else " ")
    left = line(*said)
    return spread(left, _right(scene, room - cells(left)), room)


def _right(scene: Scene, room: int) -> Line:
    """Who you are and the link, as much of it as there is room for."""
    link = Ink(scene.link, Tone.ALARM if scene.link_bad else Tone.DIM)
    way = dim(f" {scene.way}" if scene.way else "")
    who = Ink(you_are(scene), Tone.OWN)
    for said in (
        line("  ", who, "      ", link, way, " "),
        line("  ", who, "  ", link, way, " "),
        line("  ", who, "  ", link, " "),
        line("  ", who, " "),
    ):
        if cells(said) <= room and not (scene.link_bad and link not in said):
            return said
    return line(" ", link, " ") if scene.link_bad else ()


def counts(state: State, glyphs: Glyphs, gap: str = " ") -> list[str | Ink]:
    """Balls and strikes in the cards game, and outs, each as filled and empty marks."""
    told: list[tuple[str, int, int]] = [("O", state.outs, 3)]
    if state.in_cards:
        told = [("B", state.balls, 4), ("S", state.strikes, 3), *told]
    marks = (f"{letter}{gap}{glyphs.full * n}{glyphs.empty * (of - n)}" for letter, n, of in told)
    return [" ".join(marks)]


def you_are(scene: Scene) -> str:
    """Which side this seat plays now."""
    if scene.side is None or scene.over:
        return ""
    return f"you {'bat' if scene.batting else 'pitch'} for {scene.lineup.team(scene.side).code}"


def rule(room: int, glyphs: Glyphs, *, tees: tuple[int, ...] = (), feet: tuple[int, ...] = ()) -> Line:
    """A horizontal rule; `tees` are columns where a line goes down from it, `feet` where one comes up to it."""
    drawn = [glyphs.across] * room
    for column in tees:
        drawn[column] = glyphs.tee
    for column in feet:
        drawn[column] = glyphs.foot
    return (Ink("".join(drawn), Tone.RULE),)


def prompt(scene: Scene, room: int, glyphs: Glyphs) -> Line:
    """Whose move it is and the keys of the moment, the clock on the right."""
    clock: Line = ()
    if scene.clock is not None and scene.asked:
        tone = Tone.ALARM if scene.clock <= 5 else Tone.STRONG
        clock = line(Ink(f" {scene.clock // 60}:{scene.clock % 60:02d} ", tone))
    if not scene.asked:
        return spread(line(" ", dim(f"  {scene.prompt}")), clock, room)
    said = line(" ", Ink(f"{glyphs.pointer} ", Tone.KEY), strong(scene.prompt), "  ")
    for keys in (joined(_key_words(scene)), joined(_key_caps(scene.moves), " "), ()):
        if cells(said) + cells(keys) + cells(clock) <= room:
            break
    return spread((*said, *keys), clock, room)


def _key_caps(keys: tuple[Key, ...]) -> list[Line]:
    """Keys without their words; numbered ones, which stand above, are left out."""
    return [line(Ink(f"[{key.cap}]", Tone.KEY, key.key)) for key in keys if not key.key.isdigit()]


def _key_words(scene: Scene) -> list[Line]:
    """The keys of the moment; cards and pitches, which stand above with their own, as one range."""
    numbered = [key for key in scene.moves if key.key.isdigit()]
    found = []
    if numbered:
        span = f"1-{len(numbered)}" if len(numbered) > 1 else "1"
        word = "play" if numbered[0].word == "play" else "throw"
        found.append(line(Ink(f"[{span}]", Tone.KEY), f" {word}"))
    return found + [key.label for key in scene.moves if not key.key.isdigit()]


def footer(scene: Scene, room: int, glyphs: Glyphs) -> Line:
    """The keys that are always there, and the chain's first and last digits for comparing aloud."""
    if room < 80:
        said = line(" ", *joined(_key_caps(scene.words), " "))
    else:
        said = line(" ", *joined((key.label for key in scene.words), "  "))
    chain = f"chain {scene.chain[:4]}{glyphs.dots}{scene.chain[-2:]} " if scene.chain else ""
    return spread(said, line(dim(chain)), room)


def bar(glyphs: Glyphs) -> Ink:
    """The upright between two panels."""
    return Ink(glyphs.upright, Tone.RULE)


def too_small(columns: int, rows: int) -> tuple[Line, ...]:
    """What stands on a screen that is too small to play on."""
    told = ("This window is too small:", f"{columns}x{rows}; 40x12 is needed.", "The game goes on: make it larger.")
    return tuple(fitted(line(text), columns) for text in told)[:rows]
