"""A game cut at every message boundary, by a crash or the wire, resumed, and compared with the uncut one.

The players choose the same whatever the order of things, so the uncut record is the one and only
outcome: what was stored before the cut must stay byte for byte, and every seat must in the end have
said the same, message for message, with the same choices, nonces, rolls and chain.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from dataclasses import dataclass

from p2pball.engine.terms import Rules, Seat
from p2pball.verify import Verdict, verify
from tests.attacks.scene import terms_of
from tests.campaign import Tally
from tests.duet import Duet, first, message

CASES = 2500
"""More than there are boundaries: all of them."""
CRASHES: tuple[tuple[Seat, ...], ...] = ((), (Seat.HOST,), (Seat.GUEST,), (Seat.HOST, Seat.GUEST))
CHOOSERS = dict.fromkeys(Seat, first)


@dataclass(frozen=True)
class Cut:
    """Where a game is cut: in which game, when the journal of `seat` holds `lines`, and whose process dies.

    With `unsent` the last line was stored and the machine died before it was sent.
    """

    rules: Rules
    seat: Seat
    lines: int
    crashed: tuple[Seat, ...]
    unsent: bool


def play(rules: Rules) -> Duet:
    """The game that nobody cuts; messages arrive as soon as they are sent."""
    return _on(Duet(terms_of(rules), seed="cut"))


def _on(duet: Duet) -> Duet:
    """Play on in a fixed order: what arrives is read before anybody chooses."""
    while any(duet.deliver(seat) for seat in Seat) or any(duet.choose(seat, first) for seat in Seat):
        pass
    return duet


def cut(uncut: Duet, where: Cut) -> str:
    """Cut and resume one game; what is wrong with it, or nothing."""
    duet = Duet(terms_of(where.rules), seed="cut")
    duet.disk = {seat: list(uncut.disk[seat]) for seat in Seat}
    duet.lose_wire()
    other = where.seat.other
    duet.disk[where.seat] = uncut.disk[where.seat][: where.lines]
    duet.disk[other] = _heard(uncut, where)
    for seat in Seat:  # one that did not crash stands where its journal stands, awake
        duet.reload(seat)
        if seat not in where.crashed:
            duet.games[seat].wake()
            duet.flush(seat)
    duet.lose_wire()
    before = {seat: list(duet.disk[seat]) for seat in Seat}
    duet.resume()
    _on(duet)
    if any(duet.disk[seat][: len(before[seat])] != before[seat] for seat in Seat):
        return "a record was rewritten"
    return _differs(duet, uncut)


def _heard(uncut: Duet, where: Cut) -> list[bytes]:
    """The other seat's journal at that moment: up to the first line that it could not have yet."""
    mine = set(uncut.disk[where.seat][: where.lines - where.unsent])
    kept = []
    for frame in uncut.disk[where.seat.other]:
        line = message(frame)
        if line.seat == where.seat.value and frame not in mine:
            break
        kept.append(frame)
    return kept


def _differs(duet: Duet, uncut: Duet) -> str:
    for seat in Seat:
        if verify(duet.record(seat)).verdict is not Verdict.COMPLETE:
            return f"the {seat.value}'s record is not complete"
        for author in Seat:
            ours, wanted = (_by(frames, author) for frames in (duet.disk[seat], uncut.disk[seat]))
            if [_told(frame) for frame in ours] != [_told(frame) for frame in wanted]:
                return f"the {author.value}'s messages differ in the {seat.value}'s record"
    if duet.games[Seat.HOST].game.exchange.chain != uncut.games[Seat.HOST].game.exchange.chain:
        return "the chain differs"
    return ""


def _by(frames: list[bytes], author: Seat) -> list[bytes]:
    return [frame for frame in frames if message(frame).seat == author.value]


def _told(frame: bytes) -> tuple[str, str]:
    """What a message says: all but how far its sender had read, which a cut may change."""
    line = message(frame)
    return line.type, str(line.body)


def boundaries(uncut: Duet, rules: Rules) -> Iterator[Cut]:
    """Every place at which a game can be cut, in every way."""
    for seat, crashed, unsent in itertools.product(Seat, CRASHES, (False, True)):
        for lines in range(2 + unsent, len(uncut.disk[seat]) + 1):
            if not unsent or message(uncut.disk[seat][lines - 1]).seat == seat.value:
                yield Cut(rules, seat, lines, crashed, unsent)


def run(cases: int, seed: int) -> Tally:
    """Cut so many games; all boundaries of both games when there are that many cases, else a sample."""
    tally = Tally()
    games = {rules: play(rules) for rules in Rules}
    every = [where for rules, uncut in games.items() for where in boundaries(uncut, rules)]
    rng = random.Random(seed)
    for where in every if cases >= len(every) else rng.sample(every, cases):
        wrong = cut(games[where.rules], where)
        if wrong:
            tally.fail(f"{where}: {wrong}")
        else:
            tally.hold()
    return tally
