"""The position line of rules 4: printed, parsed, printed again, and near misses refused."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2pball.engine.position import Position, PositionError, parse, position
from p2pball.engine.state import Phase
from p2pball.engine.terms import Rules, Side, Terms
from tests.engine.playing import every_terms, playthrough

DICE = "dice T5 2-3 o1 b101 s4,7 @choose"
CARDS = "cards T5 2-3 o1 b101 s4,7 c2-1 h3,3 pK a- x10 n0 @pitch"
OVER = "dice F9 5-3"

DICE_PHASES = (Phase.CHOOSE, Phase.ROLL)
CARD_PHASES = (Phase.WINDOW, Phase.STEAL2, Phase.STEAL3, Phase.PITCH, Phase.KING, Phase.KING2, Phase.KING3)


def test_the_examples_of_the_rules() -> None:
    assert parse(DICE) == Position(
        Rules.DICE, 5, (2, 3), outs=1, bases=(True, False, True), slots=(4, 7), phase=Phase.CHOOSE
    )
    assert parse(CARDS) == Position(
        Rules.CARDS,
        5,
        (2, 3),
        outs=1,
        bases=(True, False, True),
        slots=(4, 7),
        balls=2,
        strikes=1,
        hands=(3, 3),
        pitcher="K",
        pinch_used=(True, False),
        phase=Phase.PITCH,
    )
    assert parse(OVER) == Position(Rules.DICE, 9, (5, 3), over=True)


@pytest.mark.parametrize("line", [DICE, CARDS, OVER, "cards F12 10-10", CARDS.replace("T5", "B12")])
def test_print_parse_print(line: str) -> None:
    assert str(parse(line)) == line


@pytest.mark.parametrize("terms", every_terms()[::3])
def test_every_position_of_real_games_comes_back(terms: Terms) -> None:
    for game in range(5):
        for step in playthrough(terms, f"position/{game}"):
            seen = position(step.after.state)
            assert parse(str(seen)) == seen


def positions() -> st.SearchStrategy[Position]:
    """Any position that the line can spell."""
    pair, flags = st.tuples(st.integers(0, 99), st.integers(0, 99)), st.tuples(st.booleans(), st.booleans())
    slots, bases = st.tuples(st.integers(1, 9), st.integers(1, 9)), st.tuples(*[st.booleans()] * 3)
    inning, sides, outs = st.integers(1, 12), st.sampled_from(Side), st.integers(0, 2)
    over = st.builds(Position, st.sampled_from(Rules), inning, pair, over=st.just(True))
    common = {"over": st.just(False), "batting": sides, "outs": outs, "bases": bases, "slots": slots}
    dice = st.builds(Position, st.just(Rules.DICE), inning, pair, phase=st.sampled_from(DICE_PHASES), **common)
    cards = st.builds(
        Position,
        st.just(Rules.CARDS),
        inning,
        pair,
        balls=st.integers(0, 3),
        strikes=st.integers(0, 2),
        hands=st.tuples(st.integers(1, 6), st.integers(1, 6)),
        pitcher=st.sampled_from("AJQK-"),
        batter=st.sampled_from("AJQK-"),
        pinch_used=flags,
        pinch_up=st.booleans(),
        phase=st.sampled_from(CARD_PHASES),
        **common,
    )
    return over | dice | cards


@given(positions())
def test_round_trip(seen: Position) -> None:
    assert parse(str(seen)) == seen


@given(positions(), st.data())
def test_a_changed_character_never_spells_the_same_position(seen: Position, data: st.DataObject) -> None:
    line = str(seen)
    where = data.draw(st.integers(0, len(line)))
    cut = data.draw(st.integers(0, 1))
    changed = line[:where] + data.draw(st.text(max_size=2)) + line[where + cut :]
    try:
        other = parse(changed)
    except PositionError:
        return
    assert (other == seen) is (changed == line)
    assert str(other) == changed


@pytest.mark.parametrize(
    "line",
    [
        "",
        " " + DICE,
        DICE + " ",
        DICE + "\n",
        DICE.replace(" ", "  ", 1),
        DICE.upper(),
        DICE.replace("T5", "T0"),
        DICE.replace("T5", "T13"),
        DICE.replace("T5", "T05"),
        DICE.replace("T5", "F5"),
        DICE.replace("T5", "X5"),
        DICE.replace("2-3", "02-3"),
        DICE.replace("2-3", "2-"),
        DICE.replace("2-3", "-2-3"),
        DICE.replace("2-3", "99999-3"),
        DICE.replace("2-3", "9" * 5000 + "-3"),
        DICE.replace("2-3", "٢-3"),
        DICE.replace("o1", "o3"),
        DICE.replace("b101", "b10"),
        DICE.replace("b101", "b102"),
        DICE.replace("s4,7", "s0,7"),
        DICE.replace("s4,7", "s4,10"),
        DICE.replace("@choose", "@pitch"),
        DICE.replace("@choose", "over"),
        DICE.replace("@choose", "start"),
        DICE.replace("dice", "cards"),
        DICE.replace("dice", "chess"),
        CARDS.replace("cards", "dice"),
        CARDS.replace("c2-1", "c4-1"),
        CARDS.replace("c2-1", "c2-3"),
        CARDS.replace("h3,3", "h0,3"),
        CARDS.replace("h3,3", "h7,3"),
        CARDS.replace("pK", "pT"),
        CARDS.replace("a-", "a"),
        CARDS.replace("x10", "x1"),
        CARDS.replace("n0", "n2"),
        CARDS.replace("@pitch", "@roll"),
        CARDS.replace("@pitch", "@king4"),
        CARDS.replace("@pitch", "@steal"),
        CARDS.replace(" n0", ""),
        OVER + " o0",
        OVER.replace("F9", "T9"),
        OVER.replace("F9", "F0"),
        OVER.replace("F9", "F13"),
    ],
)
def test_near_misses_are_refused(line: str) -> None:
    with pytest.raises(PositionError, match=r"not a position line: .*looks like: dice T5"):
        parse(line)


@pytest.mark.parametrize("line", [DICE, CARDS, OVER])
def test_every_shorter_line_is_refused(line: str) -> None:
    for end in range(len(line)):
        with pytest.raises(PositionError):
            parse(line[:end])


def test_a_giant_line_makes_no_giant_error() -> None:
    with pytest.raises(PositionError) as refused:
        parse("dice " * 100_000)
    assert len(str(refused.value)) < 300
