"""The one registry of keys: what each does, and the words for it on the screen and in the help."""

from __future__ import annotations

from enum import Enum
from typing import TypeAlias

from p2pball.engine.moves import HOLD, PASS, PINCH, PITCHES, STEALS, Choice, ChoosePitch
from p2pball.engine.state import Phase
from p2pball.engine.view import View
from p2pball.frozen import frozen
from p2pball.ui.commands import Chosen, read
from p2pball.ui.tui.ink import Ink, Line, Tone, line


class Act(Enum):
    """What a key can do besides choosing a move."""

    HELP = "help"
    LOG = "log"
    BOX = "box"
    THEME = "theme"
    CHAT = "chat"
    QUIT = "quit"
    HINT = "hint"
    SCORING = "scoring"
    CLOSE = "close"
    RESIGN = "resign"
    LEAVE = "leave"
    RETRY = "retry"
    REMATCH = "rematch"
    YES = "yes"
    NO = "no"
    OPEN = "open"
    REPLAY = "replay"
    NEXT = "next"
    BACK = "back"
    HALF = "half"
    SCORE = "score"
    RUN = "run"
    FASTER = "faster"
    SLOWER = "slower"
    UP = "up"
    DOWN = "down"
    PAGE_UP = "page up"
    PAGE_DOWN = "page down"
    LEFT = "left"
    RIGHT = "right"
    PLAY = "play"
    HOST = "host"
    JOIN = "join"
    RESUME = "resume"
    GAMES = "games"
    SETTINGS = "settings"


Does: TypeAlias = Act | Chosen


@frozen
class Key:
    """One key: `key` as pressed (a character, or a name as `enter`), `word` beside it, `about` in the help.

    `also` are other keys that do the same.
    """

    key: str
    word: str
    about: str
    does: Does
    also: tuple[str, ...] = ()

    @property
    def cap(self) -> str:
        """What stands on the key."""
        return self.key.upper() if len(self.key) == 1 else {"escape": "Esc"}.get(self.key, self.key.title())

    @property
    def label(self) -> Line:
        """`[L]og`, `[?] help`, `[Enter] roll`."""
        key = Ink(f"[{self.cap}]", Tone.KEY, self.key)
        if len(self.key) == 1 and self.word.startswith(self.key):
            return line(key, Ink(self.word[1:], Tone.PLAIN, self.key))
        return line(key, Ink(f" {self.word}", Tone.PLAIN, self.key))

    def pressed(self, key: str) -> bool:
        """Whether a key that was pressed is this one."""
        return key == self.key or key in self.also


HELP = Key("?", "help", "these keys and the rules", Act.HELP, ("f1",))
LOG = Key("l", "log", "everything that has happened", Act.LOG)
BOX = Key("b", "box score", "the box score so far", Act.BOX)
THEME = Key("t", "theme", "the next set of colours", Act.THEME)
CHAT = Key("c", "chat", "a line for the other player", Act.CHAT)
QUIT = Key("q", "quit", "resign, or leave and save, or stay", Act.QUIT, ("escape",))
HINT = Key("h", "hint", "what an all-star would do here", Act.HINT)
CLOSE = Key("escape", "back", "close this", Act.CLOSE, ("q",))
SCORING = Key("!", "scoring plays", "scoring plays only, or all again", Act.SCORING)
RESIGN = Key("r", "resign", "give the game up; your rival has won it", Act.RESIGN)
LEAVE = Key("s", "save and leave", "leave; `p2pball resume` goes on with it", Act.LEAVE, ("l",))
STAY = Key("escape", "stay", "go on playing", Act.CLOSE, ("q", "enter", "n"))
RETRY = Key("t", "try again now", "try to reach your rival at once", Act.RETRY, ("enter",))
REMATCH = Key("r", "rematch", "another game, the other team at home", Act.REMATCH)
DONE = Key("q", "quit", "leave this screen", Act.CLOSE, ("escape",))
"""Not Enter, which rolls the dice: a game may be over sooner than the finger."""
YES = Key("enter", "play", "take these terms and play", Act.YES, ("y",))
NO = Key("n", "decline", "decline; nothing is recorded", Act.NO, ("escape", "q"))
OPEN = Key("enter", "open", "look at this game", Act.OPEN)
WATCH = Key("w", "watch", "watch this game again", Act.REPLAY)
CANCEL = Key("q", "give up", "stop waiting and leave", Act.CLOSE, ("escape",))

