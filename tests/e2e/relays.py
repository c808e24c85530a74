"""A relay process of its own, on a free port of the loopback."""

from __future__ import annotations

import contextlib
import socket
import subprocess
import sys
import time
from collections.abc import Iterator


def free_port() -> int:
    with socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))
        return int(sock.getsockname()[1])


@contextlib.contextmanager
def relay(port: int) -> Iterator[subprocess.Popen[bytes]]:
    """A relay process of its own."""
    command = [sys.executable, "-m", "signaling", "--host", "127.0.0.1", "--port", str(port)]
    process = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    try:
        for _ in range(100):
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
                break
            time.sleep(0.1)
        yield process
    finally:
        process.kill()
        process.wait(60)
