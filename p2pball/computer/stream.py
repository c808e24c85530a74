"""The randomness a level plays with: made and owned by the caller, never by the computer."""

from __future__ import annotations

from typing import Protocol, TypeVar

T = TypeVar("T")
_FINE = 1 << 53


class Stream(Protocol):
    """A source of whole numbers, each as likely as the others."""

    def below(self, n: int) -> int:
        """The next number, 0 to n - 1."""
        ...


def pick(stream: Stream, options: tuple[T, ...]) -> T:
    """One of the options, each as likely as the others; the only one without a draw."""
    return options[stream.below(len(options))] if len(options) > 1 else options[0]


def weighted(stream: Stream, options: tuple[tuple[T, float], ...]) -> T:
    """One of the options by its weight; weights need not sum to one, but one must be above zero."""
    if len(options) == 1:
        return options[0][0]
    point = stream.below(_FINE) / _FINE * sum(weight for _, weight in options)
    for option, weight in options:
        point -= weight
        if point < 0:
            return option
    return max(options, key=lambda pair: pair[1])[0]  # a rounding at the very end of the line
