"""One pitch of the cards game as numbers: what every call is worth, and what a hand is worth after it."""

from __future__ import annotations

from p2pball.computer.cards_table import FUTURE_UNIT, RANKS, STAKE, Knowledge, numbers_without
from p2pball.computer.cards_win import batting_chance, contact, shift
from p2pball.computer.steps import FLY_OUT, STEPS, STRIKEOUT, WALK, cell
from p2pball.engine.state import State
from p2pball.frozen import frozen

RUN_WORTH = 0.002
"""What a run is worth beside the win chance: with the game decided, play on as if it were not."""
LEAST = 1e-6

Ranks = tuple[int, ...]
"""A hand: ranks 0 to 12, rising."""
Four = tuple[float, float, float, float]
"""One number for each call: strike, foul, in play, ball."""


@frozen
class Pitch:
    """A situation before a pitch.

    `calls` are worths to the batting side; `stake` and `run` the scale of Knowledge.futures in
    this plate appearance and after it; `third` the chance that a ball in play is the third out, `out` whether a
    strikeout is; `count` is balls * 3 + strikes.
    """

    shift: int
    count: int
    calls: Four
    stake: float
    run: float
    third: float
    out: bool


def read(state: State, know: Knowledge, role: int) -> Pitch:
    """The situation of a state, by what is known of play in a role."""
    at = cell(state.outs, state.bases)
    steps, plays, apart = STEPS[at], contact(state), shift(state)

    def worth(scored: int, after: int) -> float:
        return batting_chance(state, scored, after) + RUN_WORTH * (scored + know.runs[after])

    struck, walked = worth(*steps[STRIKEOUT]), worth(*steps[WALK])
    hit = sum(odds * worth(*step) for odds, step in zip(plays, steps, strict=True) if odds)
    ends = know.ends[role][apart + 1]

    def count_worth(count: int) -> float:
        out, walk, fair = ends[count]
        return out * struck + walk * walked + fair * hit

    count = state.balls * 3 + state.strikes
    strike = struck if state.strikes == 2 else count_worth(count + 1)
    foul = count_worth(count) if state.strikes == 2 else strike  # C5
    ball = walked if state.balls == 3 else count_worth(count + 3)
    run = (worth(1, at) - worth(-1, at)) / 2
    two_out = state.outs == 2
    return Pitch(
        apart,
        count,
        (strike, foul, hit, ball),
        max(walked - struck, LEAST),
        max(run, LEAST),
        plays[FLY_OUT] if two_out else 0.0,
        two_out,
    )


def left_after(pitch: Pitch, know: Knowledge, ranks: Ranks, role: int) -> list[Four]:
    """For each card of a hand, what the hand that is left is worth to its holder after each call."""
    table = know.futures[len(ranks) - 1]
    here, other = table[role], table[1 - role][0]
    stake, after = pitch.stake / FUTURE_UNIT, STAKE * pitch.run / FUTURE_UNIT
    balls, strikes = divmod(pitch.count, 3)
    fresh, fouls = here[0], here[pitch.count if strikes == 2 else pitch.count + 1]
    passes = None if balls == 3 else here[pitch.count + 3]
    lefts = []
    for number in numbers_without(ranks):
        same = after * fresh[number]
        turned = after * other[number] if pitch.out else same
        fouled = stake * fouls[number]
        struck = turned if strikes == 2 else fouled
        hit = same + pitch.third * (turned - same)
        passed = stake * passes[number] if passes else same
        lefts.append((struck, fouled, hit, passed))
    return lefts


def call_chances(apart: int, share: list[float], batting: bool) -> list[Four]:
    """Chance of each call by the rank that a side plays, the other side playing ranks by `share` (C4)."""
    upto = [0.0] * (3 * RANKS)  # below rank r at r + RANKS, so that no rank falls outside
    total = 0.0
    for rank in range(RANKS):
        upto[rank + RANKS] = total
        total += share[rank]
    for rank in range(RANKS, 2 * RANKS):
        upto[rank + RANKS] = total
    chances = []
    for rank in range(RANKS):
        if batting:
            level = rank + apart + RANKS
            hit, even, short = upto[level - 2], upto[level], upto[level + 4]
            chances.append((total - short, short - even, even - hit, hit))
        else:
            level = rank - apart + RANKS
            short, even, hit = upto[level - 3], upto[level + 1], upto[level + 3]
            chances.append((short, even - short, hit - even, total - hit))
    return chances
