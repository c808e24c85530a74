"""Dice out of a round's seed: one stream of bytes for each purpose (fair-play 4)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from p2pball.protocol.encoding import M

T = TypeVar("T")
BYTE_VALUES = 256


class Stream:
    """The bytes of one purpose, and numbers drawn from them without bias."""

    def __init__(self, seed: bytes, purpose: str) -> None:
        self._key = M(seed, "stream-key", purpose)
        self._block = b""
        self._blocks = 0
        self._at = 0

    def _byte(self) -> int:
        if self._at == len(self._block):
            self._block, self._at = M(self._key, "stream", self._blocks), 0
            self._blocks += 1
        self._at += 1
        return self._block[self._at - 1]

    def below(self, n: int) -> int:
        """The next number, 0 to n - 1, for n of 1 to 256; raises ValueError for another n."""
        if not 1 <= n <= BYTE_VALUES:
            raise ValueError(f"below(n) takes 1 to {BYTE_VALUES}, not {n}")
        limit = BYTE_VALUES // n * n
        while (value := self._byte()) >= limit:
            pass
        return value % n

    def die(self) -> int:
        """One roll of a die, 1 to 6."""
        return self.below(6) + 1

    def shuffled(self, items: Sequence[T]) -> list[T]:
        """The items in a fresh order."""
        order = list(items)
        for i in range(len(order) - 1, 0, -1):
            j = self.below(i + 1)
            order[i], order[j] = order[j], order[i]
        return order


class RoundDice:
    """The streams of one round's seed, for the engine: each purpose goes on where it was within the round."""

    def __init__(self, seed: bytes) -> None:
        self._seed = seed
        self._streams: dict[str, Stream] = {}

    def below(self, purpose: str, n: int) -> int:
        """The next number of a purpose's stream, 0 to n - 1."""
        stream = self._streams.get(purpose)
        if stream is None:
            stream = self._streams[purpose] = Stream(self._seed, purpose)
        return stream.below(n)
