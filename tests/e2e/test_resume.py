"""Never lose a game: kills, sleep, a relay of one's own that goes down with its host."""

from __future__ import annotations

import shutil
import signal
import time
from pathlib import Path

import pytest

from tests.campaign import kill
from tests.e2e.match import Match
from tests.e2e.relays import free_port, relay
from tests.e2e.test_refusals import guest, host_at, target_of
from tests.terminal import Terminal, environment


@pytest.mark.parametrize("seed", [3000, 3002, 3003])
def test_campaign_kill_in_short(seed: int) -> None:
    assert kill.case(seed) == ""


def test_a_laptop_that_sleeps(tmp_path: Path) -> None:
    port = free_port()
    with relay(port), Match(tmp_path, port, rules="dice", innings=2, pace=0.2) as match:
        match.begin()
        time.sleep(1)
        match.signal("guest", signal.SIGSTOP)
        before = match.record("host")
        time.sleep(14)  # the host has noticed after 10 s and waits at the mailbox
        match.signal("guest", signal.SIGCONT)
        match.finish()
        assert match.record("host").startswith(before)
        assert "Meeting again; the game is saved." in match.said(1_000_000)


@pytest.mark.parametrize("killed", ["host", "guest"])
def test_who_was_killed_waiting_meets_the_partner_all_the_same(killed: str, tmp_path: Path) -> None:
    port, other = free_port(), "guest" if killed == "host" else "host"
    with relay(port), Match(tmp_path, port, pace=0.2) as match:
        match.begin()
        for seat in ("host", "guest"):
            match.kill(seat)
        for visit in range(2):  # what the first said to the room is still there when the second comes
            before = match.said(1_000_000).count("Waiting for your partner.")
            match.resume(killed)
            until = time.monotonic() + 60
            while match.said(1_000_000).count("Waiting for your partner.") == before:
                assert time.monotonic() < until, match.said()
                time.sleep(0.02)
            if visit == 0:
                match.kill(killed)
        match.resume(other)
        match.finish()
        assert "changed on its way" not in match.said(1_000_000)


def test_a_hosts_own_relay_comes_back_at_the_same_port(tmp_path: Path) -> None:
    with Match(tmp_path, 0, rules="cards", pace=0.2) as match:
        match.begin()
        match.wait_until_longer("host", len(match.record("host")) + 1_000)
        kept = match.kill("host")
        match.resume("host")
        match.finish()
        assert match.record("host").startswith(kept)


def test_who_has_the_end_waits_for_who_lacks_it(tmp_path: Path) -> None:
    port = free_port()
    with relay(port), Match(tmp_path, port) as match:
        match.begin()
        match.finish()
        (path,) = match.homes["guest"].glob("games/2*/record.p2pball")
        lines = path.read_bytes().splitlines(keepends=True)
        end = next(
            at for at, line in enumerate(lines) if rb"\"type\":\"final\"" in line and rb"\"seat\":\"host\"" in line
        )
        path.write_bytes(b"".join(lines[:end]))
        match.resume("host")
        match.resume("guest")
        match.finish()
        assert match.has_both_finals("guest")


def test_who_resigns_and_goes_may_come_back_for_the_end(tmp_path: Path) -> None:
    port, ann, bob = free_port(), tmp_path / "ann", tmp_path / "bob"
    with relay(port), host_at(port, ann) as host:
        with guest(target_of(host), bob) as other:
            other.expect("Play? Enter for yes, n for no >")
            other.type("\n")
            for player in (host, other):
                player.expect("Top of the 1st.")
            other.type("q\n")
            other.expect("Enter to stay >")
            host.process.send_signal(signal.SIGSTOP)  # the winner's final has to wait until the loser is gone
            other.type("r\n")
            until = time.monotonic() + 60
            while rb"\"type\":\"resign\"" not in next(bob.glob("games/2*/record.p2pball")).read_bytes():
                assert time.monotonic() < until, other.said
                time.sleep(0.01)
            time.sleep(2)  # what is stored is sent at once
            other.process.kill()
        host.process.send_signal(signal.SIGCONT)
        host.expect("Leave when you like.")
        host.type("q\n")
        host.expect("Enter to stay >")
        host.type("s\n")
        assert host.wait() == 0
        assert "If they ask you for it: p2pball resume" in " ".join(host.said.split())
        with (
            Terminal(["resume", "--plain"], environment(ann)) as back,
            Terminal(["resume", "--plain"], environment(bob)) as other,
        ):
            back.expect("That game is finished here.")
            for player in (back, other):
                player.expect("Ann wins.")
                player.expect("r for a rematch, Enter to finish >")
                player.type("\n")
                assert player.wait() == 0


def test_a_folder_from_a_backup_is_made_whole_by_the_partner(tmp_path: Path) -> None:
    port, backup = free_port(), tmp_path / "backup"
    with relay(port), Match(tmp_path, port, rules="cards", innings=2, pace=0.1) as match:
        match.begin()
        home = match.homes["guest"]
        shutil.copytree(home, backup)
        old = next(backup.glob("games/2*/record.p2pball")).read_bytes()
        match.wait_until_longer("guest", len(old) + 5_000)
        newest = match.kill("guest")
        assert len(newest) > len(old), "the game has gone on since"
        shutil.rmtree(home)
        backup.rename(home)
        match.resume("guest")
        match.finish()
        assert match.record("guest").startswith(old[: old.rfind(b"\n") + 1])
        # Nothing that the lost folder had signed was signed another way: the partner's record is one history.
        assert match.record("host").count(b"\n") == match.record("guest").count(b"\n")
