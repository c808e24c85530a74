"""The short form of the campaign `nat`, and what doctor says behind each kind of NAT; as root, with coturn and nft."""

from __future__ import annotations

import json
import re
import sys

import pytest

from tests import needs
from tests.campaign.nat import SHORT
from tests.net.lab.networks import Kind, Lab, run
from tests.net.lab.play import Case, play
from tests.net.lab.stage import RELAY, Player, line, servers
from tests.net.lab.table import BEGIN, PAGE, cell


@pytest.fixture(autouse=True)
def laboratory() -> None:
    needs.root()
    for program in ("ip", "nft", "turnserver"):
        needs.program(program)


@pytest.mark.parametrize("case", SHORT, ids=str)
async def test_a_game_is_played_across_these_networks(case: Case) -> None:
    result = await play(case, patience=90)
    assert result.wrong == ""
    assert result.ways == list(case.possible)
    # The row of the table in the docs is made again, but for the time.
    without_time = re.sub(r", [\d.]+ s", "", cell(result.row()))
    rows = PAGE.read_text(encoding="utf-8").partition(BEGIN)[2].partition("With one:")[2 if case.turn else 0]
    columns = next(text for text in rows.splitlines() if text.startswith(f"| **{case.host}**")).split("|")
    assert re.sub(r", [\d.]+ s", "", columns[2 + list(Kind).index(case.guest)].strip()) == without_time


DOCTOR = """
import asyncio, json, sys
from p2pball.net.doctor import examine
from p2pball.net.ways import Network
async def main():
    async for finding in examine(sys.argv[1], Network()):
        print(json.dumps({"what": finding.what, "health": finding.health.value, "seen": finding.seen}))
asyncio.run(main())
"""


@pytest.mark.parametrize(
    ("kinds", "nats"),
    [
        ((Kind.PORT_RESTRICTED, Kind.SYMMETRIC), ("Friendly", "Symmetric")),
        ((Kind.UDP_BLOCKED, Kind.OPEN), ("UDP is blocked", "None")),
    ],
)
async def test_doctor_tells_what_it_sits_behind(kinds: tuple[Kind, Kind], nats: tuple[str, str]) -> None:
    with Lab(kinds) as lab:
        async with servers(lab, turn=True):
            for site, nat in zip(lab.sites.values(), nats, strict=True):
                player = await Player.start(lab, site, sys.executable, "-c", DOCTOR, RELAY)
                assert await player.end(60) == 0, player.talk
                seen = {finding["what"]: finding for finding in player.lines}
                assert nat in seen.get("NAT", seen["STUN"])["seen"]
                assert seen["relay"]["health"] == seen["TURN over TCP"]["health"] == seen["in all"]["health"] == "good"
                assert seen["TURN over UDP"]["health"] == ("bad" if site.kind is Kind.UDP_BLOCKED else "good")


async def test_the_line_delays_and_loses_as_it_is_told() -> None:
    ask = "import asyncio, time, json; from p2pball.net.probes import mapped_addresses as m; t = time.monotonic(); "
    ask += "found = asyncio.run(m([('198.51.100.2', 8765)])); "
    ask += "print(json.dumps({'found': found, 'seconds': time.monotonic() - t}))"
    with Lab((Kind.OPEN, Kind.OPEN), lines=True) as lab:
        async with servers(lab, turn=False), line(lab) as own_line:

            async def asked() -> dict[str, object]:
                player = await Player.start(lab, lab.sites["A"], sys.executable, "-c", ask)
                await player.end(30)
                return json.loads(json.dumps(player.lines[-1]))

            for _ in range(20):  # until the forwarder is there
                if (quick := await asked())["found"] != [None]:
                    break
            own_line.set(delay=0.1)
            slow = await asked()
            own_line.set(delay=0.0, loss=1.0)
            lost = await asked()
            own_line.set(loss=0.0, down=True)
            down = await asked()
            own_line.set(down=False)
            again = await asked()
    assert all(answer["found"] != [None] for answer in (quick, slow, again))
    assert lost["found"] == down["found"] == [None]

    assert isinstance(slow["seconds"], float)
    assert slow["seconds"] >= 0.2


def test_nothing_is_left_of_a_laboratory() -> None:
    with Lab((Kind.SYMMETRIC, Kind.OPEN)) as lab:
        assert lab.prefix in run("ip", "netns")
    assert lab.prefix not in run("ip", "netns")
