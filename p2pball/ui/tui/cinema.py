"""The full screen for one replay, and nothing else."""

from __future__ import annotations

from p2pball.ui.archive import Found
from p2pball.ui.tui.app import FullScreen
from p2pball.ui.tui.look import Look


class Cinema(FullScreen):
    """Shows one recorded game again and ends with it."""

    def __init__(self, look: Look, found: Found, *, pace: float, spoilers: bool) -> None:
        super().__init__(None, look)
        self._found, self._pace, self._spoilers = found, pace, spoilers

    def on_mount(self) -> None:
        """The replay at once."""
        self.show_again(self._found, pace=self._pace, spoilers=self._spoilers)

    def shown_again(self, _: object) -> None:
        """The replay is over."""
        self.exit()
