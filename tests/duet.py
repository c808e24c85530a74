"""Two real Ballgames and a link that delays, drops and repeats: the workbench of the protocol's tests."""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from p2pball.ballgame import Ballgame, Secrets, hello_body
from p2pball.engine.moves import Choice
from p2pball.engine.terms import Rules, Seat, Terms
from p2pball.engine.view import View
from p2pball.protocol.messages import Message, parse_frame

TEAMS: dict[Seat, dict[str, Any]] = {
    Seat.HOST: {
        "code": "RBN",
        "name": "Riverbend",
        "players": ["Abbott", "Brooks", "Cruz", "Daly", "Ellis", "Frost", "Gray", "Holt", "Irvin"],
        "pinch": "Quincy",
    },
    Seat.GUEST: {
        "code": "KTP",
        "name": "Kettle Point",
        "players": ["Nash", "Ortiz", "Pike", "Quay", "Reed", "Stone", "Tuck", "Usher", "Vance"],
        "pinch": "Wynn",
    },
}
DICE = Terms(Rules.DICE, innings=1)
CARDS = Terms(Rules.CARDS, innings=1)

Chooser = Callable[[View, tuple[Choice, ...]], Choice]


def secrets(seed: str) -> Secrets:
    """The secrets of a seat, the same for the same seed."""
    rng = random.Random(seed)
    key = Ed25519PrivateKey.from_private_bytes(rng.randbytes(32))
    return Secrets(key.sign, key.public_key().public_bytes_raw(), rng.randbytes(32))


def hello(seat: Seat, own: Secrets, terms: Terms, seed: str = "") -> dict[str, Any]:
    """A hello body of a seat."""
    nonce = random.Random(f"{seed}-{seat.value}-nonce").randbytes(32)
    return hello_body(own, seat.value.title(), TEAMS[seat], nonce, terms)


def first(_view: View, moves: tuple[Choice, ...]) -> Choice:
    """A player who always takes the clock's choice: the same game whatever the order of things."""
    return moves[0]


def at_random(rng: random.Random) -> Chooser:
    """A player who takes any legal choice."""
    return lambda _view, moves: rng.choice(moves)


@dataclass
class Duet:
    """A host and a guest, the lines each has on disk, and the frames under way to each."""

    terms: Terms = DICE
    seed: str = "duet"
    secrets: dict[Seat, Secrets] = field(default_factory=dict)
    games: dict[Seat, Ballgame] = field(default_factory=dict)
    disk: dict[Seat, list[bytes]] = field(default_factory=lambda: {seat: [] for seat in Seat})
    wire: dict[Seat, deque[bytes]] = field(default_factory=lambda: {seat: deque() for seat in Seat})
    """Frames on their way to a seat."""
    heard: dict[Seat, list[bytes]] = field(default_factory=lambda: {seat: [] for seat in Seat})

    def __post_init__(self) -> None:
        self.secrets = {seat: secrets(f"{self.seed}-{seat.value}") for seat in Seat}
        host = Ballgame.propose(self.secrets[Seat.HOST], self.hello(Seat.HOST))
        self.games[Seat.HOST] = host
        self.flush(Seat.HOST)
        first = self.wire[Seat.GUEST].popleft()
        self.heard[Seat.GUEST].append(first)
        guest = Ballgame.join(self.secrets[Seat.GUEST], message(first), self.hello(Seat.GUEST))
        self.games[Seat.GUEST] = guest
        self.flush(Seat.GUEST)

    def hello(self, seat: Seat) -> dict[str, Any]:
        return hello(seat, self.secrets[seat], self.terms, self.seed)

    def flush(self, seat: Seat) -> None:
        """Store what is new, then put the own lines on the wire."""
        for line in self.games[seat].drain().lines:
            self.disk[seat].append(line.frame)
            if line.seat == seat.value:
                self.wire[seat.other].append(line.frame)

    def deliver(self, seat: Seat) -> bool:
        """Deliver the next frame to a seat, if one is under way."""
        if not self.wire[seat]:
            return False
        frame = self.wire[seat].popleft()
        self.heard[seat].append(frame)
        try:
            self.games[seat].receive(message(frame))
        finally:
            self.flush(seat)
        return True

    def choose(self, seat: Seat, chooser: Chooser) -> bool:
        """Let a seat choose, if a choice is due."""
        game = self.games[seat]
        if not (moves := game.moves):
            return False
        game.choose(chooser(game.view, moves))
        self.flush(seat)
        return True

    def step(self, choosers: Mapping[Seat, Chooser], rng: random.Random) -> bool:
        """Do one thing that can be done, any of them; False when nothing can."""
        doings = [lambda s=s: self.deliver(s) for s in Seat] + [lambda s=s: self.choose(s, choosers[s]) for s in Seat]
        rng.shuffle(doings)
        return any(doing() for doing in doings)

    def play(self, choosers: Mapping[Seat, Chooser], rng: random.Random, steps: int = 100_000) -> Duet:
        """Play on, in any interleaving, until nothing more can be done."""
        for _ in range(steps):
            if not self.step(choosers, rng):
                return self
        raise AssertionError("the game does not end")

    def play_at_random(self, seed: int = 0) -> Duet:
        """Play on with random choices and a random interleaving."""
        rng = random.Random(seed)
        return self.play({seat: at_random(rng) for seat in Seat}, rng)

    def lose_wire(self) -> None:
        """The connection breaks: what was under way is lost."""
        for frames in self.wire.values():
            frames.clear()

    def reload(self, seat: Seat, lines: int | None = None) -> None:
        """A seat's process dies and reads its journal again, all of it or only its first `lines`."""
        self.disk[seat] = self.disk[seat][:lines]
        self.games[seat] = Ballgame.load(seat, self.secrets[seat], map(message, self.disk[seat]))

    def resume(self) -> None:
        """Both seats meet again: each sends its resume, then what the other is missing (fair-play 6)."""
        resumes = {seat: self.games[seat].resume() for seat in Seat}
        for seat in Seat:
            missing = self.games[seat].resumed(message(resumes[seat.other].frame))
            self.wire[seat.other].extend(line.frame for line in missing)
            self.flush(seat)

    def record(self, seat: Seat) -> bytes:
        """A seat's record."""
        return b"".join(line + b"\n" for line in self.disk[seat])


def message(frame: bytes) -> Message:
    """A frame that is a message."""
    parsed = parse_frame(frame)
    assert isinstance(parsed, Message)
    return parsed
