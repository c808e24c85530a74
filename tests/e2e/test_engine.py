"""A program in a seat of an online game: it plays like anybody, and one that fails loses its own game alone."""

from __future__ import annotations

import os
import shlex
import sys
from pathlib import Path

import pytest

from p2pball.verify import Verdict, verify
from tests.e2e.relays import free_port, relay
from tests.e2e.test_online import only_record
from tests.e2e.test_refusals import guest, host_at, target_of

PLAYER = """
import json, os, signal, sys
open(__file__ + ".pid", "w").write(str(os.getpid()))
left = {left}
for line in sys.stdin:
    told = json.loads(line)
    if told["t"] == "state":
        if not left:
            {fails}
        left -= 1
        print(json.dumps(told["legal"][0]), flush=True)
"""
STAYS = "print('and on\\n' * 25, flush=True); signal.signal(signal.SIGTERM, signal.SIG_IGN); signal.pause()"


@pytest.mark.parametrize(
    ("fails", "why"),
    [
        ("pass", ""),
        ("sys.exit()", "ended before its game did"),
        ("print('[' * 200_000, flush=True)", "a line of more than"),
        ("while True: print('nonsense', flush=True)", "no legal choice"),
        (STAYS, "no legal choice"),
    ],
)
def test_a_program_plays_online(fails: str, why: str, tmp_path: Path) -> None:
    port, homes = free_port(), (tmp_path / "ann", tmp_path / "bob")
    program = tmp_path / "bot.py"
    program.write_text(PLAYER.format(left=5 if why else -1, fails=fails))
    game = ("--auto", "rookie", "--pace", "0", "--rules", "cards", "--innings", "1")
    with relay(port), host_at(port, homes[0], *game) as host:
        target = target_of(host)
        with guest(target, homes[1], "--engine", shlex.join([sys.executable, str(program)])) as player:
            assert player.wait(120) == 0
            assert host.wait(120) == 0
    reports = [verify(only_record(home).read_bytes()) for home in homes]
    assert [report.verdict for report in reports] == [Verdict.COMPLETE] * 2
    assert reports[0].to_json() == reports[1].to_json()
    assert why in " ".join(player.said.split())
    assert ("resigned" in host.said) == bool(why)
    if why:
        assert reports[0].to_json()["result"]["winner"] == "host"
    for said in (player.said, host.said):
        assert "Traceback" not in said
    with pytest.raises(ProcessLookupError):  # it has ended with its game, by force if need be
        os.kill(int(program.with_name("bot.py.pid").read_text()), 0)
