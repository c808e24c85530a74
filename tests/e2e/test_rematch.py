"""After a game: another on the same connection, the other team at home, no new code."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from p2pball.engine.terms import Seat
from p2pball.verify import Verdict, verify
from tests.e2e.relays import free_port, relay
from tests.e2e.test_refusals import guest, host_at, target_of
from tests.terminal import Terminal, environment


def test_two_games_on_one_connection(tmp_path: Path) -> None:
    port, homes = free_port(), [tmp_path / "ann", tmp_path / "bob"]
    short = ("--innings", "1", "--extra-innings", "0")
    with relay(port) as server, host_at(port, homes[0], *short) as host, guest(target_of(host), homes[1]) as other:
        other.expect("Play? Enter for yes, n for no >", seconds=60)
        server.kill()
        other.type("\n")
        play_both(host, other)
        for player in (host, other):
            player.expect("r for a rematch, Enter to finish >", seconds=60)
        host.type("r\n")
        other.type("r\n")
        other.expect("Play? Enter for yes, n for no >", seconds=60)
        other.type("\n")
        play_both(host, other)
        for player in (host, other):
            player.expect("r for a rematch, Enter to finish >", seconds=60)
            player.type("\n")
            assert player.wait(60) == 0
    records = [sorted(home.glob("games/2*/record.p2pball")) for home in homes]
    assert [len(found) for found in records] == [2, 2]
    games: dict[str, list[Seat]] = {}
    for path in (path for found in records for path in found):
        report = verify(path.read_bytes())
        assert report.verdict is Verdict.COMPLETE
        games.setdefault(report.to_json()["chain"], []).append(report.game.state.home)
    assert sorted(len(seats) for seats in games.values()) == [2, 2]
    first, second = games.values()
    assert first[0] is not second[0]


@pytest.mark.parametrize("cut", ["host", "guest"])
def test_a_rematch_after_a_game_that_was_gone_on_with(cut: str, tmp_path: Path) -> None:
    port, homes = free_port(), {"host": tmp_path / "ann", "guest": tmp_path / "bob"}
    short = ("--innings", "1", "--extra-innings", "0", "--home", "host")
    with relay(port), host_at(port, homes["host"], *short) as host, guest(target_of(host), homes["guest"]) as other:
        other.expect("Play? Enter for yes, n for no >", seconds=60)
        other.type("\n")
        for player in (host, other):
            player.expect("Top of the 1st", seconds=60)
        stays, goes = (other, host) if cut == "host" else (host, other)
        goes.process.kill()
        with Terminal(["resume", "--plain"], environment(homes[cut])) as back:
            pair = (back, stays) if cut == "host" else (stays, back)
            play_both(*pair)
            for player in pair:
                player.expect("r for a rematch, Enter to finish >", seconds=60)
                player.type("r\n")
            pair[1].expect("Play? Enter for yes, n for no >", seconds=60)
            pair[1].type("\n")
            play_both(*pair)
            for player in pair:
                player.expect("r for a rematch, Enter to finish >", seconds=60)
                player.type("\n")
                assert player.wait(60) == 0
    for home in homes.values():
        reports = [verify(path.read_bytes()) for path in sorted(home.glob("games/2*/record.p2pball"))]
        assert [report.verdict for report in reports] == [Verdict.COMPLETE] * 2
        assert {report.game.state.home for report in reports} == set(Seat)


@pytest.mark.parametrize("stays", ["host", "guest"])
def test_a_rival_who_leaves_after_the_game_is_no_failure(stays: str, tmp_path: Path) -> None:
    port, homes = free_port(), [tmp_path / "ann", tmp_path / "bob"]
    short = ("--innings", "1", "--extra-innings", "0")
    with relay(port), host_at(port, homes[0], *short) as host, guest(target_of(host), homes[1]) as other:
        other.expect("Play? Enter for yes, n for no >", seconds=60)
        other.type("\n")
        play_both(host, other)
        for player in (host, other):
            player.expect("r for a rematch, Enter to finish >", seconds=60)
        staying, leaving = (host, other) if stays == "host" else (other, host)
        leaving.type("\n")
        assert leaving.wait(60) == 0
        staying.type("r\n")
        staying.expect("No rematch: your rival has left.", seconds=60)
        assert staying.wait(60) == 0
    for home in homes:
        (record,) = home.glob("games/2*/record.p2pball")
        assert verify(record.read_bytes()).verdict is Verdict.COMPLETE


def play_both(host: Terminal, other: Terminal) -> None:
    """Both press what makes sense, each when asked, until the game is over for both."""
    playing = {host, other}
    until = time.monotonic() + 120
    while playing and time.monotonic() < until:
        for player in list(playing):
            player.pump(0.01)
            match player.next_of("? help >", "Record: "):
                case "? help >":
                    asked = player.said[: player.at].rsplit("\n", 1)[-1]
                    player.type("\n" if "Enter to roll" in asked else "1\n")
                case "Record: ":
                    playing.discard(player)
                case _:
                    pass
    assert not playing
