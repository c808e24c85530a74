"""Attacks that take more than a forged message: a crooked client, a crooked resume, a crooked record, silence."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from p2pball.ballgame import Ballgame
from p2pball.engine.cards import BY_NAME
from p2pball.engine.terms import Rules, Seat
from p2pball.private import Private
from p2pball.protocol.books import Cheat, CheatKind
from p2pball.protocol.messages import Malformed, Message
from p2pball.protocol.resume import Fork
from p2pball.protocol.shapes import SMALL_ORDER
from p2pball.verify import Verdict, verify
from tests.attacks import forging
from tests.attacks.scene import IGNORED, REFUSED, STOPPED, Expected, Wrong, peaceful, terms_of
from tests.duet import Duet, first, message

Staging = Callable[[Seat, Rules, str], str]
CHOOSERS = dict.fromkeys(Seat, first)
BOTH = (Rules.DICE, Rules.CARDS)


@dataclass(frozen=True)
class Staged:
    """One thing a dishonest client can try that is more than a message."""

    name: str
    section: str
    expected: Expected
    rules: tuple[Rules, ...]
    run: Staging


STAGED: list[Staged] = []


def staged(
    name: str, section: str, expected: Expected, rules: tuple[Rules, ...] = BOTH
) -> Callable[[Staging], Staging]:
    """Enter an attack into the list."""

    def enter(run: Staging) -> Staging:
        STAGED.append(Staged(name, section, expected, rules, run))
        return run

    return enter


def demand(held: bool, otherwise: str) -> None:
    """Raise Wrong unless it held."""
    if not held:
        raise Wrong(otherwise)


# -- crooked clients


class Shameless(Ballgame):
    """A client that sends what its own checks refuse."""

    def _accept(self, message: Message, *, signed: bool = False) -> None:
        try:
            super()._accept(message, signed=signed)
        except Cheat as cheat:
            if message.seat != self.seat.value:
                raise
            self._lines.append(message)
            self.stopped = cheat

    def receive(self, message: Message) -> None:
        if not self.stopped:
            super().receive(message)


class Stacked(Private):
    """A hand of the six highest cards that the deck still holds, whatever was dealt."""

    def look(self) -> None:
        super().look()
        if (hand := self._books.sides[self._seat].hand) and not hand.played:
            best = sorted(hand.remaining, key=lambda card: BY_NAME[card] % 13, reverse=True)[:6]
            self.hand = tuple(BY_NAME[card] for card in best)


@staged("a stacked hand with a matching deal commitment", "5", CheatKind.BAD_DEAL, (Rules.CARDS,))
def _stacked(villain: Seat, rules: Rules, seed: str) -> str:
    duet = Duet(terms_of(rules), seed=seed)
    crook = duet.games[villain]
    crook.__class__ = Shameless
    crook._private.__class__ = Stacked
    try:
        duet.play(CHOOSERS, random.Random(seed))
    except Cheat as cheat:
        demand(cheat.seat == villain.value, "the wrong seat is blamed")
    report = verify(duet.record(villain.other))
    demand(report.seat is villain, f"{report.verdict}")
    pitches = sum("card" in message(line).body.get("action", {}) for line in duet.disk[villain.other])
    demand(pitches <= 12, "it took more than six pitches to find")
    return report.kind.value if report.kind else report.verdict.value


# -- crooked terms


@staged("a guest's hello with other terms", "3", REFUSED)
def _other_terms(villain: Seat, rules: Rules, seed: str) -> str:
    duet = Duet(terms_of(rules), seed=seed)
    terms = terms_of(rules).to_json() | {"clock": 600, "home": villain.value}
    if villain is Seat.HOST:  # it changes the terms after the guest agreed: the guest holds the first hello
        again = forging.again(
            duet.secrets[villain], message(duet.disk[villain][0]), lambda m: m["body"].update(terms=terms)
        )
        return _refuses(duet.games[Seat.GUEST], again)
    victim = Ballgame.propose(duet.secrets[Seat.HOST], duet.hello(Seat.HOST))
    changed = forging.again(
        duet.secrets[villain], message(duet.disk[villain][1]), lambda m: m["body"].update(terms=terms)
    )
    return _refuses(victim, changed)


def _refuses(victim: Ballgame, frame: bytes) -> str:
    lines = len(victim.game.exchange.lines)
    victim.drain()
    try:
        victim.receive(message(frame))
    except Malformed:
        demand(len(victim.game.exchange.lines) == lines and not victim.drain().lines, "something was stored")
        return REFUSED
    return "accepted"


HELLOS: dict[str, Any] = {
    "a key of small order": {"key": sorted(SMALL_ORDER)[3].hex()},
    "a key that is not the signer's": {"key": "ab" * 32},
    "a name of escape sequences": {"name": "\x1b[2J\x1b[H"},
    "a name written backwards": {"name": "\u202egnihton"},
    "a name of 25 letters": {"name": "x" * 25},
    "a team of eight": {"team": {"code": "AB", "name": "x", "players": ["x"] * 8, "pinch": "x"}},
    "a version to come": {"protocol": 2},
}


def _hello(label: str, change: dict[str, Any]) -> None:
    @staged(f"a hello with {label}", "3", REFUSED)
    def _(villain: Seat, rules: Rules, seed: str) -> str:
        duet = Duet(terms_of(rules), seed=seed)
        line = message(duet.disk[villain][0 if villain is Seat.HOST else 1])
        frame = forging.again(duet.secrets[villain], line, lambda made: made["body"].update(change))
        try:
            forged = message(frame)
            if villain is Seat.GUEST:
                return _refuses(Ballgame.propose(duet.secrets[Seat.HOST], duet.hello(Seat.HOST)), frame)
            Ballgame.join(duet.secrets[Seat.GUEST], forged, duet.hello(Seat.GUEST))
        except Malformed:
            return REFUSED
        return "accepted"


for label, change in HELLOS.items():
    _hello(label, change)


# -- crooked resumes


def _cut(rules: Rules, seed: str, steps: int = 40) -> Duet:
    """A game in the middle, cut."""
    duet, rng = Duet(terms_of(rules), seed=seed), random.Random(seed)
    for _ in range(steps):
        duet.step(CHOOSERS, rng)
    while any(duet.deliver(seat) for seat in Seat):
        pass
    duet.lose_wire()
    return duet


def _resume(duet: Duet, villain: Seat, change: Callable[[dict[str, Any]], None], *, key: Seat | None = None) -> Message:
    """The villain's resume, its fields changed."""
    honest = json.loads(duet.games[villain].resume().payload)
    change(honest)
    return message(forging.seal(duet.secrets[key or villain], forging.dump(honest)))


