"""One seat's game cut and taken up again: journals, forks, lost lines and lost secrets (fair-play 6)."""

from __future__ import annotations

import json
import random

import pytest

from p2pball.ballgame import Ballgame, LostSecret, NotBegun, NotYourTurn, Secrets
from p2pball.engine.terms import Seat, Terms
from p2pball.protocol.messages import Malformed
from p2pball.protocol.resume import Fork
from p2pball.verify import Verdict, verify
from tests.attacks import forging
from tests.ballgame.duets import BOTH, GUEST, HOST, at_pitch, chains, from_guest, settle, started, until
from tests.duet import CARDS, Duet, first, message, secrets


@BOTH
@pytest.mark.parametrize("reload", [(), (HOST,), (GUEST,), (HOST, GUEST)], ids=str)
def test_a_game_cut_again_and_again(terms: Terms, reload: tuple[Seat, ...]) -> None:
    duet = Duet(terms, seed="cut")
    settle(duet)
    rng = random.Random(9)
    choosers = dict.fromkeys(Seat, first)
    plain = Duet(terms, seed="cut").play(choosers, rng)
    for _ in range(2000):
        for _ in range(rng.randint(1, 9)):
            duet.step(choosers, rng)
        if all(game.finished for game in duet.games.values()):
            break
        duet.lose_wire()
        for seat in reload:
            duet.reload(seat)
        duet.resume()
    assert chains(duet) == chains(plain)
    for seat in Seat:
        assert verify(duet.record(seat)).to_json() == verify(plain.record(seat)).to_json()


def test_nothing_is_signed_between_loading_and_the_others_resume() -> None:
    duet = until(Duet(CARDS), at_pitch)
    duet.lose_wire()
    duet.reload(HOST)
    game = duet.games[HOST]
    assert not game.moves
    with pytest.raises(NotYourTurn):
        game.resign()
    for line in from_guest(duet):
        game.receive(line)
    assert all(line.seat == "guest" for line in game.drain().lines)


