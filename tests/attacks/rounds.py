"""Attacks by commits and reveals (fair-play 3)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from p2pball.engine.terms import Rules
from p2pball.protocol.books import CheatKind
from p2pball.protocol.values import commitment
from tests.attacks.chapter import BOTH, ONES, ZEROS, Chapter, a, committed, not_first, pitch
from tests.attacks.hands import another_card
from tests.attacks.scene import REFUSED, Scene, When

ATTACKS = Chapter()
attack, simple = ATTACKS.attack, ATTACKS.simple

simple("a commit on another chain", "3", CheatKind.WRONG_CHAIN, a("commit"), lambda s: s.with_body(chain=ZEROS))
simple(
    "a commit of the round before",
    "3",
    CheatKind.ILLEGAL_ACTION,
    a("commit"),
    lambda s: s.with_body(round=s.books.round - 1),
)
simple(
    "a commit of the round after",
    "3",
    CheatKind.ILLEGAL_ACTION,
    a("commit"),
    lambda s: s.with_body(round=s.books.round + 1),
)


@attack("a second commit in one round", "3", CheatKind.ILLEGAL_ACTION, not_first)
def _second_commit(scene: Scene) -> Iterator[bytes]:
    yield scene.head.frame
    if scene.books.sides[scene.villain.value].commit is None:  # the round is complete already
        return
    yield scene.make("commit", scene.body | {"commitment": ONES})


@attack("the other's commitment copied, and its reveal", "3", CheatKind.BAD_OPENING, committed)
def _copied(scene: Scene) -> Iterator[bytes]:
    theirs = scene.books.sides[scene.victim.value].commit
    assert theirs is not None
    yield scene.with_body(commitment=theirs.body["commitment"])
    opened = scene.books.sides[scene.victim.value].reveal
    assert opened is not None
    yield scene.make("reveal", dict(opened.body) | {"hand_secret": ""})


def _opening(name: str, forge: Callable[[Scene], bytes]) -> None:
    simple(name, "3", CheatKind.BAD_OPENING, a("reveal"), forge)


_opening("a reveal with another nonce", lambda s: s.with_body(nonce=ONES))
_opening(
    "a reveal with the other's nonce", lambda s: s.with_body(nonce=next(iter(s.books.sides[s.victim.value].nonces)))
)
_opening("a reveal of another action", lambda s: s.with_body(action={"pitch": "slider"}))
simple(
    "a reveal of another card of the hand",
    "3",
    CheatKind.BAD_OPENING,
    pitch("reveal", last=False),
    lambda s: s.with_body(action={"card": another_card(s)}),
    (Rules.CARDS,),
)


@attack("a nonce used before", "3", CheatKind.REPEATED_NONCE, committed)
def _nonce_again(scene: Scene) -> Iterator[bytes]:
    books, seat = scene.books, scene.villain.value
    nonce = next(iter(books.sides[seat].nonces))
    opened = scene.duet.games[scene.villain].game.exchange.lines  # what the honest half would have played
    action = next((line.body["action"] for line in reversed(opened) if _is(line, seat, books.round)), {"pass": True})
    locked = commitment(bytes.fromhex(nonce), books.game, books.round, seat, books.chain, action)
    yield scene.with_body(commitment=locked.hex())
    yield scene.make("reveal", {"round": books.round, "nonce": nonce, "action": action, "hand_secret": ""})


def _is(line: Any, seat: str, number: int) -> bool:
    return line.type == "reveal" and line.seat == seat and line.body["round"] == number


@attack("a reveal of a round never committed to", "3", CheatKind.ILLEGAL_ACTION, committed)
def _uncommitted(scene: Scene) -> Iterator[bytes]:
    yield scene.reveal({"pass": True})


@attack("a reveal before the other's commit", "3", REFUSED, not_first)
def _early_reveal(scene: Scene) -> Iterator[bytes]:
    yield scene.reveal({"pass": True})


@attack("a reveal of the round before", "3", CheatKind.ILLEGAL_ACTION, a("commit"))
def _late_reveal(scene: Scene) -> Iterator[bytes]:
    yield scene.reveal({"pass": True}, round=scene.books.round - 1)


@attack("a second reveal in one round", "3", CheatKind.ILLEGAL_ACTION, a("reveal"))
def _second_reveal(scene: Scene) -> Iterator[bytes]:
    yield scene.head.frame
    yield scene.make("reveal", scene.body)


def _locks(name: str, action: Any, when: When, rules: tuple[Rules, ...] = BOTH) -> None:
    @attack(name, "3", CheatKind.ILLEGAL_ACTION, when, rules)
    def _(scene: Scene) -> Iterator[bytes]:
        chosen = action(scene) if callable(action) else action
        yield scene.commit(chosen)
        scene.answer()
        yield scene.reveal(chosen)


_locks("a locked action that is none", {"run": "home"}, a("commit"))
_locks("a locked action of the other game", {"pitch": "slider"}, a("commit"))
_locks("a pass where a card is due", {"pass": True}, pitch("commit", last=False), (Rules.CARDS,))
_locks("a card that does not exist", {"card": "1X"}, pitch("commit", last=False), (Rules.CARDS,))
_locks(
    "a card played before",
    lambda s: {"card": _played_card(s)},
    lambda s: pitch("commit")(s) and bool(_played(s)),
    (Rules.CARDS,),
)


def _played(scene: Scene) -> tuple[str, ...]:
    hand = scene.books.sides[scene.villain.value].hand
    return hand.played if hand else ()


def _played_card(scene: Scene) -> str:
    return _played(scene)[0]
