"""The stage of an attack: a real game, its villain's next message held back, and what comes of sending others."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from p2pball.ballgame import Ballgame, Secrets
from p2pball.engine.terms import Rules, Seat, Terms
from p2pball.protocol.books import Books, Cheat, CheatKind
from p2pball.protocol.messages import Malformed, Message, parse_frame
from p2pball.protocol.resume import Fork
from p2pball.verify import Verdict, verify
from tests.attacks import forging
from tests.duet import CARDS, DICE, Chooser, Duet, first, message

REFUSED, IGNORED, STOPPED = "refused", "ignored", "fork"
Expected = CheatKind | str
SECONDS = 2.0
"""More than any one message may cost, on a machine busy with other things."""


class Wrong(AssertionError):
    """An attack that did not end as it must."""


@dataclass
class Scene:
    """A game in which the villain's next message, `head`, has not arrived."""

    duet: Duet
    villain: Seat
    rng: random.Random
    head: Message
    sent: list[bytes] = field(default_factory=list)

    @property
    def victim(self) -> Seat:
        """The honest seat."""
        return self.villain.other

    @property
    def game(self) -> Ballgame:
        """The honest seat's game."""
        return self.duet.games[self.victim]

    @property
    def books(self) -> Books:
        """What the honest seat has stored."""
        return self.game.game.exchange

    @property
    def own(self) -> Secrets:
        """The villain's secrets."""
        return self.duet.secrets[self.villain]

    @property
    def body(self) -> dict[str, Any]:
        """A copy of the body that the honest message has."""
        return dict(self.head.body)

    def make(self, kind: str, body: Any, **changes: Any) -> bytes:
        """The villain's next message by the honest seat's books, fields changed."""
        made = forging.fields(self.books, self.villain, kind, body) | changes
        return forging.seal(self.own, forging.dump(made))

    def changed(self, change: forging.Change) -> bytes:
        """The honest message signed anew after a change."""
        return forging.again(self.own, self.head, change)

    def with_body(self, **changes: Any) -> bytes:
        """The honest message with other values in its body."""
        return self.changed(lambda made: made["body"].update(changes))

    def commit(self, action: Any, **changes: Any) -> bytes:
        """A commit to any action, with the deal commitment of the honest one."""
        deal = self.head.body.get("deal", "")
        made = forging.commit_body(self.own, self.books, self.villain, action, deal=deal)
        return self.make("commit", made | changes)

    def reveal(self, action: Any, **changes: Any) -> bytes:
        """The reveal that opens `commit` of the same action."""
        return self.make("reveal", forging.reveal_body(self.own, self.books, self.villain, action) | changes)

    def answer(self) -> None:
        """Let the honest player choose until its commit of this round is in."""
        for _ in range(3):
            if self.books.sides[self.victim.value].commit is None:
                self.duet.choose(self.victim, first)


Making = Callable[[Scene], Iterator[bytes]]
When = Callable[[Scene], bool]


@dataclass(frozen=True)
class Attack:
    """One thing a dishonest client can try, when, and what must come of it."""

    name: str
    section: str
    expected: Expected
    rules: tuple[Rules, ...]
    when: When
    make: Making


def offer(scene: Scene, frame: bytes) -> Expected:
    """Send the honest seat a frame; what it made of it."""
    scene.sent.append(frame)
    game, lines = scene.game, len(scene.books.lines)
    started = time.thread_time()
    try:
        parsed = parse_frame(frame)
        if isinstance(parsed, Message):
            game.receive(parsed)
    except Malformed:
        outcome: Expected = REFUSED
    except Fork:
        outcome = STOPPED
    except Cheat as cheat:
        if cheat.seat != scene.villain.value:
            raise Wrong(f"the {cheat.seat} is blamed: {cheat}") from None
        outcome = cheat.kind
    else:
        outcome = "accepted" if len(scene.books.lines) > lines else IGNORED
    spent = time.thread_time() - started
    scene.duet.flush(scene.victim)
    if spent > SECONDS:
        raise Wrong(f"one message took {spent:.1f} s")
    return outcome


def terms_of(rules: Rules) -> Terms:
    """The terms of the games that are attacked: one inning."""
    return DICE if rules is Rules.DICE else CARDS


