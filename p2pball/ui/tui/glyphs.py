"""The two sets of glyphs of the full screen: Unicode, and ASCII for streams or fonts that have no more."""

from __future__ import annotations

from p2pball.engine.cards import RANKS
from p2pball.frozen import frozen


@frozen
class Glyphs:
    """Every character that is drawn and not written; each takes one cell."""

    full: str = "●"
    empty: str = "○"
    occupied: str = "◆"
    free: str = "◇"
    plate: str = "⌂"
    runner: str = "●"
    up: str = "╱"
    down: str = "╲"
    across: str = "─"
    upright: str = "│"
    tee: str = "┬"
    foot: str = "┴"
    corners: tuple[str, str, str, str] = ("┌", "┐", "└", "┘")
    suits: str = "♠♥♦♣"
    pointer: str = "▶"
    locked: str = "✓"
    dots: str = ".."
    none: str = "·"
    block: str = "█"

    @property
    def ascii(self) -> bool:
        """Whether this is the ASCII set."""
        return self.block.isascii()

    def card(self, card: int) -> str:
        """A card's face: `10♠`, `J♣`."""
        rank = RANKS[card % 13]
        return f"{'10' if rank == 'T' else rank}{self.suits[card // 13]}"


UNICODE = Glyphs()
ASCII = Glyphs(
    full="*",
    empty=".",
    occupied="#",
    free="o",
    plate="^",
    runner="*",
    up="/",
    down="\\",
    across="-",
    upright="|",
    tee="+",
    foot="+",
    corners=("+", "+", "+", "+"),
    suits="SHDC",
    pointer=">",
    locked="*",
    none=".",
    block="#",
)
