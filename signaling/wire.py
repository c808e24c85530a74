"""PURE: every word that the relay and its clients say to each other.

A client opens a WebSocket at `/v1/room/NAMEPLATE?role=host|guest[&token=TOKEN]` (`room_path`). NAMEPLATE is four
digits, or for `resume` 32 hex digits. The client picks it: a host draws one, and draws again on `Code.TAKEN`. In a
four-digit room the host comes first, and a guest of a room that is not there meets `Code.NO_ROOM`; in a room of 32 hex
digits either comes first.

client -> relay: binary frames, at most 16 KiB each, 64 of them, 256 KiB in all; passed on to the other as they are.
  Up to 16 are kept for a seat that is not there yet, or away. Text frames are refused.
relay -> client: binary frames are what the other seat sent, whole and in order. Text frames are the relay's own words,
  JSON, read by `hear`:
    seated  the seat is yours; keep the token: with `&token=` it takes the seat back on a new connection
    paired  the other seat is there too; the STUN and TURN servers to use. No binary frame comes before this
    away    the other's connection was lost; it has 30 s to come back, messages for it are kept
    back    it came back. What was under way when it went may be lost: send again what it has not answered
    left    the other has closed for good, with its outcome; the room is over: close within 10 s
  and pings, every 20 s, which a WebSocket library answers by itself.
either closes: the relay with a `Code` and a sentence, read by `closing`, which also says whether to try again and how;
  the client with an `Outcome`, by which the relay counts what became of its introductions. A close by the client, of
  whatever code, gives the seat up; only a connection that is lost without one can be taken up again.

All refusals come as closes of an opened WebSocket, so that the code reaches the client. A relay is not trusted: `left`
and every close are hints, never proof, and whoever is told to try the same code again must not do so once its own
confirmation has left (fair-play 8.4: one guess a code). After `Code.SAME_CODE` or `Code.DRAINING` a guest may be back
before its host: `Code.NO_ROOM` then means once more in a second.
"""

import json
import re
from dataclasses import dataclass
from enum import StrEnum
from typing import assert_never

from signaling.closes import Again, Closing, Code, Outcome, close_reason, closing

__all__ = [
    "MESSAGE_BYTES",
    "PORT",
    "TOKEN_BYTES",
    "Again",
    "Away",
    "Back",
    "Closing",
    "Code",
    "Door",
    "IceServer",
    "Left",
    "Outcome",
    "Paired",
    "Role",
    "Seated",
    "WireError",
    "Word",
    "close_reason",
    "closing",
    "hear",
    "is_ice_url",
    "read_path",
    "room_path",
    "say",
]

PORT = 8765
"""The relay's TCP port unless told otherwise."""

MESSAGE_BYTES = 16 * 1024
"""The largest binary message, in bytes."""

TOKEN_BYTES = 16
"""Random bytes in a seat token; on the wire it is twice as many hex digits."""

_ENCODER = json.JSONEncoder(separators=(",", ":"))
_ROOM = "/v1/room/"
_NAMEPLATE = re.compile(r"[0-9]{4}|[0-9a-f]{32}", re.ASCII)
_TOKEN = re.compile(rf"[0-9a-f]{{{2 * TOKEN_BYTES}}}", re.ASCII)
_QUERY = re.compile(rf"role=(host|guest)(?:&token=({_TOKEN.pattern}))?", re.ASCII)
_ICE_URL = re.compile(r"(stun|turns?):[!-~]{1,250}", re.ASCII)


class WireError(ValueError):
    """What came is not of this protocol; the message says which part."""


class Role(StrEnum):
    """The two seats of a room."""

    HOST = "host"
    GUEST = "guest"

    @property
    def other(self) -> "Role":
        """The seat across."""
        return Role.GUEST if self is Role.HOST else Role.HOST


@dataclass(frozen=True, slots=True)
class Door:
    """What the address of a connection asks for: a seat of a room, or with a token one's own seat back."""

    nameplate: str
    role: Role
    token: str | None = None

    @property
    def resume(self) -> bool:
        """Whether this is a room to resume in, where either seat may come first."""
        return len(self.nameplate) == 32


def room_path(door: Door) -> str:
    """The path and query of a door."""
    token = f"&token={door.token}" if door.token else ""
    return f"{_ROOM}{door.nameplate}?role={door.role}{token}"