def _goes_on(duet: Duet, rules: Rules, seed: str) -> None:
    """An honest resume afterwards ends in the same game."""
    duet.lose_wire()
    duet.resume()
    duet.play(CHOOSERS, random.Random(0))
    chains = {game.game.exchange.chain for game in duet.games.values()}
    demand(chains == {peaceful(rules, seed)}, "the game went on another way")


def _lie(name: str, expected: Expected, change: Callable[[dict[str, Any]], None], key: str = "") -> None:
    @staged(name, "6", expected)
    def _(villain: Seat, rules: Rules, seed: str) -> str:
        duet = _cut(rules, seed)
        victim = duet.games[villain.other]
        victim.resume()
        lines = len(victim.game.exchange.lines)
        try:
            victim.resumed(_resume(duet, villain, change, key=villain.other if key else None))
            outcome = "accepted"
        except Fork:
            outcome = STOPPED
        except Malformed:
            outcome = REFUSED
        demand(len(victim.game.exchange.lines) == lines and not victim.drain().lines, "something was said")
        demand(not victim.moves, "the game goes on")
        _goes_on(duet, rules, seed)
        return outcome


def _fork(whose: str, back: int) -> Callable[[dict[str, Any]], None]:
    def change(made: dict[str, Any]) -> None:
        made["body"][whose] = [made["body"][whose][0] - back, "ab" * 32]

    return change


_lie("a resume with another history of the other's", STOPPED, _fork("yours", 0))
_lie("a resume with another history of its own", STOPPED, _fork("mine", 0))
_lie("a resume with an older, forged history of the other's", STOPPED, _fork("yours", 1))
_lie("a resume with another chain", STOPPED, lambda made: made["body"].update(chain="ab" * 32))
_lie("a resume of another game", REFUSED, lambda made: made.update(game="ab" * 32))
_lie(
    "a resume in the other's name",
    REFUSED,
    lambda made: made.update(seat="guest" if made["seat"] == "host" else "host"),
)
_lie("a resume signed by another key", REFUSED, lambda made: None, key="other")


@staged("a resume that claims to hold more of the other's messages than there are", "6", IGNORED)
def _claims(villain: Seat, rules: Rules, seed: str) -> str:
    """Nothing is signed until the bytes come; they never do, and an honest resume goes on."""
    duet = _cut(rules, seed)
    victim = duet.games[villain.other]
    victim.resume()

    def more(made: dict[str, Any]) -> None:
        made["body"]["yours"] = [made["body"]["yours"][0] + 4, "ab" * 32]

    demand(victim.resumed(_resume(duet, villain, more)) == (), "something was sent")
    demand(not victim.drain().lines and not victim.moves, "something was signed")
    _goes_on(duet, rules, seed)
    return IGNORED


