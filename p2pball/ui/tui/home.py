"""The full screen with its title: one game after another, games to look at, settings to keep."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Concatenate, ParamSpec

from p2pball.clubhouse.settings import Settings, load, save, save_name
from p2pball.computer.levels import Level
from p2pball.engine.terms import Rules, Terms
from p2pball.errors import P2PBallError
from p2pball.protocol.chat import clean
from p2pball.scorebook.teams import Team
from p2pball.ui.evening import go_on, two_people
from p2pball.ui.hints import all_star_hint
from p2pball.ui.hotseat import hotseat
from p2pball.ui.options import Options, default_team, default_terms, kept_level, load_team
from p2pball.ui.solo import against_computer
from p2pball.ui.tui.app import FullScreen
from p2pball.ui.tui.keymap import CLOSE, KEEP, OPEN, PLAY, WATCH, Act, Key
from p2pball.ui.tui.look import Look
from p2pball.ui.tui.menu import SECOND, USUAL, host_rows, settings_rows, solo_rows, summary
from p2pball.ui.tui.screens.dialogs import Ask, Notice
from p2pball.ui.tui.screens.form import Form
from p2pball.ui.tui.screens.pick import Pick
from p2pball.ui.tui.screens.sheets import TextSheet
from p2pball.ui.tui.screens.title import Title

if TYPE_CHECKING:
    from p2pball.clubhouse.history import Played

P = ParamSpec("P")
MAX_NAME = 24
RESUME_THIS = Key("enter", "go on", "go on with this game", Act.RESUME)


def told(does: Callable[Concatenate[Home, P], None]) -> Callable[Concatenate[Home, P], None]:
    """What a player can do something about is said on the title, which stays."""

    def call(self: Home, /, *args: P.args, **kwargs: P.kwargs) -> None:
        try:
            does(self, *args, **kwargs)
        except P2PBallError as error:
            self.push_screen(Notice("That did not work", str(error)))

    return call


class Home(FullScreen):
    """The app of `p2pball` alone: it comes back to its title after every game.

    `sheet` makes the lines of a game on paper, by its id; `playing` asks for a new game at once.
    """

    def __init__(
        self, settings: Settings, look: Look, sheet: Callable[[str], list[str]], *, playing: bool = False
    ) -> None:
        super().__init__(None, look)
        kept_level(settings)  # what cannot be used is told before the screen is drawn
        self._settings, self._sheet, self._playing = settings, sheet, playing
        self._open: list[Played] = []

    def on_mount(self) -> None:
        """The title, and a name if there is none yet."""
        self.push_screen(Title())
        if self._playing:
            self._ask_solo()
        if not self._settings.name:
            self.push_screen(Ask("Your name", "Your rival sees it; it is kept.", longest=MAX_NAME), self._named)

    @property
    def floor(self) -> int:
        """The title stays below."""
        return 2

    def leave(self) -> None:
        """Back to the title."""
        self.farewell.clear()
        self.clear_stage()

    def failed(self, error: Exception) -> None:
        """What a player can do something about is shown here; all else ends the app."""
        if not isinstance(error, P2PBallError):
            super().failed(error)
            return
        self.leave()
        self.push_screen(Notice("That did not work", str(error)))

    def begin(self, key: Key) -> None:
        """What a key of the title begins."""
        match key.does:
            case Act.PLAY:
                self._ask_solo()
            case Act.HOST:
                self.push_screen(Form("A game over the network", host_rows(self._settings), PLAY), self._host)
            case Act.JOIN:
                said = "The code your host tells you, as 4821-crisp-wolf or 4821-crisp-wolf@192.168.1.5:8765."
                self.push_screen(Ask("Join a game", said, longest=120), self._join)
            case Act.RESUME:
                self._list(open_only=True)
            case Act.GAMES:
                self._list(open_only=False)
            case Act.SETTINGS:
                self.push_screen(Form("Settings", settings_rows(self._settings, self.look), KEEP), self._keep)
            case _:
                self.exit()

    # -- new games -------------------------------------------------------------------------

    def _ask_solo(self) -> None:
        self.push_screen(Form("A game on this machine", solo_rows(self._settings), PLAY), self._solo)

    @told
    def _solo(self, values: dict[str, str] | None) -> None:
        if values is None:
            return
        options = self._options(values, home="host" if values["You are"] == "home" else "guest")
        if values["Against"] == SECOND:
            self.push_screen(
                Ask("Name of the second player", value="Player 2", longest=MAX_NAME), partial(self._second, options)
            )
            return
        options = replace(options, level=Level(values["Against"]))
        self.start(lambda display: against_computer(options, display, rematches=True), hint=all_star_hint, offline=True)

    def _second(self, options: Options, name: str | None) -> None:
        if name is not None:
            second = clean(name)[:MAX_NAME] or "Player 2"
            self.start(lambda display: two_people(options, second, hotseat(display)), offline=True)

    @told
    def _host(self, values: dict[str, str] | None) -> None:
        if values is None:
            return
        from p2pball.ui.online import host_game
        from p2pball.ui.places import Where

        options = self._options(values, home=values["Home team"])
        where = Where.of(replace(self._settings, relay=values["Relay"]))
        self.start(lambda display: host_game(options, where, display))

    @told
    def _join(self, text: str | None) -> None:
        if not text:
            return
        from p2pball.net.addresses import parse_target

        try:
            code, relay = parse_target(text)
        except P2PBallError as error:
            self.push_screen(Notice("That is no code, or no relay", str(error)))
            return
        settings = replace(self._settings, relay=relay or self._settings.relay)
        if not settings.relay:
            self.push_screen(Notice("At which relay?", "Your host's line ends in @ADDRESS; type all of it."))
            return
        from p2pball.ui.online import join_game
        from p2pball.ui.places import Where

        options = Options(Terms(), self._player, self._team(first=False))
        where = Where.of(settings)
        self.start(lambda display: join_game(code, options, where, display))

    def _options(self, values: dict[str, str], home: str) -> Options:
        rules = Rules(values["Game"])
        terms = default_terms(
            rules,
            **({} if values["Innings"] == USUAL else {"innings": int(values["Innings"])}),
            extra_innings=int(values["Extra innings"]),
            walk_off=values["Walk-off"] == "yes",
            clock=0 if values["Clock"] == "none" else int(values["Clock"].split()[0]),
            home=home,
        )
        return Options(terms, self._player, self._team(first=True))

    @property
    def _player(self) -> str:
        return self._settings.name or "Player"

    def _team(self, *, first: bool) -> Team:
        return load_team(self._settings.team) if self._settings.team else default_team(first=first)

    @told
    def _named(self, text: str | None) -> None:
        if name := clean(text or "")[:MAX_NAME]:
            save_name(name)
            self._settings = replace(self._settings, name=name)

    # -- games that there are --------------------------------------------------------------

    @told
    def _list(self, *, open_only: bool) -> None:
        from p2pball.clubhouse.history import History
        from p2pball.ui.archive import refresh

        with History.open() as history:
            refresh(history)
            played = [game for game in history.games() if not open_only or game.status == "suspended"]
        self._open = played[::-1]
        title, keys = ("Games to go on with", (RESUME_THIS, CLOSE)) if open_only else ("Games", (OPEN, WATCH, CLOSE))
        texts = [summary(game) for game in self._open]
        self.push_screen(Pick(title, texts, keys, self._picked, empty="There are none yet."))

    def _picked(self, does: Act, at: int) -> None:
        game = self._open[at]
        match does:
            case Act.RESUME:
                settings = load(relay="") if game.kind == "online" else self._settings
                hint = all_star_hint if game.kind == "solo" else None
                self.start(lambda display: go_on(game.id, settings, display), hint=hint, offline=game.kind != "online")
            case _:
                try:
                    if does is Act.REPLAY:
                        from p2pball.ui.archive import find

                        self.show_again(find(game.id))
                    else:
                        self.push_screen(TextSheet(summary(game), self._sheet(game.id)))
                except P2PBallError as error:
                    self.push_screen(Notice("This game cannot be shown", str(error)))

    # -- settings --------------------------------------------------------------------------

    def _keep(self, values: dict[str, str] | None) -> None:
        if values is None:
            return
        name = clean(values["Name"])[:MAX_NAME]
        try:
            if name and name != self._settings.name:
                save_name(name)
            save(
                theme=values["Theme"],
                ascii=values["Glyphs"] == "ASCII",
                animation=values["Animation"] == "on",
                level=values["Computer"],
            )
        except P2PBallError as error:
            self.push_screen(Notice("The settings could not be kept", str(error)))
            return
        self._settings = replace(load(), name=name or self._settings.name)
        self.wear(Look.of(self._settings))
