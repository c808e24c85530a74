"""Run the full screen and give the terminal back, whatever ends it (experience.md, fact 2)."""

from __future__ import annotations

import asyncio
import contextlib
import sys

from p2pball.ui.tui.app import FullScreen


def run(app: FullScreen) -> None:
    """Run the app to its end, then say its farewell; raises what it failed of, and KeyboardInterrupt for a signal."""
    asyncio.run(app.run_async())
    with contextlib.suppress(OSError):  # the terminal may have gone
        for text in app.farewell:
            print(text, file=sys.stderr)
    if app.interrupted:
        raise KeyboardInterrupt
    if app.fault:
        raise app.fault