@staged("an older state on resume, to hear more", "6", IGNORED)
def _older(villain: Seat, rules: Rules, seed: str) -> str:
    """Whoever claims to have lost everything gets the same bytes again and nothing else."""
    duet = _cut(rules, seed)
    victim = duet.games[villain.other]
    victim.resume()
    hellos = duet.games[villain].game.exchange.lines[:2]

    def nothing(made: dict[str, Any]) -> None:
        made["body"] |= {
            "mine": [0, hellos[villain is Seat.GUEST].digest],
            "yours": [0, hellos[villain is Seat.HOST].digest],
        }

    again = victim.resumed(_resume(duet, villain, nothing))
    demand([line.frame for line in again] == duet.disk[villain.other][2:], "other bytes were sent")
    demand(not victim.drain().lines, "something new was signed")
    _goes_on(duet, rules, seed)
    return IGNORED


@staged("leaving after the roll is known, to choose again on resume", "6", CheatKind.EQUIVOCATION)
def _reroll(villain: Seat, rules: Rules, seed: str) -> str:
    """The other's reveal is read, the own one kept back, the wire cut: the commit cannot be taken back."""
    duet = Duet(terms_of(rules), seed=seed)
    rng = random.Random(seed)
    victim = duet.games[villain.other]
    while not (victim.game.exchange.round > 1 and victim._mine.reveal):
        duet.step(CHOOSERS, rng)
    commit = victim.game.exchange.sides[villain.value].commit
    assert commit is not None
    older = [commit.seq - 1, commit.prev]
    duet.lose_wire()
    victim.resume()
    victim.resumed(_resume(duet, villain, lambda made: made["body"].update(mine=older)))
    duet.flush(villain.other)
    frame = forging.again(duet.secrets[villain], commit, lambda made: made["body"].update(commitment="ab" * 32))
    try:
        victim.receive(message(frame))
    except Cheat as cheat:
        duet.flush(villain.other)
        report = verify(duet.record(villain.other))
        demand((report.seat, report.kind) == (villain, cheat.kind), f"{report}")
        return cheat.kind.value
    return "accepted"


# -- silence and crooked records


@staged("silence at every point", "7", IGNORED)
def _silence(villain: Seat, rules: Rules, seed: str) -> str:
    """At whatever message the villain falls silent, the record says that it owes, and nothing more is told."""
    victim, rng = villain.other, random.Random(f"silence-{seed}")
    whole = Duet(terms_of(rules), seed=seed).play(CHOOSERS, random.Random(seed))
    theirs = [at for at, frame in enumerate(whole.disk[victim]) if message(frame).seat == villain.value]
    for at in rng.sample([at for at in theirs if at > 1], 8):
        duet = Duet(terms_of(rules), seed=seed)
        duet.disk[victim] = whole.disk[victim]
        duet.reload(victim, at)
        duet.games[victim].wake()
        duet.flush(victim)
        while duet.choose(victim, first):
            pass
        report = verify(duet.record(victim))
        demand(report.verdict in (Verdict.SUSPENDED, Verdict.COMPLETE), report.why)
        demand(report.verdict is Verdict.COMPLETE or report.owes == (villain.value,), f"{report.owes} owe")
    return IGNORED


@staged("its own record with lines dropped, swapped, repeated, changed or taken from elsewhere", "7", REFUSED)
def _crooked_record(villain: Seat, rules: Rules, seed: str) -> str:
    """However the owner of a record doctors it, the other seat is never named."""
    duet = Duet(terms_of(rules), seed=seed).play(CHOOSERS, random.Random(seed))
    other = Duet(terms_of(rules), seed=seed + "x").play(CHOOSERS, random.Random(seed)).disk[villain]
    rng, lines, own = random.Random(f"record-{seed}-{villain}"), duet.disk[villain], duet.secrets[villain]
    for _ in range(6):
        made = list(lines)
        at, to = rng.randrange(2, len(made)), rng.randrange(2, len(made))
        match rng.randrange(6):
            case 0:
                del made[at]
            case 1:
                made[at], made[to] = made[to], made[at]
            case 2:
                made.insert(to, made[at])
            case 3:
                made[at] = rng.choice(other)
            case 4:
                del made[at:to]
            case _:
                line = message(made[at])
                if line.seat == villain.value:
                    made[at] = forging.again(own, line, lambda fields: fields.update(ack="", prev=fields["prev"]))
        report = verify(b"".join(line + b"\n" for line in made))
        demand(report.seat is not villain.other, f"the honest seat is named: {report.why}")
    return REFUSED
