"""Pictures of the screens for README and docs: a seeded game is played headless, and Textual draws it as SVG.

`python -m tools.pictures [FOLDER]` writes docs/img, or another folder. The same code makes the same pictures.
"""

from __future__ import annotations

import asyncio
import os
import re
import sys
import tempfile
from collections.abc import Awaitable, Callable
from pathlib import Path

from textual.pilot import Pilot

from p2pball.clubhouse.settings import Settings
from p2pball.engine.state import Phase, State
from p2pball.engine.terms import Rules, Terms
from p2pball.session import Ended
from p2pball.ui.display import Display
from p2pball.ui.hints import all_star_hint
from p2pball.ui.options import Options, default_team
from p2pball.ui.solo import against_computer
from p2pball.ui.tui.app import FullScreen
from p2pball.ui.tui.home import Home
from p2pball.ui.tui.look import Look
from p2pball.ui.tui.screens.final import Final
from p2pball.ui.tui.screens.game import GameScreen

FOLDER = Path(__file__).parents[1] / "docs" / "img"
SIZE = (80, 24)
TITLE = "p2pball"
FONTS = re.compile(r"@font-face \{.*?\}", re.DOTALL)
"""Where Textual would have a font fetched from somebody else's server; the reader's own will do."""
GAME, MARK = re.compile(r"\d{8}-[0-9a-z]{4}\b"), re.compile(r"terminal-\d+")
"""The name of a game and the mark of a picture, which differ each time."""
HOME = "/home/ann/p2pball"
STEPS = 20_000
SEED = 8
"""Of a cards game that fills the bases early on."""

Fingers = Pilot[None]


def game(rules: Rules, seed: int, look: Look, innings: int = 3) -> FullScreen:
    """A seeded game against the computer."""
    options = Options(Terms(rules, innings, home="host"), "Ann", default_team(first=True), seed=seed)

    async def work(display: Display) -> Ended:
        return await against_computer(options, display, rematches=True)

    return FullScreen(work, look, hint=all_star_hint)


async def play(app: FullScreen, until: Callable[[State], bool] | None) -> None:
    """Play the first choice each time until the state is of a kind and this seat is asked; without `until` to the end.

    Raises SystemExit when it never comes to that.
    """
    for _ in range(STEPS):
        screen = app.screen
        if isinstance(screen, Final):
            if until is None:
                return
            break
        if isinstance(screen, GameScreen) and screen.stage.move_keys and screen.stage.ballgame:
            if until and until(screen.stage.ballgame.game.state) and app.odds(screen.stage.book):  # type: ignore[arg-type]
                return
            screen.press(screen.stage.move_keys[0].key)
        await asyncio.sleep(0.002)
    raise SystemExit("the game never came to that")


async def picture(app: FullScreen, pilot: Fingers, path: Path) -> None:
    """One picture."""
    await pilot.pause(0.3)
    drawn = FONTS.sub("", app.export_screenshot(title=TITLE, simplify=True))
    drawn = GAME.sub("20260401-game", MARK.sub(f"terminal-{path.stem}", drawn))
    home = os.environ["P2PBALL_HOME"]
    drawn = drawn.replace(home, f"{HOME:/<{len(home)}.{len(home)}}")  # as long, for every text has its length in there
    await asyncio.to_thread(path.write_text, drawn, encoding="utf-8")
    print(path)


async def cards(folder: Path, look: Look, name: str, size: tuple[int, int] = SIZE) -> None:
    """A full diamond of the cards game, its help, and its end."""

    def busy(state: State) -> bool:
        return sum(slot > 0 for slot in state.bases) >= 2 and state.balls > 0

    app = game(Rules.CARDS, SEED, look, innings=9)
    async with app.run_test(size=size) as pilot:
        await play(app, busy)
        await picture(app, pilot, folder / f"{name}.svg")
        if name == "cards":
            await pilot.press("?")
            await picture(app, pilot, folder / "help.svg")
            await pilot.press("escape", "q")
            await picture(app, pilot, folder / "quit.svg")


async def dice(folder: Path, look: Look) -> None:
    """Both seats of the dice game, then its end."""
    app = game(Rules.DICE, 5, look)
    async with app.run_test(size=SIZE) as pilot:
        await play(app, lambda state: state.phase is Phase.CHOOSE and any(state.bases) and state.inning > 1)
        await picture(app, pilot, folder / "pitcher.svg")
        await play(app, lambda state: state.phase is Phase.ROLL and any(state.bases) and state.inning > 1)
        await picture(app, pilot, folder / "batter.svg")
        await play(app, None)
        await picture(app, pilot, folder / "final.svg")


async def title(folder: Path, look: Look) -> None:
    """The title, a new game, and the waiting room."""
    app = Home(Settings(name="Ann"), look, lambda _game: [])
    async with app.run_test(size=SIZE) as pilot:
        await picture(app, pilot, folder / "title.svg")
        await pilot.press("p")
        await picture(app, pilot, folder / "new-game.svg")

    async def work(display: Display) -> Ended:
        display.room("4821-crisp-wolf", "192.168.1.5:8765", "p2pball join 4821-crisp-wolf@192.168.1.5:8765")
        await asyncio.Event().wait()
        return Ended.LEFT

    waiting = FullScreen(work, look)
    async with waiting.run_test(size=SIZE) as pilot:
        await picture(waiting, pilot, folder / "waiting.svg")


async def main(folder: Path) -> None:
    """Every picture."""
    still = Look(animation=False, offline=True)
    makers: list[Awaitable[None]] = [
        title(folder, still),
        cards(folder, still, "cards"),
        cards(folder, Look("light", animation=False, offline=True), "light"),
        cards(folder, Look(ascii=True, animation=False, offline=True), "ascii"),
        cards(folder, still, "narrow", (60, 20)),
        dice(folder, still),
    ]
    for maker in makers:
        await maker


if __name__ == "__main__":
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER
    target.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="pict") as home:
        os.environ["P2PBALL_HOME"] = home
        asyncio.run(main(target))
