"""What goes wrong before a game: each ends in a sentence, an exit code and nothing on disk, for both sides."""

from __future__ import annotations

import re
import signal
from pathlib import Path

from tests.e2e.relays import free_port, relay
from tests.terminal import Terminal, environment


def host_at(port: int, home: Path, *options: str) -> Terminal:
    arguments = ["host", "--plain", "--relay", f"127.0.0.1:{port}", "--name", "Ann", *options]
    return Terminal(arguments, environment(home))


def target_of(host: Terminal) -> str:
    host.expect("p2pball join ", seconds=60)
    host.expect("\n")
    found = re.search(r"join (\S+)", host.said)
    assert found
    return found[1]


def guest(target: str, home: Path, *options: str) -> Terminal:
    return Terminal(["join", target, "--plain", "--name", "Bob", *options], environment(home))


def no_game(*homes: Path) -> bool:
    return not any(list(home.glob("games/2*")) for home in homes)


def test_a_wrong_code_was_one_guess_and_burns_it(tmp_path: Path) -> None:
    port, ann, bob = free_port(), tmp_path / "ann", tmp_path / "bob"
    with relay(port), host_at(port, ann) as host:
        target = target_of(host)
        wrong = re.sub(r"^(\d+)-\w+-\w+", r"\1-zebra-zoo", target)
        with guest(wrong, bob) as one:
            assert one.wait(60) == 1
            assert "guess" in one.said
            assert "Traceback" not in one.said
        assert host.wait(60) == 1
        assert "guess" in host.said
        assert "Traceback" not in host.said
        with guest(target, bob) as two:  # the right words come too late
            assert two.wait(60) == 1
            assert "Ask your host for a new one" in two.said
    assert no_game(ann, bob)


def test_a_third_player_is_told_that_the_room_is_full(tmp_path: Path) -> None:
    port, homes = free_port(), [tmp_path / name for name in ("ann", "bob", "cat")]
    with relay(port), host_at(port, homes[0]) as host:
        target = target_of(host)
        with guest(target, homes[1]) as second:
            second.expect("Your partner is here.", seconds=60)
            with guest(target, homes[2]) as third:
                assert third.wait(60) == 1
                assert "Two players are in this room" in third.said or "No one waits under this code" in third.said
            second.expect("Play? Enter for yes, n for no >", seconds=60)


def test_a_room_that_is_not_there(tmp_path: Path) -> None:
    port = free_port()
    with relay(port), guest(f"4821-crisp-wolf@127.0.0.1:{port}".replace("crisp", "crystal"), tmp_path) as one:
        assert one.wait(60) == 1
        assert "No one waits under this code" in one.said
    assert no_game(tmp_path)


def test_the_guest_declines(tmp_path: Path) -> None:
    port, ann, bob = free_port(), tmp_path / "ann", tmp_path / "bob"
    with relay(port), host_at(port, ann) as host, guest(target_of(host), bob) as other:
        other.expect("Play? Enter for yes, n for no >", seconds=60)
        other.type("yse\n")  # no answer, so it is asked again
        other.expect("Play? Enter for yes, n for no >", seconds=60)
        assert "new key" in other.said
        other.type("n\n")
        assert other.wait(60) == 1
        assert host.wait(60) == 1
        assert "declined" in other.said
        assert "declined" in host.said
    assert no_game(ann, bob)


def test_interrupted_while_waiting(tmp_path: Path) -> None:
    port = free_port()
    with relay(port), host_at(port, tmp_path) as host:
        target_of(host)
        host.expect("Waiting for your partner.", seconds=60)
        host.process.send_signal(signal.SIGINT)
        assert host.wait(30) == 130
        assert "Traceback" not in host.said
    assert no_game(tmp_path)


def test_an_error_is_broken_between_words(tmp_path: Path) -> None:
    with Terminal(["join", "4821-crisp-wulf@127.0.0.1:9", "--name", "Bob"], environment(tmp_path)) as player:
        assert player.wait(60) == 1
    assert "'wulf' is not one of the code words" in player.said
    assert "Nothing was sent, so the code is still good." in " ".join(player.said.split())
    assert max(map(len, player.said.splitlines())) <= 80


def test_the_partner_goes_before_the_first_pitch(tmp_path: Path) -> None:
    port, ann, bob = free_port(), tmp_path / "ann", tmp_path / "bob"
    with relay(port), host_at(port, ann) as host, guest(target_of(host), bob) as other:
        other.expect("Play? Enter for yes, n for no >", seconds=60)
        other.interrupt()
        assert other.wait(30) == 130
        assert host.wait(60) == 1
        assert "Traceback" not in host.said
    assert no_game(ann, bob)


def test_the_host_meets_its_guest_by_a_relay_of_its_own(tmp_path: Path) -> None:
    ann, bob = tmp_path / "ann", tmp_path / "bob"
    arguments = ["host", "--plain", "--name", "Ann", "--auto", "rookie", "--pace", "0", "--innings", "1"]
    with Terminal(arguments, environment(ann)) as host:
        target = target_of(host)
        host.expect("--relay ADDRESS")
        assert re.fullmatch(r"\d{4}-[a-z]+-[a-z]+@[\d.]+:\d+", target)
        with guest(target, bob, "--auto", "rookie", "--pace", "0") as other:
            assert other.wait(60) == 0
            assert host.wait(60) == 0
