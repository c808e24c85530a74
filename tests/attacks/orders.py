"""Attacks by sequence, game and acknowledgements (fair-play 3)."""

from __future__ import annotations

import json
from collections.abc import Iterator

from p2pball.protocol.books import CheatKind
from tests.attacks import forging
from tests.attacks.chapter import ONES, ZEROS, Chapter, a, after_its_own_message, anything
from tests.attacks.scene import IGNORED, REFUSED, Scene
from tests.duet import Duet

ATTACKS = Chapter()
attack, simple = ATTACKS.attack, ATTACKS.simple


def _of_another_game(scene: Scene) -> bytes:
    """The same two players' other game, all signatures right."""
    other = Duet(scene.duet.terms, seed="another")
    made = json.loads(scene.head.payload) | {"game": other.games[scene.victim].game.exchange.game.hex()}
    return forging.seal(scene.own, forging.dump(made))


simple("a gap in seq", "3", REFUSED, anything, lambda s: s.changed(lambda m: m.update(seq=m["seq"] + 1)))
simple("a seq far ahead", "3", REFUSED, anything, lambda s: s.changed(lambda m: m.update(seq=2**53 - 1)))
simple("a wrong prev", "3", REFUSED, anything, lambda s: s.changed(lambda m: m.update(prev=ZEROS)))
simple("a message of another game", "3", REFUSED, anything, _of_another_game)
simple("an ack of nothing", "3", REFUSED, anything, lambda s: s.changed(lambda m: m.update(ack=ONES)))
simple(
    "an ack of its own message",
    "3",
    REFUSED,
    anything,
    lambda s: s.changed(lambda m: m.update(ack=s.books.sides[s.villain.value].sent[-1].digest)),
)
simple(
    "an ack that goes back",
    "3",
    REFUSED,
    after_its_own_message,
    lambda s: s.changed(lambda m: m.update(ack=s.books.sides[s.victim.value].sent[0].digest)),
)
simple("an ack withdrawn", "3", REFUSED, after_its_own_message, lambda s: s.changed(lambda m: m.update(ack="")))


def _unaware(scene: Scene) -> bytes:
    """What it answers is not acknowledged."""
    side = scene.books.sides[scene.villain.value]
    old = scene.books.sides[scene.victim.value].sent[side.acked].digest if side.acked >= 0 else ""
    return scene.changed(lambda made: made.update(ack=old))


def _news(scene: Scene) -> bool:
    """The head acknowledges for the first time what it must."""
    side, other = scene.books.sides[scene.villain.value], scene.books.sides[scene.victim.value]
    need = {"reveal": other.commit}.get(scene.head.type, other.turn)
    return scene.head.type in ("commit", "move", "reveal", "final") and need is not None and side.acked < need.seq


simple("an answer to what it has not acknowledged", "3", REFUSED, _news, _unaware)


@attack("the same message twice", "3", IGNORED, a("commit", "reveal", "move"))
def _twice(scene: Scene) -> Iterator[bytes]:
    yield scene.head.frame
    yield scene.head.frame


@attack("an old message again", "3", IGNORED, after_its_own_message)
def _old(scene: Scene) -> Iterator[bytes]:
    yield scene.rng.choice(scene.books.sides[scene.villain.value].sent[1:]).frame


@attack("another message under a used seq", "3", CheatKind.EQUIVOCATION, a("commit", "reveal", "move"))
def _equivocation(scene: Scene) -> Iterator[bytes]:
    yield scene.head.frame
    yield scene.make("resign", {}, seq=scene.head.seq, prev=scene.head.prev, ack=scene.head.ack)


@attack("an old message signed anew, changed", "3", CheatKind.EQUIVOCATION, after_its_own_message)
def _rewritten(scene: Scene) -> Iterator[bytes]:
    old = scene.rng.choice(scene.books.sides[scene.villain.value].sent[1:])
    yield forging.again(scene.own, old, lambda made: made.update(ack=ZEROS))