@cache
def peaceful(rules: Rules, seed: str) -> bytes:
    """The chain in which the game of a seed ends when nobody attacks."""
    duet = Duet(terms_of(rules), seed=seed).play(dict.fromkeys(Seat, first), random.Random(0))
    return duet.games[Seat.HOST].game.exchange.chain


def find(attack: Attack, villain: Seat, rules: Rules, seed: str, skip: int) -> Scene | None:
    """The game played to the moment of an attack, after as many such moments as `skip`; None when it ends before."""
    rng = random.Random(f"{attack.name}-{villain}-{seed}")
    duet = Duet(terms_of(rules), seed=seed)
    choosers: dict[Seat, Chooser] = dict.fromkeys(Seat, first)
    while True:
        if frames := duet.wire[villain.other]:
            scene = Scene(duet, villain, rng, message(frames[0]))
            if scene.head.type != "hello" and attack.when(scene):
                if not skip:
                    frames.popleft()
                    return scene
                skip -= 1
            duet.deliver(villain.other)
        elif not duet.step(choosers, rng):
            return None


def run(attack: Attack, villain: Seat, rules: Rules, seed: str, skip: int) -> str:
    """Carry an attack out and judge what came of it; raises Wrong when it did not end as it must."""
    scene = find(attack, villain, rules, seed, skip) or find(attack, villain, rules, seed, 0)
    if scene is None:
        raise Wrong("the moment never comes")
    outcome: Expected = "nothing was sent"
    before = 0
    for frame in attack.make(scene):
        if outcome not in ("nothing was sent", "accepted"):
            raise Wrong(f"{outcome} too early: after {len(scene.sent)} messages")
        before = len(scene.books.lines)
        outcome = offer(scene, frame)
    if outcome != attack.expected:
        raise Wrong(f"{outcome}, not {attack.expected}")
    nothing_given_away(scene)
    if isinstance(outcome, CheatKind):
        return _proved(scene, outcome)
    if len(scene.books.lines) != before:
        raise Wrong("something was stored or said")
    _nothing_lost(scene, rules, seed)
    return str(outcome)


def _proved(scene: Scene, kind: CheatKind) -> str:
    """The record alone proves the cheat, and so does the villain's own if it keeps what it sent."""
    for owner in Seat:
        record = scene.duet.record(owner)
        if owner is scene.villain:
            record += b"".join(frame + b"\n" for frame in scene.sent)
        report = verify(record)
        if report.verdict is Verdict.CHEAT and report.seat is not scene.villain:
            raise Wrong(f"the honest seat is named by the {owner.value}'s record: {report.why}")
        if owner is scene.victim:
            if (report.verdict, report.kind) != (Verdict.CHEAT, kind):
                raise Wrong(f"the record says {report.verdict.value} {report.kind}")
            if not 2 <= len(report.lines) <= 4 or report.lines[-1] != len(scene.duet.disk[owner]):
                raise Wrong(f"proved by lines {report.lines}")
    if not scene.game.finished or scene.game.moves:
        raise Wrong("the game goes on")
    return kind.value


def _nothing_lost(scene: Scene, rules: Rules, seed: str) -> None:
    """Both meet again with their honest clients, and the game ends as if nothing had been."""
    duet = scene.duet
    duet.lose_wire()
    duet.resume()
    duet.play(dict.fromkeys(Seat, first), scene.rng)
    if {game.game.exchange.chain for game in duet.games.values()} != {peaceful(rules, seed)}:
        raise Wrong("the game went on another way")
    if verify(duet.record(scene.victim)).verdict is not Verdict.COMPLETE:
        raise Wrong("the game was not finished")


def nothing_given_away(scene: Scene) -> None:
    """No secret of a hand before its sixth card or the final, no card that was not played."""
    pitches = 0
    for frame in scene.duet.disk[scene.victim]:
        line = message(frame)
        if line.seat != scene.victim.value:
            continue
        if line.type == "reveal" and "card" in line.body["action"]:
            pitches += 1
            if bool(line.body["hand_secret"]) is not (pitches % 6 == 0):
                raise Wrong("a hand was opened early")
        elif line.type != "final" and ('"card"' in line.payload or line.body.get("hand_secret")):
            raise Wrong("a card was told before it was played")
        if scene.duet.secrets[scene.victim].master.hex() in line.payload:
            raise Wrong("the master secret was told")
