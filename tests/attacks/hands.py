"""Attacks by hidden hands: deals, audits, cards that were not dealt (fair-play 5)."""

from __future__ import annotations

from collections.abc import Iterator

from p2pball.engine.terms import Rules
from p2pball.protocol.books import CheatKind
from p2pball.protocol.deals import DECK, deal_commitment, hand_secret
from tests.attacks.chapter import ONES, Chapter, a, pitch, round_0
from tests.attacks.scene import Scene

ATTACKS = Chapter()
attack, simple = ATTACKS.attack, ATTACKS.simple


def another_card(scene: Scene) -> str:
    """A card of the villain's hand that it has not played and does not play now."""
    hand = scene.books.sides[scene.villain.value].hand
    assert hand is not None
    dealt = hand.cards(hand_secret(scene.own.master, hand.game, hand.seat, hand.number))
    played = (*hand.played, scene.head.body.get("action", {}).get("card"))
    return next(card for card in dealt if card not in played)


simple(
    "no deal commitment in round 0", "5", CheatKind.BAD_DEAL, round_0, lambda s: s.with_body(deal=""), (Rules.CARDS,)
)
simple(
    "no deal commitment with a hand's last card",
    "5",
    CheatKind.BAD_DEAL,
    pitch("commit", last=True),
    lambda s: s.with_body(deal=""),
    (Rules.CARDS,),
)
simple(
    "a deal commitment out of place",
    "5",
    CheatKind.BAD_DEAL,
    lambda s: a("commit")(s) and not s.head.body["deal"],
    lambda s: s.with_body(deal=ONES),
)
simple(
    "an audit withheld",
    "5",
    CheatKind.BAD_DEAL,
    pitch("reveal", last=True),
    lambda s: s.with_body(hand_secret=""),
    (Rules.CARDS,),
)
simple(
    "an audit with another secret",
    "5",
    CheatKind.BAD_DEAL,
    pitch("reveal", last=True),
    lambda s: s.with_body(hand_secret=ONES),
    (Rules.CARDS,),
)
simple(
    "an audit too early",
    "5",
    CheatKind.BAD_DEAL,
    lambda s: a("reveal")(s) and not s.head.body["hand_secret"],
    lambda s: s.with_body(hand_secret=ONES),
)
simple(
    "a final that keeps the hand secret",
    "5",
    CheatKind.BAD_DEAL,
    a("final"),
    lambda s: s.with_body(hand_secret=""),
    (Rules.CARDS,),
)
simple("a final with another hand secret", "5", CheatKind.BAD_DEAL, a("final"), lambda s: s.with_body(hand_secret=ONES))


@attack("a card that was not dealt, played last", "5", CheatKind.BAD_DEAL, pitch("commit", last=True), (Rules.CARDS,))
def _strange_card(scene: Scene) -> Iterator[bytes]:
    books, seat = scene.books, scene.villain.value
    hand = books.sides[seat].hand
    assert hand is not None
    secret = hand_secret(scene.own.master, books.game, seat, hand.number)
    strange = {
        "card": next(card for card in reversed(DECK) if card in hand.remaining and card not in hand.cards(secret))
    }
    yield scene.commit(strange)
    scene.answer()
    yield scene.reveal(strange, hand_secret=secret.hex())


@attack(
    "the audit of a hand picked among many secrets", "5", CheatKind.BAD_DEAL, pitch("commit", last=True), (Rules.CARDS,)
)
def _picked_secret(scene: Scene) -> Iterator[bytes]:
    """Another secret deals what was played, but K was fixed before."""
    books, seat = scene.books, scene.villain.value
    hand = books.sides[seat].hand
    assert hand is not None
    picked = deal_commitment(bytes(32), books.game, seat, hand.number)[:32]
    card = {"card": another_card(scene)}
    yield scene.commit(card)
    scene.answer()
    yield scene.reveal(card, hand_secret=picked.hex())
