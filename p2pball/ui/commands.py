"""What a typed line means in the plain front end: a choice of the game, or a word about it."""

from __future__ import annotations

from enum import Enum

from p2pball.engine.cards import BY_NAME
from p2pball.engine.moves import HOLD, PASS, PINCH, PITCH_CHOICES, PLAY_CARD, STEALS, Choice, ChoosePitch, PlayCard
from p2pball.engine.state import Phase
from p2pball.engine.view import View
from p2pball.frozen import frozen


class Word(Enum):
    """A line that is no choice."""

    LOG = "l"
    BOX = "b"
    HINT = "h"
    HELP = "?"
    QUIT = "q"


@frozen
class Say:
    """Words for the other player."""

    text: str


@frozen
class Chosen:
    """A choice, and the card to play right after it when one key meant both (hold, and play this card)."""

    choice: Choice
    then: Choice | None = None


@frozen
class Unclear:
    """A line that means nothing now, and what would."""

    why: str


WORDS = {
    "l": Word.LOG,
    "log": Word.LOG,
    "b": Word.BOX,
    "box": Word.BOX,
    "h": Word.HINT,
    "hint": Word.HINT,
    "?": Word.HELP,
    "help": Word.HELP,
    "q": Word.QUIT,
    "quit": Word.QUIT,
}
ASK = {
    Phase.CHOOSE: "Pitch 1-6, r random",
    Phase.ROLL: "Enter to roll",
    Phase.PITCH: "Card {cards}",
    Phase.WINDOW: "Card {cards}{steal}{pinch}",
    Phase.KING: "Your King may send a runner: {king}, Enter to hold",
}


def prompt(view: View, moves: tuple[Choice, ...]) -> str:
    """What to ask for, in one line without the end."""
    steals = [f"s{base}" for base, choice in STEALS.items() if choice in moves]
    count = len(view.hand)
    return ASK[view.state.phase].format(
        cards=f"1-{count}" if count > 1 else "1",
        steal=f", {'s' if len(steals) == 1 else ' or '.join(steals)} steal" if steals else "",
        pinch=", p pinch hit" if PINCH in moves else "",
        king=" or ".join(steals),
    )


def read(line: str, view: View, moves: tuple[Choice, ...]) -> Chosen | Word | Say | Unclear:
    """What a line means; with no moves only words are taken."""
    text = line.strip()
    word = text.lower()
    if word.startswith(("c ", "say ")):
        return Say(text.split(maxsplit=1)[1])
    if word in WORDS:
        return WORDS[word]
    if not moves:
        return Unclear("It is not your turn. ? shows the words you can type.")
    return _choice(word, view, moves) or Unclear("That is none of your choices now.")


def _choice(word: str, view: View, moves: tuple[Choice, ...]) -> Chosen | None:
    match view.state.phase:
        case Phase.ROLL:
            return Chosen(PASS) if word in ("", "roll") else None
        case Phase.CHOOSE:
            return _pitch(word)
    if word in ("", "hold") and HOLD in moves:
        return Chosen(HOLD)
    if word in ("p", "pinch") and PINCH in moves:
        return Chosen(PINCH)
    if word.startswith("s") and (steals := _steals(word, moves)):
        return Chosen(steals[0]) if len(steals) == 1 else None
    card = _card(word, view)
    if card is None:
        return None
    if card in moves:
        return Chosen(card)
    return Chosen(HOLD, card) if view.state.phase is Phase.WINDOW else None


def _pitch(word: str) -> Chosen | None:
    if word in ("r", "random"):
        return Chosen(ChoosePitch(None))
    if word in ("1", "2", "3", "4", "5", "6"):
        return Chosen(PITCH_CHOICES[int(word) - 1])
    named = (c for c in PITCH_CHOICES if c.pitch and len(word) > 1 and c.pitch.value.startswith(word))
    choice = next(named, None)
    return Chosen(choice) if choice else None


def _steals(word: str, moves: tuple[Choice, ...]) -> list[Choice]:
    base = word.removeprefix("steal").removeprefix("s").strip()
    return [choice for number, choice in STEALS.items() if choice in moves and base in ("", str(number))]


def _card(word: str, view: View) -> PlayCard | None:
    if word.isascii() and word.isdigit() and 1 <= int(word) <= len(view.hand):
        return PLAY_CARD[view.hand[int(word) - 1]]
    named = BY_NAME.get(word.upper())
    return PLAY_CARD[named] if named in view.hand and named is not None else None
