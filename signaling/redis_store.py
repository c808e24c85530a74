"""Keeps seats and counts in Redis or Valkey, so that several processes are one relay; parcels go by pub/sub.

One session lasts as long as Redis answers. In it the process has a name, an `alive:` key of three seconds, a channel of
its own and one ordered queue out. When Redis does not answer within a second the session is over: whatever hung on it
is closed (`lost(None)`), and a new session begins under a new name, so that nothing of the old one is mistaken for it.
"""

import asyncio
import contextlib
import secrets
import time
from collections.abc import Callable
from typing import Any

from redis.asyncio import Redis
from redis.asyncio.client import PubSub
from redis.exceptions import RedisError

from signaling.directory import RETRY_FULL, Asking, Granted, Refused
from signaling.limits import Limits
from signaling.log import LOG
from signaling.redis_queue import ANSWER, Job, Queue
from signaling.redis_script import PREFIX, SCRIPT
from signaling.store import StoreError
from signaling.wire import Code, Role

ALIVE = 3.0
"""Seconds after which a process that does not renew its key counts as dead."""

_BEAT = 1.0


class RedisStore:
    """The store of one process of many."""

    def __init__(self, url: str, limits: Limits) -> None:
        self.home = ""
        self._limits = limits
        self._redis = Redis.from_url(url, socket_timeout=ANSWER, socket_connect_timeout=ANSWER, retry=None)
        self._queue = Queue(self._redis)
        self._peers: set[str] = set()
        self._task: asyncio.Task[None] | None = None
        self._up = asyncio.Event()
        self._hear: Callable[[bytes], None] = lambda _: None
        self._lost: Callable[[str | None], None] = lambda _: None

    async def open(self, hear: Callable[[bytes], None], lost: Callable[[str | None], None]) -> None:
        """Connect. Raises StoreError when Redis is not there or refuses what a session needs."""
        self._hear, self._lost = hear, lost
        try:
            await self._redis.ping()
        except (RedisError, OSError) as error:
            await self._redis.aclose()
            raise StoreError(f"Redis does not answer: {error}") from error
        self._task = asyncio.create_task(self._sessions())
        try:
            await asyncio.wait_for(self._up.wait(), 5 * ANSWER)
        except TimeoutError:
            await self.close()
            raise StoreError(
                "Redis answers, but takes no orders: it must be a primary that allows SCRIPT, EVALSHA, SET and pub/sub."
                " Check --redis and the user's rights."
            ) from None

    async def close(self) -> None:
        """Send what is left, tell the others at once, and let go."""
        until = time.monotonic() + ANSWER
        while len(self._queue) and self.home and time.monotonic() < until:  # noqa: ASYNC110 -- once in a life
            await asyncio.sleep(0.01)
        if self._task is not None:
            await _stop(self._task)
        with contextlib.suppress(RedisError, OSError):
            await self._redis.delete(f"{PREFIX}alive:{self.home}")
        await self._redis.aclose()

    # What the desk asks for

    async def seat(self, asking: Asking) -> Granted | Refused:
        """Give a seat or say why not; atomic. Raises StoreError."""
        if not self.home:
            raise StoreError("cut off")
        limits, door = self._limits, asking.door
        numbers = (
            *(limits.window * 1000, limits.joins, limits.failed_joins, limits.source_connections),
            *(limits.source_rooms, limits.rooms, limits.turn_window * 1000, limits.turn),
        )
        words = (door.nameplate, door.role.value, door.token or "", asking.source, asking.token, asking.home)
        answer: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self._put(Job(("seat", *words, "1" if asking.may_open else "0", *(str(int(one)) for one in numbers)), answer))
        code, *rest = await answer
        if code:
            retry = int(rest[0])
            return Refused(Code[code.decode()], None if retry < 0 else retry or RETRY_FULL)
        room, home, opens, turn = rest
        return Granted(room.decode(), home.decode(), bool(opens), bool(turn))

    def away(self, room: str, role: Role) -> None:
        """The connection of that seat was lost."""
        self._put(Job(("away", room.partition(".")[0], room, role.value)))

    def end(self, room: str) -> None:
        """The room is over."""
        self._put(Job(("end", room.partition(".")[0], room)))

    def depart(self, source: str, home: str) -> None:
        """A connection that had been granted a seat is gone; what an older session counted went with that."""
        if home == self.home:
            self._put(Job(("depart", source, home)))

    def send(self, home: str, data: bytes, bulk: bool) -> bool:
        """Send to another process, in order; False when too much is under way for another bulky parcel."""
        size = len(data) if bulk else 0
        if bulk and not self._queue.takes(size):
            return False
        self._peers.add(home)
        self._put(Job((data,), target=home, bulk=size))
        return True

    def sweep(self) -> None:
        """Redis forgets by itself."""

    def _put(self, job: Job) -> None:
        if self.home:
            self._queue.put(job)

    # The session

    async def _sessions(self) -> None:
        wait = 0.1
        while True:
            try:
                await self._session()
            except (RedisError, OSError, TimeoutError) as error:
                if self._cut_off():
                    wait = 0.1
                    LOG.error("store lost", extra={"about": {"error": type(error).__name__}})
            except Exception:  # a fault of ours ends the session, never the way to the next one
                self._cut_off()
                LOG.exception("store session failed")
            await asyncio.sleep(wait)
            wait = min(2 * wait, 1.0)

    def _cut_off(self) -> bool:
        was, self.home = self.home, ""
        self._up.clear()
        self._peers.clear()
        self._queue.refuse()
        if was:
            self._lost(None)
        return bool(was)

    async def _session(self) -> None:
        name = secrets.token_hex(8)
        script = await self._redis.script_load(SCRIPT)
        async with self._redis.pubsub() as channel:
            await channel.subscribe(f"{PREFIX}home:{name}")
            since = time.monotonic()
            await self._redis.set(f"{PREFIX}alive:{name}", 1, px=int(ALIVE * 1000))
            self.home = name
            self._up.set()
            LOG.info("store found")
            runs = (self._queue.write(script, self._bury), self._listen(channel), self._beat(name, since))
            tasks = [asyncio.create_task(run) for run in runs]
            try:
                done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
                done.pop().result()
            finally:
                await _stop(*tasks)

    async def _listen(self, channel: PubSub) -> None:
        while True:
            message = await channel.get_message(ignore_subscribe_messages=True, timeout=None)
            if message is not None:
                # A guest may sit down in a room before we have read that it is ours: two connections, no order.
                await self._queue.answered.wait()
                await asyncio.sleep(0)  # whoever was just answered acts first
                self._hear(message["data"])

    async def _beat(self, name: str, last: float) -> None:
        while True:
            await asyncio.sleep(_BEAT)
            if time.monotonic() - last > ALIVE:  # we were stopped, and the others took us for dead
                raise TimeoutError
            peers = sorted(self._peers)
            async with asyncio.timeout(ANSWER):
                pipeline = self._redis.pipeline(transaction=False)
                pipeline.set(f"{PREFIX}alive:{name}", 1, px=int(ALIVE * 1000))
                for peer in peers:
                    pipeline.exists(f"{PREFIX}alive:{peer}")
                _, *living = await pipeline.execute()
            last = time.monotonic()
            for peer, lives in zip(peers, living, strict=True):
                if not lives:
                    self._bury(peer)

    def _bury(self, peer: str) -> None:
        if peer in self._peers:
            self._peers.discard(peer)
            LOG.warning("a process of this relay is gone")
            self._lost(peer)


async def _stop(*tasks: asyncio.Task[None]) -> None:
    """Cancel until they are done: a cancellation that meets a timeout inside the library is lost there."""
    pending = set(tasks)
    while pending:
        for task in pending:
            task.cancel()
        _, pending = await asyncio.wait(pending, timeout=0.1)
