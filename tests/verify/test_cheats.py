"""Every kind of cheat in commits, reveals and moves, proved by hand-made lines (fair-play 3, 7)."""

from __future__ import annotations

from typing import Any

import pytest

from p2pball.engine.terms import Seat
from p2pball.protocol.books import Cheat, CheatKind
from p2pball.protocol.values import commitment
from p2pball.verify import Verdict, verify
from tests.attacks import forging
from tests.script import GUEST, HOST, cards, dice
from tests.verify.proving import proves


def test_what_follows_the_first_line_that_fails_is_not_read() -> None:
    script = dice()
    with pytest.raises(Cheat):
        script.move({"pitch": "spitball"})
    report = verify(script.record + b"not a line\n")
    assert report.verdict is Verdict.CHEAT
    assert verify(dice().record + b"not a line\n" + script.frames[-1] + b"\n").verdict is Verdict.MALFORMED


def test_the_game_of_a_report_stands_before_the_deciding_line() -> None:
    script = dice()
    position = script.game.position
    with pytest.raises(Cheat):
        script.move({"pitch": "spitball"})
    assert script.verify().game.position == position


@pytest.mark.parametrize("seat", [HOST, GUEST])
def test_equivocation(seat: Seat) -> None:
    script = dice()
    script.move({"pitch": "slider"})
    script.commit(HOST)
    script.commit(GUEST)
    first = script.books.last(seat.value)
    frame = forging.again(script.secrets[seat], first, lambda made: made["body"].update(commitment="0" * 64))
    script.reveal(HOST)
    with pytest.raises(Cheat):
        script.put(frame)
    proves(script, seat, CheatKind.EQUIVOCATION, 2)


def test_equivocation_needs_neither_prev_nor_ack_nor_turn_to_be_right() -> None:
    script = dice()
    first = script.books.last("host")
    with pytest.raises(Cheat):
        script.say(HOST, "resign", {}, seq=first.seq, prev="0" * 64, ack="1" * 64)
    proves(script, HOST, CheatKind.EQUIVOCATION, 2)


def test_another_hello_or_a_message_numbered_as_the_hello_is_no_equivocation() -> None:
    script = dice()
    frame = forging.again(script.secrets[HOST], script.books.lines[0], lambda made: made["body"].update(name="Else"))
    assert verify(script.record + frame + b"\n").verdict is Verdict.MALFORMED
    other = script.make(HOST, "resign", {}, seq=0, prev="")
    assert verify(script.record + other + b"\n").verdict is Verdict.MALFORMED


def test_bad_opening() -> None:
    script = dice()
    script.move({"pitch": "slider"})
    script.commit(HOST)
    script.commit(GUEST)
    with pytest.raises(Cheat):
        script.reveal(HOST, body={"nonce": "ab" * 32})
    proves(script, HOST, CheatKind.BAD_OPENING, 2)


def test_bad_opening_by_another_action() -> None:
    script = cards()
    one, two, *_ = script.hand(HOST)
    script.commit(HOST, {"card": one})
    script.commit(GUEST, {"card": script.hand(GUEST)[0]})
    with pytest.raises(Cheat):
        script.reveal(HOST, body={"action": {"card": two}})
    proves(script, HOST, CheatKind.BAD_OPENING, 2)


def test_repeated_nonce() -> None:
    """The first nonce of this game again, with a commitment that fits it."""
    script = dice()
    script.move({"pitch": "slider"})
    nonce = next(iter(script.books.sides["host"].nonces))
    books = script.books
    locked = commitment(bytes.fromhex(nonce), books.game, books.round, "host", books.chain, {"pass": True})
    script.commit(HOST, body={"commitment": locked.hex()})
    script.commit(GUEST)
    with pytest.raises(Cheat):
        script.reveal(HOST, body={"nonce": nonce})
    proves(script, HOST, CheatKind.REPEATED_NONCE, 2)


ILLEGAL_SEALED = [
    {"pass": False},
    {"pass": 1},
    {},
    {"pass": True, "x": 1},
    {"card": "AS"},
    {"pitch": "slider"},
    {"a": {}},
    {"a": []},
]


@pytest.mark.parametrize("action", ILLEGAL_SEALED, ids=str)
def test_illegal_action_in_a_sealed_round(action: Any) -> None:
    script = dice()
    script.move({"pitch": "slider"})
    script.commit(HOST, action)
    script.commit(GUEST)
    with pytest.raises(Cheat):
        script.reveal(HOST)
    proves(script, HOST, CheatKind.ILLEGAL_ACTION, 3)


