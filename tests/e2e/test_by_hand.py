"""Without any relay: two lines each way, pasted; then a whole game, and another meeting to go on with a cut one."""

from __future__ import annotations

import re
import signal
from pathlib import Path

from p2pball.verify import Verdict, verify
from tests.e2e.test_online import only_record
from tests.terminal import Terminal, environment

LINE = "Send this line to the other player:\n\n"
PASTE = "Paste the other player's line here, then Enter >"


def handed(player: Terminal) -> str:
    """The line that a player is to send."""
    player.expect(LINE, seconds=60)
    start = player.said.rindex(LINE) + len(LINE)
    player.expect("\n\n")
    return player.said[start:].split("\n", maxsplit=1)[0]


def paste(host: Terminal, guest: Terminal) -> None:
    """Carry the four lines to and fro."""
    for sender, receiver in ((host, guest), (guest, host), (host, guest), (guest, host)):
        line = handed(sender)
        assert re.fullmatch(r"p2pball:[A-Za-z0-9_.-]+", line)
        assert len(line) < 4000  # what a terminal takes in one line
        receiver.expect(PASTE, seconds=60)
        receiver.type(line + "\n")


def test_a_game_by_hand_cut_and_gone_on_with(tmp_path: Path) -> None:
    ann, bob = environment(tmp_path / "ann"), environment(tmp_path / "bob")
    with Terminal(
        ["host", "--by-hand", "--rules", "cards", "--innings", "1", "--home", "host", "--name", "Ann"], ann
    ) as host:
        host.expect("p2pball join ", seconds=60)
        host.expect("\n")
        target = re.search(r"p2pball join (\S+ --by-hand)", host.said)
        assert target
        with Terminal(["join", *target[1].split(), "--name", "Bob"], bob) as guest:
            paste(host, guest)
            guest.expect("Play? Enter for yes, n for no >", seconds=60)
            guest.type("\n")
            host.expect(" bats with ", seconds=60)
            guest.expect("? help >", seconds=60)
            guest.process.send_signal(signal.SIGINT)
            assert guest.wait() == 130
            assert host.wait(60) == 1
            assert "p2pball resume" in host.said
    with Terminal(["resume"], ann) as host, Terminal(["resume"], bob) as guest:
        paste(host, guest)
        for player in (guest, host):
            player.expect("You play", seconds=60)
        host.expect("batting, 0 balls 0 strikes. It is your rival's turn.", seconds=60)
        guest.expect("? help >", seconds=60)
        for player in (host, guest):
            player.type("q\n")
        host.expect("Enter to stay >", seconds=60)
        host.type("r\n")
        guest.expect("Enter to stay >", seconds=60)
        guest.type("\n")
        for player in (host, guest):
            player.expect("r for a rematch, Enter to finish >", seconds=60)
        guest.type("\n")
        assert guest.wait(60) == 0
        host.type("r\n")
        host.expect("No rematch: your rival has left.", seconds=60)
        assert host.wait(60) == 0
    reports = [verify(only_record(tmp_path / name).read_bytes()) for name in ("ann", "bob")]
    assert [report.verdict for report in reports] == [Verdict.COMPLETE] * 2
    assert reports[0].to_json() == reports[1].to_json()
