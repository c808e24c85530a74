"""A line that delays, loses and fails: IP packets between two TUN interfaces, each in a namespace of its own.

    python -m tests.net.lab.forwarder NAMESPACE INTERFACE NAMESPACE INTERFACE

Reads settings as JSON lines on stdin, each for both directions: {"delay": seconds, "loss": 0..1, "down": true}.
(netem is not in every kernel.)
"""

from __future__ import annotations

import ctypes
import fcntl
import heapq
import json
import os
import random
import selectors
import struct
import sys
import time

_TUNSETIFF, _IFF_TUN, _IFF_NO_PI = 0x400454CA, 0x0001, 0x1000
_CLONE_NEWNET = 0x40000000
_QUEUE = 2000


def tun(namespace: str, interface: str) -> int:
    """A descriptor of an interface that exists in a namespace."""
    with open(f"/run/netns/{namespace}", encoding="ascii") as there:
        if ctypes.CDLL(None, use_errno=True).setns(there.fileno(), _CLONE_NEWNET):
            raise OSError(ctypes.get_errno(), f"cannot enter {namespace}")
    descriptor = os.open("/dev/net/tun", os.O_RDWR | os.O_NONBLOCK)
    fcntl.ioctl(descriptor, _TUNSETIFF, struct.pack("16sH22x", interface.encode(), _IFF_TUN | _IFF_NO_PI))
    return descriptor


def forward(ends: tuple[int, int], seed: int = 1) -> None:
    """Carry packets until stdin ends."""
    chance = random.Random(seed)
    settings = {"delay": 0.0, "loss": 0.0, "down": False}
    waiting: list[tuple[float, int, int, bytes]] = []
    number = 0
    control = sys.stdin.fileno()
    os.set_blocking(control, False)
    typed = b""
    with selectors.DefaultSelector() as selector:
        for descriptor in (*ends, control):
            selector.register(descriptor, selectors.EVENT_READ)
        while True:
            pause = max(0.0, waiting[0][0] - time.monotonic()) if waiting else None
            for key, _ in selector.select(pause):
                if key.fd == control:
                    if not (read := os.read(control, 4096)):
                        return
                    typed += read
                    while b"\n" in typed:
                        line, _, typed = typed.partition(b"\n")
                        settings |= json.loads(line)
                    continue
                try:
                    packet = os.read(key.fd, 65536)
                except BlockingIOError:
                    continue
                if settings["down"] or chance.random() < settings["loss"] or len(waiting) >= _QUEUE:
                    continue
                to = ends[1] if key.fd == ends[0] else ends[0]
                number += 1
                heapq.heappush(waiting, (time.monotonic() + settings["delay"], number, to, packet))
            while waiting and waiting[0][0] <= time.monotonic():
                _, _, to, packet = heapq.heappop(waiting)
                try:
                    os.write(to, packet)
                except OSError:
                    continue  # a full queue or an interface that is down loses packets, as lines do


if __name__ == "__main__":
    forward((tun(sys.argv[1], sys.argv[2]), tun(sys.argv[3], sys.argv[4])))
