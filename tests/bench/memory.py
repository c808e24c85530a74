"""Bench `memory`: what a player's process holds online, against one open channel and a hello-world app."""

from __future__ import annotations

import contextlib
import re
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import median

from tests.bench import ROUNDS, Figure
from tests.bench.start import FIRST_FRAME, HELLO, PYTHON, installed
from tests.e2e.relays import free_port, relay
from tests.terminal import COMMAND, Terminal

PEER = """
import asyncio, json, sys
from aiortc import RTCPeerConnection, RTCSessionDescription
from p2pball.net import tuning
tuning.apply()
async def main(first):
    peer = RTCPeerConnection()
    channel = peer.createDataChannel("c", negotiated=True, id=0)
    opened = asyncio.Event()
    channel.on("open", opened.set)
    def line():
        return json.loads(sys.stdin.readline())
    def said(description):
        print(json.dumps({"sdp": description.sdp, "type": description.type}), flush=True)
    if first:
        await peer.setLocalDescription(await peer.createOffer())
        said(peer.localDescription)
        await peer.setRemoteDescription(RTCSessionDescription(**await asyncio.to_thread(line)))
    else:
        await peer.setRemoteDescription(RTCSessionDescription(**await asyncio.to_thread(line)))
        await peer.setLocalDescription(await peer.createAnswer())
        said(peer.localDescription)
    await opened.wait()
    print("open", flush=True)
    await asyncio.to_thread(sys.stdin.readline)
asyncio.run(main(sys.argv[1] == "offer"))
"""


def resident(pid: int) -> float:
    """Resident memory of a process, in MiB."""
    found = re.search(r"VmRSS:\s+(\d+) kB", Path(f"/proc/{pid}/status").read_text())
    assert found
    return int(found[1]) / 1024


@contextlib.contextmanager
def two_bare_peers() -> Iterator[int]:
    """Two processes with nothing but one open channel between them; the one that offered."""
    with tempfile.TemporaryDirectory() as home:
        env = installed(Path(home))
        peers = [
            subprocess.Popen([*PYTHON, PEER, role], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=env)
            for role in ("offer", "answer")
        ]
        try:
            first, second = peers
            for sender, receiver in ((first, second), (second, first)):
                assert sender.stdout
                assert receiver.stdin
                receiver.stdin.write(sender.stdout.readline())
                receiver.stdin.flush()
            for peer in peers:
                assert peer.stdout
                assert peer.stdout.readline() == "open\n"
            yield first.pid
        finally:
            for peer in peers:
                peer.kill()
                peer.wait(10)


def bare_channel() -> float:
    """MiB of aiortc with one open channel."""
    with two_bare_peers() as pid:
        return resident(pid)


def plain_online() -> float:
    """MiB of a guest in plain mode, a game begun."""
    port = free_port()
    with tempfile.TemporaryDirectory() as room, relay(port):
        watch = ("--plain", "--auto", "rookie", "--pace", "1")
        arguments = ("host", *watch, "--relay", f"127.0.0.1:{port}", "--name", "A", "--home", "guest")
        with Terminal(arguments, installed(Path(room) / "a")) as host:
            host.expect("p2pball join ", seconds=60)
            host.expect("\n")
            target = re.findall(r"p2pball join (\S+)", host.said)[-1]
            with Terminal(("join", target, *watch, "--name", "B"), installed(Path(room) / "b")) as guest:
                guest.expect("Rolls: ", seconds=60)
                return resident(guest.process.pid)


def on_screen(text: str, arguments: tuple[str, ...], command: tuple[str, ...]) -> float:
    """MiB of a program in a terminal once it shows a text."""
    with tempfile.TemporaryDirectory() as home:
        env = installed(Path(home), TERM="xterm-256color")
        with Terminal(arguments, env, command=command) as terminal:
            terminal.expect(text, seconds=60)
            terminal.pump(1.0)
            return resident(terminal.process.pid)


def run() -> list[Figure]:
    """Medians of resident memory, and their ratios."""
    full = ("play", "--rules", "dice", "--name", "A")
    sides: dict[str, Callable[[], float]] = {
        "plain mode online": plain_online,
        "aiortc with one open channel": bare_channel,
        "full screen": lambda: on_screen(FIRST_FRAME, full, COMMAND),
        "hello-world Textual app": lambda: on_screen("hello, world", (), (*PYTHON, HELLO)),
    }
    found = {name: median(measure() for _ in range(ROUNDS)) for name, measure in sides.items()}
    plain, channel, screen, hello = found.values()
    return [
        *(Figure(name, value, "MiB") for name, value in found.items()),
        Figure("plain mode online / one open channel", plain / channel, "x", at_most=1.3),
        Figure("full screen / hello world", screen / hello, "x", at_most=1.5),
    ]
