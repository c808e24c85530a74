"""How a game ends: who owes what, resignations and finals, the right ones and the wrong ones (fair-play 3, 7)."""

from __future__ import annotations

from typing import Any

import pytest

from p2pball.engine.terms import Seat
from p2pball.protocol.books import Cheat, CheatKind
from p2pball.protocol.messages import Malformed
from p2pball.verify import Verdict, verify
from tests.attacks import forging
from tests.duet import CARDS, Duet
from tests.script import GUEST, HOST, Script, dice
from tests.verify.proving import RECORDS, last_pitch, proves, record_lines


def owes(script: Script) -> Any:
    return script.verify().to_json()["owes"]


def test_owes_in_a_sealed_round() -> None:
    script = dice()
    script.move({"pitch": "slider"})
    assert owes(script) == ["host", "guest"]
    script.commit(GUEST)
    assert owes(script) == ["host"]
    script.commit(HOST)
    assert owes(script) == ["host", "guest"]
    script.reveal(HOST)
    assert owes(script) == ["guest"]


def test_owes_an_open_move() -> None:
    script = dice()
    assert owes(script) == [script.books.expect.mover]


def test_owes_a_final_after_a_resignation() -> None:
    script = dice()
    script.resign(GUEST)
    assert owes(script) == ["host"]
    script.final(HOST)
    assert script.verify().to_json()["result"] == {"winner": "host", "home": 0, "visitors": 0}


def test_both_resigned_is_a_draw_once_both_finals_are_in() -> None:
    script = dice()
    before = script.books.last("guest").digest
    script.resign(GUEST)
    script.resign(HOST, ack=before)
    assert owes(script) == ["host", "guest"]
    script.final(HOST)
    assert owes(script) == ["guest"]
    script.final(GUEST)
    assert script.verify().to_json()["result"]["winner"] == "draw"


def test_finals_that_cross_after_both_resigned() -> None:
    """Each acknowledges the other's resignation, not yet the other's final: either will do (fair-play 3)."""
    script = dice()
    before = script.books.last("guest").digest
    resigned = script.resign(GUEST)
    crossed = script.resign(HOST, ack=before)
    script.final(HOST, ack=resigned.digest)
    script.final(GUEST, ack=crossed.digest)
    assert script.verify().verdict is Verdict.COMPLETE


@pytest.mark.parametrize("name", ["dice-draw", "cards-no-walk-off", "resigned"])
def test_complete_with_the_winners_final_and_both_after_a_draw(name: str) -> None:
    path = next(path for path in RECORDS if path.stem == name)
    lines = record_lines(path)
    winner = verify(path.read_bytes()).to_json()["result"]["winner"]
    finals = [line for line in lines if forging.message(line).type == "final"]
    for line in finals:
        seat = forging.message(line).seat
        report = verify(_record([other for other in lines if other not in finals] + [line]))
        if report.verdict is not Verdict.MALFORMED:  # the second may have acknowledged the first
            due = winner == "draw" or seat != winner
            assert report.verdict is (Verdict.SUSPENDED if due else Verdict.COMPLETE)
            if due:
                assert report.owes == tuple({"host", "guest"} - {seat})
    neither = verify(_record([line for line in lines if line not in finals])).to_json()
    assert neither["owes"] == (["host"] if name == "resigned" else ["host", "guest"])


def _record(lines: list[bytes]) -> bytes:
    return b"".join(line + b"\n" for line in lines)


def test_a_resignation_before_round_0_is_complete() -> None:
    script = Script()
    with pytest.raises(Cheat):
        script.resign(GUEST)
    proves(script, GUEST, CheatKind.ILLEGAL_ACTION)


def test_anything_but_a_final_after_ones_own_or_an_acknowledged_resignation() -> None:
    for seat in Seat:
        for say in (
            lambda s: s.commit(HOST),
            lambda s: s.resign(HOST),
            lambda s: s.move({"pitch": "slider"}, HOST),
        ):
            script = dice()
            script.resign(seat)
            with pytest.raises(Cheat):
                say(script)
            proves(script, HOST, CheatKind.ILLEGAL_ACTION, 2)


