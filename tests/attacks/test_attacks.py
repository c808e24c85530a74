"""Every attack of the catalogue ends as it must: in the proof of a cheat, or in a refusal with nothing lost."""

from __future__ import annotations

import random

import pytest

from p2pball.engine.terms import Rules, Seat
from p2pball.protocol.books import CheatKind
from tests.attacks import scene
from tests.attacks.catalogue import ATTACKS
from tests.attacks.scene import Attack, Scene, Wrong, offer, run
from tests.attacks.staged import CHOOSERS, STAGED, Staged
from tests.duet import Duet, message

PROVED = [attack for attack in ATTACKS if isinstance(attack.expected, CheatKind)]
REFUSED = [attack for attack in ATTACKS if not isinstance(attack.expected, CheatKind)]
SEATS = list(Seat)


def pick(attack: Attack | Staged) -> tuple[Rules, Seat]:
    """One rule set and one villain, spread over the catalogue; the campaign takes them all."""
    rng = random.Random(attack.name)
    return rng.choice(attack.rules), rng.choice(SEATS)


@pytest.mark.parametrize("attack", PROVED, ids=lambda attack: attack.name)
def test_a_cheat_is_proved(attack: Attack) -> None:
    rules, villain = pick(attack)
    run(attack, villain, rules, "short", 1)


@pytest.mark.parametrize("villain", SEATS)
@pytest.mark.parametrize("rules", list(Rules))
def test_a_refusal_loses_nothing(rules: Rules, villain: Seat) -> None:
    """Everything that is refused is tried in one game, each at its first moment; the game ends as in peace."""
    due = {attack.name: attack for attack in REFUSED if rules in attack.rules}
    rng = random.Random(1)
    duet = Duet(scene.terms_of(rules), seed="short")
    while True:
        if frames := duet.wire[villain.other]:
            stage = Scene(duet, villain, rng, message(frames[0]))
            if stage.head.type != "hello":
                for name in [name for name, attack in due.items() if attack.when(stage)]:
                    _try(due.pop(name), stage)
            if frames and frames[0] == stage.head.frame:
                duet.deliver(villain.other)
        elif not duet.step(CHOOSERS, rng):
            break
    assert not due
    chains = {game.game.exchange.chain for game in duet.games.values()}
    assert chains == {scene.peaceful(rules, "short")}


def _try(attack: Attack, stage: Scene) -> None:
    last = None
    for frame in attack.make(stage):
        before = (len(stage.books.lines), stage.books.chain, stage.game.moves)
        last = offer(stage, frame)
        if last == "accepted":  # the honest message itself, which will be repeated
            stage.duet.wire[stage.victim].popleft()
    assert last == attack.expected, attack.name
    assert before == (len(stage.books.lines), stage.books.chain, stage.game.moves), attack.name
    scene.nothing_given_away(stage)


@pytest.mark.parametrize("attack", STAGED, ids=lambda attack: attack.name)
def test_a_staged_attack(attack: Staged) -> None:
    rules, villain = pick(attack)
    assert attack.run(villain, rules, "short") == getattr(attack.expected, "value", attack.expected)


def test_names_are_told_apart() -> None:
    names = [attack.name for attack in (*ATTACKS, *STAGED)]
    assert len(set(names)) == len(names)


def test_every_kind_of_cheat_is_attempted() -> None:
    assert {attack.expected for attack in PROVED} == set(CheatKind)


def test_an_attack_that_ends_otherwise_is_told() -> None:
    """The judge of the attacks can fail."""
    harmless = next(attack for attack in ATTACKS if attack.name == "the same message twice")
    wrong = Attack(harmless.name, "3", CheatKind.BAD_DEAL, harmless.rules, harmless.when, harmless.make)
    with pytest.raises(Wrong, match="ignored"):
        run(wrong, Seat.HOST, Rules.DICE, "short", 0)
    never = Attack(harmless.name, "3", "ignored", harmless.rules, lambda _: False, harmless.make)
    with pytest.raises(Wrong, match="never comes"):
        run(never, Seat.HOST, Rules.DICE, "short", 0)
