"""`replay`: every step is told, and every way through the game leads where it says."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from p2pball.scorebook.game import Game
from p2pball.scorebook.words import tell
from p2pball.ui.archive import find
from p2pball.ui.replay import Replay
from tests.cli.running import RECORDS, Here, run
from tests.terminal import Terminal, environment

CARDS = RECORDS / "cards-three-innings.p2pball"
DICE = RECORDS / "dice-nine-innings.p2pball"


def game(path: Path) -> Game:
    book = find(str(path)).record.book
    assert book is not None
    return book


@pytest.mark.parametrize("path", [CARDS, DICE], ids=["cards", "dice"])
def test_the_steps_are_the_whole_game_in_order(path: Path) -> None:
    replay = Replay(game(path))
    told = [words for moment in game(path).moments if (words := tell(moment))]
    assert [line for step in replay.steps for line in step.lines] == told
    moments = [moment for step in replay.steps for moment in step.moments]
    assert moments == list(game(path).moments)


def test_forward_and_back_end_at_the_ends() -> None:
    replay = Replay(game(DICE))
    assert replay.back() is None
    assert (replay.at, replay.step, replay.moment) == (0, None, None)
    seen = [replay.forward() for _ in replay.steps]
    assert tuple(seen) == replay.steps
    assert replay.ended
    assert replay.forward() is replay.steps[-1]
    assert replay.back() is replay.steps[-2]
    assert not replay.ended


def test_halves_and_scores_are_found_in_order() -> None:
    for path in (CARDS, DICE):
        replay, halves, scores = Replay(game(path)), 0, 0
        while not replay.ended:
            step = replay.next_half()
            halves += bool(step and step.begins_half)
        assert halves == sum(step.begins_half for step in replay.steps)
        replay.at = 0
        while not replay.ended:
            step = replay.next_score()
            scores += bool(step and step.scores)
        assert scores == sum(step.scores for step in replay.steps) > 0


def commands(here: Here, monkeypatch: pytest.MonkeyPatch, *args: str | Path, typed: str = "") -> list[str]:
    import io
    import sys

    monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
    ran = here("replay", *args)
    assert (ran.code, ran.err) == (0, "")
    return ran.lines


def test_without_input_it_plays_to_the_end(here: Here, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = commands(here, monkeypatch, CARDS)
    assert lines[0] == "The guest (Guest) won 4-1."
    assert lines[1:] == [words for moment in game(CARDS).moments if (words := tell(moment))]
    resigned = commands(here, monkeypatch, RECORDS / "resigned.p2pball")
    assert resigned[-1] == "The host (Host) won at 0-0: the guest (Guest) resigned."


def test_a_process_does_the_same(home: Path, here: Here, monkeypatch: pytest.MonkeyPatch) -> None:
    ran = run("replay", CARDS, "--plain", home=home)
    assert (ran.code, ran.err) == (0, "")
    assert ran.lines == commands(here, monkeypatch, CARDS)


def test_nothing_is_told_before_its_time(here: Here, monkeypatch: pytest.MonkeyPatch) -> None:
    steps = Replay(game(CARDS)).steps
    lines = commands(here, monkeypatch, CARDS, "--no-spoilers", typed="\n\nq\n")
    assert lines == [*steps[0].lines, *steps[1].lines]
    assert "won" not in " ".join(lines)


def test_commands_lead_where_they_say(here: Here, monkeypatch: pytest.MonkeyPatch) -> None:
    steps = Replay(game(CARDS)).steps
    score = next(step for step in steps if step.scores)
    lines = commands(here, monkeypatch, CARDS, "--no-spoilers", typed="b\ns\nb\nw\nh\nq\n")
    assert lines[0] == "Before the first pitch."
    assert lines[1].startswith("Top of the 1st. Riverbend 0, Kettle Point 0. Two out.")
    assert lines[2 : 2 + len(score.lines)] == list(score.lines)
    assert any(line.startswith("Bottom of the 1st. Riverbend 1, Kettle Point 0.") for line in lines)
    once = commands(here, monkeypatch, CARDS, "--no-spoilers", typed="p\n\nb\nq\n")
    assert "That was all. The guest (Guest) won 4-1. b goes back, q quits." in once
    assert once[-len(steps[-2].lines) :] == list(steps[-2].lines)


def test_help_and_speed(here: Here, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = commands(here, monkeypatch, DICE, "--pace", "1", "--no-spoilers", typed="?\n+\n+\n-\nq\n")
    assert lines[0].startswith("Enter  the next step")
    assert lines[-3:] == ["0.5 seconds between steps.", "0.25 seconds between steps.", "0.5 seconds between steps."]


def test_the_pace_is_kept(here: Here, monkeypatch: pytest.MonkeyPatch) -> None:
    slept: list[float] = []
    monkeypatch.setattr(time, "sleep", slept.append)
    commands(here, monkeypatch, RECORDS / "resigned.p2pball", "--pace", "2.5")
    assert slept == [2.5] * len(Replay(game(RECORDS / "resigned.p2pball")).steps)


def test_on_a_terminal_it_asks_and_can_be_interrupted(home: Path) -> None:
    with Terminal(["replay", str(CARDS), "--plain", "--pace", "0.3"], environment(home)) as player:
        total = len(Replay(game(CARDS)).steps)
        player.expect(f"[0 of {total}] Enter next", seconds=60)
        player.type("\n")
        player.expect(f"[1 of {total}] Enter next")
        player.type("p\n")
        player.expect("Abbott ten plus 1 is 11")
        player.interrupt()  # it stops, and asks again
        player.expect("Enter next")
        player.type("b\n")
        player.expect("Enter next")
        player.type("q\n")
        assert player.wait() == 0
        assert "Traceback" not in player.said


def test_ctrl_c_at_its_prompt_ends_it(home: Path) -> None:
    with Terminal(["replay", str(CARDS), "--plain", "--no-spoilers"], environment(home)) as player:
        player.expect("Enter next", seconds=60)
        player.interrupt()
        assert player.wait() == 130
        assert "Interrupted." in player.said
        assert "Traceback" not in player.said
        assert " of " not in player.said.split("Enter")[0]
