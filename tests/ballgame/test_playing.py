"""One seat's game under way: choices, what it says by itself, and what it never gives away (fair-play 3, 5)."""

from __future__ import annotations

import json
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from p2pball.ballgame import Ballgame, NotYourTurn
from p2pball.engine.cards import NAMES
from p2pball.engine.moves import PASS, IllegalMove, PlayCard
from p2pball.engine.terms import Rules, Seat, Terms
from p2pball.verify import Verdict, verify
from tests.ballgame.duets import BOTH, GUEST, HOST, RULES, at_pitch, chains, mover, settle, started, until
from tests.duet import CARDS, Duet, at_random, first, message, secrets


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
