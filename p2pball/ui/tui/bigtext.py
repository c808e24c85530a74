"""Large letters for what is read out across a room: the code of a game."""

from __future__ import annotations

from p2pball.ui.tui.glyphs import Glyphs

ROWS, COLUMNS = 5, 4
_SHAPES = {
    "0": "75557", "1": "26227", "2": "71747", "3": "71317", "4": "55711", "5": "74717", "6": "74757",
    "7": "71111", "8": "75757", "9": "75717", "a": "75755", "b": "65656", "c": "74447", "d": "65556",
    "e": "74647", "f": "74644", "g": "74557", "h": "55755", "i": "72227", "j": "11157", "k": "55655",
    "l": "44447", "m": "57755", "n": "65555", "o": "75557", "p": "75744", "q": "75571", "r": "75655",
    "s": "34216", "t": "72222", "u": "55557", "v": "55552", "w": "55775", "x": "55255", "y": "55222",
    "z": "71247", "-": "00700", " ": "00000",
}  # fmt: skip
"""Five rows of three dots each letter, a row as an octal digit."""


def big(text: str, glyphs: Glyphs) -> list[str]:
    """Five rows, four cells a letter; letters without a shape are left out."""
    shapes = [_SHAPES[letter] for letter in text.lower() if letter in _SHAPES]
    return ["".join(_dots(shape[row], glyphs) for shape in shapes).rstrip() for row in range(ROWS)]


def _dots(octal: str, glyphs: Glyphs) -> str:
    bits = int(octal)
    return "".join(glyphs.block if bits >> bit & 1 else " " for bit in (2, 1, 0)) + " "
