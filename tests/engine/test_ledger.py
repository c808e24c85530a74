"""The ledger as a function: folding, purity, refusals, and what stays true throughout a game."""

from __future__ import annotations

import copy
import dataclasses
import pickle

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from p2pball.engine.events import BatterCameUp, HalfBegan, HandsDealt, Play, StealSettled
from p2pball.engine.ledger import NO_CHANCE, apply, awaited, begin, evolve, fold, follow_up
from p2pball.engine.moves import EVERY_CHOICE, PASS, PLAY_CARD, CardSet, Choice, IllegalMove, Open, Over, Sealed
from p2pball.engine.state import Phase, State
from p2pball.engine.terms import Rules, Seat, Side, Terms
from tests.engine.playing import HashedDice, Step, every_terms, playthrough

games = st.builds(
    lambda terms, seed: list(playthrough(terms, f"ledger/{seed}")),
    st.sampled_from(every_terms()),
    st.integers(0, 2**32),
)
short = settings(max_examples=40, deadline=None)


@short
@given(games)
def test_the_state_is_the_fold_of_its_events(steps: list[Step]) -> None:
    state = steps[0].before
    for step in steps:
        assert fold(step.before, step.after.events) == step.after.state
        assert step.after.events
        state = fold(state, step.after.events)
    assert state == steps[-1].after.state
    assert fold(begin(state.terms), [event for step in steps for event in step.after.events]) == state


@short
@given(games)
def test_booking_facts_leaves_the_state_before_them_alone(steps: list[Step]) -> None:
    for step in steps:
        before = copy.deepcopy(step.before)
        assert evolve(step.before, step.after.events[0]) is not step.before
        assert fold(step.before, step.after.events) is not step.before
        assert step.before == before


@short
@given(games)
def test_the_same_inputs_give_the_same_result_and_stay_as_they_were(steps: list[Step]) -> None:
    for step in steps:
        before, choices = copy.deepcopy(step.before), dict(step.choices)
        again = apply(step.before, choices, HashedDice(step.dice.seed))
        assert again == step.after
        assert hash(again.state) == hash(step.after.state)
        assert step.before == before
        assert choices == step.choices


@short
@given(games, st.data())
def test_an_illegal_choice_is_refused_and_nothing_changes(steps: list[Step], data: st.DataObject) -> None:
    step = data.draw(st.sampled_from(steps))
    state, before = step.before, copy.deepcopy(step.before)
    waiting, any_choice = awaited(state), st.sampled_from(EVERY_CHOICE)
    choices = data.draw(st.dictionaries(st.sampled_from(Seat), any_choice))
    match waiting:
        case Open(seat, moves):
            legal = set(choices) == {seat} and choices[seat] in moves
        case Sealed() as sealed:
            legal = set(choices) == set(Seat) and all(choices[seat] in sealed.moves(seat) for seat in Seat)
        case Over():
            legal = False
    dice = HashedDice("refused")
    if legal:
        apply(state, choices, dice)
    else:
        with pytest.raises(IllegalMove):
            apply(state, choices, dice)
        assert not dice.log
    assert state == before


@short
@given(games)
def test_an_open_move_draws_no_chance(steps: list[Step]) -> None:
    for step in steps:
        if len(step.choices) == 1:
            assert not step.dice.log
            assert apply(step.before, step.choices) == step.after


def test_the_dice_of_an_open_move_refuse() -> None:
    with pytest.raises(AssertionError, match="least of all steal"):
        NO_CHANCE.below("steal", 6)


@short
@given(games)
def test_every_runner_is_out_or_scored_or_on_base_or_left(steps: list[Step]) -> None:
    batters = runs = outs = left = 0
    on: dict[int, int] = {}
    for step in steps:
        for event in step.after.events:
            match event:
                case HalfBegan():
                    left += len(on)
                    on = {}
                case Play(advances=advances):
                    batters += event.outcome.value != "WP"
                    runs += event.runs
                    outs += len(event.outs)
                    for base in event.outs:
                        on.pop(base, None)
                    gone = {advance.end: advance.slot for advance in advances}
                    for advance in advances:
                        assert advance.start == 0 or on.pop(advance.start) == advance.slot
                    assert not set(on) & {base for base in gone if base < 4}
                    on.update({base: slot for base, slot in gone.items() if base < 4})
                case StealSettled(slot, base, _, _, _, safe):
                    assert on.pop(base - 1) == slot
                    assert base not in on
                    if safe:
                        on[base] = slot
                    outs += not safe
                case _:
                    pass
            assert batters == runs + outs + left + len(on)
        state = step.after.state
        assert sum(state.runs) == runs
        assert {base: slot for base, slot in enumerate(state.bases, 1) if slot} == on