def test_anything_after_ones_own_final() -> None:
    for say in (lambda s: s.final(HOST), lambda s: s.resign(HOST), lambda s: s.commit(HOST)):
        script = dice()
        script.resign(GUEST)
        script.final(HOST)
        with pytest.raises(Cheat):
            say(script)
        proves(script, HOST, CheatKind.ILLEGAL_ACTION, 2)


def test_a_final_too_early() -> None:
    script = dice()
    with pytest.raises(Cheat):
        script.final(HOST)
    proves(script, HOST, CheatKind.ILLEGAL_ACTION)


RESULTS = [{"winner": "guest"}, {"winner": "draw"}, {"home": 1}, {"visitors": 1}]


@pytest.mark.parametrize("change", RESULTS, ids=str)
def test_a_final_with_another_result(change: dict[str, Any]) -> None:
    script = dice()
    script.resign(GUEST)
    with pytest.raises(Cheat):
        script.final(HOST, body={"result": script.books.result() | change})
    proves(script, HOST, CheatKind.ILLEGAL_ACTION)


def test_a_resignation_that_the_other_has_not_acknowledged_stops_nobody() -> None:
    script = dice()
    mover = Seat(script.books.expect.mover)
    unaware = script.books.last(mover.other.value).digest
    script.resign(mover.other)
    script.move({"pitch": "slider"}, ack=unaware)
    script.commit(mover, ack=unaware)
    assert owes(script) == [mover.value]
    with pytest.raises(Malformed):  # it has not acknowledged the resignation that it follows from
        script.final(mover, ack=unaware)
    script.frames.pop()
    script.final(mover)
    assert script.verify().to_json()["result"]["winner"] == mover.value


def test_a_final_before_the_others_after_ones_own_resignation() -> None:
    script = dice()
    script.resign(GUEST)
    with pytest.raises(Malformed):
        script.final(GUEST)
    assert script.verify().verdict is Verdict.MALFORMED
    script.frames.pop()
    script.final(HOST)
    script.final(GUEST)
    assert script.verify().verdict is Verdict.COMPLETE


@pytest.mark.parametrize("terms", [Duet.terms, CARDS], ids=["dice", "cards"])
def test_a_resignation_is_void_when_the_game_ends_all_the_same(terms: Any) -> None:
    for seed in (1, 2):
        script, (reveal, *_) = last_pitch(terms, seed)
        last = forging.message(reveal)
        quitter = Seat(last.seat).other
        script.resign(quitter)
        script.put(reveal)  # sent without having read the resignation
        assert script.books.expect.due.value == "over"
        script.final(quitter)
        script.final(quitter.other)
        report = script.verify()
        assert report.verdict is Verdict.COMPLETE
        assert report.to_json()["result"] == script.game.exchange.result()
        assert report.game.position.split()[1].startswith("F")


def test_a_resignation_after_the_end_is_void_too() -> None:
    script, (reveal, *_) = last_pitch(CARDS, 1)
    script.put(reveal)
    for seat in Seat:
        script.resign(seat, **({} if seat is HOST else {"ack": script.books.sides["host"].sent[-2].digest}))
    for seat in Seat:
        script.final(seat)
    assert script.verify().verdict is Verdict.COMPLETE


@pytest.mark.parametrize("over", [False, True])
def test_wrong_chain_of_a_final(over: bool) -> None:
    if over:
        script, (reveal, *_) = last_pitch(CARDS, 1)
        script.put(reveal)
        chains = ["", "0" * 64]
    else:
        script = dice()
        script.resign(GUEST)
        chains = [script.chain]
    for chain in chains:
        with pytest.raises(Cheat):
            script.final(HOST, body={"chain": chain})
        proves(script, HOST, CheatKind.WRONG_CHAIN)
        script.frames.pop()
