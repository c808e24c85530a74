"""Signs of life: how long the other side has been silent, how far away it is, and how much it may chatter."""

from __future__ import annotations

BEAT = 1.0
"""Seconds between heartbeats (connection 1)."""
SILENT = 3.0
"""Seconds of silence that the player is told about."""
LOST = 10.0
"""Seconds of silence after which a new connection is built."""
RECEIPT = 60.0
"""Seconds that a partner who is there may take to have the end of a game whose result is proven."""
FLOOD, FLOOD_WINDOW = 100, 1.0
"""Unsigned frames that a partner may send within a window of seconds; more is an attack."""
CHATS, CHAT_WINDOW = 5, 10.0
"""Chat lines that are shown within a window of seconds; more are dropped."""


class Limiter:
    """Counts events in a sliding window of seconds."""

    def __init__(self, most: int, window: float) -> None:
        self._most, self._window = most, window
        self._times: list[float] = []

    def allows(self, now: float) -> bool:
        """Count one more event; False when that makes too many."""
        self._times = [t for t in self._times[-self._most :] if now - t < self._window]
        self._times.append(now)
        return len(self._times) <= self._most


class Pulse:
    """The life of one connection; every `now` is in seconds of a monotonic clock."""

    def __init__(self, now: float) -> None:
        self._heard = now
        self.rtt: float | None = None
        self.unsigned, self.chats = Limiter(FLOOD, FLOOD_WINDOW), Limiter(CHATS, CHAT_WINDOW)

    def heard(self, now: float) -> None:
        """A frame came in."""
        self._heard = now

    def silence(self, now: float) -> float:
        """Seconds since the last frame."""
        return now - self._heard

    def ping(self, now: float) -> int:
        """The number to send in a ping: milliseconds."""
        return int(now * 1000)

    def pong(self, n: int, now: float) -> None:
        """A ping came back."""
        self.rtt = max(0.0, now - n / 1000)
