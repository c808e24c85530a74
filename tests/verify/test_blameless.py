"""Lines that prove nothing against anybody: repeated, dropped, swapped, without acknowledgement (fair-play 7)."""

from __future__ import annotations

from typing import Any

import pytest

from p2pball.engine.terms import Seat
from p2pball.protocol.messages import Malformed
from p2pball.verify import Verdict, verify
from tests.attacks import forging
from tests.duet import CARDS, Duet
from tests.script import GUEST, HOST, Script, cards, dice
from tests.verify.proving import last_pitch


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
