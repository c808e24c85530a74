"""Work that nobody waits for, such as closing what has failed."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any

_TASKS: set[asyncio.Task[Any]] = set()


def in_background(work: Coroutine[Any, Any, Any]) -> asyncio.Task[Any]:
    """Run to the end on its own; the reference kept here keeps the task alive. `work` must not raise."""
    task = asyncio.ensure_future(work)
    _TASKS.add(task)
    task.add_done_callback(_TASKS.discard)
    return task
