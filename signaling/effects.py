"""PURE: what follows in a room from what happened there, as values for the server to carry out."""

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Generic, TypeVar

from signaling.wire import Away, Back, Code, Left, Role

C = TypeVar("C", bound=Hashable)
"""A connection, wherever it ends."""


@dataclass(slots=True)
class Send(Generic[C]):
    """A message for that connection."""

    to: C
    data: bytes


@dataclass(slots=True)
class Tell(Generic[C]):
    """A word for that connection."""

    to: C
    word: Away | Back | Left


@dataclass(slots=True)
class Pair(Generic[C]):
    """That connection is to learn that both are there, and by which servers to find the way."""

    to: C


@dataclass(slots=True)
class Close(Generic[C]):
    """That connection is to be closed; it is in no room any more."""

    to: C
    code: Code


@dataclass(slots=True)
class Hold(Generic[C]):
    """Nothing more is to be read from that connection until `Release`: the other does not take it."""

    to: C


@dataclass(slots=True)
class Release(Generic[C]):
    """Reading goes on."""

    to: C


@dataclass(slots=True)
class Met:
    """The two of that room were there together for the first time."""

    room: str


@dataclass(slots=True)
class Lost:
    """The connection of a seat was lost; the seat is kept."""

    room: str
    role: Role


@dataclass(slots=True)
class Ended:
    """No one can come into that room any more."""

    room: str


Doing = Send[C] | Tell[C] | Pair[C] | Close[C] | Hold[C] | Release[C]
"""What is to be done to a connection."""

OfRoom = Met | Lost | Ended
"""What is to be known of a room."""

Effect = Doing[C] | OfRoom
"""What follows from what happened; to be carried out in order."""
