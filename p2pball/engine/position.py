"""The position line: the whole public state as people paste it and the chain binds it (rules 4)."""

from __future__ import annotations

import re

from p2pball.engine.cards import character
from p2pball.engine.state import Pair, Phase, State
from p2pball.engine.terms import Rules, Side
from p2pball.errors import P2PBallError
from p2pball.frozen import frozen

_CARDS_GAME, _OVER = Rules.CARDS, Phase.OVER


class PositionError(P2PBallError):
    """That is not a position line of this game."""


@frozen
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
        half, (visitors, home) = "F" if self.over else "TB"[self.batting], self.runs
        head = f"{self.rules.value} {half}{self.inning} {visitors}-{home}"
        if self.over:
            return head
        (first, second, third), (slot_v, slot_h) = self.bases, self.slots
        head += f" o{self.outs} b{first:d}{second:d}{third:d} s{slot_v},{slot_h}"
        if self.rules is _CARDS_GAME:
            (hand_v, hand_h), (used_v, used_h) = self.hands, self.pinch_used
            head += (
                f" c{self.balls}-{self.strikes} h{hand_v},{hand_h} p{self.pitcher} a{self.batter}"
                f" x{used_v:d}{used_h:d} n{self.pinch_up:d}"
            )
        return f"{head} {self.phase.value}"


_INNING = r"(?P<inning>[1-9]|1[0-2])"
_SCORE = r"(?P<visitors>0|[1-9][0-9]{0,3})-(?P<home>0|[1-9][0-9]{0,3})"
_HALF = rf"(?P<half>[TB]){_INNING} {_SCORE} o(?P<outs>[0-2]) b(?P<bases>[01]{{3}}) s(?P<slot_v>[1-9]),(?P<slot_h>[1-9])"
_CARDS = (
    r"c(?P<balls>[0-3])-(?P<strikes>[0-2]) h(?P<hand_v>[1-6]),(?P<hand_h>[1-6]) p(?P<pitcher>[AJQK-])"
    r" a(?P<batter>[AJQK-]) x(?P<used>[01]{2}) n(?P<up>[01])"
)
_LINES = (
    rf"(?P<rules>dice|cards) F{_INNING} {_SCORE}",
    rf"(?P<rules>dice) {_HALF} (?P<phase>@choose|@roll)",
    rf"(?P<rules>cards) {_HALF} {_CARDS} (?P<phase>@window|@pitch|@king[23]?|@steal[23])",
)
_OVER_HAS = {"half": "T", "outs": "0", "bases": "000", "slot_v": "1", "slot_h": "1", "phase": Phase.OVER.value}
_DICE_HAS = {
    "balls": "0",
    "strikes": "0",
    "hand_v": "0",
    "hand_h": "0",
    "pitcher": "-",
    "batter": "-",
    "used": "00",
    "up": "0",
}
"""What stands in the fields that a line does not have."""


def parse(text: str) -> Position:
    """The position that a line spells; raises PositionError for anything but an exact line."""
    match = next((match for line in _LINES if (match := re.fullmatch(line, text))), None)
    if match is None:
        raise PositionError(f"not a position line: {text[:100]!r} (it looks like: dice T5 2-3 o1 b101 s4,7 @choose)")
    part = {**_OVER_HAS, **_DICE_HAS, **match.groupdict()}
    phase = Phase(part["phase"])
    first, second, third = (base == "1" for base in part["bases"])
    visitors_used, home_used = (used == "1" for used in part["used"])
    return Position(
        Rules(part["rules"]),
        int(part["inning"]),
        (int(part["visitors"]), int(part["home"])),
        over=phase is Phase.OVER,
        batting=Side.VISITORS if part["half"] == "T" else Side.HOME,
        outs=int(part["outs"]),
        bases=(first, second, third),
        slots=(int(part["slot_v"]), int(part["slot_h"])),
        balls=int(part["balls"]),
        strikes=int(part["strikes"]),
        hands=(int(part["hand_v"]), int(part["hand_h"])),
        pitcher=part["pitcher"],
        batter=part["batter"],
        pinch_used=(visitors_used, home_used),
        pinch_up=part["up"] == "1",
        phase=phase,
    )


def position(state: State) -> Position:
    """The position of a state after round 0; there is none before."""
    rules = state.terms.rules
    if state.phase is _OVER:
        return Position(rules, state.inning, state.runs, over=True)
    first, second, third = state.bases
    return Position(
        rules,
        state.inning,
        state.runs,
        batting=state.batting,
        outs=state.outs,
        bases=(first > 0, second > 0, third > 0),
        slots=state.slots,
        balls=state.balls,
        strikes=state.strikes,
        hands=(state.decks[0].left, state.decks[1].left),
        pitcher=character(state.pitcher),
        batter=character(state.batter),
        pinch_used=state.pinch_used,
        pinch_up=state.pinch_up,
        phase=state.phase,
    )