def read_path(target: str) -> Door | None:
    """Read a request target; None when it is no room at all. Raises WireError for a room addressed wrongly."""
    path, _, query = target.partition("?")
    if not path.startswith(_ROOM):
        return None
    nameplate, asked = path.removeprefix(_ROOM), _QUERY.fullmatch(query)
    if not _NAMEPLATE.fullmatch(nameplate):
        raise WireError("a nameplate is four digits or 32 hex digits")
    if asked is None:
        raise WireError(f"the query is role=host or role=guest, then at most a token of {2 * TOKEN_BYTES} hex digits")
    return Door(nameplate, Role(asked[1]), asked[2])


@dataclass(frozen=True, slots=True)
class IceServer:
    """STUN or TURN addresses (`stun:`, `turn:` or `turns:` URLs) and for TURN the credentials."""

    urls: tuple[str, ...]
    username: str | None = None
    credential: str | None = None


@dataclass(frozen=True, slots=True)
class Seated:
    """The seat is taken; the token takes it back. `wait`: seconds the relay keeps the room for the other."""

    role: Role
    token: str
    wait: int


@dataclass(frozen=True, slots=True)
class Paired:
    """Both seats are there; the servers to find a way through."""

    ice: tuple[IceServer, ...] = ()


@dataclass(frozen=True, slots=True)
class Away:
    """The other's connection was lost; its seat is kept a while."""


@dataclass(frozen=True, slots=True)
class Back:
    """The other came back."""


@dataclass(frozen=True, slots=True)
class Left:
    """The other closed for good, saying what came of it."""

    outcome: Outcome


Word = Seated | Paired | Away | Back | Left


def say(word: Word) -> str:
    """A word of the relay as the text frame it travels in."""
    match word:  # written out where nothing has to be escaped
        case Seated(role, token, wait):
            return f'{{"t":"seated","role":"{role}","token":"{token}","wait":{wait}}}'
        case Paired(ice):
            return f'{{"t":"paired","ice":[{",".join(map(_say_ice, ice))}]}}'
        case Away():
            return '{"t":"away"}'
        case Back():
            return '{"t":"back"}'
        case Left(outcome):
            return f'{{"t":"left","outcome":{outcome:d}}}'
        case _:
            assert_never(word)


def hear(text: str) -> Word | None:
    """Read a text frame of a relay, which is not trusted; None for a word of a newer relay. Raises WireError."""
    try:
        said = json.loads(text)
        kind: object = said["t"]
        if kind == "seated":
            return Seated(Role(said["role"]), _match(_TOKEN, said["token"]), _seconds(said["wait"]))
        if kind == "paired":
            return Paired(tuple(_hear_ice(server) for server in said["ice"][:8]))
        if kind == "left":
            return Left(Outcome(said["outcome"]))
        return Away() if kind == "away" else Back() if kind == "back" else None
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise WireError("the relay said something that cannot be read") from error


def is_ice_url(url: str) -> bool:
    """Whether clients take this for the address of a STUN or TURN server."""
    return _ICE_URL.fullmatch(url) is not None


def _say_ice(server: IceServer) -> str:
    said: dict[str, object] = {"urls": list(server.urls)}
    if server.username is not None:
        said |= {"username": server.username, "credential": server.credential}
    return _ENCODER.encode(said)


def _hear_ice(said: dict[str, object]) -> IceServer:
    urls, name, secret = said["urls"], said.get("username"), said.get("credential")
    if not isinstance(urls, list) or not 1 <= len(urls) <= 4:
        raise WireError("one to four addresses a server")
    return IceServer(tuple(_match(_ICE_URL, url) for url in urls), _short(name), _short(secret))


def _short(said: object) -> str | None:
    if said is not None and not (isinstance(said, str) and len(said) <= 256 and said.isascii() and said.isprintable()):
        raise WireError("credentials are short printable text")
    return said


def _match(pattern: re.Pattern[str], said: object) -> str:
    if not isinstance(said, str) or not pattern.fullmatch(said):
        raise WireError(f"not of the form {pattern.pattern}")
    return said


def _seconds(said: object) -> int:
    if type(said) is not int or not 0 <= said <= 86_400:
        raise WireError("seconds of one day at most")
    return said
