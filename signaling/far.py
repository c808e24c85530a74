"""PURE: a connection that ends in another process of the relay, and the parcels by which the two processes speak of it.

The process that opened a room keeps it (its home). A client that comes in elsewhere sits there by parcels: what it does
goes to the home, what the home wants done to it comes back.
"""

from dataclasses import dataclass
from enum import Enum

from signaling.wire import Code, Word, say


class Kind(Enum):
    """What a parcel says of the connection."""

    SIT = "sit"  # to the home: it takes the seat; text is role and room
    DATA = "data"  # to the home: it sent a message
    CLOSED = "closed"  # to the home: it is gone; text is the outcome, empty when lost
    BLOCKED = "blocked"  # to the home: it does not take what it is sent
    FREED = "freed"  # to the home: it does so again
    FULL = "full"  # to the home: more is under way than the store takes
    SEND = "send"  # from the home: a message for it
    SAY = "say"  # from the home: a word for it, in text
    PAIR = "pair"  # from the home: it is paired
    CLOSE = "close"  # from the home: close it; text is the code
    HOLD = "hold"  # from the home: do not read from it
    RELEASE = "release"  # from the home: read again


_TO_HOME = (Kind.SIT, Kind.DATA, Kind.CLOSED, Kind.BLOCKED, Kind.FREED, Kind.FULL)


@dataclass(frozen=True, slots=True)
class Parcel:
    """One thing said of connection `number` of process `end`, by that process or to it."""

    kind: Kind
    end: str
    number: int
    text: str = ""
    data: bytes = b""

    @property
    def bulk(self) -> bool:
        """Whether it carries a message."""
        return self.kind in (Kind.DATA, Kind.SEND)

    @property
    def to_home(self) -> bool:
        """Whether it goes to the home of a room."""
        return self.kind in _TO_HOME

    def pack(self) -> bytes:
        """As it travels: a line of words, then the data."""
        return f"{self.kind.value} {self.end} {self.number} {self.text}\n".encode() + self.data

    @classmethod
    def unpack(cls, packed: bytes) -> "Parcel":
        """Read one. Raises ValueError."""
        line, _, data = packed.partition(b"\n")
        kind, end, number, text = line.decode().split(" ", 3)
        return cls(Kind(kind), end, int(number), text, data)


@dataclass(frozen=True, slots=True)
class Far:
    """A connection at the process `end`, as the home of its room sees it."""

    end: str
    number: int

    def parcel(self, kind: Kind, text: str = "", data: bytes = b"") -> Parcel:
        """Something to be done to it."""
        return Parcel(kind, self.end, self.number, text, data)


@dataclass(slots=True)
class Bond:
    """What ties a connection of this process to a room kept elsewhere; it counts here what the home would count."""

    home: str
    number: int
    messages: int = 0
    size: int = 0


def word_parcel(far: Far, word: Word) -> Parcel:
    """A word for a far connection."""
    return far.parcel(Kind.SAY, say(word))


def close_parcel(far: Far, code: Code) -> Parcel:
    """A close for a far connection."""
    return far.parcel(Kind.CLOSE, str(int(code)))
