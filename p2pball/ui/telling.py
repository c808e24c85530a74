"""What the plain front end says of a game, line by line: what happened, the six pitches, who won."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from p2pball.ballgame import Ballgame
from p2pball.engine.chart import CHART, WAYS
from p2pball.engine.events import CardsPlayed, ContactRolled, Outcome
from p2pball.engine.moves import PITCHES, Pitch
from p2pball.engine.state import Phase
from p2pball.engine.terms import Seat
from p2pball.scorebook.game import Moment
from p2pball.scorebook.words import tell
from p2pball.ui.book import Book

_SHOWN = (Outcome.SINGLE, Outcome.DOUBLE, Outcome.TRIPLE, Outcome.HOME_RUN, Outcome.WALK, Outcome.STRIKEOUT)


def told(moments: Iterable[Moment], voice: Seat | None) -> list[str]:
    """One line a fact, the rolls behind the cards they settle; `voice` is whose `you` it is, None names everybody."""
    lines: list[str] = []
    for moment in moments:
        words = tell(moment, voice)
        if isinstance(moment.event, ContactRolled) and lines:
            lines[-1] = f"{lines[-1].removesuffix('.')}. {words}"
        elif words:
            lines.append(words + _count(moment))
    return lines


def _count(moment: Moment) -> str:
    after = moment.after
    counts = isinstance(moment.event, CardsPlayed) and after.phase not in (Phase.CONTACT, Phase.COUNT_FULL)
    return f" Count {after.balls}-{after.strikes}." if counts else ""


def pitch_lines() -> Iterator[str]:
    """The six pitches with the number that throws each, and what it brings in 36 rolls."""
    for number, pitch in enumerate(PITCHES, start=1):
        odds = ", ".join(f"{outcome.value} {_in_36(pitch, outcome)}" for outcome in _SHOWN)
        yield f"  {number} {pitch.value}: {odds} in 36"


def _in_36(pitch: Pitch, outcome: Outcome) -> int:
    return sum(WAYS[total] for total, found in CHART[pitch].items() if found is outcome)


def result_line(ballgame: Ballgame, book: Book) -> str:
    """Who won, and whether by the other's resignation; empty while nobody has."""
    result = ballgame.result
    if result is None:
        return ""
    runs = f"{max(result.home, result.visitors)} to {min(result.home, result.visitors)}"
    if result.winner is None:
        return f"A draw, {runs}."
    winner, loser = book.name(result.winner), book.name(result.winner.other)
    if ballgame.game.exchange.sides[result.winner.other.value].resign and not ballgame.game.over:
        return f"{loser} resigned at {runs}: {winner} wins."
    return f"{winner} wins, {runs}."
