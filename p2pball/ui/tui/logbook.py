"""The log beside the field: every play, pitch and roll as a line, the newest last."""

from __future__ import annotations

from collections.abc import Iterable
from typing import assert_never

from p2pball.engine.cards import is_joker
from p2pball.engine.events import (
    BatterCameUp,
    CardsPlayed,
    ContactRolled,
    DiceRolled,
    GameBegan,
    GameEnded,
    HalfBegan,
    HandsDealt,
    PinchHitterSent,
    PitchChosen,
    Play,
    RunnerSent,
    StealSettled,
    WindowHeld,
)
from p2pball.engine.terms import Seat, Side
from p2pball.frozen import frozen
from p2pball.scorebook.game import Moment
from p2pball.scorebook.phrases import half_words, score_words
from p2pball.scorebook.pitches import contact_rolls, pitch_line, steal_rolls
from p2pball.scorebook.words import is_scoring, play_text, tell
from p2pball.ui.tui.ink import Ink, Lines, Tone, wrapped
from p2pball.ui.tui.outside import words

INDENT = 8


@frozen
class Entry:
    """One line of the log: `head` is the half (`Bot 7`), the tone says play, pitch or talk."""

    text: str
    tone: Tone = Tone.PLAIN
    head: str = ""
    scoring: bool = False


def half_name(inning: int, side: Side) -> str:
    """`Top 1`, `Bot 9`."""
    return f"{'Bot' if side is Side.HOME else 'Top'} {inning}"


def entries(moments: Iterable[Moment], seat: Seat | None) -> tuple[Entry, ...]:
    """What these moments add to the log."""
    return tuple(entry for moment in moments for entry in _entry(moment, seat))


def _entry(moment: Moment, seat: Seat | None) -> tuple[Entry, ...]:
    event, after = moment.event, moment.after
    head = half_name(after.inning, after.batting) if after.inning else ""
    match event:
        case Play() | GameEnded() | PinchHitterSent():
            return (Entry(play_text(moment), Tone.STRONG, head, is_scoring(moment)),)
        case StealSettled():
            return Entry(steal_rolls(event), Tone.DIM, head), Entry(play_text(moment), Tone.STRONG, head)
        case CardsPlayed():
            told = pitch_line(moment, event).removeprefix(moment.batter)
            return (Entry(words(moment.batter, 12) + told, Tone.PLAIN, head),)
        case ContactRolled():
            return (Entry(contact_rolls(moment, event, seat), Tone.DIM, head),)
        case DiceRolled() | PitchChosen():
            return (Entry(tell(moment, seat), Tone.DIM, head),)
        case HalfBegan(inning, side):  # who pitches, with what, stands in the panels
            said = f"{half_words(inning, side)}. {score_words(after.runs, moment.lineup)}."
            return (Entry(said, Tone.PLAIN, head),)
        case RunnerSent() | GameBegan():
            return (Entry(tell(moment, seat), Tone.PLAIN, head),)
        case BatterCameUp(_, _, character):
            joker = character is not None and is_joker(character)
            return (Entry(tell(moment, seat), Tone.PLAIN, head),) if joker else ()  # the side panel shows the others
        case HandsDealt():
            return (Entry(tell(moment, seat), Tone.DIM, head),)
        case WindowHeld():
            return ()
        case _:
            assert_never(event)


def log_lines(log: tuple[Entry, ...], room: int, rows: int | None = None) -> Lines:
    """The log in rows of so many cells, each half named where it begins; if `rows` is given, as many entries from the
    last one back as they have room for.
    """
    found: list[tuple[str, bool, Ink]] = []
    starts: list[int] = []
    head = ""
    for entry in log if rows is None else log[-rows - 1 :]:
        begins = bool(entry.head) and entry.head != head
        head = entry.head or head
        starts.append(len(found))
        for number, text in enumerate(wrapped(entry.text, max(room - INDENT, 8), 1)):
            found.append((head, begins and number == 0, Ink(text, entry.tone)))
    first = 0 if rows is None else max(len(found) - rows, 0)
    last = found[next((start for start in starts if start >= first), first) :]
    # Whatever has scrolled away, the first row says which half it is.
    return tuple(
        (Ink(f" {half if begins or not number else '':<{INDENT - 1}}", Tone.DIM), ink)
        for number, (half, begins, ink) in enumerate(last)
    )
