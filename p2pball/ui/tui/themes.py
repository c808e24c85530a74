"""The colours of the full screen: dark, light, high contrast and colour-blind safe; every one is a theme of Textual."""

from __future__ import annotations

from textual.theme import Theme

DARK = Theme(
    "dark",
    primary="#7fb8ff",
    secondary="#f2b36d",
    accent="#f4e08a",
    success="#8fd694",
    warning="#f2b36d",
    error="#ff8f8f",
    foreground="#e6e6e6",
    background="#14181d",
    surface="#14181d",
    panel="#20262d",
    dark=True,
    variables={"dim": "#9aa5b1", "rule": "#5d6975"},
)
LIGHT = Theme(
    "light",
    primary="#0b4fa3",
    secondary="#8a4a00",
    accent="#6a1b7a",
    success="#1c6b2a",
    warning="#8a4a00",
    error="#a8141c",
    foreground="#1b1f23",
    background="#fbfaf6",
    surface="#fbfaf6",
    panel="#e9e7df",
    dark=False,
    variables={"dim": "#5a6169", "rule": "#a5a79f"},
)
CONTRAST = Theme(
    "contrast",
    primary="#7fe0ff",
    secondary="#ffb347",
    accent="#ffff00",
    success="#7dff7d",
    warning="#ffb347",
    error="#ff9c9c",
    foreground="#ffffff",
    background="#000000",
    surface="#000000",
    panel="#1c1c1c",
    dark=True,
    variables={"dim": "#d0d0d0", "rule": "#ffffff"},
)
COLOUR_BLIND = Theme(
    "colorblind",
    primary="#56b4e9",
    secondary="#e69f00",
    accent="#f0e442",
    success="#56b4e9",
    warning="#e69f00",
    error="#ff9a5c",
    foreground="#eeeeee",
    background="#101418",
    surface="#101418",
    panel="#20262d",
    dark=True,
    variables={"dim": "#a3adb8", "rule": "#66727e"},
)
"""Blues against oranges only: the pairs that every kind of colour blindness tells apart."""

THEMES: dict[str, Theme] = {theme.name: theme for theme in (DARK, LIGHT, CONTRAST, COLOUR_BLIND)}
PLAIN = "ansi-dark"
"""Textual's theme in the terminal's own colours: with NO_COLOR it emits none at all (experience.md, fact 5)."""
PLAIN_VARIABLES = {"dim": "ansi_default", "rule": "ansi_default"}
"""What that theme does not know of."""


def after(name: str) -> str:
    """The theme after this one, the first after the last."""
    names = list(THEMES)
    return names[(names.index(name) + 1) % len(names)] if name in names else names[0]
