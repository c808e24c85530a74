"""A chapter of the catalogue: how an attack is entered, and the moments at which one may come."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from p2pball.engine.terms import Rules
from tests.attacks.scene import Attack, Expected, Making, Scene, When

BOTH = (Rules.DICE, Rules.CARDS)
ZEROS, ONES = "0" * 64, "1" * 64


class Chapter(list[Attack]):
    """Attacks of one kind, in the order in which they were entered."""

    def attack(
        self, name: str, section: str, expected: Expected, when: When, rules: tuple[Rules, ...] = BOTH
    ) -> Callable[[Making], Making]:
        """Enter an attack."""

        def enter(make: Making) -> Making:
            self.append(Attack(name, section, expected, rules, when, make))
            return make

        return enter

    def simple(
        self,
        name: str,
        section: str,
        expected: Expected,
        when: When,
        forge: Callable[[Scene], bytes],
        rules: tuple[Rules, ...] = BOTH,
    ) -> None:
        """Enter an attack of one message."""

        def make(scene: Scene) -> Iterator[bytes]:
            yield forge(scene)

        self.append(Attack(name, section, expected, rules, when, make))


def a(*kinds: str) -> When:
    """The villain's next message is of one of these types, after round 0."""
    return lambda s: s.head.type in kinds and s.books.round > 0


def anything(scene: Scene) -> bool:
    """At any message after the hellos."""
    return scene.head.type != "hello"


def round_0(scene: Scene) -> bool:
    """At the commit of round 0."""
    return scene.head.type == "commit" and scene.books.round == 0


def pitch(kind: str, *, last: bool | None = None) -> When:
    """At a commit or reveal of a pitch in the cards game; of a hand's last card or not."""

    def when(scene: Scene) -> bool:
        hand = scene.books.sides[scene.villain.value].hand
        right = scene.books.expect.pitch and hand is not None and last in (None, hand.last_card)
        return scene.head.type == kind and right

    return when


def not_first(scene: Scene) -> bool:
    """At a commit in a round that the other seat has not committed to."""
    return a("commit")(scene) and scene.books.sides[scene.victim.value].commit is None


def committed(scene: Scene) -> bool:
    """At a commit after the other seat's in the same round."""
    return a("commit")(scene) and scene.books.sides[scene.victim.value].commit is not None


def after_its_own_message(scene: Scene) -> bool:
    """The villain has already acknowledged something after the other's hello, and sent something of its own."""
    side = scene.books.sides[scene.villain.value]
    return scene.head.type in ("commit", "reveal", "move") and side.acked > 1 and len(side.sent) > 3
