"""The main job: two players in two terminals, a relay that dies on the way, one game each proved from both records."""

from __future__ import annotations

import json
import re
import time
from pathlib import Path
from typing import Any

import pytest

from p2pball.engine.events import CardsPlayed
from p2pball.protocol.deals import HAND
from p2pball.protocol.messages import Message, parse_frame
from p2pball.verify import Report, Verdict, verify
from tests.e2e.relays import free_port, relay
from tests.terminal import Terminal, environment
from tests.ui.screen import Screen


def only_record(home: Path) -> Path:
    (record,) = home.glob("**/record.p2pball")
    return record


def play_by_keys(player: Terminal, seconds: float) -> None:
    """Type the first thing that makes sense at every prompt, until the game is over."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        match player.expect("? help >", "r for a rematch, Enter to finish >", seconds=60):
            case "? help >":
                asked = player.said[: player.said.rindex("? help >")].rsplit("\n", 1)[-1]
                player.type("\n" if "Enter to" in asked else "1\n")  # to roll, or to hold at a King's window
            case _:
                player.type("\n")
                return
    raise AssertionError("the game takes too long")


@pytest.mark.parametrize(("rules", "innings"), [("dice", 9), ("cards", 3)])
def test_two_players_in_two_terminals(rules: str, innings: int, tmp_path: Path) -> None:
    port = free_port()
    homes = {"host": tmp_path / "host", "guest": tmp_path / "guest"}
    traces = {seat: tmp_path / f"{seat}.trace" for seat in homes}
    envs = {seat: environment(homes[seat], P2PBALL_TRACE=str(traces[seat])) for seat in homes}
    options = ["--plain", "--relay", f"127.0.0.1:{port}"]
    with relay(port) as server:
        host = Terminal(
            ["host", *options, "--rules", rules, "--name", "Ann", "--auto", "rookie", "--pace", "0"], envs["host"]
        )
        with host:
            host.expect("The other player types: p2pball ")
            host.expect("\n")
            line = re.search(r"join (\S+)", host.said)
            assert line
            with Terminal(["join", line[1], "--plain", "--name", "Bob"], envs["guest"]) as guest:
                guest.expect("Play? Enter for yes, n for no >")
                assert "key" in guest.said
                host.expect("Your rival is reading the terms.")
                guest.type("\n")
                guest.expect("You play Ann")
                server.kill()  # the channel is open: nobody needs the relay any more
                play_by_keys(guest, 240)
                assert guest.wait() == 0
                assert host.wait() == 0
    reports = {seat: verify(only_record(homes[seat]).read_bytes()) for seat in homes}
    assert [report.verdict for report in reports.values()] == [Verdict.COMPLETE] * 2
    assert reports["host"].to_json() == reports["guest"].to_json()
    assert reports["host"].game.state.terms.innings == innings
    for seat, trace in traces.items():
        assert_nothing_leaks(trace, seat, reports[seat])


def test_a_host_without_a_name_is_asked_for_one_before_the_full_screen_opens(tmp_path: Path) -> None:
    with Screen(tmp_path, ["host"], P2PBALL_NAME="") as host:
        host.shows("Your name")
        host.interrupt()
        assert host.wait() == 130
    with Screen(tmp_path, ["host", "--name", "Vera"], P2PBALL_NAME="") as host:
        host.shows("Tell the other player to type:")
        assert "Your name" not in host.said


def test_who_does_not_play_is_asked_nothing(tmp_path: Path) -> None:
    with Terminal(["host", "--plain", "--auto", "rookie"], environment(tmp_path)) as host:
        host.expect("The other player types: p2pball ", seconds=60)
        assert "Your name" not in host.said


def assert_nothing_leaks(trace: Path, seat: str, report: Report) -> None:
    """What a seat was told: no hand secret before its time, no card of the other side before it was played."""
    frames = [parse_frame(line) for line in trace.read_bytes().splitlines()]
    messages = [frame for frame in frames if isinstance(frame, Message) and frame.seat != seat]
    assert len(messages) > 10
    reveals = [m for m in messages if m.type == "reveal" and "card" in m.body["action"]]
    for number, message in enumerate(reveals, start=1):
        assert bool(message.body["hand_secret"]) is (number % HAND == 0)
    others = [m for m in messages if m not in reveals and m.type not in ("hello", "final")]
    played = {name for m in reveals for name in (m.body["action"]["card"],)}
    count = sum(isinstance(event, CardsPlayed) for event in report.game.events)
    assert len(reveals) == count
    text = "".join(json.dumps(_without(m, "hand_secret")) for m in others)
    assert '"card"' not in text
    assert not any(m.body.get("hand_secret") for m in others)
    assert len(played) <= 52


def _without(message: Message, name: str) -> dict[str, Any]:
    return {key: value for key, value in message.body.items() if key != name}
