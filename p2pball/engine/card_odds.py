"""What a plate appearance of the cards game comes to when both sides play any of thirteen ranks alike (C4 to C9)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from p2pball.engine.card_rules import call, card_bonus, contact, roll_bonus
from p2pball.engine.cards import is_joker
from p2pball.engine.events import Call, Outcome

Odds = Mapping[Outcome, float]
_FAIR = (Outcome.SINGLE, Outcome.DOUBLE, Outcome.TRIPLE, Outcome.HOME_RUN, Outcome.FLY_OUT)


@lru_cache(maxsize=256)
def count_odds(card: int, balls: int, strikes: int) -> tuple[float, float, float]:
    """Chances of strikeout, walk and ball in play from a count (C4, C5); `card` is batter's bonus minus pitcher's."""
    if strikes == 3:
        return 1.0, 0.0, 0.0
    if balls == 4:
        return 0.0, 1.0, 0.0
    calls = [call(batter + card - pitcher) for batter in range(1, 14) for pitcher in range(1, 14)]
    strike, foul, play, ball = (calls.count(c) / 169 for c in (Call.STRIKE, Call.FOUL, Call.IN_PLAY, Call.BALL))
    if strikes == 2:
        stays, struck = foul, count_odds(card, balls, 3)
    else:
        stays, struck, strike = 0.0, count_odds(card, balls, strikes + 1), strike + foul
    walked = count_odds(card, balls + 1, strikes)
    out, walks, hit_fair = (strike * s + ball * b for s, b in zip(struck, walked, strict=True))
    return out / (1 - stays), walks / (1 - stays), (hit_fair + play) / (1 - stays)


@lru_cache(maxsize=32)
def contact_odds(pitcher: int, batter: int) -> dict[Outcome, float]:
    """What a ball in play comes to, by the bonuses of both rolls (C6)."""
    rolls = [(first + pitcher, second + batter) for first in range(1, 7) for second in range(1, 7)]
    outcomes = [contact(*totals) for totals in rolls]
    return {outcome: outcomes.count(outcome) / 36 for outcome in _FAIR}


@lru_cache(maxsize=1024)
def appearance_odds(pitcher: int, batter: int, balls: int = 0, strikes: int = 0, pinch: int = 0) -> Odds:
    """What a plate appearance comes to, by both characters (-1 for nobody), the count and the pinch hitter's bonus."""
    card = card_bonus(batter) + pinch - card_bonus(pitcher)
    struck, walks, fair = count_odds(card, balls, strikes)
    fielded = contact_odds(roll_bonus(pitcher), roll_bonus(batter) + pinch)
    return {Outcome.STRIKEOUT: struck, Outcome.WALK: walks, **{o: fair * p for o, p in fielded.items()}}


@lru_cache(maxsize=1)
def mean_odds() -> Odds:
    """What a plate appearance comes to before either character is drawn, jokers included (C7)."""
    total = dict.fromkeys((Outcome.STRIKEOUT, Outcome.WALK, *_FAIR), 0.0)
    for pitcher in range(13):  # suits do nothing (C1)
        for batter in range(54):
            odds: Odds = {Outcome.WALK: 1.0} if is_joker(batter) else appearance_odds(pitcher, batter % 13)
            for outcome, p in odds.items():
                total[outcome] += p / 13 / 54
    return total
