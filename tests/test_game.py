"""The exchange and the engine joined: what is awaited, in the words of both."""

from __future__ import annotations

from p2pball.engine.moves import PASS, choice_to_json
from p2pball.engine.terms import Seat
from p2pball.game import Game, expectation
from p2pball.protocol.books import Due
from tests.duet import CARDS, DICE, Duet, message
from tests.script import GUEST, HOST, cards, dice


def test_an_open_move_is_one_seats() -> None:
    script = dice()
    expect = script.books.expect
    assert expect.due is Due.OPEN
    assert expect.mover == script.game.state.seat(script.game.state.batting.other).value
    assert expect.legal(expect.mover, {"pitch": "random"})
    assert not expect.legal(expect.mover, {"pass": True})


def test_a_sealed_round_is_both_seats() -> None:
    script = cards()
    expect = script.books.expect
    assert (expect.due, expect.pitch) == (Due.SEALED, True)
    for seat in Seat:
        assert all(expect.legal(seat.value, {"card": card}) for card in script.hand(seat))
        assert not expect.legal(seat.value, choice_to_json(PASS))
        assert not expect.legal(seat.value, None)


def test_the_other_seats_played_card_is_still_legal_for_this_one() -> None:
    script = cards()
    host, guest = script.hand(HOST), script.hand(GUEST)
    script.pitch()
    script.to_pitch()
    expect = script.books.expect
    assert not expect.legal("host", {"card": host[0]})
    assert not expect.legal("guest", {"card": guest[0]})
    if guest[0] != host[0]:
        assert expect.legal("host", {"card": guest[0]})


def test_nothing_is_legal_once_the_game_is_over() -> None:
    for terms in (DICE, CARDS):
        duet = Duet(terms)
        assert not duet.games[HOST].game.over
        game = duet.play_at_random(2).games[HOST].game
        assert game.over
        expect = expectation(game.state)
        assert expect.due is Due.OVER
        assert expect.runs == (game.state.runs[1], game.state.runs[0])
        assert not any(expect.legal(seat.value, {"pass": True}) for seat in Seat)


def test_a_public_game_follows_without_any_secret() -> None:
    duet = Duet(CARDS, seed="public").play_at_random(8)
    game = Game()
    assert game.position == ""
    assert not game.begun
    for frame in duet.disk[GUEST]:
        game.accept(message(frame))
    assert game.position == duet.games[HOST].game.position
    assert game.events == duet.games[GUEST].game.events
    assert game.hello(HOST)["name"] == "Host"
    assert game.hello(GUEST)["name"] == "Guest"
