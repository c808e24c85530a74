"""Rules of the cards game, C1 to C14."""

from __future__ import annotations

from collections import Counter

import pytest

from p2pball.engine.card_rules import call, contact
from p2pball.engine.cards import BY_NAME, NAMES, cards_in, character, is_joker, rank
from p2pball.engine.events import (
    BatterCameUp,
    Call,
    CardsPlayed,
    ContactRolled,
    HandsDealt,
    Outcome,
    PinchHitterSent,
    Play,
    RunnerSent,
    StealSettled,
    WindowHeld,
)
from p2pball.engine.ledger import apply, awaited
from p2pball.engine.moves import HOLD, PASS, PINCH, PLAY_CARD, STEALS, Choice, IllegalMove, Open, Sealed
from p2pball.engine.state import Deck, State
from p2pball.engine.terms import Seat, Side, Terms
from tests.engine.playing import playthrough
from tests.engine.scenes import Scene, at, batted, moved, pitched, settled


def line(
    end: str = "@pitch",
    *,
    o: int = 0,
    b: str = "000",
    c: str = "0-0",
    h: int = 6,
    p: str = "-",
    a: str = "-",
    x: str = "11",
    n: int = 0,
) -> str:
    """A cards position in the top of the second."""
    return f"cards T2 0-0 o{o} b{b} s4,7 c{c} h{h},{h} p{p} a{a} x{x} n{n} {end}"


class Ones:
    """Dice that always show the lowest number: a ball in play is caught."""

    def below(self, purpose: str, n: int) -> int:
        """Nought."""
        return 0


def matchup(thrown: str, swung: str, *, p: str = "-", a: str = "-", n: int = 0) -> CardsPlayed:
    """The matchup of two cards, whatever comes of it."""
    choices = {Seat.HOST: PLAY_CARD[BY_NAME[thrown]], Seat.GUEST: PLAY_CARD[BY_NAME[swung]]}
    event = apply(at(line(p=p, a=a, n=n)), choices, Ones()).events[0]
    assert isinstance(event, CardsPlayed)
    return event


# Cards and hands


def test_c1_ranks() -> None:
    spades = [rank(BY_NAME[name + "S"]) for name in "A23456789TJQK"]
    assert spades == list(range(1, 14))
    assert all(rank(BY_NAME[name]) == rank(BY_NAME[name[0] + "S"]) for name in NAMES)


def test_c1_suits_only_tell_cards_apart() -> None:
    scenes = [pitched(at(line()), "7" + suit, "4" + other).state for suit in "HDC" for other in "HDC"]
    assert len({(s.balls, s.strikes, s.phase) for s in scenes}) == 1


def test_c2_each_pitch_costs_each_team_one_card() -> None:
    scene = pitched(at(line(h=6)), "7H", "4D")
    assert scene.line == line(h=5, c="0-1")
    waiting = awaited(scene.state)
    assert isinstance(waiting, Sealed)
    assert PLAY_CARD[BY_NAME["7H"]] not in waiting.moves(Seat.HOST)
    assert PLAY_CARD[BY_NAME["7H"]] in waiting.moves(Seat.GUEST)
    assert PLAY_CARD[BY_NAME["4D"]] not in waiting.moves(Seat.GUEST)
    assert len(waiting.moves(Seat.HOST)) == len(waiting.moves(Seat.GUEST)) == 51


def test_c2_six_new_ones_only_when_all_six_are_played() -> None:
    assert HandsDealt() not in pitched(at(line(h=2)), "7H", "4D").events
    scene = pitched(at(line(h=1)), "7H", "4D")
    assert HandsDealt() in scene.events
    assert scene.line == line(h=6, c="0-1")


def test_c2_from_the_cards_not_dealt_yet() -> None:
    state = pitched(at(line(h=1)), "7H", "4D").state
    played_by_visitors = {0, 1, 2, 3, 4, BY_NAME["4D"]}
    assert set(cards_in(state.decks[Side.VISITORS].unseen)) == set(range(52)) - played_by_visitors
    with pytest.raises(IllegalMove):
        pitched(state, "7H", "9H")


def test_c2_fewer_than_six_left_and_the_52_are_shuffled_anew() -> None:
    nine, ten = (1 << 9) - 1, (1 << 10) - 1
    played = 0b11111
    for remaining, expected in ((nine, (1 << 52) - 1), (ten, None)):
        state = at(line(h=1))
        low = Deck(remaining=remaining | 1 << BY_NAME["7H"] | 1 << BY_NAME["4D"], played=played, left=1)
        after = pitched(state.but(decks=(low, low)), "7H", "4D").state.decks
        for deck, own in zip(after, ("4D", "7H"), strict=True):
            left = low.remaining & ~played & ~(1 << BY_NAME[own])
            assert deck == Deck(left if expected is None else expected, 0, 6)


