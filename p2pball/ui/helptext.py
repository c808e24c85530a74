"""The help a player can call up at any time: the keys, then the rule card of the game being played."""

from __future__ import annotations

from p2pball.engine.terms import Rules

WORDS = (
    "l log of the last two halves   b box score   c TEXT talk to the other player",
    "q quit: resign, or leave and save   ? this help",
)
DICE = (
    "The pitching side picks a pitch openly, or r for random;",
    "  the batting side rolls two dice.",
    "The sum is read in the pitch's column: `p2pball odds` shows the chart.",
    "Hits move everyone 1, 2, 3 bases or home. A walk moves forced runners.",
    "A wild pitch moves the runners one base; the same batter goes on.",
    "1B, 2B, 3B, HR are hits for as many bases, BB a walk, K a strikeout,",
    "  WP a wild pitch, FO, PO, GO fly, pop and ground out, DP a double play.",
)
CARDS = (
    "Both play one of six cards in secret: ace 1, jack 11, queen 12, king 13.",
    "Batter's minus pitcher's:",
    "  +1 or +2 in play, +3 or more a ball, 0 to -3 a foul, -4 or less a strike",
    "  (9 against 7 is in play; 4 against 10 a strike; king against 6 a ball)",
    "Four balls walk, three strikes are out; a foul is no third strike.",
    "Six new cards when all are played.",
    "In play both roll: the pitcher's roll at least the batter's is a fly out;",
    "  else 6 homer, 5 triple, 4 double, 3 or less single.",
    "Character cards: jack +1 to own rolls, queen +1 to own cards, ace both.",
    "  King pitching: pickoff on 5, 6;",
    "  King batting: a steal after a jack, queen or king is pitched.",
    "Steals before a pitch: to 2nd on 4, 5, 6; to 3rd on 5, 6.",
    "A pinch hitter once a game: +2 to card and roll.",
    "A card number alone means: hold, and play this card.",
)
"""Both fit the 80 columns of a full screen, a continuation two in."""


def help_lines(rules: Rules, *, hints: bool) -> list[str]:
    """Keys and rule card of a game."""
    hint = ("h what an all-star would do here",) if hints else ()
    return [*WORDS, *hint, *(CARDS if rules is Rules.CARDS else DICE)]
