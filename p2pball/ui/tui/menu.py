"""What the forms of the title ask, and a game as a line of its lists."""

from __future__ import annotations

from typing import TYPE_CHECKING

from p2pball.clubhouse.settings import Settings
from p2pball.computer.levels import Level
from p2pball.protocol.chat import clean
from p2pball.ui.options import kept_level
from p2pball.ui.tui.look import Look
from p2pball.ui.tui.screens.form import Row
from p2pball.ui.tui.themes import THEMES

if TYPE_CHECKING:
    from p2pball.clubhouse.history import Played

SECOND = "somebody at this keyboard"
LEVELS = tuple(level.value for level in Level)
USUAL = "as usual: 9 dice, 3 cards"


def game_rows() -> list[Row]:
    """What every game has."""
    return [
        Row("Game", "dice", ("dice", "cards"), "dice: pick a pitch, roll two dice. cards: both play one in secret."),
        Row("Innings", USUAL, (USUAL, *map(str, range(1, 10))), "How long it is."),
        Row("Extra innings", "3", ("0", "1", "2", "3"), "At most, when it is tied; then it is a draw."),
        Row("Walk-off", "yes", ("yes", "no"), "Whether the last half ends when the home team takes the lead."),
        Row("Clock", "none", ("none", "10 seconds", "20 seconds", "30 seconds", "60 seconds"), "For each choice."),
    ]


def solo_rows(settings: Settings) -> list[Row]:
    """A game on this machine."""
    return [
        *game_rows(),
        Row(
            "Against",
            kept_level(settings).value,
            (*LEVELS, SECOND),
            "The computer at this level, or two people taking turns.",
        ),
        Row("You are", "home", ("home", "visitors"), "The home team bats second."),
    ]


def host_rows(settings: Settings) -> list[Row]:
    """A game over the network."""
    own = "one of my own, on this network"
    return [
        *game_rows(),
        Row("Home team", "coin", ("coin", "host", "guest"), "Who is at home; a fair coin by default."),
        Row("Relay", settings.relay, (), f"Where you meet, as HOST[:PORT]; empty for {own}.", longest=120),
    ]


def settings_rows(settings: Settings, look: Look) -> list[Row]:
    """What is kept."""
    return [
        Row("Name", settings.name, (), "What your rival calls you."),
        Row("Theme", look.theme, tuple(THEMES), "The colours of the full screen."),
        Row("Glyphs", "ASCII" if settings.ascii else "Unicode", ("Unicode", "ASCII"), "What the field is drawn with."),
        Row("Animation", "on" if settings.animation else "off", ("on", "off"), "Short motions of runners and dice."),
        Row("Computer", kept_level(settings).value, LEVELS, "How strong it plays when nothing else is said."),
    ]


def summary(game: Played) -> str:
    """A game in a line."""
    against = f"the computer, {game.level}" if game.kind == "solo" else clean(game.opponent) or "nobody yet"
    stands = {"suspended": "open", "new": "not begun", "cheat": "ended by proof of a cheat"}.get(game.status, "damaged")
    if game.status == "complete" and game.result:
        stands = game.score
    return f"{game.id}  {game.rules:<5}  {stands:<10}  against {against}"