@short
@given(games)
def test_what_is_true_at_rest(steps: list[Step]) -> None:
    for step in steps:
        state = step.after.state
        over = state.phase is Phase.OVER
        assert 0 <= state.outs <= (3 if over else 2)
        assert 0 <= state.balls <= 3
        assert 0 <= state.strikes <= 2
        assert all(1 <= slot <= 9 for slot in state.slots)
        assert 1 <= state.inning <= state.terms.innings + state.terms.extra_innings
        on = [slot for slot in state.bases if slot]
        assert len(on) == len(set(on))
        assert not over or (state.balls, state.strikes, state.pinch_up) == (0, 0, False)
        assert state.pitch is None or state.phase is Phase.ROLL
        if state.in_cards:
            assert 0 <= state.pitcher < 52
            assert over or 0 <= state.batter < 52
            assert not state.pinch_up or state.pinch_used[state.batting]
            for deck in state.decks:
                assert 1 <= deck.left <= 6
                assert deck.unseen.bit_count() in range(deck.left + 4, 53, 6)  # 52 are eight hands and four cards
        else:
            assert (state.pitcher, state.batter) == (-1, -1)
        assert follow_up(state, HashedDice("rest")) is None


@short
@given(games)
def test_at_most_three_outs_a_half_and_runs_never_fall(steps: list[Step]) -> None:
    outs = 0
    halves: list[tuple[int, Side]] = []
    for step in steps:
        assert all(after >= before for after, before in zip(step.after.state.runs, step.before.runs, strict=True))
        for event in step.after.events:
            match event:
                case HalfBegan(inning, side):
                    assert outs == (3 if halves else 0)
                    halves.append((inning, side))
                    outs = 0
                case Play():
                    outs += len(event.outs)
                case StealSettled():
                    outs += not event.safe
                case _:
                    pass
            assert outs <= 3
    assert halves == [(1 + i // 2, Side(i % 2)) for i in range(len(halves))]


@short
@given(games)
def test_b4_slots_follow_each_other(steps: list[Step]) -> None:
    due = [1, 1]
    for step in steps:
        for event in step.after.events:
            if isinstance(event, Play):
                assert event.slot == due[event.side]
                if event.outcome.value != "WP":
                    due[event.side] = event.slot % 9 + 1
            if isinstance(event, BatterCameUp):
                assert event.slot == due[event.side]


@short
@given(games)
def test_c2_no_card_comes_twice_from_one_shuffle(steps: list[Step]) -> None:
    if steps[0].before.terms.rules is Rules.DICE:
        return
    state, shown = steps[0].before, [set[int](), set[int]()]
    for step in steps:
        before, state = state, step.after.state
        if HandsDealt() in step.after.events:
            for side in Side:
                if state.decks[side].unseen.bit_count() == 52:
                    shown[side] = set()
        elif before.phase is Phase.PITCH:
            for side in Side:
                card = step.choices[before.seat(side)].card  # type: ignore[union-attr]
                assert card not in shown[side]
                shown[side].add(card)


def test_the_end_takes_no_choice() -> None:
    over = list(playthrough(Terms(innings=1, extra_innings=0), "over"))[-1].after.state
    assert isinstance(awaited(over), Over)
    for choices in ({}, {Seat.HOST: PASS}, {Seat.HOST: PASS, Seat.GUEST: PASS}):
        with pytest.raises(IllegalMove, match="the game is over"):
            apply(over, choices, HashedDice("over"))


@pytest.mark.parametrize("choice", [PLAY_CARD[0], PASS])
def test_one_seat_alone_settles_no_sealed_round(choice: Choice) -> None:
    for state in (begin(Terms()), next(playthrough(Terms(Rules.CARDS), "alone")).after.state):
        for seat in Seat:
            with pytest.raises(IllegalMove):
                apply(state, {seat: choice}, HashedDice("alone"))


def test_a_game_is_a_value() -> None:
    state = list(playthrough(Terms(Rules.CARDS), "value"))[40].after.state
    for twin in (pickle.loads(pickle.dumps(state)), copy.deepcopy(state), dataclasses.replace(state)):
        assert twin == state
        assert hash(twin) == hash(state)
    assert state.but(outs=state.outs + 1) != state
    with pytest.raises(dataclasses.FrozenInstanceError):
        state.outs = 0  # type: ignore[misc]


def test_every_game_ends() -> None:
    ended = 0
    for terms in every_terms():
        for game in range(10):
            last: State = list(playthrough(terms, f"ends/{game}"))[-1].after.state
            waiting = awaited(last)
            assert isinstance(waiting, Over)
            visitors, home = last.runs
            winner = waiting.result.winner
            assert winner is (None if visitors == home else last.seat(Side(home > visitors)))
            assert winner or last.inning == terms.innings + terms.extra_innings
            ended += 1
    assert ended == 240


def test_what_may_be_played_does_not_depend_on_the_hidden_hand() -> None:
    for step in playthrough(Terms(Rules.CARDS), "hidden"):
        match awaited(step.before):
            case Sealed(CardSet() as host, CardSet() as guest):
                home, away = step.before.decks[Side.HOME].unseen, step.before.decks[Side.VISITORS].unseen
                swap = step.before.home is Seat.GUEST
                assert (host.mask, guest.mask) == ((away, home) if swap else (home, away))
            case _:
                pass
