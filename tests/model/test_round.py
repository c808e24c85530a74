"""The round holds in every state that can be reached, and every mistake that it guards against is found."""

from __future__ import annotations

import random

import pytest

from p2pball.engine.state import Phase
from p2pball.engine.terms import Seat
from tests.duet import CARDS, Duet, first, message
from tests.model.round import Model, Mutant, search

HONEST = {"hostile": False, "data_loss": False}
HOSTILE = {"hostile": True, "data_loss": False}
LOSS = {"hostile": False, "data_loss": True}


@pytest.mark.parametrize("world", [HONEST, HOSTILE, LOSS], ids=["honest", "hostile", "data loss"])
def test_safe_in_every_state_and_able_to_finish_from_each(world: dict[str, bool]) -> None:
    found = search(Model(**world))
    assert found.wrong is None, found.way
    assert found.stuck is None, found.way
    assert found.worlds > 4000


@pytest.mark.parametrize(
    ("mutant", "world", "wrong"),
    [
        (Mutant.SEND_BEFORE_FSYNC, HONEST, "two messages under one number"),
        (Mutant.GATE_ON_MEMORY, HONEST, "without both commits on disk"),
        (Mutant.SECOND_COMMIT, HOSTILE, "changed afterwards"),
        (Mutant.REVEAL_WITHOUT_COMMIT, HOSTILE, "without both commits on disk"),
        (Mutant.FORGETS_ITS_CHOICE, HONEST, "two messages under one number"),
        (Mutant.SIGNS_BEFORE_ASKING, LOSS, "committed to one choice"),
    ],
    ids=lambda value: value.name if isinstance(value, Mutant) else None,
)
def test_a_mistake_is_found(mutant: Mutant, world: dict[str, bool], wrong: str) -> None:
    found = search(Model(mutant, **world))
    assert found.wrong is not None
    assert wrong in found.wrong
    assert found.way


def test_a_game_that_cannot_finish_is_found() -> None:
    found = search(Model(Mutant.NEVER_SENDS_AGAIN))
    assert found.wrong is None
    assert found.stuck is not None


def test_a_search_that_grows_too_large_is_told() -> None:
    with pytest.raises(OverflowError):
        search(Model(), limit=100)


# -- the model and the real game walk side by side


class Walk:
    """A pitch of a real game of cards, cut, crashed and resumed like the model's round."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        self.duet = Duet(CARDS, seed="model")
        while not all(self.at_pitch(seat) for seat in Seat) or any(self.duet.wire.values()):
            assert self.duet.step(dict.fromkeys(Seat, first), random.Random(0))
        self.start = {seat: len(self.duet.disk[seat]) for seat in Seat}
        self.round = self.duet.games[Seat.HOST].game.exchange.round

    def at_pitch(self, seat: Seat) -> bool:
        game = self.duet.games[seat]
        return game.game.state.phase is Phase.PITCH and bool(game.moves)

    def journal(self, seat: Seat) -> list[tuple[str, str]]:
        """The entries of the round in a seat's journal, by the model's names."""
        entries = []
        for frame in self.duet.disk[seat][self.start[seat] :]:
            line = message(frame)
            if line.body.get("round") == self.round:
                name = {"commit": "c", "reveal": "r"}[line.type]
                entries.append((name if line.seat == seat.value else "o" + name, line.digest))
        return entries

    def step(self) -> None:
        """Something that can happen: a choice, an arrival, a cut with or without a crash."""
        duet, seat = self.duet, self.rng.choice(list(Seat))
        match self.rng.randrange(6):
            case 0:
                duet.choose(seat, lambda _, moves: self.rng.choice(moves))
            case 5:
                duet.lose_wire()
                for crashed in Seat:
                    if self.rng.random() < 0.5:
                        duet.reload(crashed)
                duet.resume()
            case _:
                duet.deliver(seat)


@pytest.mark.parametrize("seed", range(12))
def test_the_real_round_keeps_what_the_model_promises(seed: int) -> None:
    walk = Walk(seed)
    told: dict[Seat, dict[str, str]] = {seat: {} for seat in Seat}
    for _ in range(300):
        walk.step()
        for seat in Seat:
            entries = walk.journal(seat)
            names = [name for name, _ in entries]
            assert len(set(names)) == len(names)
            if "r" in names:
                assert names.index("c") < names.index("r") > names.index("oc")
            if "or" in names:
                assert names.index("oc") < names.index("or") > names.index("c")
            for name, digest in entries:
                assert told[seat].setdefault(name, digest) == digest  # never another under the same number
        if all(walk.duet.games[seat].game.exchange.round > walk.round for seat in Seat):
            break
    else:
        raise AssertionError("the round was never finished")
    host, guest = (dict(walk.journal(seat)) for seat in Seat)
    assert (host["c"], host["r"], host["oc"], host["or"]) == (guest["oc"], guest["or"], guest["c"], guest["r"])
