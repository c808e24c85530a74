"""The one ordered way from a process to Redis: questions to the script and parcels for other processes, in batches."""

import asyncio
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from redis.asyncio import Redis

from signaling.redis_script import PREFIX
from signaling.store import StoreError

ANSWER = 1.0
"""Seconds that Redis has to answer."""

_BULK = 4 << 20  # bytes of messages under way to Redis, beyond which a room is closed rather than kept waiting
_BATCH = 256


@dataclass(slots=True)
class Job:
    """Arguments of the script, or with `target` a parcel for that process, of which `bulk` bytes are a message."""

    args: tuple[str | bytes, ...]
    answer: asyncio.Future[Any] | None = None
    target: str = ""
    bulk: int = 0


class Queue:
    """What is to be said to Redis, and what is being said."""

    def __init__(self, redis: Redis) -> None:
        self._redis = redis
        self._jobs: deque[Job] = deque()
        self._some = asyncio.Event()
        self._bulk = 0
        self.answered = asyncio.Event()  # no seat is being asked for just now
        self.answered.set()

    def put(self, job: Job) -> None:
        """Say that after all else."""
        self._bulk += job.bulk
        self._jobs.append(job)
        self._some.set()

    def takes(self, bulk: int) -> bool:
        """Whether a message of so many bytes may be put now."""
        return self._bulk + bulk <= _BULK

    def refuse(self) -> None:
        """Drop all; whoever waits for an answer gets a StoreError."""
        jobs, self._jobs, self._bulk = self._jobs, deque(), 0
        for job in jobs:
            if job.answer is not None and not job.answer.done():
                job.answer.set_exception(StoreError("cut off"))

    def __len__(self) -> int:
        """How many jobs are not under way yet."""
        return len(self._jobs)

    async def write(self, script: str, unheard: Callable[[str], None]) -> None:
        """Say all that is put, for ever; `unheard` is told where nobody listens. Raises what the library raises.

        `script` is the digest of the script as Redis has loaded it.
        """
        while True:
            await self._some.wait()
            self._some.clear()
            while self._jobs:
                batch = [self._jobs.popleft() for _ in range(min(_BATCH, len(self._jobs)))]
                try:
                    await self._run(batch, script, unheard)
                except BaseException:
                    self._jobs.extendleft(reversed(batch))  # their answers are refused with the rest
                    raise

    async def _run(self, batch: list[Job], script: str, unheard: Callable[[str], None]) -> None:
        pipeline = self._redis.pipeline(transaction=False)
        for job in batch:
            if job.target:
                pipeline.publish(f"{PREFIX}home:{job.target}", job.args[0])
            else:
                pipeline.evalsha(script, 0, *job.args)
        if any(job.answer is not None for job in batch):
            self.answered.clear()
        try:
            async with asyncio.timeout(ANSWER):
                results = await pipeline.execute()
            for job, result in zip(batch, results, strict=True):
                self._bulk -= job.bulk
                if job.answer is not None and not job.answer.done():
                    job.answer.set_result(result)
                if job.target and not result:  # nobody listens there any more
                    unheard(job.target)
        finally:
            self.answered.set()
