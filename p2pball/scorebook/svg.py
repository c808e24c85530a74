"""Pictures for the page: the win-chance curve and the diamond, as inline SVG that says in words what it shows."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from p2pball.engine.state import State
from p2pball.engine.terms import Side
from p2pball.scorebook.game import Lineup
from p2pball.scorebook.phrases import ordinal
from p2pball.scorebook.winchance import Swing

_WIDTH, _HEIGHT, _LEFT, _TOP, _BOTTOM, _RIGHT = 640, 270, 56, 26, 44, 8
_BASES = {1: (75, 50), 2: (50, 25), 3: (25, 50)}


def percent(chance: float) -> str:
    """A chance as a whole percentage; never 0 or 100 while the game is open."""
    if chance in (0.0, 1.0):
        return f"{chance:.0%}"
    return f"{min(max(round(chance * 100), 1), 99)}%"


def curve(played: Sequence[Swing], best: Swing | None, lineup: Lineup) -> str:
    """The home team's chance after every play, from left to right, innings marked, the play of the game ringed."""
    home, visitors = (escape(lineup.team(side).name) for side in (Side.HOME, Side.VISITORS))
    chances = [played[0].before, *(swing.after for swing in played)]
    points = [(_x(i, len(played)), _y(chance)) for i, chance in enumerate(chances)]
    line = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    dots = "".join(
        f'<circle cx="{x:.1f}" cy="{y:.1f}" {_ring(swing is best)}>'
        f"<title>{escape(swing.text)} {home} {percent(swing.after)}</title></circle>"
        for swing, (x, y) in zip(played, points[1:], strict=True)
    )
    described = f"{home} began at {percent(chances[0])} and ended at {percent(chances[-1])}."
    return (
        f'<svg class="curve" viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" aria-labelledby="curve-title curve-desc">'
        f'<title id="curve-title">Chance of {home} to win, play by play</title>'
        f'<desc id="curve-desc">{described} Every value stands in the play by play.</desc>'
        f"{_levels()}{_innings(played)}"
        f'<text x="{_LEFT}" y="14">{home}</text><text x="{_LEFT}" y="{_HEIGHT - 4}">{visitors}</text>'
        f'<polyline points="{line}" class="line"/>{dots}</svg>'
    )


def _ring(best: bool) -> str:
    return 'r="6" class="best"' if best else 'r="2.5" class="dot"'


def _x(index: int, plays: int) -> float:
    return _LEFT + (_WIDTH - _LEFT - _RIGHT) * index / plays


def _y(chance: float) -> float:
    return _TOP + (_HEIGHT - _TOP - _BOTTOM) * (1 - chance)


def _levels() -> str:
    return "".join(
        f'<line x1="{_LEFT}" x2="{_WIDTH - _RIGHT}" y1="{_y(level / 100):.1f}" y2="{_y(level / 100):.1f}"'
        f' class="{"half" if level == 50 else "grid"}"/>'
        f'<text x="{_LEFT - 6}" y="{_y(level / 100) + 4:.1f}" class="end">{level}%</text>'
        for level in (0, 25, 50, 75, 100)
    )


def _innings(played: Sequence[Swing]) -> str:
    marks, seen = [], 0
    for index, swing in enumerate(played):
        inning = swing.play.before.inning
        if inning != seen:
            x, seen = _x(index, len(played)), inning
            marks.append(
                f'<line x1="{x:.1f}" x2="{x:.1f}" y1="{_TOP}" y2="{_HEIGHT - _BOTTOM}" class="grid"/>'
                f'<text x="{x + 3:.1f}" y="{_HEIGHT - _BOTTOM + 17}">{inning}</text>'
            )
    return "".join(marks)


def on_base(state: State) -> str:
    """Who stands on base, by number only: `bases empty`, `1st and 3rd`, `bases full`."""
    held = [ordinal(base) for base in (1, 2, 3) if state.bases[base - 1]]
    if not held:
        return "bases empty"
    return "bases full" if len(held) == 3 else f"on {' and '.join(held)}"


def diamond(state: State, lineup: Lineup) -> str:
    """The field with the batter and everyone on base by name."""
    names = {base: lineup.name(state.batting, slot) for base, slot in enumerate(state.bases, start=1) if slot}
    batter = lineup.name(state.batting, state.slot)
    told = ", ".join(f"{name} on {ordinal(base)}" for base, name in sorted(names.items())) or "bases empty"
    bases = "".join(_base(x, y, filled=base in names) for base, (x, y) in _BASES.items())
    places = {1: (84, 53, "start"), 2: (50, 14, "middle"), 3: (16, 53, "end"), 0: (50, 93, "middle")}
    texts = "".join(
        f'<text x="{places[base][0]}" y="{places[base][1]}" text-anchor="{places[base][2]}">{escape(name)}</text>'
        for base, name in (*sorted(names.items()), (0, batter))
    )
    return (
        '<svg class="diamond" viewBox="-60 0 220 100" role="img" aria-labelledby="diamond-title">'
        f'<title id="diamond-title">{escape(batter)} at bat, {escape(told)}</title>'
        '<path d="M50 75 75 50 50 25 25 50Z" class="grid"/>'
        f'{bases}<path d="M46 72h8v5l-4 4-4-4Z" class="base"/>{texts}</svg>'
    )


def _base(x: int, y: int, *, filled: bool, half: int = 6) -> str:
    corners = f"M{x} {y - half} {x + half} {y} {x} {y + half} {x - half} {y}Z"
    return f'<path d="{corners}" class="base{" on" if filled else ""}"/>'


def symbols() -> str:
    """The eight small diamonds that plays refer to, once a page."""
    drawn = []
    for mask in range(8):
        filled = {base: bool(mask >> base - 1 & 1) for base in _BASES}
        bases = "".join(_base(x, y, filled=filled[base], half=14) for base, (x, y) in _BASES.items())
        drawn.append(f'<symbol id="b{mask}" viewBox="5 5 90 65">{bases}</symbol>')
    return f'<svg class="symbols" aria-hidden="true">{"".join(drawn)}</svg>'


def small_diamond(state: State) -> str:
    """The bases after a play, small; the words are for those who do not see it."""
    mask = sum(1 << base for base, slot in enumerate(state.bases) if slot)
    return f'<svg class="small" role="img" aria-label="{on_base(state)}"><use href="#b{mask}"/></svg>'