@pytest.mark.parametrize("card", ["1S", "as", "AS ", "", 5, None, ["AS"], True])
def test_a_card_that_is_none(card: Any) -> None:
    script = cards()
    script.commit(HOST, {"card": card})
    script.commit(GUEST, {"card": script.hand(GUEST)[0]})
    with pytest.raises(Cheat):
        script.reveal(HOST)
    proves(script, HOST, CheatKind.ILLEGAL_ACTION)


def test_a_card_played_twice_from_one_hand() -> None:
    script = cards()
    card = script.hand(HOST)[0]
    script.pitch()
    script.to_pitch()
    script.commit(HOST, {"card": card})
    script.commit(GUEST, {"card": script.hand(GUEST)[0]})
    with pytest.raises(Cheat):
        script.reveal(HOST)
    proves(script, HOST, CheatKind.ILLEGAL_ACTION)


def test_a_card_dealt_in_an_earlier_hand() -> None:
    script = cards()
    card = script.hand(HOST)[0]
    for _ in range(6):
        script.pitch()
    script.to_pitch()
    assert script.books.sides["host"].hand.number == 1
    script.commit(HOST, {"card": card})
    script.commit(GUEST, {"card": script.hand(GUEST)[0]})
    with pytest.raises(Cheat):
        script.reveal(HOST)
    proves(script, HOST, CheatKind.ILLEGAL_ACTION)


MOVES = [{"pitch": "spitball"}, {"pitch": 1}, {"pass": True}, {"hold": True}, {}, {"card": "AS"}, {"pitch": {"a": 1}}]


@pytest.mark.parametrize("move", MOVES, ids=str)
def test_illegal_open_move(move: Any) -> None:
    script = dice()
    seat = Seat(script.books.expect.mover)
    with pytest.raises(Cheat):
        script.move(move)
    proves(script, seat, CheatKind.ILLEGAL_ACTION)


def test_a_message_out_of_turn_or_of_another_round() -> None:
    mover = Seat(dice().books.expect.mover)
    for seat, say in (
        (mover.other, lambda s: s.move({"pitch": "slider"}, mover.other)),
        (mover.other, lambda s: s.commit(mover.other)),
        (mover, lambda s: s.commit(mover)),
        (mover, lambda s: s.say(mover, "reveal", forging.reveal_body(s.secrets[mover], s.books, mover, {}, round=0))),
    ):
        script = dice()
        with pytest.raises(Cheat):
            say(script)
        proves(script, seat, CheatKind.ILLEGAL_ACTION)
    for change in ({"round": 0}, {"round": 2}, {"round": 2**53 - 1}):
        script = dice()
        script.move({"pitch": "slider"})
        with pytest.raises(Cheat):
            script.commit(GUEST, body=change)
        proves(script, GUEST, CheatKind.ILLEGAL_ACTION)


def test_a_move_in_a_sealed_round_and_a_second_commit_and_reveal() -> None:
    script = dice()
    mover = Seat(script.books.expect.mover)
    script.move({"pitch": "slider"})
    with pytest.raises(Cheat):
        script.move({"pitch": "slider"}, mover)
    proves(script, mover, CheatKind.ILLEGAL_ACTION)
    for say in ("commit", "reveal"):
        script = dice()
        script.move({"pitch": "slider"})
        script.commit(HOST)
        if say == "reveal":
            script.commit(GUEST)
            script.reveal(HOST)
        with pytest.raises(Cheat):
            getattr(script, say)(HOST)
        proves(script, HOST, CheatKind.ILLEGAL_ACTION)


def test_a_reveal_of_a_round_one_has_not_committed_to() -> None:
    script = dice()
    script.move({"pitch": "slider"})
    script.commit(HOST)
    script.actions[GUEST] = {"pass": True}
    with pytest.raises(Cheat):
        script.reveal(GUEST)
    proves(script, GUEST, CheatKind.ILLEGAL_ACTION)


def test_wrong_chain_of_a_move_or_a_commit() -> None:
    script = dice()
    mover = Seat(script.books.expect.mover)
    with pytest.raises(Cheat):
        script.move({"pitch": "slider"}, chain="0" * 64)
    proves(script, mover, CheatKind.WRONG_CHAIN)
    script.frames.pop()
    script.move({"pitch": "slider"})
    with pytest.raises(Cheat):
        script.commit(GUEST, body={"chain": "0" * 64})
    proves(script, GUEST, CheatKind.WRONG_CHAIN)
