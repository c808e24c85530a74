"""One case of the campaign `nat`: two `p2pball` processes behind their NATs play an inning of dice."""

from __future__ import annotations

import asyncio
import contextlib
import sys
import tempfile
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from tests.net.lab.networks import Kind, Lab
from tests.net.lab.stage import RELAY, Line, Player, line, servers

CLI = [sys.executable, "-m", "p2pball"]
GAME = ["--rules", "dice", "--innings", "1", "--extra-innings", "0"]
SEAT = ["--auto", "rookie", "--json", "--relay", RELAY]
WAYS = {"directly.": "direct", "UDP.": "turn-udp", "TCP.": "turn-tcp"}


@dataclass(frozen=True)
class Case:
    """Who stands behind what, whether the relay names a TURN server, and what happens to the host's line."""

    host: Kind
    guest: Kind
    turn: bool
    loss: float = 0.0
    """Of the packets each way, 0 to 1."""
    delay: float = 0.0
    """Added to a round trip, in seconds."""
    outage: float = 0.0
    """For how many seconds the line is dead, in the middle of the game."""
    moves: bool = False
    """Whether the host's public address changes in the middle of the game."""

    @property
    def condition(self) -> str:
        """In a word, empty for a good line."""
        parts = [
            f"{self.loss:.0%} loss" if self.loss else "",
            f"{self.delay * 1000:.0f} ms" if self.delay else "",
            f"{self.outage:.0f} s outage" if self.outage else "",
            "new address" if self.moves else "",
        ]
        return ", ".join(filter(None, parts))

    @property
    def possible(self) -> tuple[str, ...]:
        """The ways that may come of it on a good line, by connection 1; none when there is none."""
        pair = {self.host, self.guest}
        if Kind.UDP_BLOCKED in pair:
            return ("turn-tcp",) if self.turn else ()
        if Kind.SYMMETRIC in pair and pair <= {Kind.SYMMETRIC, Kind.PORT_RESTRICTED}:
            return ("turn-udp",) if self.turn else ()
        return ("direct",)

    def __str__(self) -> str:
        turn = "TURN" if self.turn else "no TURN"
        return ", ".join(filter(None, [f"{self.host} to {self.guest}", turn, self.condition]))


@dataclass
class Result:
    """What came of a case: the ways used in turn, the seconds the first took, and what was wrong, if anything."""

    case: Case
    ways: list[str]
    seconds: float | None
    wrong: str = ""

    def row(self) -> dict[str, Any]:
        """As a JSON object."""
        fields = {**asdict(self.case), "condition": self.case.condition, "possible": bool(self.case.possible)}
        return {**fields, "ways": self.ways, "seconds": self.seconds, "wrong": self.wrong}


async def play(case: Case, patience: float = 240.0) -> Result:
    """Build the laboratory, play, take it down. `patience` bounds the game, in seconds."""
    rough = bool(case.loss or case.delay or case.outage or case.moves)
    async with contextlib.AsyncExitStack() as stack:
        lab = stack.enter_context(Lab((case.host, case.guest), lines=rough))
        await stack.enter_async_context(servers(lab, case.turn))
        own_line = await stack.enter_async_context(line(lab)) if rough else None
        if own_line:
            own_line.set(loss=case.loss, delay=case.delay / 2)
        homes = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        pace = ["--pace", "0.4" if case.outage or case.moves else "0"]
        host = await Player.start(lab, lab.sites["A"], *CLI, "host", *GAME, *SEAT, *pace, home=homes / "host")
        stack.push_async_callback(host.kill)
        try:
            code = (await host.until("code", 60))["code"]
        except (EOFError, TimeoutError) as error:
            return Result(case, [], None, f"no room: {error!r}")
        guest = await Player.start(lab, lab.sites["B"], *CLI, "join", code, *SEAT, *pace, home=homes / "guest")
        stack.push_async_callback(guest.kill)
        trouble = asyncio.create_task(_trouble(case, lab, own_line, host))
        codes = await asyncio.gather(host.end(patience), guest.end(patience))
        trouble.cancel()
        return await _judge(case, (host, guest), codes)


async def _trouble(case: Case, lab: Lab, own_line: Line | None, host: Player) -> None:
    """What happens to the host's line once a few plays are made."""
    if not (case.outage or case.moves):
        return
    with contextlib.suppress(EOFError):
        await host.until("eventType", 120)
    await asyncio.sleep(1)
    if case.moves:
        await asyncio.to_thread(lab.change_address, lab.sites["A"])
    if case.outage and own_line:
        own_line.set(down=True)
        await asyncio.sleep(case.outage)
        own_line.set(down=False)


async def _judge(case: Case, players: tuple[Player, Player], codes: tuple[int, int] | list[int]) -> Result:
    guest = players[1]
    said = [(str(words["text"]), when) for words, when in zip(guest.lines, guest.times, strict=True) if "text" in words]
    connected = [(text, when) for text, when in said if text.startswith("Connected")]
    ways = [WAYS[text.split()[-1]] for text, _ in connected]
    begun = next((when for text, when in said if text.startswith("Your partner is here")), None)
    seconds = round(connected[0][1] - begun, 2) if connected and begun else None
    result = Result(case, ways, seconds)
    talk = "\n".join(line for player in players for line in player.talk)
    if "Traceback" in talk or "went wrong inside" in talk:
        result.wrong = f"a traceback: {talk[-600:]}"
    elif not case.possible:
        if ways or list(codes) != [1, 1] or talk.count("No way through the network") != 2:
            result.wrong = f"no way, but exit codes {codes} after {ways}: {talk[-600:]}"
    else:
        overs = [next((words for words in player.lines if words.get("t") == "over"), None) for player in players]
        results = [over and over.get("result") for over in overs]
        if list(codes) != [0, 0] or not results[0] or results[0] != results[1]:
            result.wrong = f"exit codes {codes}, results {results}, ways {ways}: {talk[-600:]}"
        elif not set(ways) <= {*case.possible, *(["turn-udp", "turn-tcp"] if case.turn and case.condition else [])}:
            result.wrong = f"connected by {ways}, not {case.possible}"
        else:
            result.wrong = await _records_differ([Path(over["file"]) for over in overs if over])
    return result


async def _records_differ(records: list[Path]) -> str:
    """What is wrong with the two records: both must be COMPLETE and end in the same chain."""
    verdicts = []
    for record in records:
        process = await asyncio.create_subprocess_exec(
            *CLI, "verify", "--json", str(record), stdout=asyncio.subprocess.PIPE
        )
        out, _ = await asyncio.wait_for(process.communicate(), 30)
        verdicts.append((process.returncode, out))
    if any(code != 0 for code, _ in verdicts):
        return f"records: {verdicts}"
    return "" if verdicts[0][1] == verdicts[1][1] else f"the records differ: {verdicts}"


async def timed(case: Case) -> tuple[Result, float]:
    """A case and how long all of it took, in seconds."""
    started = time.monotonic()
    return await play(case), time.monotonic() - started
