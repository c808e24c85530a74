"""Verdicts: every record of the specification, every cheat's kind, and what is blamed on nobody (fair-play 7)."""

from __future__ import annotations

import json
import tracemalloc
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from p2pball.engine.terms import Seat
from p2pball.protocol.books import Cheat, CheatKind
from p2pball.protocol.messages import Malformed, parse_frame
from p2pball.protocol.values import commitment
from p2pball.verify import Verdict, split, torn, verify
from tests.attacks import forging
from tests.duet import CARDS, Duet
from tests.script import GUEST, HOST, Script, cards, dice

RECORDS = sorted((Path(__file__).parent / "records").glob("*.p2pball"))


def record_lines(path: Path) -> list[bytes]:
    return split(path.read_bytes())[0]


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_every_record_of_the_specification(path: Path) -> None:
    expected = json.loads(path.with_suffix(".expected.json").read_text())
    assert verify(path.read_bytes()).to_json() == expected


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_every_line_is_framed_again_byte_for_byte(path: Path) -> None:
    for line in record_lines(path):
        message = parse_frame(line)
        assert forging.message(line).frame == line
        assert message == parse_frame(line)


def test_there_are_records_of_every_verdict_but_malformed() -> None:
    assert {verify(path.read_bytes()).verdict for path in RECORDS} == set(Verdict) - {Verdict.MALFORMED}


def test_exit_codes() -> None:
    assert [verdict.exit_code for verdict in Verdict] == [0, 3, 4, 5]


# -- the beginning of a record


@pytest.mark.parametrize("record", [b"", b"\n", b"x\n", b'{"ping":1}\n', b"\0\0\0", b"\xff\xfe\n"])
def test_not_a_record(record: bytes) -> None:
    assert verify(record).verdict is Verdict.MALFORMED
    assert verify(record).to_json() == {"verdict": "MALFORMED"}


def test_one_hello_is_no_record() -> None:
    script = Script(hellos=False)
    script.hello(HOST)
    report = script.verify()
    assert report.verdict is Verdict.MALFORMED
    assert report.lines == (2,)


def test_two_hellos_are_a_suspended_game_of_which_both_owe_the_first_commit() -> None:
    assert Script().verify().to_json() == {"verdict": "SUSPENDED", "position": "", "owes": ["host", "guest"]}


def test_hellos_in_the_other_order() -> None:
    script = Script()
    script.frames.reverse()
    assert script.verify().verdict is Verdict.MALFORMED


@pytest.mark.parametrize("line", [0, 1])
@pytest.mark.parametrize("place", [1, 2, 5])
def test_a_hello_stands_nowhere_but_in_the_first_two_lines(line: int, place: int) -> None:
    script = dice()
    script.frames.insert(place, script.frames[line])
    if place == 1 and line == 1:
        script.frames.pop(2)
        assert script.verify().verdict is Verdict.SUSPENDED  # nothing was changed
        script.frames.insert(2, script.frames[line])
    report = script.verify()
    assert report.verdict is Verdict.MALFORMED
    assert report.lines == (2 if place == 1 and line == 0 else place + (place == 1) + 1,)


def test_hellos_whose_terms_differ() -> None:
    script = Script(hellos=False)
    script.hello(HOST)
    terms = script.terms.to_json() | {"clock": 1}
    with pytest.raises(Malformed, match="terms"):
        script.hello(GUEST, terms=terms)
    assert script.verify().verdict is Verdict.MALFORMED


@pytest.mark.parametrize("ack", ["", "0" * 64])
def test_a_guests_hello_must_acknowledge_the_hosts(ack: str) -> None:
    script = Script(hellos=False)
    script.hello(HOST)
    with pytest.raises(Malformed):
        script.hello(GUEST, ack=ack)


def test_a_hosts_hello_acknowledges_nothing() -> None:
    with pytest.raises(Malformed):
        Script(hellos=False).hello(HOST, ack="0" * 64)


