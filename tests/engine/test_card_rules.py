"""Rules of the cards game, C1 to C9: cards and hands, the pitch, and what characters add."""

from __future__ import annotations

from collections import Counter

import pytest

from p2pball.engine.card_rules import call, contact
from p2pball.engine.cards import BY_NAME, NAMES, cards_in, character, is_joker, rank
from p2pball.engine.events import Call, CardsPlayed, ContactRolled, HandsDealt, Outcome, Play
from p2pball.engine.ledger import awaited
from p2pball.engine.moves import PLAY_CARD, IllegalMove, Sealed
from p2pball.engine.state import Deck
from p2pball.engine.terms import Seat, Side, Terms
from tests.engine.card_scenes import line, matchup
from tests.engine.playing import playthrough
from tests.engine.scenes import at, batted, pitched


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
    five, six, both = (1 << 5) - 1, (1 << 6) - 1, ("4D", "7H")
    for rest, dealt_from in ((five, (1 << 52) - 1), (six, six)):
        low = [Deck(rest | 1 << BY_NAME[card], left=1) for card in both]
        after = pitched(at(line(h=1)).but(decks=tuple(low)), "7H", "4D").state.decks
        assert after == (Deck(dealt_from, 6), Deck(dealt_from, 6))


def test_c2_eight_hands_then_a_new_shuffle() -> None:
    sizes = []
    for step in playthrough(Terms(at(line()).terms.rules, 9), "c2"):
        if HandsDealt() in step.after.events:
            sizes.append(step.after.state.decks[0].unseen.bit_count())
    assert len(sizes) > 16
    assert sizes == [(52, 46, 40, 34, 28, 22, 16, 10)[i % 8] for i in range(len(sizes))]


def test_c2_hands_and_decks_carry_over_halves() -> None:
    state = at(line(o=2, h=3, c="0-2"))
    scene = pitched(state, "9H", "2H")
    assert scene.line == "cards B2 0-0 o0 b000 s5,7 c0-0 h2,2 p- a- x11 n0 @pitch"
    assert scene.state.decks[0].unseen == state.decks[0].unseen & ~(1 << BY_NAME["2H"])


def test_c3_names_and_canonical_order() -> None:
    assert NAMES[:14] == ("AS", "2S", "3S", "4S", "5S", "6S", "7S", "8S", "9S", "TS", "JS", "QS", "KS", "AH")
    assert NAMES[26] == "AD"
    assert NAMES[39] == "AC"
    assert NAMES[51] == "KC"


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
