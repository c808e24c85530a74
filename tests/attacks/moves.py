"""Attacks by open moves, resignations and finals (fair-play 3)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from p2pball.protocol.books import CheatKind
from p2pball.protocol.deals import hand_secret
from p2pball.protocol.values import chain_after_move
from tests.attacks import forging
from tests.attacks.chapter import ZEROS, Chapter, a, not_first, round_0
from tests.attacks.scene import Expected, Scene

ATTACKS = Chapter()
attack, simple = ATTACKS.attack, ATTACKS.simple

simple("an open move on another chain", "3", CheatKind.WRONG_CHAIN, a("move"), lambda s: s.with_body(chain=ZEROS))
simple(
    "an open move that is none",
    "3",
    CheatKind.ILLEGAL_ACTION,
    a("move"),
    lambda s: s.with_body(move={"pitch": "spitball"}),
)
simple("a card laid openly", "3", CheatKind.ILLEGAL_ACTION, a("move"), lambda s: s.with_body(move={"card": "AS"}))
simple("a steal of home", "3", CheatKind.ILLEGAL_ACTION, a("move"), lambda s: s.with_body(move={"steal": 4}))
simple(
    "an open move in a sealed round",
    "3",
    CheatKind.ILLEGAL_ACTION,
    not_first,
    lambda s: s.make("move", {"chain": s.books.chain.hex(), "move": {"hold": True}}),
)
simple(
    "a commit where an open move is due", "3", CheatKind.ILLEGAL_ACTION, a("move"), lambda s: s.commit({"pass": True})
)


@attack("a lie about the position after its own move", "3", CheatKind.WRONG_CHAIN, a("move"))
def _lie(scene: Scene) -> Iterator[bytes]:
    books, seat = scene.books, scene.villain.value
    lie = chain_after_move(books.chain, seat, scene.body["move"], "dice T1 9-0 o0 b000 s1,1 @roll")
    yield scene.head.frame
    scene.answer()
    if books.expect.due.value == "open":
        yield scene.make("move", {"chain": lie.hex(), "move": {"hold": True}})
    else:
        yield scene.make(
            "commit", forging.commit_body(scene.own, books, scene.villain, {"pass": True}, chain=lie.hex())
        )


simple("a resignation in round 0", "3", CheatKind.ILLEGAL_ACTION, round_0, lambda s: s.make("resign", {}))


@attack("playing on after resigning", "3", CheatKind.ILLEGAL_ACTION, a("commit", "move"))
def _plays_on(scene: Scene) -> Iterator[bytes]:
    yield scene.make("resign", {})
    yield scene.make(scene.head.type, scene.body)


@attack("resigning twice", "3", CheatKind.ILLEGAL_ACTION, a("commit", "move"))
def _resigns_twice(scene: Scene) -> Iterator[bytes]:
    yield scene.make("resign", {})
    yield scene.make("resign", {})


def _resigned(name: str, forge: Callable[[Scene], bytes], expected: Expected) -> None:
    @attack(name, "3", expected, a("commit", "move", "reveal"))
    def _(scene: Scene) -> Iterator[bytes]:
        scene.game.resign()
        scene.duet.flush(scene.victim)
        yield forge(scene)


_resigned("playing on after reading a resignation", lambda s: s.make(s.head.type, s.body), CheatKind.ILLEGAL_ACTION)
_resigned("resigning after reading a resignation", lambda s: s.make("resign", {}), CheatKind.ILLEGAL_ACTION)
_resigned(
    "a final with more runs after a resignation",
    lambda s: s.make("final", _final(s, home=99)),
    CheatKind.ILLEGAL_ACTION,
)
_resigned(
    "a final with a chain after a resignation",
    lambda s: s.make("final", _final(s) | {"chain": ZEROS}),
    CheatKind.WRONG_CHAIN,
)


def _final(scene: Scene, **result: Any) -> dict[str, Any]:
    books, seat = scene.books, scene.villain.value
    hand = books.sides[seat].hand
    secret = hand_secret(scene.own.master, books.game, seat, hand.number).hex() if hand else ""
    return {"chain": "", "result": books.result() | result, "hand_secret": secret}


simple(
    "a final too early",
    "3",
    CheatKind.ILLEGAL_ACTION,
    a("commit", "move"),
    lambda s: s.make("final", _final(s) | {"chain": s.books.chain.hex()}),
)
simple(
    "a final that claims the win",
    "3",
    CheatKind.ILLEGAL_ACTION,
    a("final"),
    lambda s: s.with_body(result=s.body["result"] | {"home": 99, "winner": s.villain.value}),
)
simple("a final of another chain", "3", CheatKind.WRONG_CHAIN, a("final"), lambda s: s.with_body(chain=ZEROS))
simple("a commit after the end", "3", CheatKind.ILLEGAL_ACTION, a("final"), lambda s: s.commit({"pass": True}))


@attack("a message after its own final", "3", CheatKind.ILLEGAL_ACTION, a("final"))
def _after_final(scene: Scene) -> Iterator[bytes]:
    yield scene.head.frame
    yield scene.make("resign", {})
