"""Pitches and rolls in words: what was chosen, both values, every die, and what it means."""

from __future__ import annotations

from p2pball.engine.card_rules import PICKOFF_NEEDS, contact
from p2pball.engine.cards import rank
from p2pball.engine.events import Call, CardsPlayed, ContactRolled, DiceRolled, Outcome, PitchChosen, StealSettled
from p2pball.engine.terms import Seat
from p2pball.scorebook.game import Moment
from p2pball.scorebook.phrases import OUTCOMES, needs, number, pitch_words, rank_word


def pitcher_word(moment: Moment, seat: Seat | None, rival: str = "rival") -> str:
    """What to call the pitching side: you, rival, or the pitcher's name to those who only look on."""
    if seat is None:
        return moment.pitcher
    return rival if moment.before.side(seat) is moment.before.batting else "you"


def batter_word(moment: Moment, seat: Seat | None, rival: str = "rival") -> str:
    """What to call the batting side: you, rival, or the batter's name to those who only look on."""
    if seat is None:
        return moment.batter
    return "you" if moment.before.side(seat) is moment.before.batting else rival


def chosen(moment: Moment, event: PitchChosen, seat: Seat | None) -> str:
    """The pitch that was chosen openly (D1)."""
    who = _capital(pitcher_word(moment, seat, "your rival"))
    verb = ("leave", "throw") if who == "You" else ("leaves", "throws")
    if event.pitch is None:
        return f"{who} {verb[0]} the pitch to the dice."
    return f"{who} {verb[1]} {pitch_words(event.pitch)}."


def rolled(moment: Moment, event: DiceRolled, seat: Seat | None) -> str:
    """Both dice and the column they were read in (D2 to D4)."""
    picked = f"The dice pick {pitch_words(event.pitch)}. " if event.at_random else ""
    sum_words = f"{event.first} plus {event.second} is {event.first + event.second}"
    return f"{picked}Rolls: {batter_word(moment, seat)} {sum_words}: {_result(event.outcome)}"


def matchup(moment: Moment, event: CardsPlayed, seat: Seat | None) -> str:
    """Both cards with their values, d, and what it means (C4)."""
    sides = (
        (batter_word(moment, seat), event.batter_card, event.batter_value),
        (pitcher_word(moment, seat), event.pitcher_card, event.pitcher_value),
    )
    told = ", ".join(f"{who} {_valued(who, card, value)}" for who, card, value in sides)
    d = event.batter_value - event.pitcher_value
    return f"{_capital(told)}: {difference(d)}, {event.call.value}."


def difference(d: int) -> str:
    """Batter's value minus pitcher's, in words: `two more`, `level`, `four less`."""
    return f"{number(abs(d))} {'more' if d > 0 else 'less'}" if d else "level"


def _valued(who: str, card: int, value: int) -> str:
    bonus = value - rank(card)
    if who == "rival" and not bonus:
        return str(value)  # the shorter half of the sentence; the own sum is always spelled out
    return f"{rank_word(card)} plus {bonus} is {value}"


def contact_rolls(moment: Moment, event: ContactRolled, seat: Seat | None) -> str:
    """Both rolls of a ball in play with their bonuses, and what they come to (C6)."""
    sides = (
        (pitcher_word(moment, seat), event.pitcher_die, event.pitcher_total),
        (batter_word(moment, seat), event.batter_die, event.batter_total),
    )
    told = ", ".join(f"{who} {_roll(die, total)}" for who, die, total in sides)
    outcome = contact(event.pitcher_total, event.batter_total)
    return f"Rolls: {told}: {'caught.' if outcome is Outcome.FLY_OUT else _result(outcome)}"


def _roll(die: int, total: int) -> str:
    return f"{die} plus {total - die} is {total}" if total != die else str(die)


def _result(outcome: Outcome) -> str:
    return f"{OUTCOMES[outcome]}{'!' if outcome is Outcome.HOME_RUN else '.'}"


def steal_rolls(event: StealSettled) -> str:
    """The pickoff's die when there was one, then the runner's (C10, C12, C13)."""
    told = []
    if event.pickoff is not None:
        verdict = "picked off" if event.roll is None else "not picked off"
        told.append(f"Pickoff roll {event.pickoff}, out on {needs(PICKOFF_NEEDS)}: {verdict}.")
    if event.roll is not None:
        told.append(f"Steal roll {event.roll}, safe on {needs(event.need)}: {'safe' if event.safe else 'out'}.")
    return " ".join(told)


def pitch_line(moment: Moment, event: CardsPlayed) -> str:
    """One pitch in columns for a log: batter, call, both values, d and the count after it."""
    batter, pitcher = event.batter_value, event.pitcher_value
    d = f"{batter - pitcher:+d}" if batter != pitcher else "0"
    after = moment.after
    counted = "" if event.call is Call.IN_PLAY else f"   {after.balls}-{after.strikes}"
    return f"{moment.batter}: {event.call.value:<7} {batter:>2} v {pitcher:<2} {d:>4}{counted}"


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
