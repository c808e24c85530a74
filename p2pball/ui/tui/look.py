"""How the full screen is to look: colours, glyphs, motion; from flags, settings and the terminal."""

from __future__ import annotations

import os

from p2pball.clubhouse.errors import BadSettings
from p2pball.clubhouse.settings import Settings
from p2pball.frozen import frozen
from p2pball.ui.glyphs import ascii_only
from p2pball.ui.tui.themes import THEMES

DEFAULT = "dark"


@frozen
class Look:
    """`colourless` keeps to what NO_COLOR asks for; `offline` says that there is no link to show."""

    theme: str = DEFAULT
    ascii: bool = False
    animation: bool = True
    colourless: bool = False
    offline: bool = False

    @classmethod
    def of(cls, settings: Settings, *, offline: bool = False) -> Look:
        """What settings and environment say; the stream decides whether UTF-8 can be shown. Raises BadSettings."""
        theme = settings.theme or DEFAULT
        if theme not in THEMES:
            raise BadSettings(f"There is no theme {theme!r}: theme is one of {', '.join(THEMES)}.")
        return cls(
            theme,
            ascii_only(settings.ascii),
            settings.animation,
            bool(os.environ.get("NO_COLOR")),
            offline,
        )
