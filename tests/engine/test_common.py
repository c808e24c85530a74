"""Rules common to both games, B1 to B12, and the fielders of section 5."""

from __future__ import annotations

import pytest

from p2pball.engine.events import (
    Advance,
    BatterCameUp,
    DiceRolled,
    GameBegan,
    GameEnded,
    HalfBegan,
    HandsDealt,
    Outcome,
    Play,
)
from p2pball.engine.ledger import apply, awaited, begin
from p2pball.engine.moves import PASS, Over, Result
from p2pball.engine.position import position
from p2pball.engine.terms import Rules, Seat, Side, Terms
from tests.engine.scenes import Scene, Script, at, batted, pitched, rolled, settled

ALL_BASES = ("000", "100", "010", "001", "110", "101", "011", "111")


def after(scene: Scene) -> tuple[str, int, int]:
    """Bases, visitors' runs and outs."""
    state = scene.state
    return "".join("01"[slot > 0] for slot in state.bases), state.runs[0], state.outs


def table(outcome: str, rows: dict[str, tuple[str, int, int]]) -> None:
    """Check an outcome on all eight ways to fill the bases: bases after, runs scored, outs after."""
    assert set(rows) == set(ALL_BASES)
    for bases, expected in rows.items():
        scene = rolled(f"dice T2 0-0 o0 b{bases} s5,1 @roll", outcome)
        assert after(scene) == expected, bases
        play = scene.the(Play)
        assert (play.outcome, play.runs, len(play.outs)) == (Outcome(outcome), expected[1], expected[2])


def test_b1_defaults_are_nine_innings_for_dice_and_three_for_cards() -> None:
    assert Rules.DICE.default_innings == 9
    assert Rules.CARDS.default_innings == 3


def test_b1_the_third_out_ends_the_half() -> None:
    top = rolled("dice T2 1-0 o2 b111 s5,3 @roll", "K")
    assert top.line == "dice B2 1-0 o0 b000 s6,3 @choose"
    bottom = rolled("dice B2 1-0 o2 b111 s5,3 @roll", "K")
    assert bottom.line == "dice T3 1-0 o0 b000 s5,4 @choose"
    assert HalfBegan(3, Side.VISITORS, None) in bottom.events


@pytest.mark.parametrize("innings", range(1, 10))
def test_b1_the_game_has_its_innings(innings: int) -> None:
    line = f"dice B{innings} 1-0 o2 b000 s1,1 @roll"
    assert rolled(line, "K", innings=innings).line == f"dice F{innings} 1-0"
    if innings < 9:
        assert rolled(line, "K", innings=innings + 1).line == f"dice T{innings + 1} 1-0 o0 b000 s1,2 @choose"


def test_b2_a_tie_goes_on_for_the_extra_innings_then_is_a_draw() -> None:
    assert rolled("dice B9 2-2 o2 b000 s1,1 @roll", "K").line == "dice T10 2-2 o0 b000 s1,2 @choose"
    assert rolled("dice B11 2-2 o2 b000 s1,1 @roll", "K").line == "dice T12 2-2 o0 b000 s1,2 @choose"
    drawn = rolled("dice B12 2-2 o2 b000 s1,1 @roll", "K")
    assert drawn.line == "dice F12 2-2"
    assert drawn.events[-1] == GameEnded(None)
    assert awaited(drawn.state) == Over(Result(None, 2, 2))


def test_b2_without_extra_innings_a_tie_is_a_draw_at_once() -> None:
    assert rolled("dice B9 2-2 o2 b000 s1,1 @roll", "K", extra_innings=0).line == "dice F9 2-2"


@pytest.mark.parametrize("walk_off", [True, False])
def test_b2_an_extra_inning_decides(walk_off: bool) -> None:
    assert rolled("dice B10 3-2 o2 b000 s1,1 @roll", "K", walk_off=walk_off).line == "dice F10 3-2"


def test_b3_the_last_bottom_is_not_begun_when_the_home_team_leads() -> None:
    scene = rolled("dice T9 1-2 o2 b111 s1,1 @roll", "K")
    assert scene.line == "dice F9 1-2"
    assert scene.events[-1] == GameEnded(Side.HOME)
    assert rolled("dice T10 1-2 o2 b000 s1,1 @roll", "K").line == "dice F10 1-2"


