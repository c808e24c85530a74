"""Counted trees: every choice and every roll from a position, in the engine and in the naive reading alike."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

import pytest

from p2pball.engine.cards import BY_NAME
from p2pball.engine.ledger import apply, awaited, begin
from p2pball.engine.moves import PASS, PLAY_CARD, CardSet, Choice, Open, Over, Sealed
from p2pball.engine.position import parse, position
from p2pball.engine.state import State
from p2pball.engine.terms import Rules, Seat, Terms
from tests.engine.naive import PITCHES, TABLE, Ended, Table
from tests.engine.scenes import at


class Odometer:
    """Dice that go through everything they can show, one reading after the other."""

    def __init__(self) -> None:
        self._script: list[tuple[int, int]] = []
        self._at = 0

    def below(self, purpose: str, n: int) -> int:
        """The number of this reading.

        Fielders change nothing and are not gone through; nor are jokers, after which there may
        always be another: what is drawn instead of one has the same chances.
        """
        if purpose == "fielder":
            return 0
        if purpose.endswith("character"):
            n = 52
        if self._at == len(self._script):
            self._script.append((0, n))
        self._at += 1
        return self._script[self._at - 1][0]

    def readings(self) -> Iterator[None]:
        """Once for each reading."""
        while True:
            self._at = 0
            yield
            while self._script and self._script[-1][0] == self._script[-1][1] - 1:
                self._script.pop()
            if not self._script:
                return
            value, n = self._script.pop()
            self._script.append((value + 1, n))

    @property
    def chance(self) -> Fraction:
        """How likely this reading is."""
        chance = Fraction(1)
        for _, n in self._script[: self._at]:
            chance /= n
        return chance


def choices(state: State) -> list[dict[Seat, Choice]]:
    """All that can be chosen; of a hidden pitch the hearts alone, for suits only tell cards apart (C1)."""
    match awaited(state):
        case Open(seat, moves):
            return [{seat: move} for move in moves]
        case Sealed(CardSet(), CardSet()):
            hearts = [PLAY_CARD[BY_NAME[rank + "H"]] for rank in "A23456789TJQK"]
            return [{Seat.HOST: host, Seat.GUEST: guest} for host in hearts for guest in hearts]
        case Sealed():
            return [{Seat.HOST: PASS, Seat.GUEST: PASS}]
        case Over():
            return []


def tree(start: State, depth: int) -> dict[str, Fraction]:
    """Positions after so many rounds and moves, with their chances; a game that is over stays as it is."""
    states = {start: Fraction(1)}
    for _ in range(depth):
        following: dict[State, Fraction] = {}
        for state, weight in states.items():
            options = choices(state)
            if not options:
                following[state] = following.get(state, Fraction(0)) + weight
            for option in options:
                dice = Odometer()
                for _ in dice.readings():
                    after = apply(state, option, dice).state
                    following[after] = following.get(after, Fraction(0)) + weight * dice.chance / len(options)
        states = following
    lines: dict[str, Fraction] = {}
    for state, weight in states.items():
        line = str(position(state))
        lines[line] = lines.get(line, Fraction(0)) + weight
    assert sum(lines.values()) == 1
    return lines


def naive_batter(table: Table) -> dict[str, Fraction]:
    """Lines after one roll of a pitch chosen at random, by the oracle's tables alone; half and end by hand."""
    lines: dict[str, Fraction] = {}
    for column in (TABLE[pitch] for pitch in PITCHES):
        for total, outcome in enumerate(column, start=2):
            after = replace(table, on=dict(table.on), runs=list(table.runs), up=list(table.up))
            try:
                after.carry_out(outcome)
            except Ended:
                after.wait = "over"
            if after.outs == 3:
                after = replace(after, half="B", outs=0, on={})
            line = after.line()
            lines[line] = lines.get(line, Fraction(0)) + Fraction(6 - abs(total - 7), 6 * 36)
    return lines