def test_c2_eight_hands_then_a_new_shuffle() -> None:
    sizes = []
    for step in playthrough(Terms(at(line()).terms.rules, 9), "c2"):
        if HandsDealt() in step.after.events:
            sizes.append(step.after.state.decks[0].remaining.bit_count())
    assert len(sizes) > 16
    assert sizes == [(52, 46, 40, 34, 28, 22, 16, 10)[i % 8] for i in range(len(sizes))]


def test_c2_hands_and_decks_carry_over_halves() -> None:
    state = at(line(o=2, h=3, c="0-2"))
    scene = pitched(state, "9H", "2H")
    assert scene.line == "cards B2 0-0 o0 b000 s5,7 c0-0 h2,2 p- a- x11 n0 @pitch"
    assert scene.state.decks[0].played == state.decks[0].played | 1 << BY_NAME["2H"]


def test_c3_names_and_canonical_order() -> None:
    assert NAMES[:14] == ("AS", "2S", "3S", "4S", "5S", "6S", "7S", "8S", "9S", "TS", "JS", "QS", "KS", "AH")
    assert NAMES[26] == "AD"
    assert NAMES[39] == "AC"
    assert NAMES[51] == "KC"


# The pitch


@pytest.mark.parametrize("difference", range(-20, 21))
def test_c4_what_a_difference_comes_to(difference: int) -> None:
    if difference <= -4:
        expected = Call.STRIKE
    elif difference in (-3, -2, -1, 0):
        expected = Call.FOUL
    elif difference in (1, 2):
        expected = Call.IN_PLAY
    else:
        expected = Call.BALL
    assert call(difference) is expected


def test_c4_the_three_examples_of_the_help() -> None:
    assert matchup("7H", "9H").call is Call.IN_PLAY
    assert matchup("TH", "4H").call is Call.STRIKE
    assert matchup("6H", "KH").call is Call.BALL


def test_c4_counts_of_all_169_matchups_before_bonuses() -> None:
    calls = Counter(matchup(p + "H", b + "H").call for p in "A23456789TJQK" for b in "A23456789TJQK")
    assert calls == {Call.BALL: 55, Call.STRIKE: 45, Call.FOUL: 46, Call.IN_PLAY: 23}


def test_c5_four_balls_walk() -> None:
    assert pitched(at(line(c="2-1")), "2H", "9H").line == line(c="3-1", h=5)
    scene = pitched(at(line(c="3-1", b="100")), "2H", "9H")
    assert scene.line == line(b="110", h=5).replace("s4,", "s5,").replace("@pitch", "@window")
    assert scene.the(Play).outcome is Outcome.WALK
    assert not scene.the(Play).joker


def test_c5_three_strikes_are_out() -> None:
    assert pitched(at(line(c="0-1")), "9H", "2H").line == line(c="0-2", h=5)
    scene = pitched(at(line(c="0-2")), "9H", "2H")
    assert scene.line == line(o=1, h=5).replace("s4,", "s5,")
    assert scene.the(Play).outcome is Outcome.STRIKEOUT


@pytest.mark.parametrize(("before", "after"), [("1-0", "1-1"), ("1-1", "1-2"), ("1-2", "1-2"), ("3-2", "3-2")])
def test_c5_a_foul_is_a_strike_unless_there_are_two(before: str, after: str) -> None:
    assert pitched(at(line(c=before)), "9H", "9D").line == line(c=after, h=5)


def test_c5_a_new_batter_starts_without_a_count() -> None:
    assert " c0-0 " in batted(at(line(c="3-2")), "1B").line


def test_c6_the_pitchers_die_is_rolled_first() -> None:
    scene = pitched(at(line()), "7H", "9H", contact=[2, 4])
    assert scene.events[1] == ContactRolled(2, 4, 2, 4)


@pytest.mark.parametrize("pitcher", range(1, 9))
@pytest.mark.parametrize("batter", range(1, 10))
def test_c6_caught_or_the_batters_roll_decides(pitcher: int, batter: int) -> None:
    hits = {4: Outcome.DOUBLE, 5: Outcome.TRIPLE}
    hit = Outcome.HOME_RUN if batter >= 6 else hits.get(batter, Outcome.SINGLE)
    assert contact(pitcher, batter) is (Outcome.FLY_OUT if pitcher >= batter else hit)


