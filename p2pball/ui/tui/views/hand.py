"""What a choice is made from: the hand of cards, the six pitches, or the roll that is due; five rows."""

from __future__ import annotations

from p2pball.engine.chart import CHART, WAYS
from p2pball.engine.events import CardsPlayed, HalfBegan, Outcome
from p2pball.engine.moves import PITCHES, Pitch
from p2pball.engine.state import Phase
from p2pball.scorebook.game import Game
from p2pball.ui.tui.glyphs import Glyphs
from p2pball.ui.tui.ink import Ink, Line, Lines, Tone, cells, dim, fitted, line, spread, strong
from p2pball.ui.tui.scene import Scene

ROWS = 5
_OUTS = (Outcome.FLY_OUT, Outcome.POP_OUT, Outcome.GROUND_OUT, Outcome.DOUBLE_PLAY)
_COLUMNS: tuple[tuple[str, tuple[Outcome, ...]], ...] = (
    ("1B", (Outcome.SINGLE,)),
    ("2B", (Outcome.DOUBLE,)),
    ("3B", (Outcome.TRIPLE,)),
    ("HR", (Outcome.HOME_RUN,)),
    ("BB", (Outcome.WALK,)),
    ("K", (Outcome.STRIKEOUT,)),
    ("O", _OUTS),
    ("WP", (Outcome.WILD_PITCH,)),
)


def hand(scene: Scene, room: int, glyphs: Glyphs) -> Lines:
    """The five rows below the log."""
    if scene.state.in_cards:
        return cards(scene, room, glyphs)
    if scene.state.phase is Phase.CHOOSE and scene.moves:
        return pitches(scene, room)
    return roll(scene, room)


def cards(scene: Scene, room: int, glyphs: Glyphs) -> Lines:
    """The cards face up, the key of each below it, and what can be known of the rival's."""
    if scene.seat is None:
        return matchup(scene, room, glyphs)
    held = len(scene.hand)
    refilled = "" if scene.locked else ", refilled when empty"
    title = line(" ", strong("YOUR HAND"), dim(f"  {held} of 6{refilled}" if held else ""))
    top: list[str | Ink] = ["  "]
    face, low, keys = list(top), list(top), list(top)
    a, b, c, d = glyphs.corners
    numbers = {key.key for key in scene.moves}
    for n, card in enumerate(scene.hand, start=1):
        key = str(n) if str(n) in numbers else ""
        tone = Tone.STRONG if key else Tone.DIM
        top += [" ", Ink(f"{a}{glyphs.across * 5}{b}", Tone.RULE, key), "  "]
        face += [" ", Ink(glyphs.upright, Tone.RULE, key), Ink(f"{_face(glyphs, card)}", tone, key)]
        face += [Ink(glyphs.upright, Tone.RULE, key), "  "]
        low += [" ", Ink(f"{c}{glyphs.across * 5}{d}", Tone.RULE, key), "  "]
        keys += [" ", Ink(f"  [{n}]  ", Tone.KEY if key else Tone.DIM, key), "  "]
    drawn = (line(*row) for row in (top, face, low, keys))
    return (spread(title, _rival(scene, glyphs), room), *(fitted(row, room) for row in drawn))


def matchup(scene: Scene, room: int, glyphs: Glyphs) -> Lines:
    """For those who only look on: the cards of the last pitch of this half."""
    title = fitted(line(" ", strong("THE LAST PITCH"), dim("  batter against pitcher")), room)
    last = last_pitch(scene.book)
    if last is None:
        return (title, *[fitted((), room)] * (ROWS - 1))
    a, b, c, d = glyphs.corners
    edge, bar = glyphs.across * 5, glyphs.upright
    batter, pitcher = (_face(glyphs, card) for card in (last.batter_card, last.pitcher_card))
    difference = last.batter_value - last.pitcher_value
    said = f"{last.batter_value} v {last.pitcher_value}, {difference:+d}: {last.call.value}"
    rows = (
        line("   ", Ink(f"{a}{edge}{b}       {a}{edge}{b}", Tone.RULE)),
        line("   ", Ink(bar, Tone.RULE), strong(batter), Ink(bar, Tone.RULE), "   v   ")
        + line(Ink(bar, Tone.RULE), strong(pitcher), Ink(bar, Tone.RULE), "    ", strong(said)),
        line("   ", Ink(f"{c}{edge}{d}       {c}{edge}{d}", Tone.RULE)),
        line(dim("    batter        pitcher")),
    )
    return (title, *(fitted(row, room) for row in rows))


