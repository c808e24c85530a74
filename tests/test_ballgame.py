"""One seat's game: what it says by itself, refuses, resumes and never gives away (fair-play 3, 5, 6)."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from p2pball.ballgame import Ballgame, LostSecret, NotBegun, NotYourTurn, Secrets, decline
from p2pball.engine.cards import NAMES
from p2pball.engine.moves import PASS, IllegalMove, PlayCard, Result
from p2pball.engine.state import Phase
from p2pball.engine.terms import Rules, Seat, Terms
from p2pball.protocol.books import Cheat, CheatKind
from p2pball.protocol.messages import Malformed
from p2pball.protocol.resume import Fork
from p2pball.verify import Verdict, verify
from tests.attacks import forging
from tests.duet import CARDS, DICE, Duet, at_random, first, message, secrets

HOST, GUEST = Seat.HOST, Seat.GUEST
BOTH = pytest.mark.parametrize("terms", [DICE, CARDS], ids=["dice", "cards"])
RULES = st.sampled_from([DICE, CARDS])


def chains(duet: Duet) -> set[bytes]:
    return {game.game.exchange.chain for game in duet.games.values()}


def until(duet: Duet, done: Any, seed: int = 0) -> Duet:
    """Play at random until something holds."""
    rng = random.Random(seed)
    choosers = {seat: at_random(rng) for seat in Seat}
    for _ in range(5000):
        if done(duet):
            return duet
        assert duet.step(choosers, rng), "the game ended first"
    raise AssertionError("it never held")


def settle(duet: Duet) -> None:
    """Deliver everything under way."""
    while any(duet.deliver(seat) for seat in Seat):
        pass


def started(terms: Terms = DICE, seed: str = "duet") -> Duet:
    """A game after round 0."""
    duet = Duet(terms, seed)
    settle(duet)
    assert all(game.game.exchange.round == 1 for game in duet.games.values())
    return duet


def at_pitch(duet: Duet) -> bool:
    """Whether the host is to play a card."""
    return duet.games[HOST].game.state.phase is Phase.PITCH and bool(duet.games[HOST].moves)


def from_guest(duet: Duet) -> list[Any]:
    """The guest's messages after its hello."""
    lines = [message(frame) for frame in duet.disk[GUEST]]
    return [line for line in lines if line.seat == "guest" and line.type != "hello"]


def mover(duet: Duet) -> Seat:
    return next(seat for seat in Seat if duet.games[seat].moves)


# -- whole games


@settings(max_examples=8, deadline=None)
@given(RULES, st.integers(0, 2**32), st.integers(0, 2**32))
def test_any_interleaving_ends_in_the_same_chain(terms: Terms, game: int, order: int) -> None:
    """The order of things on the wire decides nothing: the choices and the secrets do."""
    results = set()
    for seed in (order, order + 1):
        duet = Duet(terms, seed=str(game))
        rng = random.Random(seed)
        duet.play(dict.fromkeys(Seat, first), rng)
        for seat in Seat:
            report = verify(duet.record(seat)).to_json()
            assert report["verdict"] == "COMPLETE"
            results.add(json.dumps(report, sort_keys=True))
    assert len(results) == 1


@settings(max_examples=8, deadline=None)
@given(RULES, st.integers(0, 2**32))
def test_a_secret_or_a_hidden_card_never_travels_early(terms: Terms, seed: int) -> None:
    duet = Duet(terms, seed=str(seed)).play_at_random(seed)
    for seat in Seat:
        pitches = 0
        dealt = ""
        for frame in duet.heard[seat]:
            got = message(frame)
            text = got.payload
            match got.type:
                case "reveal":
                    pitches += "card" in got.body["action"]
                    secret = got.body["hand_secret"]
                    assert bool(secret) == ("card" in got.body["action"] and pitches % 6 == 0)
                    assert set(got.body["action"]) <= {"card", "pass"}
                case "final":
                    assert bool(got.body["hand_secret"]) == (terms.rules is Rules.CARDS)
                    assert frame == duet.heard[seat][-1]
                case "commit":
                    assert '"card"' not in text
                    dealt = got.body["deal"] or dealt
                case _:
                    assert '"card"' not in text
            assert duet.secrets[seat.other].master.hex() not in text


@BOTH
def test_a_game_alone_is_verified_by_both_records(terms: Terms) -> None:
    duet = Duet(terms, seed="whole").play_at_random(5)
    assert len({json.dumps(verify(duet.record(seat)).to_json(), sort_keys=True) for seat in Seat}) == 1
    for seat, game in duet.games.items():
        assert game.finished
        assert game.result is not None
        assert game.result.to_json() == verify(duet.record(seat)).to_json()["result"]
        assert not game.moves
        assert not game.waiting_for_other
        with pytest.raises(NotYourTurn):
            game.choose(PASS)
        with pytest.raises(NotYourTurn):
            game.resign()


@BOTH
def test_every_frame_may_come_twice(terms: Terms) -> None:
    duet = Duet(terms, seed="twice")
    rng = random.Random(2)
    choosers = {seat: at_random(rng) for seat in Seat}
    settle(duet)
    while duet.step(choosers, rng):
        for seat in Seat:
            if duet.heard[seat]:
                again = rng.choice(duet.heard[seat][-5:])
                if message(again).type != "hello":
                    duet.games[seat].receive(message(again))
            assert duet.games[seat].drain().lines == ()
    assert len(chains(duet)) == 1
    assert verify(duet.record(HOST)).verdict is Verdict.COMPLETE
    assert len(set(duet.disk[HOST])) == len(duet.disk[HOST])