def test_a_hello_signed_by_another_key() -> None:
    script = Script(hellos=False)
    with pytest.raises(Malformed, match="sign"):
        script.hello(HOST, key=script.secrets[GUEST].key.hex())


# -- torn lines


def test_a_torn_last_line_is_ignored_wherever_it_is_torn() -> None:
    script = dice()
    whole = script.record
    before = verify(b"".join(frame + b"\n" for frame in script.frames[:-1])).to_json()
    for cut in (*range(0, len(script.frames[-1]), 9), len(script.frames[-1]) - 1):
        record = whole[: len(whole) - len(script.frames[-1]) - 1 + cut]
        assert verify(record).to_json() == before, cut


def test_a_last_line_that_only_lacks_its_newline_counts() -> None:
    script = dice()
    assert verify(script.record[:-1]).to_json() == script.verify().to_json()
    assert not torn(script.frames[-1])


def test_a_whole_last_line_without_newline_that_fits_nowhere_is_no_torn_write() -> None:
    script = dice()
    last = forging.message(script.frames[-1])
    for change in ({"prev": ""}, {"game": ""}, {"seq": -1}):
        line = forging.again(script.secrets[Seat(last.seat)], last, lambda fields, c=change: fields.update(c))
        whole = script.record[: -len(script.frames[-1]) - 1]
        assert verify(whole + line).verdict is Verdict.MALFORMED, change
        assert not torn(line)


def test_a_last_line_of_no_message_is_a_torn_write_wherever_it_might_stand() -> None:
    script = dice()
    last = forging.message(script.frames[-1])
    before = verify(script.record).to_json()
    for change in ({}, {"prev": ""}, {"game": ""}, {"seq": -1}):
        changes = change | {"body": {}}
        line = forging.again(script.secrets[Seat(last.seat)], last, lambda fields, c=changes: fields.update(c))
        assert torn(line), change
        assert verify(script.record + line).to_json() == before, change


def test_a_record_of_a_million_lines_takes_no_room_of_its_own() -> None:
    script = dice()
    record = script.record + b"\n" * 1_000_000
    tracemalloc.start()
    report = verify(record)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert (report.verdict, report.lines) == (Verdict.MALFORMED, (len(script.frames) + 1,))
    assert most < 4 << 20


def test_a_torn_line_with_its_newline_is_no_line() -> None:
    script = dice()
    report = verify(script.record + script.frames[-1][:-1] + b"\n")
    assert report.verdict is Verdict.MALFORMED
    assert report.lines == (len(script.frames) + 1,)


def test_a_whole_last_line_without_newline_can_prove_a_cheat() -> None:
    script = dice()
    with pytest.raises(Cheat):
        script.move({"pitch": "spitball"})
    assert verify(script.record[:-1]).verdict is Verdict.CHEAT


@pytest.mark.parametrize("tail", [b"\n", b"\r\n", b"\0\n", b" \n", b"{}\n", b"[]\n", b'{"chat":"hi"}\n'])
def test_a_line_that_is_no_message(tail: bytes) -> None:
    assert verify(dice().record + tail).verdict is Verdict.MALFORMED


def test_carriage_returns_are_no_part_of_a_record() -> None:
    assert verify(dice().record.replace(b"\n", b"\r\n")).verdict is Verdict.MALFORMED


# -- who owes


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


@cache
def played_out(terms: Any, seed: int) -> Duet:
    return Duet(terms, seed=str(seed)).play_at_random(seed)


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


# -- every kind of cheat, from hand-made lines


def proves(script: Script, seat: Seat, kind: CheatKind, lines: int | None = None) -> None:
    report = script.verify()
    assert report.verdict is Verdict.CHEAT
    assert (report.seat, report.kind) == (seat, kind)
    assert report.to_json() == {"verdict": "CHEAT", "seat": seat.value, "cheat": kind.value}
    assert 2 <= len(report.lines) <= 4
    assert report.lines[-1] == len(script.frames)
    assert lines is None or len(report.lines) == lines
    assert report.why


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


