"""Game codes, a nameplate and two words: drawn, parsed, completed, checked before anything is sent (fair-play 8.1)."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from difflib import get_close_matches
from functools import cache

from p2pball.frozen import frozen
from p2pball.protocol.meeting.errors import BadCode

WORDS_IN_CODE = 2
NAMEPLATE_DIGITS = 4
TELLING_LETTERS = 4
"""The words of the list differ within their first four letters."""

Choice = Callable[[Sequence[str]], str]
"""Picks one of a sequence; the caller passes `secrets.choice`."""


@frozen
class Code:
    """One game's code; the nameplate names the relay's room, the words are the password and never leave unsealed."""

    nameplate: str
    words: tuple[str, str]

    def __str__(self) -> str:
        """As it is read aloud: 4821-crisp-wolf."""
        return "-".join((self.nameplate, *self.words))


@cache
def wordlist() -> tuple[str, ...]:
    """The 2,048 English words of BIP-39, in order."""
    from mnemonic import Mnemonic

    return tuple(Mnemonic("english").wordlist)


def draw_nameplate(choice: Choice) -> str:
    """Four random digits; they have nothing to do with the words."""
    return "".join(choice("0123456789") for _ in range(NAMEPLATE_DIGITS))


def draw(choice: Choice) -> Code:
    """A fresh code: 22 bits in the words, as fair-play 8.1 says."""
    words = wordlist()
    return Code(draw_nameplate(choice), (choice(words), choice(words)))


def complete_word(prefix: str) -> tuple[str, ...]:
    """The words that begin so, in the order of the list."""
    return tuple(word for word in wordlist() if word.startswith(prefix.lower()))


def completions(partial: str) -> tuple[str, ...]:
    """Every way to go on with a half-typed code by one word, as whole texts; for the Tab key."""
    head, dash, last = partial.lower().rpartition("-")
    done = head.split("-")
    if not dash or len(done) > WORDS_IN_CODE or not re.fullmatch(r"[0-9]{4}", done[0]):
        return ()
    return tuple(f"{head}-{word}" for word in complete_word(last))


def parse(text: str) -> Code:
    """A typed code, in any case, with dashes or spaces, its words cut off after four letters or more.

    Raises BadCode naming the closest words: a typo costs nothing, since nothing was sent.
    """
    parts = re.split(r"[-\s]+", text.strip().lower())
    if len(parts) != 1 + WORDS_IN_CODE:
        raise BadCode(f"{_shown(text)} is no game code. A code is four digits and two words, like 4821-crisp-wolf.")
    nameplate, first, second = parts
    if not re.fullmatch(r"[0-9]{4}", nameplate):
        raise BadCode(f"A game code begins with four digits, like 4821-crisp-wolf, not with {_shown(nameplate)}.")
    return Code(nameplate, (_word(first), _word(second)))


def _word(typed: str) -> str:
    words = wordlist()
    if typed in words:
        return typed
    if len(typed) >= TELLING_LETTERS and len(found := complete_word(typed)) == 1:
        return found[0]
    close = get_close_matches(typed, words, n=3, cutoff=0.6) or complete_word(typed[:2])[:3]
    hint = f" Did you mean {_alternatives(close)}?" if close else " Ask your host to read the code again."
    raise BadCode(f"{_shown(typed)} is not one of the code words.{hint} Nothing was sent, so the code is still good.")


def _alternatives(words: Sequence[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} or {words[-1]}"


def _shown(text: str) -> str:
    return repr("".join(c for c in text if c.isprintable())[:40])