def test_b3_it_is_begun_when_tied_or_behind_and_before_the_last_inning() -> None:
    assert rolled("dice T9 2-2 o2 b000 s1,1 @roll", "K").line == "dice B9 2-2 o0 b000 s2,1 @choose"
    assert rolled("dice T9 3-2 o2 b000 s1,1 @roll", "K").line == "dice B9 3-2 o0 b000 s2,1 @choose"
    assert rolled("dice T8 1-2 o2 b000 s1,1 @roll", "K").line == "dice B8 1-2 o0 b000 s2,1 @choose"


def test_b3_walk_off_ends_the_game_and_the_play_is_carried_out_in_full() -> None:
    scene = rolled("dice B9 2-2 o2 b111 s1,1 @roll", "HR")
    assert scene.line == "dice F9 2-6"
    assert scene.names() == ["DiceRolled", "Play", "GameEnded"]
    assert scene.state.bases == (0, 0, 0)


@pytest.mark.parametrize("outcome", ["1B", "WP", "BB"])
def test_b3_every_kind_of_run_walks_off(outcome: str) -> None:
    scene = rolled("dice B10 2-2 o1 b111 s1,1 @roll", outcome)
    assert scene.line == "dice F10 2-3"
    assert awaited(scene.state) == Over(Result(Seat.HOST, 2, 3))


def test_b3_no_walk_off_when_still_tied_or_before_the_last_inning() -> None:
    assert rolled("dice B9 3-2 o1 b001 s1,1 @roll", "1B").line == "dice B9 3-3 o1 b100 s1,2 @choose"
    assert rolled("dice B8 2-2 o1 b001 s1,1 @roll", "1B").line == "dice B8 2-3 o1 b100 s1,2 @choose"


def test_b3_off_every_half_is_played_out() -> None:
    scene = rolled("dice B9 2-2 o1 b001 s1,1 @roll", "1B", walk_off=False)
    assert scene.line == "dice B9 2-3 o1 b100 s1,2 @choose"
    assert rolled("dice T9 1-2 o2 b000 s1,1 @roll", "K", walk_off=False).line == "dice B9 1-2 o0 b000 s2,1 @choose"
    ended = rolled("dice B9 1-2 o2 b000 s1,1 @roll", "K", walk_off=False)
    assert ended.line == "dice F9 1-2"
    assert ended.events[-1] == GameEnded(Side.HOME)


def test_b4_nine_bat_in_order_and_the_next_slot_leads_off() -> None:
    assert rolled("dice T2 0-0 o0 b000 s9,4 @roll", "K").line == "dice T2 0-0 o1 b000 s1,4 @choose"
    scene = rolled("dice T2 0-0 o2 b000 s9,4 @roll", "K")
    assert scene.line == "dice B2 0-0 o0 b000 s1,4 @choose"
    assert scene.events[-1] == BatterCameUp(Side.HOME, 4, None)


def test_b4_an_out_on_the_bases_voids_the_plate_appearance() -> None:
    scene = settled(at("cards B1 0-0 o2 b100 s3,7 c3-2 h4,4 p- aA x01 n1 @steal2"), steal=[1])
    assert scene.line == "cards T2 0-0 o0 b000 s3,7 c0-0 h4,4 p- a- x01 n0 @window"
    again = settled(at("cards T2 0-0 o2 b100 s3,7 c3-2 h4,4 p- aA x10 n1 @steal2"), steal=[1])
    assert again.line == "cards B2 0-0 o0 b000 s3,7 c0-0 h4,4 p- a- x10 n0 @window"


def test_b5_the_batter_is_a_runner_from_the_plate() -> None:
    scene = rolled("dice T2 0-0 o0 b000 s5,1 @roll", "1B")
    assert scene.state.bases == (5, 0, 0)
    play = scene.the(Play)
    assert play.advances == (Advance(5, 0, 1),)


def test_b6_single() -> None:
    rows = {
        "000": ("100", 0, 0),
        "100": ("110", 0, 0),
        "010": ("101", 0, 0),
        "001": ("100", 1, 0),
        "110": ("111", 0, 0),
        "101": ("110", 1, 0),
        "011": ("101", 1, 0),
        "111": ("111", 1, 0),
    }
    table("1B", rows)