def test_a_repeat_is_ignored() -> None:
    script = cards()
    clean = script.verify().to_json()
    for place in range(2, len(script.frames)):
        repeated = list(script.frames)
        repeated.insert(len(repeated), script.frames[place])
        assert verify(b"".join(frame + b"\n" for frame in repeated)).to_json() == clean
        twice = list(script.frames)
        twice.insert(place, script.frames[place])
        assert verify(b"".join(frame + b"\n" for frame in twice)).to_json() == clean


def test_lines_dropped_or_swapped_blame_nobody() -> None:
    script = cards()
    script.pitch()
    script.to_pitch()
    for place in range(len(script.frames)):
        dropped = [frame for at, frame in enumerate(script.frames) if at != place]
        assert verify(b"".join(frame + b"\n" for frame in dropped)).verdict in (Verdict.MALFORMED, Verdict.SUSPENDED)
        for other in range(place):
            swapped = list(script.frames)
            swapped[place], swapped[other] = swapped[other], swapped[place]
            report = verify(b"".join(frame + b"\n" for frame in swapped))
            assert report.verdict in (Verdict.MALFORMED, Verdict.SUSPENDED), (other, place, report.why)


def test_lines_of_another_game_blame_nobody() -> None:
    one, other = Duet(seed="one"), Duet(seed="other")
    other.secrets = one.secrets
    second = Script()
    second.secrets = one.secrets
    record = one.play_at_random(3).record(HOST)
    twin = Script(hellos=False)
    twin.secrets = one.secrets
    twin.hello(HOST)
    twin.hello(GUEST)
    twin.round()
    for frame in twin.frames[2:]:
        report = verify(record + frame + b"\n")
        assert report.verdict is Verdict.MALFORMED
        assert "another game" in report.why


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


def last_pitch(terms: Any, seed: int) -> tuple[Script, list[bytes]]:
    """A played game read up to its last reveal, which is due; and the lines from there on."""
    duet = played_out(terms, seed)
    script = Script(terms, hellos=False)
    script.secrets = duet.secrets
    lines = split(duet.record(HOST))[0]
    for line in lines[:-3]:
        script.put(line)
    return script, lines[-3:]


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


# -- deals


def sixth_pitch() -> Script:
    script = cards()
    for _ in range(5):
        script.pitch()
    script.to_pitch()
    return script


def test_a_deal_commitment_missing_or_out_of_place() -> None:
    script = Script(CARDS)
    with pytest.raises(Cheat):
        script.commit(HOST, body={"deal": ""})
    proves(script, HOST, CheatKind.BAD_DEAL)
    script = Script()
    with pytest.raises(Cheat):
        script.commit(HOST, body={"deal": "ab" * 32})
    proves(script, HOST, CheatKind.BAD_DEAL)
    script = cards()
    with pytest.raises(Cheat):
        script.commit(HOST, {"card": script.hand(HOST)[0]}, body={"deal": "ab" * 32})
    proves(script, HOST, CheatKind.BAD_DEAL)
    script = sixth_pitch()
    with pytest.raises(Cheat):
        script.commit(HOST, {"card": script.hand(HOST)[0]}, body={"deal": ""})
    proves(script, HOST, CheatKind.BAD_DEAL)


@pytest.mark.parametrize("secret", ["", "ab" * 32])
def test_an_audit_withheld_or_wrong(secret: str) -> None:
    script = sixth_pitch()
    script.commit(HOST, {"card": script.hand(HOST)[0]})
    script.commit(GUEST, {"card": script.hand(GUEST)[0]})
    with pytest.raises(Cheat):
        script.reveal(HOST, body={"hand_secret": secret})
    proves(script, HOST, CheatKind.BAD_DEAL, 3)


