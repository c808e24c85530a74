"""Rules of the cards game, C10 to C14: between the pitches, pickoffs, pinch hitters, steals and the order of things."""

from __future__ import annotations

import pytest

from p2pball.engine.events import BatterCameUp, PinchHitterSent, RunnerSent, StealSettled, WindowHeld
from p2pball.engine.ledger import apply, awaited
from p2pball.engine.moves import HOLD, PASS, PINCH, PLAY_CARD, STEALS, Choice, IllegalMove, Open, Sealed
from p2pball.engine.state import State
from p2pball.engine.terms import Seat, Side
from tests.engine.card_scenes import line, matchup
from tests.engine.scenes import Scene, at, batted, moved, pitched, settled


@pytest.mark.parametrize("face", range(1, 7))
@pytest.mark.parametrize("end", ["@steal2", "@steal3", "@king2", "@king3"])
def test_c10_a_king_on_the_mound_tries_a_pickoff_first(face: int, end: str) -> None:
    bases = "100" if end.endswith("2") else "010"
    state = at(line(end, b=bases, p="K", a="K"))
    if face >= 5:
        scene = settled(state, pickoff=[face])
        event = scene.the(StealSettled)
        assert (event.pickoff, event.roll, event.safe) == (face, None, False)
        assert scene.drawn == ("pickoff",)
        assert scene.line.split()[3:5] == ["o1", "b000"]
    else:
        scene = settled(state, pickoff=[face], steal=[6])
        event = scene.the(StealSettled)
        assert (event.pickoff, event.roll, event.safe) == (face, 6, True)
        assert scene.drawn == ("pickoff", "steal")


@pytest.mark.parametrize("p", ["-", "A", "J", "Q"])
def test_c10_nobody_else_does(p: str) -> None:
    assert settled(at(line("@steal2", b="100", p=p)), steal=[6]).drawn == ("steal",)


def test_c11_the_window_offers_the_pinch_hitter_once_a_game() -> None:
    state = at(line("@window", x="01", b="000"))
    assert awaited(state) == Open(Seat.GUEST, (HOLD, PINCH))
    scene = moved(state, "pinch")
    assert scene.events == (PinchHitterSent(Side.VISITORS, 4),)
    assert scene.line == line("@pitch", x="11", n=1)
    assert awaited(at(line("@window", x="11", b="100"))) == Open(Seat.GUEST, (HOLD, STEALS[2]))


def test_c11_each_team_has_its_own() -> None:
    home = "cards B2 0-0 o0 b000 s4,7 c0-0 h6,6 p- a- x10 n0 @window"
    assert awaited(at(home)) == Open(Seat.HOST, (HOLD, PINCH))
    assert moved(at(home), "pinch").line == home.replace("x10 n0 @window", "x11 n1 @pitch")


def test_c11_before_any_pitch_and_the_character_stays() -> None:
    scene = moved(at(line("@window", x="00", c="3-2", a="J")), "pinch")
    assert scene.line == line("@pitch", x="10", c="3-2", a="J", n=1)


def test_c11_two_more_for_the_card_and_for_the_roll_until_the_plate_appearance_ends() -> None:
    assert matchup("9H", "8H", n=1).batter_value == 10
    foul = pitched(at(line(n=1)), "9H", "6H")
    assert " n1 " in foul.line
    ended = pitched(foul.state, "9D", "8D", contact=[6, 1])
    assert " x11 n0 " in ended.line


def test_c11_a_half_that_ends_on_the_bases_ends_it_too() -> None:
    scene = settled(at(line("@steal2", o=2, b="100", c="2-1", n=1)), steal=[3])
    assert scene.line == "cards B2 0-0 o0 b000 s4,7 c0-0 h6,6 p- a- x11 n0 @pitch"


@pytest.mark.parametrize(
    ("bases", "steals"),
    [
        ("000", ()),
        ("100", (2,)),
        ("010", (3,)),
        ("001", ()),
        ("110", (3,)),
        ("101", (2,)),
        ("011", ()),
        ("111", ()),
    ],
)
def test_c12_to_an_empty_second_or_third_never_home(bases: str, steals: tuple[int, ...]) -> None:
    choices: tuple[Choice, ...] = (HOLD, PINCH, *(STEALS[base] for base in steals))
    assert awaited(at(line("@window", b=bases, x="00"))) == Open(Seat.GUEST, choices)


@pytest.mark.parametrize("end", ["@steal2", "@steal3", "@king2", "@king3"])
@pytest.mark.parametrize("face", range(1, 7))
def test_c12_c13_what_is_safe(end: str, face: int) -> None:
    safe = {"@steal2": (4, 5, 6), "@steal3": (5, 6), "@king2": (5, 6), "@king3": (6,)}[end]
    base = int(end[-1])
    scene = settled(at(line(end, b="100" if base == 2 else "010", a="K")), steal=[face])
    runner = 3
    assert scene.events == (StealSettled(runner, base, None, face, safe[0], face in safe),)
    bases = ("010" if base == 2 else "001") if face in safe else "000"
    assert scene.line.split()[3:5] == [f"o{int(face not in safe)}", f"b{bases}"]


def test_c12_one_runner_moves_and_the_other_stays() -> None:
    scene = settled(at(line("@steal2", b="101")), steal=[6])
    assert scene.state.bases == (0, 3, 2)
    scene = settled(at(line("@steal3", b="110")), steal=[1])
    assert scene.state.bases == (3, 0, 0)


