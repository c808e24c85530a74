"""Two players who meet at a relay, honest or not: a host that waits, a guest that enters, and what came of it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from p2pball.net.introduce import Introduction
from p2pball.net.rendezvous import host, join
from p2pball.protocol.meeting import Code
from tests.net.evil import EvilRelay

CODE = Code("1234", ("crisp", "wolf"))
LIMIT = 30.0
HOST_KEY, GUEST_KEY = b"\x01" * 32, b"\x02" * 32


def quiet(_: str) -> None:
    return


class Hosting:
    """A host that waits in a room, and its code."""

    def __init__(self, url: str, report: Callable[[str], None] = quiet, **options: Any) -> None:
        self._code: asyncio.Future[Code] = asyncio.get_running_loop().create_future()
        self.codes: list[Code] = []
        self.task = asyncio.create_task(host(url, HOST_KEY, opened=self._opened, report=report, **options))

    def _opened(self, code: Code) -> None:
        self.codes.append(code)
        self._code.set_result(code)

    async def code(self) -> Code:
        await asyncio.wait({self.task, self._code}, return_when=asyncio.FIRST_COMPLETED, timeout=LIMIT)
        if self.task.done():
            self.task.result()
        return self._code.result()

    async def done(self) -> Introduction:
        return await asyncio.wait_for(self.task, LIMIT)

    async def failure(self) -> BaseException | None:
        await asyncio.wait({self.task}, timeout=LIMIT)
        return self.task.exception()

    async def stop(self) -> None:
        self.task.cancel()
        await asyncio.gather(self.task, return_exceptions=True)


async def enter(url: str, code: Code, report: Callable[[str], None] = quiet, **options: Any) -> Introduction:
    return await asyncio.wait_for(join(url, code, GUEST_KEY, report=report, **options), LIMIT)


async def meet(url: str) -> tuple[Introduction, Introduction]:
    hosting = Hosting(url)
    guest = await enter(url, await hosting.code())
    return await hosting.done(), guest


async def close(*introductions: Introduction) -> None:
    await asyncio.gather(*(introduction.link.close() for introduction in introductions))


async def through(relay: str, meddle: Callable[[str, int, bytes], Any]) -> tuple[Any, Any, EvilRelay]:
    """Both meet through a relay that meddles; what each got, an introduction or an error."""
    async with EvilRelay(relay, meddle) as evil:
        hosting = Hosting(evil.url)
        guest = (await asyncio.gather(enter(evil.url, await hosting.code()), return_exceptions=True))[0]
        return (await asyncio.gather(hosting.done(), return_exceptions=True))[0], guest, evil
