"""A record as people look at it: names, sentences, and a place for everything it may be."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from p2pball.engine.moves import Result
from p2pball.engine.terms import Seat, Side
from p2pball.ui.fingerprint import fingerprint
from p2pball.ui.record import Record, result_words
from tests.duet import DICE, Duet

RECORDS = Path(__file__).parents[1] / "records"


def record(name: str) -> Record:
    return Record.of((RECORDS / f"{name}.p2pball").read_bytes())


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("cards-three-innings", "The guest (Guest) won 4-1."),
        ("cards-no-walk-off", "The host (Host) won 1-0."),
        ("dice-draw", "A draw, 0-0."),
        ("resigned", "The host (Host) won at 0-0: the guest (Guest) resigned."),
        ("torn", "The game is not finished. The next message is due from the host (Host) and the guest (Guest)."),
        ("cheat-opening", "The host (Host) cheated: bad opening."),
    ],
)
def test_every_verdict_is_a_sentence(name: str, words: str) -> None:
    assert result_words(record(name)) == words


def test_both_may_resign() -> None:
    duet, rng = Duet(DICE, "both"), random.Random(1)
    for _ in range(40):
        duet.step({seat: lambda _view, moves: moves[0] for seat in Seat}, rng)
        if duet.games[Seat.HOST].game.exchange.round and duet.games[Seat.GUEST].game.exchange.round:
            break
    for seat in Seat:
        duet.games[seat].resign()
        duet.flush(seat)
    while any(duet.deliver(seat) for seat in Seat):
        pass
    seen = Record.of(duet.record(Seat.HOST))
    assert seen.resigned == (Seat.HOST, Seat.GUEST)
    assert result_words(seen) == "A draw, 0-0. Both players resigned."


def test_a_resignation_ends_the_game_in_the_book() -> None:
    book = record("resigned").book
    assert book is not None
    assert book.over
    assert book.called == "by resignation"
    for name in ("torn", "dice-draw"):
        book = record(name).book
        assert book is not None
        assert book.called == ""


def test_the_result_is_what_the_record_proves() -> None:
    assert record("cards-three-innings").result == Result(Seat.GUEST, 1, 4)
    assert record("dice-draw").result == Result(None, 0, 0)
    assert record("torn").result is None
    assert record("cheat-deal").result is None


def test_a_record_cut_anywhere_is_one_of_four_things() -> None:
    lines = (RECORDS / "resigned.p2pball").read_bytes().splitlines(keepends=True)
    for count in range(len(lines) + 1):
        seen = Record.of(b"".join(lines[:count]))
        assert seen.unbegun is (count < 2)
        assert seen.begun is (count >= 2)
        assert (seen.book is None) is (count < 6)
        if seen.begun:
            assert seen.name(Seat.HOST) == "Host"
            assert (seen.side(Seat.HOST) is None) is (count < 6)
    assert seen.side(Seat.HOST) is Side.VISITORS
    assert not Record.of(b"nonsense\n").unbegun
    assert not Record.of(lines[0] + b"nonsense\n").unbegun
    assert Record.of(lines[0] + lines[1][:-20]).unbegun  # torn


def test_a_fingerprint_tells_keys_apart() -> None:
    first, second = (fingerprint(bytes([n] * 32).hex()) for n in range(2))
    assert first != second
    assert len(first.split()) == 8
