"""Work that nobody waits for, such as closing what has failed; and its end with the program's."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from functools import wraps
from pathlib import PurePath
from typing import Any, ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")

SETTLE_SECONDS = 1.0
_TASKS: set[asyncio.Task[Any]] = set()


def in_background(work: Coroutine[Any, Any, Any]) -> asyncio.Task[Any]:
    """Run to the end on its own; the reference kept here keeps the task alive. `work` must not raise."""
    task = asyncio.ensure_future(work)
    _TASKS.add(task)
    task.add_done_callback(_TASKS.discard)
    return task


async def settle(seconds: float = SETTLE_SECONDS) -> None:
    """Wait a little for what runs in the background, then stop it while the loop still runs.

    What is stopped only with the loop (a TURN server that is gone keeps a close waiting for a minute) starts new tasks
    as it goes; nobody runs those, and the interpreter prints its complaints into the player's terminal.
    """
    loop = asyncio.get_running_loop()
    if mine := {task for task in _TASKS if task.get_loop() is loop}:
        await asyncio.wait(mine, timeout=seconds)
    for _ in range(5):
        # What one stopped task has started is found in the next round.
        left = {task for task in asyncio.all_tasks() if task in _TASKS or _of_the_libraries(task)}
        if not left:
            break
        for task in left:
            task.cancel()
        await asyncio.wait(left, timeout=0.2)


def _of_the_libraries(task: asyncio.Task[Any]) -> bool:
    """Whether aiortc or aioice started a task."""
    code = getattr(task.get_coro(), "cr_code", None)
    return code is not None and {"aiortc", "aioice"} & {*PurePath(code.co_filename).parts} != set()


def settled(work: Callable[P, Awaitable[T]]) -> Callable[P, Coroutine[Any, Any, T]]:
    """The same work, its background settled at the end, however it ends."""

    @wraps(work)
    async def whole(*args: P.args, **kwargs: P.kwargs) -> T:
        try:
            return await work(*args, **kwargs)
        finally:
            await settle()

    return whole