def test_c12_the_try_is_told_before_it_is_settled() -> None:
    scene = moved(at(line("@window", b="100")), "steal2")
    assert scene.events == (RunnerSent(3, 2, False),)
    assert scene.line == line("@steal2", b="100")
    assert awaited(scene.state) == Sealed((PASS,), (PASS,))


@pytest.mark.parametrize("thrown", "23456789TJQK")
@pytest.mark.parametrize("a", "AJQK-")
def test_c13_only_a_king_against_a_jack_queen_or_king(thrown: str, a: str) -> None:
    swung = "A23456789TJQK"[max(0, "A23456789TJQK".index(thrown) - 2)] + "D"
    scene = pitched(at(line(b="100", a=a)), thrown + "H", swung)
    king = a == "K" and thrown in "JQK"
    assert scene.line.endswith("@king" if king else "@window")
    if king:
        assert awaited(scene.state) == Open(Seat.GUEST, (HOLD, STEALS[2]))


def test_c13_never_the_pinch_hitter() -> None:
    scene = pitched(at(line(b="110", a="K", x="00")), "KH", "QH")
    assert awaited(scene.state) == Open(Seat.GUEST, (HOLD, STEALS[3]))


def test_c13_the_card_counts_not_its_value() -> None:
    assert pitched(at(line(b="100", a="K", p="Q")), "TH", "TD").line.endswith("@window")


def test_c13_only_when_the_same_batter_stays() -> None:
    scene = pitched(at(line(b="100", a="K", c="0-2")), "KH", "2H", batter_character=[12])
    assert scene.line == line("@window", o=1, b="100", a="K", h=5).replace("s4,", "s5,")


def test_c13_skipped_when_no_steal_is_possible() -> None:
    assert pitched(at(line(b="111", a="K")), "KH", "KD").line == line("@pitch", b="111", a="K", h=5, c="0-1")


def test_c13_hold_and_steal() -> None:
    state = at(line("@king", b="100", a="K"))
    held = moved(state, "hold")
    assert held.events == (WindowHeld(king=True),)
    assert held.line == line("@window", b="100", a="K")
    sent = moved(state, "steal2")
    assert sent.events == (RunnerSent(3, 2, True),)
    assert sent.line == line("@king2", b="100", a="K")


def test_c13_the_third_out_of_a_kings_steal_ends_the_half() -> None:
    scene = settled(at(line("@king3", o=2, b="010", c="1-1", a="K", n=1)), steal=[5])
    assert scene.line == "cards B2 0-0 o0 b000 s4,7 c0-0 h6,6 p- a- x11 n0 @pitch"


def test_c14_the_window_is_skipped_when_holding_is_the_only_choice() -> None:
    assert batted(at(line(x="11")), "HR").line.endswith("x11 n0 @pitch")
    assert batted(at(line(x="01")), "HR").line.endswith("x01 n0 @window")
    assert batted(at(line(x="11")), "1B").line.endswith("x11 n0 @window")


def test_c14_hold_then_the_sealed_pitch() -> None:
    scene = moved(at(line("@window", b="100")), "hold")
    assert scene.events == (WindowHeld(king=False),)
    assert scene.line == line("@pitch", b="100")
    assert isinstance(awaited(scene.state), Sealed)


def test_c14_after_pinch_the_window_stays_open_only_if_a_steal_is_possible() -> None:
    assert moved(at(line("@window", b="111", x="00")), "pinch").line == line("@pitch", b="111", x="10", n=1)
    scene = moved(at(line("@window", b="100", x="00")), "pinch")
    assert scene.line == line("@window", b="100", x="10", n=1)
    assert awaited(scene.state) == Open(Seat.GUEST, (HOLD, STEALS[2]))


def test_c14_after_a_steal_the_pitch_follows_at_once() -> None:
    assert settled(at(line("@steal2", b="100", x="00")), steal=[6]).line == line("@pitch", b="010", x="00")
    assert settled(at(line("@steal2", b="100", x="00")), steal=[1]).line == line("@pitch", o=1, x="00")


def test_c14_after_a_kings_steal_a_new_window_if_there_is_anything_to_choose() -> None:
    assert settled(at(line("@king2", b="100", x="11")), steal=[6]).line == line("@window", b="010")
    assert settled(at(line("@king3", b="010", x="11")), steal=[6]).line == line("@pitch", b="001")
    assert settled(at(line("@king3", b="010", x="00")), steal=[6]).line == line("@window", b="001", x="00")


def test_c14_if_the_half_goes_on() -> None:
    scene = settled(at(line("@steal2", o=2, b="101", x="00")), steal=[1])
    assert scene.line == "cards B2 0-0 o0 b000 s4,7 c0-0 h6,6 p- a- x00 n0 @window"
    assert scene.events[-1] == BatterCameUp(Side.HOME, 7, 1)


def test_c14_round_and_move_in_turn() -> None:
    state = at(line("@window", b="110", a="K", x="00"))
    scene: Scene = moved(state, "pinch")
    scene = moved(scene.state, "steal3")
    scene = settled(scene.state, steal=[5])
    scene = pitched(scene.state, "KH", "JH")
    assert scene.line == line("@king", b="101", a="K", x="10", n=1, h=5, c="0-1")
    scene = moved(scene.state, "steal2")
    scene = settled(scene.state, steal=[4])
    assert scene.line == line("@pitch", o=1, b="001", a="K", x="10", n=1, h=5, c="0-1")


def test_c14_both_cards_are_legal_by_the_public_state_alone() -> None:
    state: State = at(line(h=3))
    cards = {Seat.HOST: PLAY_CARD[0], Seat.GUEST: PLAY_CARD[20]}
    with pytest.raises(IllegalMove):
        apply(state, cards)