def test_an_audit_out_of_place() -> None:
    script = cards()
    script.commit(HOST, {"card": script.hand(HOST)[0]})
    script.commit(GUEST, {"card": script.hand(GUEST)[0]})
    with pytest.raises(Cheat):
        script.reveal(HOST, body={"hand_secret": script.secret(HOST).hex()})
    proves(script, HOST, CheatKind.BAD_DEAL, 2)


def test_a_card_that_was_not_in_the_hand_is_found_by_the_audit() -> None:
    for at in range(6):
        script = cards()
        for pitch in range(6):
            script.to_pitch()
            held = script.hand(HOST)
            hand = script.books.sides["host"].hand
            dealt = hand.cards(script.secret(HOST))
            strange = next(card for card in hand.remaining if card not in dealt)
            script.commit(HOST, {"card": strange if pitch == at else held[0]})
            script.commit(GUEST, {"card": script.hand(GUEST)[0]})
            if pitch < 5:
                script.reveal(HOST)
                script.reveal(GUEST)
        with pytest.raises(Cheat):
            script.reveal(HOST)
        proves(script, HOST, CheatKind.BAD_DEAL, 3)


@pytest.mark.parametrize("secret", ["", "ab" * 32])
def test_the_last_hand_is_opened_by_the_final(secret: str) -> None:
    script = cards()
    script.pitch()
    script.resign(GUEST)
    with pytest.raises(Cheat):
        script.final(HOST, body={"hand_secret": secret})
    proves(script, HOST, CheatKind.BAD_DEAL, 3)


def test_a_hand_of_which_nothing_was_played_is_opened_all_the_same() -> None:
    script = cards()
    script.resign(GUEST)
    with pytest.raises(Cheat):
        script.final(HOST, body={"hand_secret": "ab" * 32})
    proves(script, HOST, CheatKind.BAD_DEAL, 3)


def test_a_card_that_was_not_in_the_hand_is_found_by_the_final() -> None:
    script = cards()
    hand = script.books.sides["host"].hand
    strange = next(card for card in hand.remaining if card not in script.hand(HOST))
    script.round({"card": strange}, {"card": script.hand(GUEST)[0]})
    script.resign(GUEST)
    with pytest.raises(Cheat):
        script.final(HOST)
    proves(script, HOST, CheatKind.BAD_DEAL, 3)


def test_a_dropped_round_deals_and_plays_nothing() -> None:
    """A hand counts as played out, and the next as dealt, when both reveals are in (fair-play 3)."""
    script = sixth_pitch()
    script.commit(HOST, {"card": script.hand(HOST)[0]})
    script.commit(GUEST, {"card": script.hand(GUEST)[0]})
    script.reveal(HOST)
    script.resign(GUEST)
    assert script.books.sides["host"].hand.number == 0
    script.final(HOST)
    script.final(GUEST)
    assert script.verify().verdict is Verdict.COMPLETE


def test_no_hand_secret_in_a_final_of_dice() -> None:
    script = dice()
    script.resign(GUEST)
    with pytest.raises(Cheat):
        script.final(HOST, body={"hand_secret": "ab" * 32})
    proves(script, HOST, CheatKind.BAD_DEAL, 2)


def test_decks_are_shuffled_anew_when_under_six_cards_remain() -> None:
    script = cards()
    sizes = []
    while script.books.expect.due.value != "over":
        hand = script.books.sides["host"].hand
        if not sizes or sizes[-1][0] != hand.number:
            sizes.append((hand.number, len(hand.remaining)))
        script.to_pitch()
        if script.books.expect.due.value != "over":
            script.pitch()
        if len(sizes) == 10:
            break
    assert [left for _, left in sizes] == [52, 46, 40, 34, 28, 22, 16, 10, 52, 46][: len(sizes)]


# -- acknowledgements