def test_b6_double() -> None:
    rows = {
        "000": ("010", 0, 0),
        "100": ("011", 0, 0),
        "010": ("010", 1, 0),
        "001": ("010", 1, 0),
        "110": ("011", 1, 0),
        "101": ("011", 1, 0),
        "011": ("010", 2, 0),
        "111": ("011", 2, 0),
    }
    table("2B", rows)


def test_b6_triple_and_home_run_bring_everybody_on_the_bases_home() -> None:
    table("3B", {bases: ("001", bases.count("1"), 0) for bases in ALL_BASES})
    table("HR", {bases: ("000", bases.count("1") + 1, 0) for bases in ALL_BASES})


def test_b6_runners_keep_their_order() -> None:
    scene = rolled("dice T2 0-0 o0 b110 s1,1 @roll", "1B")
    assert scene.state.bases == (1, 9, 8)
    play = scene.the(Play)
    assert play.advances == (Advance(8, 2, 3), Advance(9, 1, 2), Advance(1, 0, 1))


def test_b7_walk_moves_forced_runners_only() -> None:
    rows = {
        "000": ("100", 0, 0),
        "100": ("110", 0, 0),
        "010": ("110", 0, 0),
        "001": ("101", 0, 0),
        "110": ("111", 0, 0),
        "101": ("111", 0, 0),
        "011": ("111", 0, 0),
        "111": ("111", 1, 0),
    }
    table("BB", rows)


def test_b7_a_runner_beyond_a_gap_never_moves() -> None:
    scene = rolled("dice T2 0-0 o0 b101 s5,1 @roll", "BB")
    assert scene.state.bases == (5, 4, 3)
    play = scene.the(Play)
    assert play.advances == (Advance(4, 1, 2), Advance(5, 0, 1))


@pytest.mark.parametrize("outcome", ["K", "FO", "PO", "GO"])
def test_b8_an_out_moves_nobody(outcome: str) -> None:
    table(outcome, {bases: (bases, 0, 1) for bases in ALL_BASES})


def test_b9_double_play_takes_the_lowest_runner_and_others_hold() -> None:
    rows = {
        "000": ("000", 0, 1),
        "100": ("000", 0, 2),
        "010": ("000", 0, 2),
        "001": ("000", 0, 2),
        "110": ("010", 0, 2),
        "101": ("001", 0, 2),
        "011": ("001", 0, 2),
        "111": ("011", 0, 2),
    }
    table("DP", rows)


def test_b9_never_past_three_outs() -> None:
    one_out = rolled("dice T2 0-0 o1 b011 s5,1 @roll", "DP")
    assert one_out.line == "dice B2 0-0 o0 b000 s6,1 @choose"
    two_out = rolled("dice T2 0-0 o2 b011 s5,1 @roll", "DP")
    assert two_out.line == "dice B2 0-0 o0 b000 s6,1 @choose"
    plays = [event.outs for scene in (one_out, two_out) for event in scene.events if isinstance(event, Play)]
    assert plays == [(2, 0), (0,)]


def test_b10_wild_pitch_moves_the_runners_and_the_batter_stays() -> None:
    rows = {
        "000": ("000", 0, 0),
        "100": ("010", 0, 0),
        "010": ("001", 0, 0),
        "001": ("000", 1, 0),
        "110": ("011", 0, 0),
        "101": ("010", 1, 0),
        "011": ("001", 1, 0),
        "111": ("011", 1, 0),
    }
    table("WP", rows)
    scene = rolled("dice T2 0-0 o1 b101 s5,1 @roll", "WP")
    assert scene.line == "dice T2 1-0 o1 b010 s5,1 @choose"
    assert scene.names() == ["DiceRolled", "Play"]


def test_b11_nothing_is_drawn_once_the_game_is_over() -> None:
    won = batted(at("cards B3 2-2 o2 b111 s1,1 c3-2 h5,5 p- a- x11 n0 @pitch"), "HR")
    assert won.line == "cards F3 2-6"
    assert won.drawn == ("contact", "contact", "fielder")
    lost = batted(at("cards B3 3-2 o2 b111 s1,1 c3-2 h5,5 p- a- x11 n0 @pitch"), "FO")
    assert lost.line == "cards F3 3-2"
    assert lost.drawn == ("contact", "contact", "fielder")
    skipped = batted(at("cards T3 1-2 o2 b000 s1,1 c3-2 h5,5 p- a- x11 n0 @pitch"), "FO")
    assert skipped.line == "cards F3 1-2"
    assert skipped.drawn == ("contact", "contact", "fielder")