def naive_table(line: str) -> Table:
    """The oracle's table at a position of a one-inning dice game."""
    seen = parse(line)
    table = Table("dice", 1, 0, True, "host", lambda purpose, n: 0, inning=1, wait="@choose")
    table.half, table.outs, table.runs, table.up = "TB"[seen.batting], seen.outs, list(seen.runs), list(seen.slots)
    table.on = {base: 1 for base in (1, 2, 3) if seen.bases[base - 1]}
    return table


@pytest.mark.parametrize("batters", [1, 2, 3])
def test_positions_of_a_dice_game_are_those_of_the_naive_reading(batters: int) -> None:
    lines = {"dice T1 0-0 o0 b000 s1,1 @choose": Fraction(1)}
    for _ in range(batters):
        following: dict[str, Fraction] = {}
        for line, weight in lines.items():
            for after, chance in naive_batter(naive_table(line)).items():
                following[after] = following.get(after, Fraction(0)) + weight * chance
        lines = following
    assert tree(begin(Terms(innings=1, extra_innings=0)), 1 + 2 * batters) == lines
    assert len(lines) == (6, 18, 38)[batters - 1]


def test_a_dice_plate_appearance_has_the_chances_of_the_chart() -> None:
    lines = tree(at("dice T1 0-0 o0 b000 s1,1 @choose"), 2)
    mixed = {  # the sums of the columns of rules.md D4: six pitches alike, and random is the same mixture
        "dice T1 0-0 o0 b100 s2,1 @choose": 29 + 23,
        "dice T1 0-0 o0 b010 s2,1 @choose": 15,
        "dice T1 0-0 o0 b001 s2,1 @choose": 1,
        "dice T1 1-0 o0 b000 s2,1 @choose": 8,
        "dice T1 0-0 o0 b000 s1,1 @choose": 7,
    }
    outs = 216 - sum(mixed.values())
    assert lines == {line: Fraction(ways, 216) for line, ways in mixed.items()} | {
        "dice T1 0-0 o1 b000 s2,1 @choose": Fraction(outs, 216)
    }


def test_a_pitch_of_cards_has_the_chances_of_the_matchups() -> None:
    start = at("cards T1 0-0 o0 b000 s1,1 c0-0 h6,6 p- a- x11 n0 @pitch")
    by_count: dict[str, Fraction] = {}
    for line, chance in tree(start, 1).items():
        fields = line.split()
        what = "contact" if fields[5] != "s1,1" else fields[6]
        by_count[what] = by_count.get(what, Fraction(0)) + chance
    assert by_count == {"c1-0": Fraction(55, 169), "c0-1": Fraction(91, 169), "contact": Fraction(23, 169)}


@pytest.mark.parametrize(
    ("end", "safe"),
    [("@steal2", Fraction(3, 6)), ("@steal3", Fraction(2, 6)), ("@king2", Fraction(2, 6)), ("@king3", Fraction(1, 6))],
)
@pytest.mark.parametrize(("mound", "stays"), [("-", Fraction(1)), ("K", Fraction(4, 6))])
def test_a_steal_has_the_chances_of_the_rules(end: str, safe: Fraction, mound: str, stays: Fraction) -> None:
    before = "100" if end.endswith("2") else "010"
    lines = tree(at(f"cards T1 0-0 o1 b{before} s3,1 c0-0 h6,6 p{mound} aK x11 n0 {end}"), 1)
    reached = {line.split()[3]: chance for line, chance in lines.items()}
    assert reached == {"o1": safe * stays, "o2": 1 - safe * stays}


def test_the_first_position_of_a_cards_game_has_the_chances_of_the_characters() -> None:
    pitchers: dict[str, Fraction] = {}
    batters: dict[str, Fraction] = {}
    for line, chance in tree(begin(Terms(Rules.CARDS, home="host")), 1).items():
        fields = line.split()
        pitchers[fields[8]] = pitchers.get(fields[8], Fraction(0)) + chance
        batters[fields[9]] = batters.get(fields[9], Fraction(0)) + chance
    shares = {name: Fraction(4, 52) for name in "AJQK"} | {"-": Fraction(36, 52)}
    assert pitchers == {f"p{name}": share for name, share in shares.items()}
    assert batters == {f"a{name}": share for name, share in shares.items()}