def last_pitch(book: Game | None) -> CardsPlayed | None:
    """The last matchup of this half; None before its first."""
    for moment in reversed(book.moments if book else ()):
        if isinstance(moment.event, CardsPlayed):
            return moment.event
        if isinstance(moment.event, HalfBegan):
            return None
    return None


def _face(glyphs: Glyphs, card: int) -> str:
    shown = glyphs.card(card)
    return f"{shown[:-1]:>2} {shown[-1]} "


def _rival(scene: Scene, glyphs: Glyphs) -> Line:
    if scene.over:
        return ()
    number = f"{scene.rival_left} card{'' if scene.rival_left == 1 else 's'}"
    chosen = f", choice locked {glyphs.locked}" if scene.rival_locked else ""
    own = f"you: locked {glyphs.locked}   " if scene.locked else ""
    return line(Ink(own, Tone.GOOD), dim("rival: "), number, Ink(chosen, Tone.GOOD), " ")


def pitches(scene: Scene, room: int) -> Lines:
    """The six pitches in two columns with what they come to in 36 rolls (D4), and the random one."""
    half = (room - 2) // 2
    heads = "".join(f"{name:>3}" for name, _ in _COLUMNS)
    title = fitted(line(strong("YOUR PITCH")), half - len(heads))
    rows: list[Line] = [fitted(line(" ", *title, dim(heads), " ", Ink(" " * (half - len(heads))), dim(heads)), room)]
    for left, right in zip(PITCHES[:3], PITCHES[3:], strict=True):
        rows.append(fitted(line(" ", *_pitch(left, half), " ", *_pitch(right, half)), room))
    random = next((key for key in scene.moves if key.key == "r"), None)
    label = random.label if random else line()
    legend = line(dim("of 36 rolls; O is every other out "))
    rows.append(spread(line(" ", *label, dim(": one of the six, as the dice say")), legend, room))
    return tuple(rows)


def _pitch(pitch: Pitch, room: int) -> Line:
    key = str(PITCHES.index(pitch) + 1)
    counted = "".join(
        f"{sum(WAYS[total] for total, o in CHART[pitch].items() if o in kinds):>3}" for _, kinds in _COLUMNS
    )
    label = line(Ink(f"[{key}]", Tone.KEY, key), Ink(f" {pitch.value}", Tone.STRONG, key))
    return (*fitted(label, room - len(counted)), Ink(counted, Tone.PLAIN, key))


def roll(scene: Scene, room: int) -> Lines:
    """The column of the pitch that was chosen, by the sum of two dice (D3)."""
    state = scene.state
    if state.phase is not Phase.ROLL:
        said = "the pitch is chosen openly, then the batter rolls two dice" if not scene.over else ""
        return (fitted(line(" ", strong("THE PITCH"), dim(f"  {said}")), room), *[fitted((), room)] * (ROWS - 1))
    name = state.pitch.value if state.pitch else "random: one of the six"
    rows = [fitted(line(" ", strong("THE PITCH"), "  ", Ink(name, Tone.RIVAL)), room)]
    wide = 5 if room >= 68 else 3
    sums = "".join(f"{total:>{wide}}" for total in WAYS)
    rows.append(fitted(line("  ", dim("sum   "), dim(sums)), room))
    if state.pitch:
        column = "".join(f"{CHART[state.pitch][total].value:>{wide}}" for total in WAYS)
        rows.append(fitted(line("  ", dim("      "), strong(column)), room))
    rows.append(fitted(line("  ", dim("of 36 "), dim("".join(f"{ways:>{wide}}" for ways in WAYS.values()))), room))
    return (*rows, *[fitted((), room)] * (ROWS - len(rows)))


def card_line(scene: Scene, glyphs: Glyphs) -> Line:
    """The hand in one line, for narrow screens: `1:4♠ 2:7♥`."""
    numbers = {key.key for key in scene.moves}
    found: list[Ink] = []
    for n, card in enumerate(scene.hand, start=1):
        key = str(n) if str(n) in numbers else ""
        found += [Ink(f"{n}:", Tone.KEY if key else Tone.DIM, key), Ink(f"{glyphs.card(card)} ", Tone.STRONG, key)]
    return tuple(found)


def pitch_lines(room: int) -> Lines:
    """The six pitches for narrow screens, as many in a row as there is room for; the prompt has the random one."""
    rows: list[Line] = []
    row: Line = line(" ")
    for n, pitch in enumerate(PITCHES, start=1):
        name = pitch.value.removesuffix("ball").removesuffix("up")
        part = line(Ink(f"[{n}]", Tone.KEY, str(n)), Ink(f"{name} ", Tone.STRONG, str(n)))
        if cells(row) + cells(part) > room:
            rows.append(row)
            row = line(" ")
        row = (*row, *part)
    return (*rows, row)
