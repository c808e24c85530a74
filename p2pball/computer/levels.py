"""How strong the computer plays: the three levels, for both games."""

from __future__ import annotations

from enum import Enum


class Level(Enum):
    """A strength of play; the value is the word a player types."""

    ROOKIE = "rookie"
    REGULAR = "regular"
    ALL_STAR = "all-star"
