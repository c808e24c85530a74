"""Every level plays legally, from its own view alone, and the stronger beats the weaker."""

from __future__ import annotations

import random
import subprocess
import sys
from collections.abc import Callable
from dataclasses import fields, replace

import pytest

from p2pball.computer import Level, advice, choose
from p2pball.computer.game import SourceDice, SourceStream, Table, play_game, play_out
from p2pball.engine.cards import cards_in
from p2pball.engine.ledger import awaited, begin
from p2pball.engine.moves import PINCH, Choice, Over, PinchHit, PlayCard, Sealed, StealBase
from p2pball.engine.state import Phase
from p2pball.engine.terms import Rules, Seat, Terms
from p2pball.engine.view import View

SHORT = {Rules.DICE: Terms(Rules.DICE, 2), Rules.CARDS: Terms(Rules.CARDS, 2)}


def stream(seed: object) -> SourceStream:
    return SourceStream(random.Random(str(seed)))


def watched(level: Level, seed: int, look: Callable[[View, Choice], None]) -> Callable[[View], Choice]:
    """A player that shows every decision to a test."""

    def play(view: View) -> Choice:
        choice = choose(view, level, stream((seed, len(view.pitches), view.state.inning, view.state.phase)))
        look(view, choice)
        return choice

    return play


@pytest.mark.parametrize("rules", Rules)
@pytest.mark.parametrize("level", Level)
def test_every_choice_is_legal(level: Level, rules: Rules) -> None:
    def legal(view: View, choice: Choice) -> None:
        assert choice in view.moves()
        seen.add(type(choice))

    seen: set[type] = set()
    for seed in range(3):
        source = random.Random(seed)
        play_out(SHORT[rules], {seat: watched(level, seed, legal) for seat in Seat}, source)
    assert seen
    if level is Level.ROOKIE:
        assert StealBase not in seen


@pytest.mark.parametrize("level", Level)
def test_the_hidden_hand_changes_nothing(level: Level) -> None:
    """Through a whole game, for both seats: another hand is put before the other player, the choice stays."""
    source, swapped = random.Random(4), 0
    table = Table(begin(Terms(Rules.CARDS, 2, home="host")), SourceDice(source))
    while not isinstance(due := awaited(table.state), Over):
        choices = {}
        for seat in Seat if isinstance(due, Sealed) else (due.seat,):
            seed = (level, len(table.view(seat).pitches), table.state)
            choices[seat] = choose(table.view(seat), level, stream(seed))
            real = table.hands[seat.other]
            unseen = cards_in(table.state.decks[table.state.side(seat.other)].unseen)
            table.hands[seat.other] = tuple(source.sample(unseen, len(real)))
            swapped += set(table.hands[seat.other]) != set(real)
            assert choose(table.view(seat), level, stream(seed)) == choices[seat]
            table.hands[seat.other] = real
        table.step(choices)
    assert swapped > 50


def test_a_view_holds_nothing_else() -> None:
    assert {field.name for field in fields(View)} == {"state", "seat", "hand", "pitches"}


def test_the_rookie_sends_its_pinch_hitter_at_a_random_moment() -> None:
    innings: list[int] = []

    def note(view: View, choice: Choice) -> None:
        if choice == PINCH:
            innings.append(view.state.inning)

    for seed in range(12):
        play_out(Terms(Rules.CARDS, 3), {s: watched(Level.ROOKIE, seed, note) for s in Seat}, random.Random(seed))
    assert len(innings) > 12
    assert len(set(innings)) > 1


def test_the_all_star_sends_its_pinch_hitter_before_it_is_too_late() -> None:
    sent = games = 0

    def note(view: View, choice: Choice) -> None:
        nonlocal sent
        sent += isinstance(choice, PinchHit)

    for seed in range(4):
        games += 2
        play_out(Terms(Rules.CARDS, 3), {s: watched(Level.ALL_STAR, seed, note) for s in Seat}, random.Random(seed))
    assert sent >= games * 0.6


def test_the_stronger_level_wins() -> None:
    """A coarse check of the order; the bench measures it."""
    source = random.Random(5)
    won = lead = 0
    for number in range(10):
        seats = (Level.ALL_STAR, Level.ROOKIE) if number % 2 else (Level.ROOKIE, Level.ALL_STAR)
        result = play_game(Terms(Rules.CARDS, 9), *seats, source)
        ours, theirs = (result.home, result.visitors) if number % 2 else (result.visitors, result.home)
        won += ours > theirs
        lead += ours - theirs
    assert won >= 5
    assert lead > 5


def test_advice_is_what_the_all_star_plays() -> None:
    advised = 0

    def note(view: View, choice: Choice) -> None:
        nonlocal advised
        told = advice(view, stream((3, len(view.pitches), view.state.inning, view.state.phase)))
        assert sum(share for _, share in told) == pytest.approx(1)
        assert choice in [move for move, _ in told]
        assert [share for _, share in told] == sorted((share for _, share in told), reverse=True)
        if view.state.phase is Phase.PITCH:
            assert {move for move, _ in told} == set(view.moves())
            advised += 1

    play_out(SHORT[Rules.CARDS], {s: watched(Level.ALL_STAR, 3, note) for s in Seat}, random.Random(8))
    assert advised > 20
    play_out(SHORT[Rules.DICE], {s: watched(Level.ALL_STAR, 3, note) for s in Seat}, random.Random(8))


def test_a_seat_that_is_not_to_move() -> None:
    view = View(replace(begin(Terms()), phase=Phase.OVER), Seat.HOST)
    assert advice(view, stream(1)) == ()
    with pytest.raises(ValueError, match="not to move"):
        choose(view, Level.ALL_STAR, stream(1))


def test_the_all_star_mixes() -> None:
    """Asked again with other luck it plays another card: nobody can learn its rule."""
    mixed = 0

    def note(view: View, choice: Choice) -> None:
        nonlocal mixed
        if isinstance(choice, PlayCard) and len(view.hand) == 6:
            mixed += len({choose(view, Level.ALL_STAR, stream(n)) for n in range(6)}) > 1

    play_out(SHORT[Rules.CARDS], {s: watched(Level.ALL_STAR, 6, note) for s in Seat}, random.Random(2))
    assert mixed > 3


def test_nothing_is_read_but_the_view() -> None:
    """A fresh interpreter plays a pitch without random, files of its own, clocks, sockets or numpy."""
    program = """
import sys
from p2pball.computer import Level, choose
from p2pball.engine.ledger import awaited, begin
from p2pball.engine.state import Phase
from p2pball.engine.terms import Rules, Terms, Seat
from p2pball.engine.view import View
class Ones:
    def below(self, n): return n // 2
state = begin(Terms(Rules.CARDS, 3, home="host")).but(phase=Phase.PITCH, inning=1, pitcher=4, batter=5)
choose(View(state, Seat.HOST, (1, 14, 20, 33, 40, 51)), Level.ALL_STAR, Ones())
for level in Level:
    hits = []
    sys.addaudithook(lambda name, args: hits.append(name) if name in ("open", "socket.connect", "import") else None)
    assert choose(View(state, Seat.HOST, (1, 14, 20, 33, 40, 51)), level, Ones()) is not None
    assert not hits, hits
print(sorted({"random", "secrets", "socket", "asyncio", "numpy", "logging"} & set(sys.modules)))
"""
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=False)
    assert ran.stderr == ""
    assert ran.stdout == "[]\n"