def test_b11_the_walk_off_is_tested_before_a_new_batter_draws() -> None:
    scene = pitched(at("cards B3 2-2 o0 b111 s1,1 c3-2 h5,5 p- a- x11 n0 @pitch"), "2H", "9H")
    assert scene.line == "cards F3 2-3"
    assert scene.drawn == ()
    assert scene.names() == ["CardsPlayed", "Play", "GameEnded"]


def test_b11_play_then_new_half_then_new_batter() -> None:
    scene = batted(at("cards T2 0-0 o2 b000 s1,1 c0-0 h1,1 p- a- x11 n0 @pitch"), "FO")
    assert scene.names() == ["CardsPlayed", "ContactRolled", "Play", "HandsDealt", "HalfBegan", "BatterCameUp"]
    assert scene.drawn == ("contact", "contact", "fielder", "pitcher-character", "batter-character")


def test_b11_a_full_count_is_carried_out_before_hands_are_dealt() -> None:
    scene = pitched(at("cards T2 0-0 o0 b000 s1,1 c3-2 h1,1 p- a- x11 n0 @pitch"), "2H", "9H")
    assert scene.names() == ["CardsPlayed", "Play", "HandsDealt", "BatterCameUp"]


@pytest.mark.parametrize(("drawn", "home"), [(0, Seat.HOST), (1, Seat.GUEST)])
def test_b12_the_coin_names_the_home_team(drawn: int, home: Seat) -> None:
    scene = settled(begin(Terms()), home=[drawn])
    assert scene.events[0] == GameBegan(home, tossed=True)
    assert scene.state.home is home
    assert scene.state.seat(Side.HOME) is home
    assert scene.state.side(home.other) is Side.VISITORS
    assert scene.line == "dice T1 0-0 o0 b000 s1,1 @choose"


@pytest.mark.parametrize("home", list(Seat))
def test_b12_terms_can_name_it_and_no_coin_is_tossed(home: Seat) -> None:
    scene = settled(begin(Terms(home=home.value)))
    assert scene.events[0] == GameBegan(home, tossed=False)
    assert scene.drawn == ()


def test_b12_then_the_first_half_begins() -> None:
    scene = settled(begin(Terms(Rules.CARDS)), home=[0], pitcher_character=[12], batter_character=[0])
    assert scene.names() == ["GameBegan", "HandsDealt", "HalfBegan", "BatterCameUp"]
    assert scene.events[1:] == (
        HandsDealt(),
        HalfBegan(1, Side.VISITORS, 12),
        BatterCameUp(Side.VISITORS, 1, 0),
    )
    assert scene.line == "cards T1 0-0 o0 b000 s1,1 c0-0 h6,6 pK aA x00 n0 @window"


@pytest.mark.parametrize(
    ("outcome", "ways", "fielders"),
    [
        *((hit, 3, (7, 8, 9)) for hit in ("1B", "2B", "3B", "HR", "FO")),
        ("PO", 5, (2, 3, 4, 5, 6)),
        ("GO", 5, (1, 3, 4, 5, 6)),
    ],
)
def test_flavour_the_fielder_is_drawn_and_changes_nothing_else(
    outcome: str, ways: int, fielders: tuple[int, ...]
) -> None:
    line = "dice T2 0-0 o0 b101 s5,1 @roll"
    plain = rolled(line, outcome)
    roll = plain.the(DiceRolled)
    state, faces = at(line, pitch=roll.pitch), [roll.first, roll.second]
    for drawn, fielder in enumerate(fielders):
        script = Script(outcome=list(faces), fielder=[drawn])
        reached = apply(state, {Seat.HOST: PASS, Seat.GUEST: PASS}, script)
        play = reached.events[1]
        assert isinstance(play, Play)
        assert play.fielder == fielder
        assert str(position(reached.state)) == plain.line
    with pytest.raises(AssertionError):
        settled(state, outcome=list(faces), fielder=[ways])


@pytest.mark.parametrize("outcome", ["BB", "K", "DP", "WP"])
def test_flavour_other_plays_name_nobody(outcome: str) -> None:
    scene = rolled("dice T2 0-0 o0 b101 s5,1 @roll", outcome)
    play = scene.the(Play)
    assert play.fielder == 0
    assert scene.drew("fielder") == 0