@BOTH
def test_a_journal_restored_from_an_older_copy_is_made_whole_again(terms: Terms) -> None:
    """The other seat gives back what this one signed; nothing is signed before it is back (fair-play 6.5)."""
    plain = Duet(terms, seed="older").play(dict.fromkeys(Seat, first), random.Random(1))
    for seat in Seat:
        total = len(plain.disk[seat])
        for lines in (2, 3, 4, *range(5, total, total // 4)):
            duet = Duet(terms, seed="older")
            duet.disk = {s: list(plain.disk[s]) for s in Seat}
            duet.lose_wire()
            duet.reload(seat.other)
            duet.reload(seat, lines)
            duet.resume()
            duet.play(dict.fromkeys(Seat, first), random.Random(2))
            assert chains(duet) == chains(plain)
            assert sorted(duet.disk[seat]) == sorted(plain.disk[seat]), (seat, lines)


@BOTH
def test_a_lost_commitment_is_opened_again(terms: Terms) -> None:
    """The nonce derives again, so the choice behind one's own commitment is found among the legal ones."""
    seats = []
    for seat in Seat:
        duet = until(
            Duet(terms, seed="again"),
            lambda d, seat=seat: (
                d.games[seat].game.exchange.round > 0
                and message(d.disk[seat][-1]).type == "commit"
                and message(d.disk[seat][-1]).seat == seat.value
            ),
            seed=4,
        )
        commit = message(duet.disk[seat][-1])
        while commit.frame not in duet.disk[seat.other]:
            assert duet.deliver(seat.other)
        duet.lose_wire()
        keep = next(at for at, line in enumerate(duet.disk[seat]) if message(line).digest == commit.digest)
        duet.reload(seat, keep)
        duet.resume()
        duet.play_at_random(3)
        assert verify(duet.record(seat)).verdict is Verdict.COMPLETE
        assert commit.frame in duet.disk[seat]
        seats.append(seat)
    assert seats == list(Seat)


def test_a_claim_counts_only_when_its_bytes_come() -> None:
    duet = started()
    duet.lose_wire()
    game = duet.games[HOST]
    game.resume()
    books = game.game.exchange
    mine = books.last("host")
    body = {
        "mine": [books.last("guest").seq, books.last("guest").digest],
        "yours": [mine.seq + 3, "ab" * 32],
        "chain": books.chain.hex(),
    }
    claim = forging.fields(books, GUEST, "resume", body) | {"seq": -1, "prev": "", "ack": ""}
    assert game.resumed(message(forging.seal(duet.secrets[GUEST], forging.dump(claim)))) == ()
    assert not game.moves
    assert game.drain().lines == ()
    game.resume()
    game.resumed(duet.games[GUEST].resume())
    assert game.moves or duet.games[GUEST].game.exchange.expect.mover == "guest"


@pytest.mark.parametrize("whose", ["mine", "yours"])
def test_a_forked_history_stops_both(whose: str) -> None:
    duet = started()
    game = duet.games[HOST]
    game.resume()
    body = json.loads(duet.games[GUEST].resume().payload)["body"]
    body[whose][1] = "ab" * 32
    lines = len(game.game.exchange.lines)
    made = forging.fields(game.game.exchange, GUEST, "resume", body) | {"seq": -1, "prev": "", "ack": ""}
    with pytest.raises(Fork, match="Two different messages"):
        game.resumed(message(forging.seal(duet.secrets[GUEST], forging.dump(made))))
    assert not game.moves
    assert len(game.game.exchange.lines) == lines


def test_the_same_messages_and_another_chain_stop_both() -> None:
    duet = started()
    game = duet.games[HOST]
    game.resume()
    body = json.loads(duet.games[GUEST].resume().payload)["body"] | {"chain": "ab" * 32}
    made = forging.fields(game.game.exchange, GUEST, "resume", body) | {"seq": -1, "prev": "", "ack": ""}
    with pytest.raises(Fork, match="another game"):
        game.resumed(message(forging.seal(duet.secrets[GUEST], forging.dump(made))))


def test_a_resume_that_is_none() -> None:
    duet, other = started(), started(seed="other")
    game = duet.games[HOST]
    game.resume()
    foreign = other.games[GUEST].resume()
    own = game.resume()
    right = json.loads(duet.games[GUEST].resume().payload)
    forged = message(forging.seal(duet.secrets[HOST], forging.dump(right)))
    elsewhere, usurped = (
        message(forging.seal(duet.secrets[GUEST], forging.dump(right | change)))
        for change in ({"game": foreign.game}, {"seat": "host"})
    )
    for wrong in (foreign, own, from_guest(duet)[-1], forged, elsewhere, usurped):
        with pytest.raises(Malformed):
            game.resumed(wrong)
    game.resumed(duet.games[GUEST].resume())


def test_a_resume_in_the_middle_of_play_is_refused() -> None:
    duet = started()
    with pytest.raises(Malformed):
        duet.games[HOST].receive(duet.games[GUEST].resume())


def test_a_damaged_journal_is_not_loaded() -> None:
    duet = started()
    lines = [message(line) for line in duet.disk[HOST]]
    del lines[3]
    with pytest.raises(Malformed):
        Ballgame.load(HOST, duet.secrets[HOST], lines)


def test_another_identity_than_the_journals() -> None:
    duet = started()
    with pytest.raises(LostSecret, match="identity"):
        Ballgame.load(HOST, secrets("somebody else"), map(message, duet.disk[HOST]))


def test_another_master_than_the_journals() -> None:
    """A commitment that nobody can open any more is told, not guessed at."""
    duet = Duet(CARDS)
    settle(duet)
    until(duet, at_pitch)
    duet.choose(HOST, first)
    settle(duet)
    own = duet.secrets[HOST]
    duet.lose_wire()
    stranger = Secrets(own.sign, own.key, bytes(32))
    game = Ballgame.load(HOST, stranger, map(message, duet.disk[HOST]))
    game.wake()
    until(duet, lambda d: d.games[GUEST].moves)
    duet.choose(GUEST, first)
    *before, reveal_due = (line for line in from_guest(duet) if line.type != "reveal")
    for line in before:
        game.receive(line)
    with pytest.raises(LostSecret, match="master"):
        game.receive(reveal_due)


def test_a_game_left_before_both_hellos_is_not_resumed() -> None:
    game = Ballgame.propose(secrets("alone"), Duet().hello(HOST))
    with pytest.raises(NotBegun, match="anew"):
        game.resume()


def test_waking_alone_goes_on_without_a_partner_to_ask() -> None:
    duet = Duet()
    duet.reload(GUEST)
    game = duet.games[GUEST]
    assert game.drain().lines == ()
    game.wake()
    assert not game.drain().lines  # its commit of round 0 is in the journal already
    duet.reload(GUEST, 2)
    duet.games[GUEST].wake()
    assert [line.type for line in duet.games[GUEST].drain().lines] == ["commit"]
