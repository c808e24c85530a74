"""`odds`: the numbers of the rules in print, and what a position is worth."""

from __future__ import annotations

import re

import pytest

from p2pball.computer.dice_play import visitors_chance
from p2pball.engine.chart import CHART
from p2pball.engine.chart_odds import ODDS
from p2pball.engine.ledger import awaited
from p2pball.engine.moves import PITCHES, Open
from p2pball.engine.position import parse, position
from p2pball.engine.terms import Rules, Terms
from p2pball.scorebook.phrases import OUTCOMES
from p2pball.ui.worth import home_chance_after, state_at
from tests.cli.running import Here, run

DICE = [
    "dice T1 0-0 o0 b000 s1,1 @choose",
    "dice T5 2-3 o1 b101 s4,7 @choose",
    "dice B9 3-2 o2 b111 s4,9 @choose",
    "dice B12 3-3 o2 b010 s4,9 @roll",
]
CARDS = [
    "cards T1 0-0 o0 b000 s1,1 c0-0 h6,6 p- aA x00 n0 @window",
    "cards B2 2-3 o1 b110 s4,7 c2-1 h3,3 pK aK x10 n0 @window",
    "cards B3 3-3 o2 b010 s4,7 c2-1 h3,3 p- aK x11 n1 @king",
    "cards T6 3-3 o2 b010 s4,7 c2-1 h3,3 p- aQ x11 n1 @steal3",
    "cards T6 3-3 o2 b010 s4,7 c3-2 h3,3 pJ aQ x11 n1 @pitch",
]


def test_the_chart_is_that_of_the_engine(here: Here) -> None:
    ran = here("odds")
    assert (ran.code, ran.err) == (0, "")
    assert {"1B single", "K strikeout", "FO fly out", "WP wild pitch"} <= {
        short for line in ran.lines for short in line.split(", ")
    }
    for pitch in PITCHES:
        row = next(line for line in ran.lines if line.startswith(f"{pitch.value} ")).split()[1:]
        assert row == [CHART[pitch][total].value for total in range(2, 13)]
        at = ran.lines.index(f"{pitch.value}, of 36 rolls")
        told = {}
        for line in ran.lines[at + 1 : ran.lines.index("", at)]:
            match = re.fullmatch(r"  ([a-z ]+?) +(\d+)  (█+)", line)
            assert match is not None
            assert len(match[3]) == int(match[2])
            told[match[1]] = int(match[2])
        assert told == {OUTCOMES[outcome]: int(odds * 36) for outcome, odds in ODDS[pitch].items() if odds}


def test_the_matchups_are_those_of_the_rules(here: Here) -> None:
    out = here("odds").out
    for call, pairs in (("ball", 55), ("in play", 23), ("foul", 46), ("strike", 45)):  # rules 3, known of this rule
        assert re.search(rf"^  {call} +{pairs} ", out, re.MULTILINE)
    assert "no bonus: single 3, double 3, triple 4, home run 5, caught 21" in out
    for line in ("to 2nd, safe on 4 to 6 +3", "King: to 2nd, safe on 5 or 6 +2", "King: to 3rd, safe on 6 +1"):
        assert re.search(rf"^  {line} ", out, re.MULTILINE)


def test_ascii_keeps_to_ascii(here: Here, monkeypatch: pytest.MonkeyPatch) -> None:
    assert here("odds", "--ascii").out.isascii()
    assert not here("odds").out.isascii()
    monkeypatch.setenv("P2PBALL_ASCII", "1")
    assert here("odds").out.isascii()
    assert here("odds", "--position", DICE[1]).out.isascii()


PITCH = "cards T3 2-3 o1 b101 s4,7 c2-1 h3,3 pK a- x10 n0 @pitch"


@pytest.mark.parametrize("line", [*DICE, *CARDS])
def test_a_state_made_of_a_line_has_that_line(line: str) -> None:
    taken = parse(line)
    state = state_at(taken, Terms(taken.rules, innings=9 if taken.rules is Rules.DICE else 3))
    assert str(position(state)) == line
    runners = [slot for slot in state.bases if slot]
    assert len({*runners, state.slot}) == len(runners) + 1


@pytest.mark.parametrize("line", [*DICE, *CARDS])
def test_a_position_is_worth_the_same_to_both(here: Here, line: str) -> None:
    ran = here("odds", "--position", f" {line} ")
    assert (ran.code, ran.err) == (0, "")
    match = re.search(r"home (\d+\.\d)%, visitors (\d+\.\d)%", ran.lines[0])
    assert match is not None
    assert float(match[1]) + float(match[2]) == pytest.approx(100)
    assert ran.lines[0].startswith("Win chance (estimate)" if line.startswith("cards") else "Win chance,")


