"""The play by play, the plain mode's sentences and the situation line."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from p2pball.engine.cards import BY_NAME, FULL_DECK
from p2pball.engine.events import BatterCameUp, CardsPlayed, GameEnded, HandsDealt, Play, StealSettled, WindowHeld
from p2pball.engine.moves import HOLD, PINCH, STEALS, ChoosePitch, Pitch
from p2pball.engine.state import Deck, Phase
from p2pball.engine.terms import Rules, Seat, Side, Terms
from p2pball.scorebook.game import Game
from p2pball.scorebook.phrases import hand_words, situation
from p2pball.scorebook.pitches import pitch_line
from p2pball.scorebook.words import is_play, is_scoring, play_by_play, play_text, tell
from tests.scorebook.games import random_events, random_game, random_terms
from tests.scorebook.scenes import at_bat, moved, passed, pitched

YOU, RIVAL = Seat.HOST, Seat.GUEST


def told(game: Game, seat: Seat | None = YOU) -> list[str]:
    return [text for moment in game.moments if (text := tell(moment, seat))]


def test_the_example_of_the_plain_mode_is_told_word_for_word() -> None:
    game = at_bat(batter=BY_NAME["JC"])
    assert situation(game.state, game.lineup) == (
        "Bottom of the 7th. Kettle Point 3, Riverbend 4. Nobody out. Abbott on 2nd, Brooks on 1st. "
        "Cruz batting, 2 balls 1 strike."
    )
    assert told(pitched(game, "7S", "9H", contact=[2, 5]))[:3] == [
        "You nine plus 0 is 9, rival 7: two more, in play.",
        "Rolls: rival 2, you 5 plus 1 is 6: home run!",
        "Cruz homers to left. Brooks scores. Abbott scores. Riverbend 7, Kettle Point 3. Nobody out.",
    ]


def test_a_hand_says_which_key_plays_which_card() -> None:
    hand = (BY_NAME[name] for name in ("4S", "7H", "9D", "JC", "QS", "AH"))
    assert hand_words(hand) == "Your cards: 1 four, 2 seven, 3 nine, 4 jack, 5 queen, 6 ace."


@pytest.mark.parametrize(
    ("pitcher", "batter", "sentence"),
    [
        ("TS", "4H", "You four plus 0 is 4, rival 10: six less, strike."),
        ("9S", "8H", "You eight plus 0 is 8, rival 9: one less, foul."),
        ("9S", "9H", "You nine plus 0 is 9, rival 9: level, foul."),
        ("9S", "TH", "You ten plus 0 is 10, rival 9: one more, in play."),
        ("6S", "KH", "You king plus 0 is 13, rival 6: seven more, ball."),
    ],
)
def test_c4_every_pitch_says_both_values_and_what_they_mean(pitcher: str, batter: str, sentence: str) -> None:
    assert told(pitched(at_bat(), pitcher, batter))[0] == sentence


def test_each_side_hears_itself_as_you_and_those_who_look_on_hear_names() -> None:
    game = pitched(at_bat(pitcher=BY_NAME["QS"], batter=BY_NAME["AS"]), "6S", "7H", contact=[3, 4])
    assert told(game, YOU)[0] == "You seven plus 1 is 8, rival six plus 1 is 7: one more, in play."
    assert told(game, RIVAL)[0] == "Rival seven plus 1 is 8, you six plus 1 is 7: one more, in play."
    assert told(game, None)[0] == "Cruz seven plus 1 is 8, Vance six plus 1 is 7: one more, in play."
    assert told(game, YOU)[1] == "Rolls: rival 3, you 4 plus 1 is 5: triple."
    assert told(game, RIVAL)[1] == "Rolls: you 3, rival 4 plus 1 is 5: triple."
    assert told(game, None)[1] == "Rolls: Vance 3, Cruz 4 plus 1 is 5: triple."


def test_a_caught_ball_says_so() -> None:
    assert told(pitched(at_bat(), "7S", "8H", contact=[4, 4]))[1:3] == [
        "Rolls: rival 4, you 4: caught.",
        "Cruz flies out to left. One out.",
    ]


def test_a_ball_and_a_strike_that_fill_the_count() -> None:
    assert told(pitched(at_bat(balls=3), "2S", "KH"))[1] == "Cruz walks. Brooks to 2nd. Abbott to 3rd."
    assert told(pitched(at_bat(strikes=2, outs=2), "KS", "2H"))[1] == "Cruz strikes out. Three out."


def test_the_log_line_has_both_values_the_difference_and_the_count() -> None:
    game = at_bat(balls=0, strikes=0)
    lines = []
    for pitcher, batter in (("4S", "TH"), ("7S", "7H"), ("KS", "2H"), ("3S", "5H")):
        game = pitched(game, pitcher, batter, contact=[6, 1])
    for moment in game.moments:
        if isinstance(moment.event, CardsPlayed):
            lines.append(pitch_line(moment, moment.event))
    assert lines == [
        "Cruz: ball    10 v 4    +6   1-0",
        "Cruz: foul     7 v 7     0   1-1",
        "Cruz: strike   2 v 13  -11   1-2",
        "Cruz: in play  5 v 3    +2",
    ]


def test_steals_show_every_die_and_what_it_needed() -> None:
    game = at_bat(phase=Phase.WINDOW, bases=(2, 0, 0))
    sent = moved(game, STEALS[2])
    assert told(sent) == ["Brooks goes for 2nd."]
    assert told(passed(sent, steal=4))[1] == "Steal roll 4, safe on 4 to 6: safe. Brooks steals 2nd."
    assert (
        told(passed(sent, steal=3))[1] == "Steal roll 3, safe on 4 to 6: out. Brooks is caught stealing 2nd. One out."
    )
    third = moved(at_bat(phase=Phase.KING, batter=BY_NAME["KS"]), STEALS[3])
    assert told(passed(third, steal=5))[1] == "Steal roll 5, safe on 6: out. Abbott is caught stealing 3rd. One out."


def test_a_pickoff_is_rolled_first_and_told_first() -> None:
    sent = moved(at_bat(phase=Phase.WINDOW, pitcher=BY_NAME["KD"]), STEALS[3])
    assert told(passed(sent, pickoff=4, steal=5))[1] == (
        "Pickoff roll 4, out on 5 or 6: not picked off. Steal roll 5, safe on 5 or 6: safe. Abbott steals 3rd."
    )
    assert told(passed(sent, pickoff=5))[1] == (
        "Pickoff roll 5, out on 5 or 6: picked off. Abbott is picked off going to 3rd. One out."
    )


def test_the_pinch_hitter_takes_the_name_of_the_slot_from_then_on() -> None:
    game = moved(at_bat(phase=Phase.WINDOW, bases=(0, 0, 0)), PINCH)
    assert told(game) == ["Quincy pinch hits for Cruz: plus 2 on the card and on the roll."]
    assert situation(game.state, game.lineup).endswith("Bases empty. Quincy batting, 2 balls 1 strike.")
    game = pitched(game, "7S", "6H", contact=[1, 1])
    assert told(game)[1:4] == [
        "You six plus 2 is 8, rival 7: one more, in play.",
        "Rolls: rival 1, you 1 plus 2 is 3: single.",
        "Quincy singles to left.",
    ]
    assert "Quincy on 1st" in situation(game.state, game.lineup)


def test_a_pinch_hitter_for_the_pitcher_pitches_from_then_on() -> None:
    game = moved(at_bat(phase=Phase.WINDOW, bases=(0, 0, 0), slots=(5, 9), outs=2, strikes=2), PINCH)
    game = pitched(game, "KS", "2H")
    half = next(text for text in told(game, None) if text.startswith("Top of the 8th"))
    assert half == "Top of the 8th. Kettle Point 3, Riverbend 4. Quincy pitches with the two of spades: no help."


@pytest.mark.parametrize(
    ("card", "batting", "pitching"),
    [
        ("AH", "plus 1 on the card and on the roll", "plus 1 on the card and on the roll"),
        ("JD", "plus 1 on the roll", "plus 1 on the roll"),
        ("QC", "plus 1 on the card", "plus 1 on the card"),
        ("KS", "a steal after a jack, queen or king", "a pickoff on 5 or 6"),
        ("TS", "no help", "no help"),
    ],
)
def test_characters_say_what_they_help(card: str, batting: str, pitching: str) -> None:
    drawn = BY_NAME[card]
    game = pitched(at_bat(outs=2, strikes=2), "KS", "2H", pitcher_character=drawn, batter_character=drawn)
    texts = told(game)
    assert any(text.startswith("Reed bats with the ") and text.endswith(f": {batting}.") for text in texts)
    assert any("Irvin pitches with the " in text and text.endswith(f": {pitching}.") for text in texts)


def test_a_joker_walks_its_batter_and_the_next_one_draws() -> None:
    texts = told(pitched(at_bat(strikes=2), "KS", "2H", batter_character=[53, 11]))
    assert texts[2:] == [
        "Daly draws a joker: a walk.",
        "Daly walks on the joker. Brooks to 2nd. Abbott to 3rd.",
        "Ellis bats with the queen of spades: plus 1 on the card.",
    ]


def test_hands_that_are_dealt_are_told_and_a_held_window_is_not() -> None:
    one_left = Deck(FULL_DECK & ~(0b11111 << 20), left=1)
    game = pitched(at_bat(decks=(one_left, one_left), strikes=0, balls=0), "2S", "KH")
    assert isinstance(game.moments[1].event, HandsDealt)
    assert tell(game.moments[1]) == "Six new cards for both."
    held = moved(at_bat(phase=Phase.WINDOW), HOLD)
    assert isinstance(held.moments[0].event, WindowHeld)
    assert told(held) == []


def test_d2_dice_say_the_pitch_every_die_and_the_result() -> None:
    game = moved(at_bat(Rules.DICE), ChoosePitch(Pitch.CHANGEUP))
    assert told(game, RIVAL) == ["You throw a changeup."]
    assert told(game, YOU) == ["Your rival throws a changeup."]
    assert told(game, None) == ["Vance throws a changeup."]
    game = passed(game, outcome=[6, 6], fielder=1)
    assert told(game)[1:] == [
        "Rolls: you 6 plus 6 is 12: home run!",
        "Cruz homers to center. Brooks scores. Abbott scores. Riverbend 7, Kettle Point 3. Nobody out.",
    ]


def test_d2_a_pitch_left_to_the_dice_is_named_with_the_roll() -> None:
    game = moved(at_bat(Rules.DICE), ChoosePitch(None))
    assert told(game, RIVAL) == ["You leave the pitch to the dice."]
    assert told(game, None) == ["Vance leaves the pitch to the dice."]
    game = passed(game, pitch=5, outcome=[1, 4])
    assert told(game, None)[1] == "The dice pick a screwball. Rolls: Cruz 1 plus 4 is 5: double play."


@pytest.mark.parametrize(
    ("bases", "outs", "sentence"),
    [
        ((2, 1, 0), 0, "Cruz grounds into a double play. Brooks is out at 2nd. Two out."),
        ((0, 1, 0), 1, "Cruz lines into a double play. Abbott is doubled off 2nd. Three out."),
        ((0, 0, 1), 0, "Cruz lines into a double play. Abbott is doubled off 3rd. Two out."),
        ((0, 0, 0), 0, "Cruz grounds out to short. One out."),
        ((2, 1, 0), 2, "Cruz grounds out to short. Three out."),
    ],
)
def test_b9_double_plays(bases: tuple[int, int, int], outs: int, sentence: str) -> None:
    game = moved(at_bat(Rules.DICE, bases=bases, outs=outs), ChoosePitch(Pitch.SCREWBALL))
    assert told(passed(game, outcome=[2, 3]))[2] == sentence


@pytest.mark.parametrize(
    ("pitch", "dice", "sentence"),
    [
        (
            Pitch.FASTBALL,
            [1, 2],
            "Cruz doubles to left. Brooks to 3rd. Abbott scores. Riverbend 5, Kettle Point 3. Nobody out.",
        ),
        (Pitch.CURVEBALL, [1, 1], "Wild pitch. Brooks to 2nd. Abbott to 3rd."),
        (Pitch.CURVEBALL, [1, 2], "Cruz pops out to the catcher. One out."),
        (Pitch.SLIDER, [2, 3], "Cruz grounds out to the pitcher. One out."),
        (Pitch.SLIDER, [1, 1], "Cruz strikes out. One out."),
    ],
)
def test_plays_name_everyone_who_moves(pitch: Pitch, dice: list[int], sentence: str) -> None:
    assert told(passed(moved(at_bat(Rules.DICE), ChoosePitch(pitch)), outcome=dice))[2] == sentence


def test_b10_a_wild_pitch_with_nobody_on() -> None:
    game = moved(at_bat(Rules.DICE, bases=(0, 0, 0)), ChoosePitch(Pitch.CURVEBALL))
    assert told(passed(game, outcome=[1, 1]))[2] == "Wild pitch. Nobody moves."


def test_b3_the_end_names_the_winner_first() -> None:
    game = moved(at_bat(Rules.DICE, inning=9, runs=(4, 4)), ChoosePitch(Pitch.FASTBALL))
    game = passed(game, outcome=[1, 2])
    assert told(game)[3] == "Riverbend wins. Riverbend 5, Kettle Point 4."
    assert situation(game.state, game.lineup) == "The game is over. Kettle Point 4, Riverbend 5."


def test_b2_a_draw_is_called_one() -> None:
    game = moved(at_bat(Rules.DICE, inning=12, runs=(4, 4), outs=2), ChoosePitch(Pitch.SLIDER))
    assert told(passed(game, outcome=[1, 1]))[3] == "The game is a draw. Kettle Point 4, Riverbend 4."


def test_b12_round_0_says_who_is_home() -> None:
    tossed = random_game(Terms(Rules.DICE, 1, home="coin"), "toss").moments[0]
    fixed = random_game(Terms(Rules.DICE, 1, home="guest"), "toss").moments[0]
    assert tell(tossed) == "The coin is tossed. Kettle Point at Riverbend."
    assert tell(fixed) == "Kettle Point at Riverbend."
    assert tell(fixed, Seat.GUEST) == "Kettle Point at Riverbend. You are home."
    assert tell(fixed, Seat.HOST) == "Kettle Point at Riverbend. You are the visitors."
    assert situation(tossed.before, tossed.lineup) == "The game has not begun."


def test_play_by_play_has_every_half_and_scoring_plays_alone_when_asked() -> None:
    game = random_game(Terms(Rules.DICE, 9), "plays")
    halves = play_by_play(game)
    assert [half.heading for half in halves[:3]] == ["Top of the 1st", "Bottom of the 1st", "Top of the 2nd"]
    assert sum(len(half.plays) for half in halves) == sum(is_play(moment.event) for moment in game.moments)
    scoring = play_by_play(game, scoring_only=True)
    assert scoring
    assert all(is_scoring(moment) for half in scoring for moment, _ in half.plays)
    assert all(half.plays for half in scoring)
    assert sum(sum(runs) for runs in [game.state.runs]) == sum(
        moment.event.runs for half in scoring for moment, _ in half.plays if isinstance(moment.event, Play)
    )


@settings(max_examples=40, deadline=None)
@given(st.randoms(use_true_random=False), st.integers(0, 10**6))
def test_every_fact_of_any_game_is_told_and_names_everyone_who_moved(rng: random.Random, seed: int) -> None:
    game = random_game(random_terms(rng), str(seed))
    silent = (WindowHeld,) if game.state.in_cards else (WindowHeld, BatterCameUp)
    for moment in game.moments:
        for seat in (None, *Seat):
            text = tell(moment, seat)
            assert bool(text) is not isinstance(moment.event, silent)
            assert text == " ".join(text.split())
        told_names = play_text(moment)
        match moment.event:
            case Play() as play:
                movers = {advance.slot for advance in play.advances}
                put_out = {play.slot if base == 0 else moment.before.bases[base - 1] for base in play.outs}
                for slot in movers | put_out:
                    assert moment.lineup.name(play.side, slot) in told_names
                assert told_names.count(" scores.") == sum(a.start > 0 and a.end == 4 for a in play.advances)
            case StealSettled(slot):
                assert moment.lineup.name(moment.before.batting, slot) in told_names
            case GameEnded():
                assert moment.lineup.team(Side.HOME).name in told_names
            case _:
                pass
        if moment.before.runs != moment.after.runs:
            assert (
                f"{moment.lineup.team(moment.before.batting).name} {moment.after.runs[moment.before.batting]}" in text
            )
        assert situation(moment.after, moment.lineup)


def test_a_game_grows_by_its_facts_as_it_would_have_been_made_at_once() -> None:
    terms = Terms(Rules.CARDS, 2)
    events = random_events(terms, "grow")
    grown = Game.of(terms)
    for event in events:
        grown = grown.add([event])
    assert grown == Game.of(terms, events=events)
    assert grown.terms is terms