def test_a_message_that_has_not_acknowledged_what_it_answers_blames_nobody() -> None:
    for kind in ("commit", "move", "reveal", "final"):
        script = dice()
        mover = Seat(script.books.expect.mover)
        hello = script.books.sides[mover.other.value].sent[-2].digest
        if kind == "move":
            with pytest.raises(Malformed):
                script.move({"pitch": "slider"}, ack=hello)
        elif kind == "commit":
            script.move({"pitch": "slider"})
            before = script.books.sides[mover.value].sent[-2].digest
            with pytest.raises(Malformed):
                script.commit(mover.other, ack=before)
        elif kind == "reveal":
            script.move({"pitch": "slider"})
            moved = script.last.digest
            script.commit(mover)
            script.commit(mover.other, ack=moved)
            with pytest.raises(Malformed):
                script.reveal(mover.other, ack=moved)
        else:
            script, (reveal, *_) = last_pitch(CARDS, 1)
            late = Seat(forging.message(reveal).seat)
            before = script.books.last(late.value).digest
            script.put(reveal)
            with pytest.raises(Malformed):
                script.final(late.other, ack=before)
        assert script.verify().verdict is Verdict.MALFORMED


def test_a_reveal_before_the_others_commit_blames_nobody() -> None:
    script = dice()
    script.move({"pitch": "slider"})
    script.commit(HOST)
    with pytest.raises(Malformed):
        script.reveal(HOST)
    assert script.verify().verdict is Verdict.MALFORMED


def test_acknowledgements_of_nothing_or_going_back() -> None:
    for ack in ("0" * 64, "own", "", "old"):
        script = dice()
        script.move({"pitch": "slider"})
        seat = script.last.seat
        own = script.last.digest
        old = script.books.sides[Seat(seat).other.value].sent[0].digest
        made = {"own": own, "old": old}.get(ack, ack)
        with pytest.raises(Malformed):
            script.commit(Seat(seat), ack=made)
        assert script.verify().verdict is Verdict.MALFORMED
        script = dice()
        with pytest.raises(Malformed):  # a resignation answers nothing, and its acknowledgement has to fit all the same
            script.resign(Seat(seat), ack=made)
        assert script.verify().verdict is Verdict.MALFORMED


def test_the_first_message_after_the_hellos_acknowledges_what_is_there() -> None:
    for seat, ack in ((HOST, "0" * 64), (GUEST, "")):
        script = Script()
        with pytest.raises(Malformed):
            script.commit(seat, ack=ack)
        assert script.verify().verdict is Verdict.MALFORMED


# -- sequence, game and signature


@pytest.mark.parametrize("change", [{"seq": 99}, {"prev": "0" * 64}, {"game": "0" * 64}], ids=str)
def test_out_of_sequence_or_of_another_game(change: dict[str, Any]) -> None:
    script = dice()
    with pytest.raises(Malformed):
        script.move({"pitch": "slider"}, **change)
    assert script.verify().verdict is Verdict.MALFORMED


def test_the_signature_of_the_other_seat() -> None:
    script = dice()
    mover = Seat(script.books.expect.mover)
    made = forging.fields(script.books, mover, "move", {"chain": script.chain, "move": {"pitch": "spitball"}})
    with pytest.raises(Malformed, match="signature"):
        script.put(forging.seal(script.secrets[mover.other], forging.dump(made)))


@pytest.mark.parametrize(
    ("kind", "body", "changes"),
    [
        ("decline", {"reason": "no"}, {"game": "", "seq": 0, "prev": ""}),
        ("resume", {"mine": [-1, ""], "yours": [-1, ""], "chain": "0" * 64}, {"seq": -1, "prev": "", "ack": ""}),
    ],
)
def test_what_is_never_recorded(kind: str, body: Any, changes: dict[str, Any]) -> None:
    script = dice()
    with pytest.raises(Malformed):
        script.say(GUEST, kind, body, **changes)
    assert script.verify().verdict is Verdict.MALFORMED