def test_the_first_choice_is_the_one_the_clock_would_make() -> None:
    duet = started()
    game = duet.games[mover(duet)]
    assert next(move.pitch.value if move.pitch else "random" for move in game.moves) == "fastball"  # type: ignore[union-attr]
    duet = until(Duet(CARDS), at_pitch)
    game = duet.games[HOST]
    assert [move.card for move in game.moves] == list(game.view.hand)  # type: ignore[union-attr]


# -- choosing


def test_before_the_hellos_nothing_is_due() -> None:
    own = secrets("alone")
    game = Ballgame.propose(own, Duet().hello(HOST))
    assert not game.moves
    assert game.result is None
    with pytest.raises(NotYourTurn):
        game.choose(PASS)
    with pytest.raises(NotYourTurn):
        game.resign()
    assert [line.type for line in game.drain().lines] == ["hello"]
    assert game.drain().lines == ()


def test_a_choice_that_is_none_changes_nothing() -> None:
    duet = started()
    game = duet.games[mover(duet)]
    before = (game.game.exchange.chain, len(game.game.exchange.lines))
    with pytest.raises(IllegalMove):
        game.choose(PASS)
    assert before == (game.game.exchange.chain, len(game.game.exchange.lines))
    assert game.drain().lines == ()


def test_the_other_seat_is_not_to_move() -> None:
    duet = started()
    waiting = duet.games[mover(duet).other]
    with pytest.raises(NotYourTurn):
        waiting.choose(PASS)
    assert waiting.waiting_for_other


def test_a_card_of_the_deck_that_is_not_in_the_hand() -> None:
    duet = until(Duet(CARDS), at_pitch)
    game = duet.games[HOST]
    strange = next(card for card in range(52) if card not in game.view.hand)
    with pytest.raises(IllegalMove):
        game.choose(PlayCard(strange))


def test_one_commit_a_round() -> None:
    duet = until(Duet(CARDS), at_pitch)
    game = duet.games[HOST]
    game.choose(game.moves[0])
    with pytest.raises(NotYourTurn):
        game.choose(PASS)


def test_the_batter_may_take_time_and_the_pitcher_never_waits() -> None:
    """D5: the batting seat's pass is held until its player rolls; the pitching seat's goes at once."""
    duet = started()
    pitching = mover(duet)
    duet.choose(pitching, first)
    settle(duet)
    batting = duet.games[pitching.other]
    assert batting.moves == (PASS,)
    assert [message(frame).type for frame in duet.disk[pitching]][-2:] == ["move", "commit"]
    rounds = batting.game.exchange.round
    duet.choose(pitching.other, first)
    assert [message(frame).type for frame in duet.disk[pitching.other]][-2:] == ["commit", "reveal"]
    settle(duet)
    assert batting.game.exchange.round == rounds + 1


def test_a_choice_costs_one_round_trip_after_the_last_lock() -> None:
    """The seat that locks second sends commit and reveal together (fair-play 3)."""
    duet = until(Duet(CARDS), lambda d: at_pitch(d) and d.games[GUEST].moves and not any(d.wire.values()))
    rounds = duet.games[HOST].game.exchange.round
    duet.choose(HOST, first)
    settle(duet)
    assert message(duet.disk[HOST][-1]).type == "commit"
    duet.choose(GUEST, first)
    assert [message(frame).type for frame in duet.wire[HOST]] == ["commit", "reveal"]
    duet.deliver(HOST)
    duet.deliver(HOST)
    assert duet.games[HOST].game.exchange.round == rounds + 1
    assert message(duet.wire[GUEST][0]).type == "reveal"


# -- resigning


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


# -- refusing


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


# -- resuming


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


def test_a_private_seed_is_private_and_stays_while_the_game_stands() -> None:
    duet = started()
    game = duet.games[HOST]
    seed = game.private_seed("rookie")
    assert seed == game.private_seed("rookie") != game.private_seed("other")
    assert seed != duet.games[GUEST].private_seed("rookie")
    duet.choose(mover(duet), first)
    settle(duet)
    assert game.private_seed("rookie") != seed


def test_every_pitch_stands_in_the_view() -> None:
    duet = Duet(CARDS, seed="view")
    rng = random.Random(3)
    choosers = {seat: at_random(rng) for seat in Seat}
    seen, pitches = set(), 0
    while duet.step(choosers, rng):
        view = duet.games[HOST].view
        hand = duet.games[HOST].game.exchange.sides["host"].hand
        if hand:
            mine = [
                NAMES[event.batter_card if state.side(HOST) is state.batting else event.pitcher_card]
                for state, event in view.pitches[len(view.pitches) - len(hand.played) :]
            ]
            assert mine == list(hand.played)
            assert len(view.hand) == 6 - len(hand.played)
            seen.add(len(hand.played))
            pitches = max(pitches, len(view.pitches))
    assert seen == set(range(6))
    assert pitches > 6
