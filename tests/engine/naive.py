"""The rules read a second time, as a story told in order: the oracle that the engine is compared with.

Nothing of the engine is imported. Where the engine is a state machine over frozen values, this is
one generator that walks through a game as a spectator would: it yields when somebody has to choose,
and what it yields is whose turn it is and what is allowed, as JSON objects.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import dataclass, field
from typing import Any

Roll = Callable[[str, int], int]
Turn = dict[str, list[dict[str, Any]]]
"""Allowed choices by seat; one seat: an open move; both: a sealed round."""
Said = dict[str, dict[str, Any]]
"""What was chosen, by seat."""
Story = Generator[Turn, Said, None]

SUITS, RANKS = "SHDC", "A23456789TJQK"
NAMES = [rank + suit for suit in SUITS for rank in RANKS]
PASS: dict[str, Any] = {"pass": True}
HOLD: dict[str, Any] = {"hold": True}

PITCHES = ["fastball", "curveball", "slider", "changeup", "knuckleball", "screwball"]
CHART = """
| sum | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11 | 12 |
| fastball | FO | 2B | HR | 1B | K | FO | K | PO | GO | DP | BB |
| curveball | WP | PO | K | BB | 1B | GO | FO | K | DP | HR | 2B |
| slider | K | 2B | K | GO | 1B | BB | K | K | FO | PO | HR |
| changeup | 3B | BB | 1B | FO | 2B | GO | K | FO | PO | K | HR |
| knuckleball | GO | FO | K | K | GO | WP | BB | PO | 1B | 2B | HR |
| screwball | FO | DP | GO | DP | 1B | GO | BB | 1B | 2B | K | PO |
"""
TABLE = {cells[0]: cells[1:] for cells in (line.strip("| ").split(" | ") for line in CHART.strip().splitlines())}


class Ended(Exception):
    """The game is over."""


@dataclass
class Table:
    """Everything that lies on the table, changed as the game goes on."""

    rules: str
    innings: int
    extra: int
    walk_off: bool
    home: str
    roll: Roll
    half: str = "T"
    inning: int = 0
    runs: list[int] = field(default_factory=lambda: [0, 0])
    outs: int = 0
    on: dict[int, int] = field(default_factory=dict)
    up: list[int] = field(default_factory=lambda: [1, 1])
    balls: int = 0
    strikes: int = 0
    hand: list[int] = field(default_factory=lambda: [0, 0])
    undealt: list[set[str]] = field(default_factory=lambda: [set(NAMES), set(NAMES)])
    shown: list[list[str]] = field(default_factory=lambda: [[], []])
    mound: str = "-"
    plate: str = "-"
    pinched: list[bool] = field(default_factory=lambda: [False, False])
    pinch: bool = False
    wait: str = ""

    def line(self) -> str:
        """The position line (rules 4)."""
        score = f"{self.runs[0]}-{self.runs[1]}"
        if self.wait == "over":
            return f"{self.rules} F{self.inning} {score}"
        bases = "".join("1" if base in self.on else "0" for base in (1, 2, 3))
        text = f"{self.rules} {self.half}{self.inning} {score} o{self.outs} b{bases} s{self.up[0]},{self.up[1]}"
        if self.rules == "cards":
            text += f" c{self.balls}-{self.strikes} h{self.hand[0]},{self.hand[1]} p{self.mound} a{self.plate}"
            text += f" x{int(self.pinched[0])}{int(self.pinched[1])} n{int(self.pinch)}"
        return f"{text} {self.wait}"

    @property
    def at_bat(self) -> int:
        """0 when the visitors bat, 1 when the home team does."""
        return "TB".index(self.half)

    def seat(self, team: int) -> str:
        """Who plays for a team."""
        return self.home if team == 1 else {"host": "guest", "guest": "host"}[self.home]

    def last(self) -> bool:
        """Whether this inning can be the last."""
        return self.inning >= self.innings

    def home_run_by(self, batter: bool, slot: int) -> None:
        """All on the bases score, and the batter with them."""
        self.runs[self.at_bat] += len(self.on) + batter
        self.on = {}

    def advance(self, bases: int) -> None:
        """Everybody on the bases goes so many further."""
        gone = {base + bases: slot for base, slot in self.on.items()}
        self.runs[self.at_bat] += sum(base > 3 for base in gone)
        self.on = {base: slot for base, slot in gone.items() if base <= 3}

    def walk(self, slot: int) -> None:
        """The batter takes first and pushes whoever stands there, and so on."""
        pushed, base = slot, 1
        while pushed and base <= 3:
            self.on[base], pushed = pushed, self.on.get(base, 0)
            base += 1
        self.runs[self.at_bat] += bool(pushed)

    def carry_out(self, outcome: str) -> None:
        """A result of the chart or of a ball in play (B6 to B10)."""
        slot = self.up[self.at_bat]
        if outcome in ("1B", "2B", "3B", "HR", "FO"):
            self.roll("fielder", 3)
        if outcome in ("PO", "GO"):
            self.roll("fielder", 5)
        if outcome in ("1B", "2B", "3B"):
            self.advance(int(outcome[0]))
            self.on[int(outcome[0])] = slot
        elif outcome == "HR":
            self.home_run_by(True, slot)
        elif outcome == "BB":
            self.walk(slot)
        elif outcome == "WP":
            self.advance(1)
        elif outcome == "DP" and self.on and self.outs < 2:
            del self.on[min(self.on)]
            self.outs += 2
        else:
            self.outs += 1
        if outcome != "WP":
            self.up[self.at_bat] = 1 if slot == 9 else slot + 1
            self.fresh_batter()
        self.check_walk_off()

    def fresh_batter(self) -> None:
        """Nobody at the plate."""
        self.balls, self.strikes, self.plate, self.pinch = 0, 0, "-", False

    def check_walk_off(self) -> None:
        """The home team has just taken the lead in the last bottom (B3)."""
        if self.walk_off and self.half == "B" and self.last() and self.runs[1] > self.runs[0]:
            raise Ended

    def deal(self) -> None:
        """Six new cards for each team when the last six are played (C2)."""
        for team in (0, 1):
            self.undealt[team] -= set(self.shown[team])
            if len(self.undealt[team]) < 6:
                self.undealt[team] = set(NAMES)
            self.shown[team], self.hand[team] = [], 6

    def steals(self) -> list[dict[str, Any]]:
        """Who can be sent where (C12)."""
        second = [{"steal": 2}] if 1 in self.on and 2 not in self.on else []
        third = [{"steal": 3}] if 2 in self.on and 3 not in self.on else []
        return second + third


def story(table: Table) -> Story:
    """The game from round 0 to its end."""
    table.wait = "start"
    yield {"host": [PASS], "guest": [PASS]}
    if table.home == "coin":
        table.home = ("host", "guest")[table.roll("home", 2)]
    if table.rules == "cards":
        table.deal()
    try:
        for inning in range(1, table.innings + table.extra + 1):
            if inning > table.innings and table.runs[0] != table.runs[1]:
                break
            table.inning, table.half = inning, "T"
            yield from half(table)
            if table.walk_off and table.last() and table.runs[1] > table.runs[0]:
                break
            table.half = "B"
            yield from half(table)
    except Ended:
        pass
    table.wait = "over"


def half(table: Table) -> Story:
    """One side bats until three are out."""
    table.outs, table.on = 0, {}
    if table.rules == "cards":
        table.mound = character(draw_pitcher(table))
    while table.outs < 3:
        if table.rules == "dice":
            yield from dice_batter(table)
        else:
            drawn = table.roll("batter-character", 54)
            if drawn >= 52:
                table.carry_out("BB")
                continue
            table.plate = character(drawn)
            yield from card_batter(table)


def draw_pitcher(table: Table) -> int:
    """No joker stays with a pitcher (C7)."""
    while (drawn := table.roll("pitcher-character", 54)) >= 52:
        pass
    return drawn


def character(drawn: int) -> str:
    """Only four ranks do anything."""
    return NAMES[drawn][0] if NAMES[drawn][0] in "AJQK" else "-"


def dice_batter(table: Table) -> Story:
    """Pitches until the batter is done (D1 to D5)."""
    outcome = "WP"
    while outcome == "WP":
        table.wait = "@choose"
        said = yield {table.seat(1 - table.at_bat): [{"pitch": name} for name in [*PITCHES, "random"]]}
        name = next(iter(said.values()))["pitch"]
        table.wait = "@roll"
        yield {"host": [PASS], "guest": [PASS]}
        if name == "random":
            name = PITCHES[table.roll("pitch", 6)]
        total = table.roll("outcome", 6) + table.roll("outcome", 6) + 2
        outcome = TABLE[name][total - 2]
        table.carry_out(outcome)


def card_batter(table: Table) -> Story:
    """Windows and pitches until the batter is done or the half is over (C14)."""
    side = table.at_bat
    while True:
        while True:  # the window before the pitch
            allowed = [HOLD, *([] if table.pinched[side] else [{"pinch": True}]), *table.steals()]
            if allowed == [HOLD]:
                break
            table.wait = "@window"
            (said,) = (yield {table.seat(side): allowed}).values()
            if "steal" in said:
                yield from steal(table, said["steal"], king=False)
                if table.outs == 3:
                    return
                break
            if "hold" in said:
                break
            table.pinched[side] = table.pinch = True
        table.wait = "@pitch"
        allowed_by = {
            table.seat(team): [{"card": n} for n in NAMES if n in table.undealt[team] and n not in table.shown[team]]
            for team in (0, 1)
        }
        said = yield allowed_by
        thrown, swung = said[table.seat(1 - side)]["card"], said[table.seat(side)]["card"]
        for team, card in ((side, swung), (1 - side, thrown)):
            table.shown[team].append(card)
            table.hand[team] -= 1
        try:
            done = pitch(table, thrown, swung)
        finally:
            if table.hand == [0, 0]:
                table.deal()
        if done:
            return
        if table.plate == "K" and thrown[0] in "JQK" and table.steals():
            table.wait = "@king"
            (said,) = (yield {table.seat(side): [HOLD, *table.steals()]}).values()
            if "steal" in said:
                yield from steal(table, said["steal"], king=True)
                if table.outs == 3:
                    return


def pitch(table: Table, thrown: str, swung: str) -> bool:
    """One matchup; whether the batter is done (C4 to C6)."""
    pinch = 2 if table.pinch else 0
    pitcher = RANKS.index(thrown[0]) + (table.mound in "QA")
    batter = RANKS.index(swung[0]) + (table.plate in "QA") + pinch
    beaten_by = batter - pitcher
    if beaten_by >= 3:
        table.balls += 1
        if table.balls == 4:
            table.carry_out("BB")
            return True
    elif beaten_by in (1, 2):
        mine = table.roll("contact", 6) + 1 + (table.mound in "JA")
        theirs = table.roll("contact", 6) + 1 + (table.plate in "JA") + pinch
        hit = "FO" if mine >= theirs else "HR" if theirs >= 6 else {5: "3B", 4: "2B"}.get(theirs, "1B")
        table.carry_out(hit)
        return True
    elif beaten_by <= -4 or table.strikes < 2:
        table.strikes += 1
        if table.strikes == 3:
            table.carry_out("K")
            return True
    return False


def steal(table: Table, base: int, *, king: bool) -> Story:
    """One runner goes (C10, C12, C13)."""
    table.wait = f"@king{base}" if king else f"@steal{base}"
    yield {"host": [PASS], "guest": [PASS]}
    runner = table.on.pop(base - 1)
    caught = table.mound == "K" and table.roll("pickoff", 6) + 1 in (5, 6)
    if not caught:
        safe = {(2, False): (4, 5, 6), (3, False): (5, 6), (2, True): (5, 6), (3, True): (6,)}[base, king]
        caught = table.roll("steal", 6) + 1 not in safe
    if not caught:
        table.on[base] = runner
        return
    table.outs += 1
    if table.outs == 3:
        table.fresh_batter()