UP = Key("up", "up", "the line above", Act.UP)
DOWN = Key("down", "down", "the line below", Act.DOWN)
PAGE_UP = Key("pageup", "page up", "a page up", Act.PAGE_UP)
PAGE_DOWN = Key("pagedown", "page down", "a page down", Act.PAGE_DOWN)
LEFT = Key("left", "before", "the value before", Act.LEFT)
RIGHT = Key("right", "change", "the next value", Act.RIGHT, ("space",))
PLAY = Key("enter", "begin", "begin the game", Act.YES)
KEEP = Key("enter", "keep", "keep these settings", Act.YES)

TITLE_KEYS = (
    Key("p", "play", "against the computer, or two at one keyboard", Act.PLAY),
    Key("h", "host", "open a room for a player elsewhere", Act.HOST),
    Key("j", "join", "join a room by its code", Act.JOIN),
    Key("r", "resume", "go on with a game", Act.RESUME),
    Key("g", "games", "look at games, watch them again", Act.GAMES),
    Key("s", "settings", "name, colours, glyphs, motion", Act.SETTINGS),
    Key("q", "quit", "until the next time", Act.CLOSE),
)
LOG_KEYS = (SCORING, CLOSE)
QUIT_KEYS = (RESIGN, LEAVE, STAY)
LOST_KEYS = (RETRY, LEAVE, RESIGN)
UNHEARD_KEYS = (RETRY, LEAVE)
TERMS_KEYS = (YES, NO)
WAITING_KEYS = (CANCEL, THEME)
REPLAY_KEYS = (
    Key("enter", "next", "the next step", Act.NEXT, ("n", "right", "down")),
    Key("b", "back", "one step back", Act.BACK, ("left", "up")),
    Key("h", "half", "on to the next half", Act.HALF),
    Key("s", "score", "on to the next run", Act.SCORE),
    Key("p", "play/pause", "play by itself, or stop", Act.RUN, ("space",)),
    Key("+", "fast", "half the time between steps", Act.FASTER, ("=",)),
    Key("-", "slow", "twice the time between steps", Act.SLOWER),
    HELP,
    Key("x", "box", "the box score up to here", Act.BOX),
    LOG,
    THEME,
    Key("q", "quit", "leave the replay", Act.CLOSE, ("escape",)),
)
"""B is back here, as in the plain replay; so the box has another key."""


def word_keys(*, talks: bool) -> tuple[Key, ...]:
    """The keys that are always there in a game; C when there is somebody to talk to."""
    return (HELP, LOG, BOX, THEME, *((CHAT,) if talks else ()), QUIT)


def move_keys(view: View, moves: tuple[Choice, ...], *, hints: bool) -> tuple[Key, ...]:
    """The keys of the choices due now; none when none is."""
    if not moves:
        return ()
    hint = (HINT,) if hints else ()
    match view.state.phase:
        case Phase.ROLL:
            return (Key("enter", "roll", "roll the dice", Chosen(PASS), ("space",)),)
        case Phase.CHOOSE:
            pitches = (
                Key(str(n), pitch.value, f"throw a {pitch.value}", Chosen(ChoosePitch(pitch)))
                for n, pitch in enumerate(PITCHES, start=1)
            )
            random = Key("r", "random", "let the dice pick the pitch", Chosen(ChoosePitch(None)))
            return (*pitches, random, *hint)
        case Phase.KING:
            hold = Key("enter", "hold", "keep the runner where he is", Chosen(HOLD))
            return (*_open_moves(moves), hold, *hint)
        case _:
            return (*_cards(view, moves), *_open_moves(moves), *hint)


def _cards(view: View, moves: tuple[Choice, ...]) -> tuple[Key, ...]:
    """A card key alone means: hold, and play this card."""
    found = []
    for n in range(1, len(view.hand) + 1):
        chosen = read(str(n), view, moves)
        assert isinstance(chosen, Chosen)
        found.append(Key(str(n), "play", "play this card", chosen))
    return tuple(found)


def _open_moves(moves: tuple[Choice, ...]) -> tuple[Key, ...]:
    found = [
        Key("s", "steal", f"send the runner to {'2nd' if base == 2 else '3rd'}", Chosen(choice))
        for base, choice in STEALS.items()
        if choice in moves
    ]
    if PINCH in moves:
        found.append(Key("p", "pinch hit", "send in the pinch hitter, once a game", Chosen(PINCH)))
    return tuple(found)


def find(keys: tuple[Key, ...], pressed: str) -> Key | None:
    """The key that was pressed."""
    return next((key for key in keys if key.pressed(pressed)), None)
