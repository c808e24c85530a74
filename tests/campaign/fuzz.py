"""Damaged messages and records: no crash, no hang, no growth, and the honest seat never named.

One case is one message offered to a live game, and one record judged. Half of the messages are
damaged as bytes; the others are changed and then signed properly by the seat that sends them.
"""

from __future__ import annotations

import copy
import json
import random
import resource
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from p2pball.ballgame import Ballgame
from p2pball.engine.terms import Rules, Seat
from p2pball.protocol.books import Cheat
from p2pball.protocol.messages import Malformed, Message, parse_frame
from p2pball.verify import Verdict, verify
from tests.attacks import forging
from tests.attacks.scene import terms_of
from tests.campaign import Tally
from tests.duet import Duet, first, message

CASES = 100_000
SECONDS = 2.0
GROWTH_KIB = 64 * 1024
VILLAIN, VICTIM = Seat.GUEST, Seat.HOST
CHOOSERS = dict.fromkeys(Seat, first)
WORDS: tuple[Any, ...] = (
    None,
    True,
    -1,
    0,
    1,
    2**53 - 1,
    2**53,
    1.5,
    "",
    "x",
    "ab" * 32,
    "\x1b[2J",
    [],
    {},
    [[]],
    {"a": {}},
)


@dataclass
class Stage:
    """A game in the middle: the lines that the victim holds, and what is on its way to it."""

    duet: Duet
    lines: list[bytes]
    head: bytes
    game: Ballgame

    def reset(self) -> None:
        """The victim as it was."""
        self.game = Ballgame.load(VICTIM, self.duet.secrets[VICTIM], map(message, self.lines))
        self.game.wake()
        self.game.drain()


def stages(rng: random.Random) -> list[Stage]:
    """Games of both rule sets at moments where the villain is about to say something."""
    made = []
    for rules in Rules:
        for steps in (8, 40, 95):
            duet = Duet(terms_of(rules), seed=f"fuzz {steps}")  # or lines of two would be of one game
            while steps > 0 or not duet.wire[VICTIM]:
                assert duet.step(CHOOSERS, rng), "the game is over before that moment"
                steps -= 1
            stage = Stage(duet, list(duet.disk[VICTIM]), duet.wire[VICTIM][0], duet.games[VICTIM])
            stage.reset()
            made.append(stage)
    return made


# -- damage


def damaged(rng: random.Random, frame: bytes, others: list[bytes]) -> bytes:
    """A frame with bytes changed, lost, repeated or taken from another."""
    raw = bytearray(frame)
    for _ in range(rng.randint(1, 4)):
        at = rng.randrange(len(raw) + 1)
        to = min(len(raw), at + rng.choice((1, 2, 8, 64)))
        match rng.randrange(6):
            case 0:
                raw[at : at + 1] = bytes([rng.randrange(256)])
            case 1:
                del raw[at:to]
            case 2:
                raw[at:at] = raw[at:to]
            case 3:
                raw[at:at] = rng.randbytes(rng.choice((1, 3, 400, 9000)))
            case 4:
                other = rng.choice(others)
                raw[at:] = other[rng.randrange(len(other)) :]
            case _:
                raw[at:at] = rng.choice((b'"', b"{", b"}", b"[" * 3000, b",", b"\\", b"\\u0000", b"\xff", b"\n", b" "))
        if not raw:
            return b""
    return bytes(raw)


def changed(rng: random.Random, stage: Stage) -> bytes:
    """The villain's next or an earlier message, changed in some field and signed by its key."""
    lines = [frame for frame in stage.lines if message(frame).seat == VILLAIN.value]
    fields = json.loads(message(rng.choice([stage.head, stage.head, *lines])).payload)
    for _ in range(rng.randint(1, 2)):
        _change(rng, fields, [json.loads(message(line).payload) for line in lines[-3:]])
    return forging.seal(stage.duet.secrets[VILLAIN], forging.dump(fields))


def _change(rng: random.Random, fields: dict[str, Any], others: list[dict[str, Any]]) -> None:
    place = rng.choice([fields, fields["body"] if isinstance(fields.get("body"), dict) and fields["body"] else fields])
    name = rng.choice(sorted(place))
    match rng.randrange(4):
        case 0:
            place[name] = copy.deepcopy(rng.choice(WORDS))  # or one case would change the next
        case 1:
            del place[name]
            place.setdefault("x", 1)
        case 2:
            place[name] = rng.choice(others).get(name, place[name])
        case _:
            value = place[name]
            place[name] = value + rng.choice((-1, 1)) if type(value) is int else copy.deepcopy(rng.choice(WORDS))


# -- cases


def offer(stage: Stage, frame: bytes) -> str:
    """Offer a frame to the victim; what is wrong with how it took it, or nothing."""
    game, lines = stage.game, len(stage.game.game.exchange.lines)
    try:
        parsed = parse_frame(frame)
        if isinstance(parsed, Message):
            game.receive(parsed)
    except Malformed:
        if len(game.game.exchange.lines) != lines or game.drain().lines:
            return "a refused message left something behind"
        return ""
    except Cheat as cheat:
        stage.reset()
        return "" if cheat.seat == VILLAIN.value else f"the {cheat.seat} is blamed: {cheat}"
    if len(game.game.exchange.lines) != lines:
        stage.reset()
    return ""


def doctored(rng: random.Random, lines: list[bytes], others: list[bytes]) -> bytes:
    """A record with lines or bytes dropped, swapped, repeated, damaged, or taken from another game."""
    made = list(lines)
    at, to = rng.randrange(len(made)), rng.randrange(len(made))
    match rng.randrange(7):
        case 0:
            del made[at]
        case 1:
            made[at], made[to] = made[to], made[at]
        case 2:
            made.insert(to, made[at])
        case 3:
            made[at] = rng.choice(others)
        case 4:
            made[at] = damaged(rng, made[at], others)
        case 5:
            record = b"".join(line + b"\n" for line in made)
            return record[: rng.randrange(len(record))]
        case _:
            rng.shuffle(made)
    return b"".join(line + b"\n" for line in made)


def judge(record: bytes) -> str:
    """What is wrong with the verdict on a doctored record of an honest game, or nothing."""
    report = verify(record)
    report.to_json()
    return f"a cheat is seen: {report.why}" if report.verdict is Verdict.CHEAT else ""


def run(cases: int, seed: int) -> Tally:
    """Offer so many messages and judge so many records."""
    tally, rng = Tally(), random.Random(seed)
    made = stages(rng)
    short = [stage.lines[:24] for stage in made]
    others = [line for lines in short for line in lines]
    grown = 0
    for case in range(cases):
        if case == cases // 4:
            grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        stage, lines = rng.choice(made), rng.choice(short)
        frame = changed(rng, stage) if rng.random() < 0.5 else damaged(rng, stage.head, others)
        for what, act in (
            ("message", lambda stage=stage, frame=frame: offer(stage, frame)),
            ("record", lambda lines=lines: judge(doctored(rng, lines, others))),
        ):
            _count(tally, f"{what} {case} of seed {seed}", act)
    growth = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - grown
    if cases >= 1000 and growth > GROWTH_KIB:
        tally.fail(f"memory grew by {growth} KiB")
    return tally


def _count(tally: Tally, name: str, act: Callable[[], str]) -> None:
    started = time.thread_time()
    try:
        wrong = act()
    except Exception as crash:  # whatever it is, it is a failure of this case
        wrong = f"crashed with {crash!r}"
    if time.thread_time() - started > SECONDS:
        wrong = wrong or "took too long"
    if wrong:
        tally.fail(f"{name}: {wrong}")
    else:
        tally.hold()