def test_c6_in_play_on_the_bases() -> None:
    assert batted(at(line(b="100")), "FO").line == line(o=1, b="100", h=5, end="@window").replace("s4,", "s5,")
    assert batted(at(line(b="100")), "2B").line.split()[4] == "b011"
    assert batted(at(line(b="100")), "3B").line.split()[2:5] == ["1-0", "o0", "b001"]
    assert batted(at(line(b="100")), "HR").line.split()[2:5] == ["2-0", "o0", "b000"]


# Character cards


def test_c7_jokers_are_52_and_53() -> None:
    assert [card for card in range(54) if is_joker(card)] == [52, 53]


def test_c7_the_pitchers_joker_is_drawn_again() -> None:
    scene = batted(at(line(o=2)), "FO", pitcher_character=[53, 52, 25], batter_character=[10])
    assert scene.line == "cards B2 0-0 o0 b000 s5,7 c0-0 h5,5 pK aJ x11 n0 @pitch"
    assert scene.drawn[3:] == ("pitcher-character",) * 3 + ("batter-character",)


def test_c7_the_batters_joker_walks_and_the_next_draws_on() -> None:
    scene = batted(at(line(b="111")), "1B", batter_character=[52, 53, 0])
    assert scene.line == "cards T2 3-0 o0 b111 s7,7 c0-0 h5,5 p- aA x11 n0 @pitch"
    plays = [event for event in scene.events if isinstance(event, Play)]
    assert [(play.outcome, play.slot, play.joker) for play in plays] == [
        (Outcome.SINGLE, 4, False),
        (Outcome.WALK, 5, True),
        (Outcome.WALK, 6, True),
    ]
    assert scene.names()[3:] == ["BatterCameUp", "Play", "BatterCameUp", "Play", "BatterCameUp"]


def test_c7_a_joker_can_end_the_game() -> None:
    state = at("cards B3 2-2 o1 b011 s1,4 c0-0 h5,5 p- a- x11 n0 @pitch")
    scene = pitched(state.but(balls=3), "2H", "9H", batter_character=[52])
    assert scene.line == "cards F3 2-3"
    assert scene.drew("batter-character") == 1


def test_c7_a_joker_leading_off_a_half() -> None:
    scene = batted(at(line(o=2)), "FO", pitcher_character=[1], batter_character=[53, 5])
    assert scene.line == "cards B2 0-0 o0 b100 s5,8 c0-0 h5,5 p- a- x11 n0 @window"


def test_c7_the_character_lasts_for_the_plate_appearance_or_the_half() -> None:
    assert " pQ aJ " in pitched(at(line(p="Q", a="J")), "9H", "2H").line
    assert " pQ aK " in batted(at(line(p="Q", a="J")), "FO", batter_character=[12]).line


def test_c8_to_c10_characters() -> None:
    assert "".join(character(BY_NAME[name + "D"]) for name in "A23456789TJQK") == "A---------JQK"
    assert character(-1) == "-"


BONUS = [("-", 0, 0), ("A", 1, 1), ("J", 0, 1), ("Q", 1, 0), ("K", 0, 0)]


@pytest.mark.parametrize(("a", "card", "roll"), BONUS)
@pytest.mark.parametrize(("p", "own_card", "own_roll"), BONUS)
@pytest.mark.parametrize("n", [0, 1])
def test_c8_c9_c11_bonuses_of_both_sides(
    p: str, own_card: int, own_roll: int, a: str, card: int, roll: int, n: int
) -> None:
    swung = 7 + own_card - card - 2 * n + 1  # one better than the pitch, bonuses and all
    scene = pitched(at(line(p=p, a=a, n=n, x="11")), "7H", "A23456789TJQK"[swung - 1] + "D", contact=[2, 1])
    assert scene.events[0] == CardsPlayed(
        BY_NAME["7H"], BY_NAME["A23456789TJQK"[swung - 1] + "D"], 7 + own_card, swung + card + 2 * n, Call.IN_PLAY
    )
    assert scene.events[1] == ContactRolled(2, 1, 2 + own_roll, 1 + roll + 2 * n)


def test_c9_a_bonus_can_turn_contact_into_a_ball() -> None:
    assert matchup("7H", "9H").call is Call.IN_PLAY
    assert matchup("7H", "9H", a="Q").call is Call.BALL
    assert matchup("7H", "9H", a="Q", p="Q").call is Call.IN_PLAY


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


# Pinch hitter and steals


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


# The order of things


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
