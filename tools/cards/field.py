"""Many cards games side by side as arrays, one pitch at a time, without steals.

All games play hands in step: a pitch takes one card of every hand, so all are dealt anew together.
A game that ends is tallied and the next begins in its row, with the hands and decks as they lie.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from p2pball.computer.steps import OUT, STRIKEOUT, WALK
from tools.cards.rules import BALL, CALL, CONTACT, FOUL, IN_PLAY, NEXT, SCORED, STRIKE

ACE, JACK, QUEEN, KING = 1, 11, 12, 13
HAND = 6


class Tally(NamedTuple):
    """Finished games in order: the row played in, and both sides' runs."""

    row: list[int]
    visitors: list[int]
    home: list[int]


class Field:
    """Rows of games; see the fields of State in the engine for what the columns mean."""

    def __init__(self, rows: int, rng: np.random.Generator, innings: int = 9, extra: int = 3) -> None:
        self.rows, self.rng, self.innings, self.extra = rows, rng, innings, extra
        self.at = np.arange(rows)
        self.inning = np.zeros(rows, np.int64)
        self.batting = np.ones(rows, np.int64)
        self.cell = np.full(rows, OUT)
        self.runs = np.zeros((rows, 2), np.int64)
        self.count = np.zeros(rows, np.int64)
        self.pitcher = np.zeros(rows, np.int64)
        self.batter = np.zeros(rows, np.int64)
        self.pinch_used = np.zeros((rows, 2), bool)
        self.pinch_up = np.zeros(rows, bool)
        self.deck = np.argsort(rng.random((rows, 2, 52)), -1)
        self.dealt = 0
        self.hands = np.zeros((rows, 2, 0), np.int64)
        self.played = np.zeros((rows, 2, 0), np.int64)
        self.tally = Tally([], [], [])
        self.plays = np.zeros(7, np.int64)
        self._halves(np.ones(rows, bool))
        self._come_up(np.ones(rows, bool))
        self.deal()

    def deal(self) -> None:
        """Six new cards each (C2); ranks 0 to 12."""
        if self.dealt + HAND > 52:
            self.deck = np.argsort(self.rng.random((self.rows, 2, 52)), -1)
            self.dealt = 0
        self.hands = self.deck[:, :, self.dealt : self.dealt + HAND] % 13
        self.played = np.zeros((self.rows, 2, 0), np.int64)
        self.dealt += HAND

    @property
    def shift(self) -> np.ndarray:
        """Card bonuses, the batter's less the pitcher's."""
        return _card(self.batter) + 2 * self.pinch_up - _card(self.pitcher)

    @property
    def contact(self) -> np.ndarray:
        """Chance of each play of a ball in play: row, play."""
        return CONTACT[_roll(self.batter) + 2 * self.pinch_up, _roll(self.pitcher)]

    @property
    def lead(self) -> np.ndarray:
        """The batting side's lead."""
        return self.runs[self.at, self.batting] - self.runs[self.at, 1 - self.batting]

    def unseen(self, side: np.ndarray) -> np.ndarray:
        """Ranks of the cards a side's hand may still hold, as the rest of its deck in order: row, card."""
        return self.deck[self.at, side, self.dealt - HAND :] % 13

    def pitch(self, batter: np.ndarray, pitcher: np.ndarray) -> None:
        """Play the cards at these places of the hands, and settle all that follows."""
        swung = self.hands[self.at, self.batting, batter]
        thrown = self.hands[self.at, 1 - self.batting, pitcher]
        calls = CALL[self.shift + 1, thrown, swung]
        place = np.empty((self.rows, 2), np.int64)
        place[self.at, self.batting], place[self.at, 1 - self.batting] = batter, pitcher
        keep = np.ones(self.hands.shape, bool)
        keep[self.at[:, None], np.arange(2), place] = False
        cards = self.hands[self.at[:, None], np.arange(2), place]
        self.played = np.concatenate([self.played, cards[:, :, None]], 2)
        self.hands = self.hands[keep].reshape(self.rows, 2, -1)
        self._settle(calls)
        if not self.hands.shape[2]:
            self.deal()

    def _settle(self, calls: np.ndarray) -> None:
        balls, strikes = self.count // 3, self.count % 3
        play = np.full(self.rows, -1)
        play[(calls == BALL) & (balls == 3)] = WALK
        play[(calls == STRIKE) & (strikes == 2)] = STRIKEOUT
        hit = calls == IN_PLAY
        if hit.any():
            odds = self.contact[hit].cumsum(1)
            play[hit] = (self.rng.random(len(odds))[:, None] >= odds).sum(1).clip(0, 6)
        on = play < 0
        self.count = np.where(on & (calls == BALL), self.count + 3, self.count)
        more = (calls == STRIKE) | ((calls == FOUL) & (strikes < 2))
        self.count = np.where(on & more, self.count + 1, self.count)
        self._book(~on, play)

    def _book(self, ended: np.ndarray, play: np.ndarray) -> None:
        """Carry out plays where plate appearances ended, then walk-offs, halves and new batters (B11)."""
        self.plays += np.bincount(play[ended], minlength=7)
        cell = np.where(ended, self.cell, 0)
        done = np.where(ended, play, 0)
        scored = np.where(ended, SCORED[cell, done], 0)
        self.runs[self.at, self.batting] += scored
        self.cell = np.where(ended, NEXT[cell, done], self.cell)
        self.count[ended] = 0
        self.pinch_up[ended] = False
        off = (self.inning >= self.innings) & (self.batting == 1) & (self.runs[:, 1] > self.runs[:, 0])
        self._over(off & ended)
        self._halves(ended & (self.cell == OUT))
        self._come_up(ended)

    def _halves(self, due: np.ndarray) -> None:
        last = self.inning >= self.innings
        lead = self.runs[:, 1] - self.runs[:, 0]
        top, bottom = due & (self.batting == 0), due & (self.batting == 1)
        self._over(top & last & (lead > 0))
        end = self.inning >= self.innings + self.extra
        self._over(bottom & (self.inning > 0) & last & ((lead != 0) | end))
        self.inning = np.where(due & (self.batting == 1), self.inning + 1, self.inning)
        self.batting = np.where(due, 1 - self.batting, self.batting)
        self.cell = np.where(due, 0, self.cell)
        self.pitcher = np.where(due, self.rng.integers(0, 52, self.rows) % 13 + 1, self.pitcher)

    def _over(self, over: np.ndarray) -> None:
        if not over.any():
            return
        self.tally.row.extend(np.flatnonzero(over).tolist())
        self.tally.visitors.extend(self.runs[over, 0].tolist())
        self.tally.home.extend(self.runs[over, 1].tolist())
        self.runs[over] = 0
        self.inning = np.where(over, 0, self.inning)
        self.batting = np.where(over, 1, self.batting)
        self.cell = np.where(over, OUT, self.cell)
        self.pinch_used[over] = False

    def _come_up(self, due: np.ndarray) -> None:
        drawn = self.rng.integers(0, 54, self.rows)
        self.batter = np.where(due, drawn % 13 + 1, self.batter)
        joker = due & (drawn >= 52)
        if joker.any():
            self._book(joker, np.full(self.rows, WALK))

    def held(self, role: int) -> np.ndarray:
        """The hands of the side at bat (role 0) or in the field: row, card."""
        return np.asarray(self.hands[self.at, self.batting if role == 0 else 1 - self.batting])

    def send_pinch(self, rows: np.ndarray) -> None:
        """The pinch hitter comes up in these rows, where the batting side still has one (C11)."""
        ready = rows & ~self.pinch_used[self.at, self.batting]
        self.pinch_used[self.at[ready], self.batting[ready]] = True
        self.pinch_up |= ready


def _card(character: np.ndarray) -> np.ndarray:
    return ((character == QUEEN) | (character == ACE)).astype(np.int64)


def _roll(character: np.ndarray) -> np.ndarray:
    return ((character == JACK) | (character == ACE)).astype(np.int64)
