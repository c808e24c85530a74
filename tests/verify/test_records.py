"""Records: every one of the specification, how one begins, and torn lines (fair-play 7)."""

from __future__ import annotations

import json
import tracemalloc
from pathlib import Path

import pytest

from p2pball.engine.terms import Seat
from p2pball.protocol.books import Cheat
from p2pball.protocol.messages import Malformed, parse_frame
from p2pball.verify import Verdict, torn, verify
from tests.attacks import forging
from tests.script import GUEST, HOST, Script, dice
from tests.verify.proving import RECORDS, record_lines


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
