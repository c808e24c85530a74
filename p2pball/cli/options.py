"""The options that several commands share, and the objects they become."""

from __future__ import annotations

import dataclasses
import functools
import sys
from collections.abc import Callable
from typing import Any, TypeVar, cast

import click

from p2pball.clubhouse.settings import Settings, load, save_name
from p2pball.engine.terms import Rules, Terms
from p2pball.frozen import frozen
from p2pball.protocol.chat import clean
from p2pball.scorebook.teams import Team
from p2pball.ui.options import Options, default_team, default_terms, load_team

F = TypeVar("F", bound=Callable[..., Any])
LEVELS = click.Choice(["rookie", "regular", "all-star"])
MAX_NAME = 24


def gathered(name: str, kind: type[Any], *options: Callable[[F], F]) -> Callable[[F], F]:
    """Options that a command takes together, as one object of a dataclass whose fields bear their names."""

    def decorate(function: F) -> F:
        @functools.wraps(function)
        def call(**values: Any) -> Any:
            group = kind(**{field.name: values.pop(field.name) for field in dataclasses.fields(kind)})
            return function(**values, **{name: group})

        decorated = cast(F, call)
        for option in reversed(options):
            decorated = option(decorated)
        return decorated

    return decorate


def _keep(ctx: click.Context, param: click.Parameter, value: Any) -> None:
    """Keep a flag of the look for `look_flags`."""
    if value:
        ctx.meta[f"p2pball.{param.name}"] = value


def look_flags() -> dict[str, str | bool | None]:
    """What was said about the look on the command line, as `load` takes it; None where nothing was."""
    meta = click.get_current_context().meta
    return {"ascii": meta.get("p2pball.ascii_"), "theme": meta.get("p2pball.theme")}


@frozen
class GameFlags:
    """What is to be played."""

    rules: str | None
    innings: int | None
    extra_innings: int
    no_walk_off: bool
    clock: int

    def terms(self, home: str) -> Terms:
        """The terms they come to; `home` is host, guest or coin."""
        return default_terms(
            Rules(self.rules or "dice"),
            extra_innings=self.extra_innings,
            walk_off=not self.no_walk_off,
            clock=self.clock,
            home=home,
            **({"innings": self.innings} if self.innings else {}),
        )


@frozen
class PlayerFlags:
    """Who plays."""

    name: str | None
    team: str | None

    def options(self, terms: Terms, *, first: bool, ask: bool, **more: Any) -> Options:
        """The game as wanted; the name is asked for when it may be and is not known."""
        return Options(
            terms=terms, name=player_name(self.name, ask=ask), team=player_team(self.team, first=first), **more
        )


@frozen
class NetworkFlags:
    """Where to meet, and through what."""

    relay: str | None
    stun: str | None
    turn: str | None
    turn_only: bool

    def settings(self, relay: str | None = None) -> Settings:
        """The settings that hold with them; `relay` goes before the flag."""
        relay = self.relay if relay is None else relay
        return load(relay=relay, stun=self.stun, turn=self.turn, turn_only=self.turn_only or None)


@frozen
class FrontFlags:
    """How the game is shown, and who plays the player's seat."""

    plain: bool
    as_json: bool
    auto: str | None
    engine: str | None
    pace: float | None

    @property
    def watched(self) -> bool:
        """Whether somebody else plays the player's seat; raises UsageError for two at once."""
        if self.auto and self.engine:
            raise click.UsageError("Only one can play your seat: --auto or --engine.")
        return bool(self.auto or self.engine)

    @property
    def pause(self) -> float:
        """Seconds before a choice of --auto: none without a terminal, else so many that it can be followed."""
        if self.pace is not None:
            return self.pace
        return 1.0 if sys.stdout.isatty() else 0.0


LOOK: tuple[Callable[[Any], Any], ...] = (
    click.option("--ascii", "ascii_", is_flag=True, expose_value=False, callback=_keep, help="Draw with ASCII only."),
    click.option(
        "--theme",
        type=click.Choice(["dark", "light", "contrast", "colorblind"]),
        expose_value=False,
        callback=_keep,
        help="Colours of the full screen.",
    ),
)
"""They are kept by `_keep`, so that no command has to hand them on."""


def look_options(function: F) -> F:
    """The options of the look alone."""
    decorated: Any = function
    for option in reversed(LOOK):
        decorated = option(decorated)
    return cast(F, decorated)


game_options = gathered(
    "game",
    GameFlags,
    click.option("--rules", type=click.Choice([r.value for r in Rules]), help="Which game: dice (default) or cards."),
    click.option("--innings", type=click.IntRange(1, 9), help="Innings: 9 in dice, 3 in cards by default."),
    click.option(
        "--extra-innings", type=click.IntRange(0, 3), default=3, show_default=True, help="Extra innings at most."
    ),
    click.option("--no-walk-off", is_flag=True, help="Play out every half, even when it is decided."),
    click.option("--clock", type=click.IntRange(0, 600), default=0, help="Seconds for each choice; 0 for no clock."),
)
player_options = gathered(
    "player",
    PlayerFlags,
    click.option("--name", help="Your name; asked once and kept."),
    click.option("--team", type=click.Path(), help="A TOML file with your own team: name, code, players, pinch."),
)
front_options = gathered(
    "front",
    FrontFlags,
    click.option("--plain", is_flag=True, help="Lines of text only: reads well aloud, works in a pipe."),
    click.option("--json", "as_json", is_flag=True, help="One JSON object a line out, choices in."),
    click.option("--auto", type=LEVELS, help="The computer plays your seat too, at this level."),
    click.option("--engine", metavar="CMD", help="A program plays your seat: JSON lines over its stdin and stdout."),
    click.option("--pace", type=click.FloatRange(0, 60), help="Seconds before each choice of --auto."),
    *LOOK,
)
network_options = gathered(
    "network",
    NetworkFlags,
    click.option("--relay", help="The relay to meet at, as HOST[:PORT] or a ws:// or wss:// URL."),
    click.option("--stun", metavar="URL", help="A STUN server of your own, as stun:HOST:PORT."),
    click.option("--turn", metavar="URL", help="A TURN server of your own, as turn:HOST:PORT?transport=udp."),
    click.option("--turn-only", is_flag=True, help="Hide your addresses: connect through a TURN server only."),
)
hand_option = click.option(
    "--by-hand", is_flag=True, help="No relay: paste two sealed lines each way through any chat (in --plain)."
)


def player_name(name: str | None, *, ask: bool) -> str:
    """The player's name: as given, as kept, asked for on a terminal, or the login name."""
    known = name or load().name
    if not known and ask and sys.stdin.isatty():
        known = click.prompt("Your name", default=_login(), err=True)
        save_name(checked_name(known))
    return checked_name(known or _login())


def checked_name(name: str) -> str:
    """A name as it may stand in a hello; raises UsageError."""
    bare = clean(name)
    if not 1 <= len(bare) <= MAX_NAME:
        raise click.UsageError(f"A name has 1 to {MAX_NAME} printable characters; {bare!r} has {len(bare)}.")
    return bare


def _login() -> str:
    import getpass  # late: it is asked once, on the first day

    try:
        return clean(getpass.getuser())[:MAX_NAME] or "Player"
    except (OSError, KeyError, ImportError):
        return "Player"


def player_team(path: str | None, *, first: bool) -> Team:
    """The player's team: of the file given or set, else the one that comes with the seat."""
    path = path or load().team
    return load_team(path) if path else default_team(first=first)
