"""One seat's game stopped: resigned, cheated, declined, refused (fair-play 3)."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from p2pball.ballgame import Ballgame, NotYourTurn, decline
from p2pball.engine.moves import Result
from p2pball.engine.terms import Seat, Terms
from p2pball.protocol.books import Cheat, CheatKind
from p2pball.protocol.messages import Malformed
from p2pball.verify import verify
from tests.attacks import forging
from tests.ballgame.duets import BOTH, GUEST, HOST, RULES, mover, settle, started
from tests.duet import CARDS, DICE, Duet, at_random, message


@BOTH
@pytest.mark.parametrize("seat", list(Seat))
def test_resigning(terms: Terms, seat: Seat) -> None:
    duet = started(terms)
    duet.games[seat].resign()
    duet.flush(seat)
    assert not duet.games[seat].moves
    with pytest.raises(NotYourTurn):
        duet.games[seat].resign()
    settle(duet)
    for owner in Seat:
        report = verify(duet.record(owner)).to_json()
        assert report["verdict"] == "COMPLETE"
        assert report["result"]["winner"] == seat.other.value
        assert duet.games[owner].finished
        assert duet.games[owner].result == Result(seat.other, 0, 0)


@BOTH
def test_both_resign_at_once(terms: Terms) -> None:
    duet = started(terms)
    for seat in Seat:
        duet.games[seat].resign()
        duet.flush(seat)
    settle(duet)
    for owner in Seat:
        assert verify(duet.record(owner)).to_json()["result"]["winner"] == "draw"
        assert duet.games[owner].finished


@settings(max_examples=12, deadline=None)
@given(RULES, st.integers(0, 2**32), st.integers(1, 120), st.sampled_from([*Seat, None]))
def test_resigning_at_any_moment_ends_alike_on_both_sides(
    terms: Terms, seed: int, steps: int, quitter: Seat | None
) -> None:
    duet = Duet(terms, seed=str(seed % 7))
    rng = random.Random(seed)
    choosers = {seat: at_random(rng) for seat in Seat}
    for _ in range(steps):
        duet.step(choosers, rng)
    for seat in [quitter] if quitter else Seat:
        try:
            duet.games[seat].resign()
        except NotYourTurn:
            continue
        duet.flush(seat)
    duet.play(choosers, rng)
    reports = [verify(duet.record(seat)).to_json() for seat in Seat]
    assert [report["verdict"] for report in reports] == ["COMPLETE", "COMPLETE"]
    assert reports[0]["result"] == reports[1]["result"]
    assert reports[0]["position"] == reports[1]["position"]
    assert all(game.finished for game in duet.games.values())


def test_no_resignation_before_round_0_is_complete() -> None:
    duet = Duet()
    with pytest.raises(NotYourTurn):
        duet.games[GUEST].resign()


def test_a_message_in_ones_own_name() -> None:
    duet = started()
    game = duet.games[HOST]
    forged = forging.fields(game.game.exchange, HOST, "resign", {})
    with pytest.raises(Malformed, match="very seat"):
        game.receive(forging.message(forging.seal(duet.secrets[HOST], forging.dump(forged))))
    known = message(duet.disk[HOST][2])
    for line in (known, message(duet.disk[HOST][-1])):
        game.receive(line)
    assert game.drain().lines == ()


def test_a_cheat_is_stored_last_and_stops_the_game() -> None:
    duet = started()
    seat = mover(duet)
    victim = duet.games[seat.other]
    made = forging.fields(victim.game.exchange, seat, "move", {"chain": "0" * 64, "move": {"pitch": "slider"}})
    frame = forging.seal(duet.secrets[seat], forging.dump(made))
    duet.wire[seat.other].append(frame)
    with pytest.raises(Cheat) as caught:
        duet.deliver(seat.other)
    assert (caught.value.seat, caught.value.kind) == (seat.value, CheatKind.WRONG_CHAIN)
    assert duet.disk[seat.other][-1] == frame
    assert victim.stopped is caught.value
    assert victim.finished
    assert not victim.moves
    with pytest.raises(Cheat):
        victim.receive(message(frame))
    with pytest.raises(NotYourTurn):
        victim.resign()
    again = Ballgame.load(seat.other, duet.secrets[seat.other], map(message, duet.disk[seat.other]))
    assert again.stopped is not None
    assert again.finished


def test_declining() -> None:
    duet = Duet()
    host_hello = message(duet.disk[HOST][0])
    no = decline(duet.secrets[GUEST], host_hello, "nine innings are too long")
    assert (no.type, no.game, no.ack) == ("decline", "", host_hello.digest)
    game = Ballgame.propose(duet.secrets[HOST], duet.hello(HOST))
    with pytest.raises(Malformed):
        game.receive(no)


def test_a_bad_hello_of_the_host() -> None:
    duet = Duet()
    bad = forging.again(duet.secrets[GUEST], message(duet.disk[HOST][0]), lambda made: None)
    with pytest.raises(Malformed):
        Ballgame.join(duet.secrets[GUEST], message(bad), duet.hello(GUEST))


def test_other_terms_are_not_joined() -> None:
    duet = Duet(DICE)
    other = Duet(CARDS)
    with pytest.raises(Malformed, match="terms"):
        Ballgame.join(duet.secrets[GUEST], message(duet.disk[HOST][0]), other.hello(GUEST))
