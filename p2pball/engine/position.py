"""The position line: the whole public state as people paste it and the chain binds it (rules 4)."""

from __future__ import annotations

import re
from dataclasses import dataclass

from p2pball.engine.cards import character
from p2pball.engine.state import Pair, Phase, State
from p2pball.engine.terms import Rules, Side
from p2pball.errors import P2PBallError


class PositionError(P2PBallError):
    """That is not a position line of this game."""


@dataclass(frozen=True, slots=True)
class Position:
    """A position line taken apart; pairs are (visitors, home). `str()` prints it again."""

    rules: Rules
    inning: int
    runs: Pair
    over: bool = False
    batting: Side = Side.VISITORS
    outs: int = 0
    bases: tuple[bool, bool, bool] = (False, False, False)
    slots: Pair = (1, 1)
    balls: int = 0
    strikes: int = 0
    hands: Pair = (0, 0)
    pitcher: str = "-"
    batter: str = "-"
    pinch_used: tuple[bool, bool] = (False, False)
    pinch_up: bool = False
    phase: Phase = Phase.OVER

    def __str__(self) -> str:
        head = f"{self.rules.value} {'F' if self.over else 'BT'[self.batting is Side.VISITORS]}{self.inning}"
        head += f" {self.runs[0]}-{self.runs[1]}"
        if self.over:
            return head
        head += f" o{self.outs} b{''.join('01'[b] for b in self.bases)} s{self.slots[0]},{self.slots[1]}"
        if self.rules is Rules.CARDS:
            head += (
                f" c{self.balls}-{self.strikes} h{self.hands[0]},{self.hands[1]} p{self.pitcher} a{self.batter}"
                f" x{''.join('01'[used] for used in self.pinch_used)} n{'01'[self.pinch_up]}"
            )
        return f"{head} {self.phase.value}"


_HEAD = r"(?P<rules>dice|cards) (?P<half>[TBF])(?P<inning>[1-9][0-9]?) (?P<v>0|[1-9][0-9]*)-(?P<h>0|[1-9][0-9]*)"
_FIELD = r" o(?P<outs>[0-2]) b(?P<bases>[01]{3}) s(?P<sv>[1-9]),(?P<sh>[1-9])"
_CARDS = (
    r" c(?P<balls>[0-3])-(?P<strikes>[0-2]) h(?P<hv>[1-6]),(?P<hh>[1-6]) p(?P<p>[AJQK-]) a(?P<a>[AJQK-])"
    r" x(?P<x>[01]{2}) n(?P<n>[01])"
)
_OVER = re.compile(_HEAD, re.ASCII)
_DICE = re.compile(_HEAD + _FIELD + r" (?P<phase>@choose|@roll)", re.ASCII)
_CARD = re.compile(_HEAD + _FIELD + _CARDS + r" (?P<phase>@window|@pitch|@king[23]?|@steal[23])", re.ASCII)


def parse(text: str) -> Position:
    """The position that a line spells; raises PositionError for anything but an exact line."""
    over = _OVER.fullmatch(text)
    match = over or _DICE.fullmatch(text) or _CARD.fullmatch(text)
    if match is None:
        raise PositionError(f"not a position line: {text!r} (it looks like: dice T5 2-3 o1 b101 s4,7 @choose)")
    part = match.groupdict()
    rules = Rules(part["rules"])
    inning, runs = int(part["inning"]), (int(part["v"]), int(part["h"]))
    if (part["half"] == "F") is not (over is not None) or inning > 12:
        raise PositionError(f"not a position line: {text!r} (an ended game has F, the inning and the score alone)")
    if over:
        return Position(rules, inning, runs, over=True)
    if (rules is Rules.DICE) is not ("x" not in part):
        raise PositionError(f"not a position line: {text!r} (the fields are those of the other game)")
    common = Position(
        rules,
        inning,
        runs,
        batting=Side.VISITORS if part["half"] == "T" else Side.HOME,
        outs=int(part["outs"]),
        bases=(part["bases"][0] == "1", part["bases"][1] == "1", part["bases"][2] == "1"),
        slots=(int(part["sv"]), int(part["sh"])),
        phase=Phase(part["phase"]),
    )
    if rules is Rules.DICE:
        return common
    return Position(
        *(getattr(common, name) for name in ("rules", "inning", "runs", "over", "batting", "outs", "bases", "slots")),
        balls=int(part["balls"]),
        strikes=int(part["strikes"]),
        hands=(int(part["hv"]), int(part["hh"])),
        pitcher=part["p"],
        batter=part["a"],
        pinch_used=(part["x"][0] == "1", part["x"][1] == "1"),
        pinch_up=part["n"] == "1",
        phase=common.phase,
    )


def position(state: State) -> Position:
    """The position of a state after round 0."""
    rules = state.terms.rules
    if state.phase is Phase.OVER:
        return Position(rules, state.inning, state.runs, over=True)
    first, second, third = state.bases
    common = {
        "batting": state.batting,
        "outs": state.outs,
        "bases": (first > 0, second > 0, third > 0),
        "slots": state.slots,
        "phase": state.phase,
    }
    if rules is Rules.DICE:
        return Position(rules, state.inning, state.runs, **common)  # type: ignore[arg-type]
    return Position(
        rules,
        state.inning,
        state.runs,
        balls=state.balls,
        strikes=state.strikes,
        hands=(state.decks[0].left, state.decks[1].left),
        pitcher=character(state.pitcher),
        batter=character(state.batter),
        pinch_used=state.pinch_used,
        pinch_up=state.pinch_up,
        **common,  # type: ignore[arg-type]
    )