@pytest.mark.parametrize("line", DICE[:3])
def test_the_best_pitch_is_worth_the_position(here: Here, line: str) -> None:
    state = state_at(parse(line), Terms())
    waits = awaited(state)
    assert isinstance(waits, Open)
    home = [home_chance_after(state, move, lambda s: 1 - visitors_chance(s)) for move in waits.moves]
    best = max(home) if state.batting == 0 else min(home)
    assert best == pytest.approx(1 - visitors_chance(state), abs=2e-4)  # the table has four places
    ran = here("odds", "--position", line)
    ranked = [float(match[1]) for match in map(re.compile(r"  \w+ +(\d+\.\d)%").match, ran.lines) if match]
    assert len(ranked) == 7
    assert ranked == sorted(ranked, reverse=True)
    pitching = best if state.batting == 0 else 1 - best
    assert ranked[0] == pytest.approx(100 * pitching, abs=0.06)
    pitcher = ("home", "visitors")[state.batting]
    assert f"{pitcher} {ranked[0]:.1f}%" in ran.lines[0]


def test_every_choice_of_a_window_is_weighed(here: Here) -> None:
    ran = here("odds", "--position", CARDS[1])
    assert "Best choice of the home team" in ran.lines[1]
    assert {line.split("  ")[1].strip() for line in ran.lines[2:]} == {"hold", "pinch hitter", "steal 3rd"}
    king = here("odds", "--position", CARDS[2])
    assert {line.split("  ")[1].strip() for line in king.lines[2:]} == {"hold", "steal 3rd"}


def test_a_steal_is_weighed_by_its_dice() -> None:
    def chance(state: object) -> float:
        return float(state.bases[2] > 0)  # type: ignore[attr-defined]  # "winning" is a man on third

    for line, odds in ((CARDS[1], 2 / 6 * 4 / 6), (CARDS[1].replace("pK", "pQ"), 2 / 6), (CARDS[2], 1 / 6)):
        state = state_at(parse(line), Terms(Rules.CARDS, innings=3))
        waits = awaited(state)
        assert isinstance(waits, Open)
        steal = next(move for move in waits.moves if getattr(move, "base", 0) == 3)
        assert home_chance_after(state, steal, chance) == pytest.approx(odds)  # C10, C12, C13


@pytest.mark.parametrize("line", ["", "dice", "dice T5 2-3 o3 b101 s4,7 @choose", "cards T5 2-3", "\x1b[31m"])
def test_what_is_no_position_is_told(here: Here, line: str) -> None:
    ran = here("odds", "--position", line)
    assert (ran.code, ran.out) == (1, "")
    assert "not a position line" in ran.err
    assert "\x1b" not in ran.err


def test_a_position_that_cannot_come_up_is_told(here: Here) -> None:
    over = "dice B9 2-3 o1 b101 s4,7 @choose"
    assert "(B3)" in here("odds", "--position", over).err
    assert here("odds", "--position", over, "--no-walk-off").code == 0
    assert "(C2)" in here("odds", "--position", PITCH.replace("h3,3", "h3,2")).err
    late = "cards T5 3-3 o0 b000 s4,7 c0-0 h3,3 p- a- x00 n0 @pitch"
    assert here("odds", "--position", late).code == 0
    refused = here("odds", "--position", late, "--extra-innings", "1")
    assert refused.code == 1
    assert "--extra-innings" in refused.err
    assert here("odds", "--position", late, "--innings", "5", "--extra-innings", "0").code == 0


def test_a_game_that_is_over_is_decided(here: Here) -> None:
    assert "home 100.0%, visitors 0.0%" in here("odds", "--position", "dice F9 2-3").out
    assert "home 50.0%, visitors 50.0%" in here("odds", "--position", "cards F6 3-3").out


def test_a_process_prints_the_same(here: Here) -> None:
    ran = run("odds", "--position", DICE[1])
    assert (ran.code, ran.err) == (0, "")
    assert ran.out == here("odds", "--position", DICE[1]).out


def test_a_pitch_tells_what_an_all_star_plays(here: Here) -> None:
    ranks = here("odds", "--position", PITCH)
    shares = [re.findall(r"(\d+)%", line) for line in ranks.lines if re.match(r"  [A2-9TJQK] ", line)]
    assert len(shares) == 13
    for column in range(2):
        assert sum(int(row[column]) for row in shares) == pytest.approx(100, abs=7)  # each is rounded
    hand = here("odds", "--position", PITCH, "--hand", "th 4S kd")
    told = [line for line in hand.lines if "%" in line][1:]
    assert [line.split("  ")[1] for line in told] == ["the four of spades", "the ten of hearts", "the king of diamonds"]
    for column in range(2):
        assert sum(int(re.findall(r"(\d+)%", line)[column]) for line in told) == pytest.approx(100, abs=2)
    assert here("odds", "--position", PITCH, "--hand", "th 4S kd").out == hand.out


@pytest.mark.parametrize(
    ("line", "hand"),
    [
        (PITCH, "4S 7H"),
        (PITCH, "4S 4S 7H"),
        (PITCH, "4S 7H 9X"),
        (PITCH, "\x1b[31m"),
        (DICE[0], "4S"),
        (CARDS[1], "4S 7H 9D"),
    ],
)
def test_a_hand_that_does_not_go_there_is_told(here: Here, line: str, hand: str) -> None:
    ran = here("odds", "--position", line, "--hand", hand)
    assert ran.code == 1
    assert "hand" in ran.err
    assert "\x1b" not in ran.err


def test_a_hand_goes_with_a_position(here: Here) -> None:
    assert here("odds", "--hand", "4S").code == 2
