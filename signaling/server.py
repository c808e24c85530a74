"""The relay itself: takes connections, answers pages, has clients seated, and sweeps up every deadline."""

import asyncio
from collections import defaultdict
from dataclasses import replace
from typing import TYPE_CHECKING

from websockets.http11 import Request, Response

from signaling import pages, sources
from signaling.connection import Connection
from signaling.desk import Desk
from signaling.directory import RETRY_FULL, Refused
from signaling.glance import Glimpse
from signaling.ice import own_host
from signaling.listen import Secured, listen
from signaling.log import LOG
from signaling.metrics import Metrics
from signaling.options import Options
from signaling.store import MemoryStore, Store
from signaling.wire import Code, Door, Outcome, WireError, read_path

if TYPE_CHECKING:
    from signaling.stun import StunResponder

FLOOD = 2
"""Times the connections that a source, or all, may have: beyond these the next are dropped unheard."""


class Server:
    """One process of a relay; it is the house of its connections."""

    def __init__(self, options: Options, store: Store | None = None) -> None:
        """Must be made inside the event loop that it will run on."""
        self.limits = options.limits
        self.buffer = memoryview(bytearray(16 * 1024))
        self.metrics = Metrics()
        self.draining = False
        self._options = options
        self._loop = asyncio.get_running_loop()
        self._store = store if store is not None else MemoryStore(options.limits)
        self._desk = Desk(options, self._store, self.metrics, self._loop.time)
        self._conns: set[Connection] = set()
        self._sources: defaultdict[str, int] = defaultdict(int)
        self._listener: asyncio.Server | Secured | None = None
        self._sweeper: asyncio.Task[None] | None = None
        self._stun: StunResponder | None = None

    # Life

    async def start(self) -> None:
        """Listen. Raises OSError when the address cannot be had, StoreError when the store cannot."""
        await self._store.open(self._desk.passage.hear, self._desk.passage.lost)
        self._listener = await listen(self._options, lambda: Connection(self))
        if self._options.stun_port is not None:
            await self._start_stun(self._options.stun_port or self.port)
        self._sweeper = asyncio.create_task(self._sweep())
        LOG.info("listening", extra={"about": {"port": self.port}})

    async def _start_stun(self, port: int) -> None:
        from signaling.stun import StunResponder  # it loads all of aioice, half a second

        self._stun = StunResponder(self.limits, self.metrics)
        self._desk.ice = replace(self._desk.ice, stun_port=await self._stun.start(self._options.host, port))

    @property
    def port(self) -> int:
        """The TCP port it listens on."""
        if self._listener is None:
            raise RuntimeError("the relay has not started")
        return int(self._listener.sockets[0].getsockname()[1])

    async def drain(self) -> None:
        """Take no new rooms, send the waiting ones away, and give pairs their time to finish."""
        self.draining = True
        rooms = self._desk.rooms
        LOG.info("draining", extra={"about": {"pairs": len(rooms) - rooms.waiting}})
        self._desk.do(rooms.end(Code.DRAINING, lambda met, conns: not met))
        until = self.now() + self.limits.leave
        while len(rooms) and self.now() < until:  # noqa: ASYNC110 -- once in the life of a process
            await asyncio.sleep(0.05)

    async def stop(self) -> None:
        """Close every connection and let go of everything."""
        self.draining = True
        if self._listener is not None:
            self._listener.close()
        if self._stun is not None:
            self._stun.close()
        self._desk.do(self._desk.rooms.end(Code.DRAINING, lambda met, conns: True))
        for conn in self._conns:
            conn.close(Code.DRAINING)
        until = self.now() + 1.0
        while self._conns and self.now() < until:  # noqa: ASYNC110 -- once in the life of a process
            await asyncio.sleep(0.02)
        for conn in self._conns:
            conn.abort()
        if self._sweeper is not None:
            self._sweeper.cancel()
        await asyncio.sleep(0)  # for the connections just dropped to say so
        await self._store.close()
        LOG.info("stopped")

    async def _sweep(self) -> None:
        limits = self.limits
        times = (limits.handshake, limits.ping, limits.waiting, limits.silent, limits.away, limits.leave)
        step = min(1.0, min(times) / 4)
        while True:
            await asyncio.sleep(step)
            try:
                now = self.now()
                for conn in list(self._conns):
                    conn.tick(now)
                self._desk.do(self._desk.rooms.due(now))
                self._store.sweep()
            except Exception:  # all deadlines hang on this task: it outlives any fault
                LOG.exception("sweep failed")

    # What connections report

    def now(self) -> float:
        """The clock of all deadlines."""
        return self._loop.time()

    def arrived(self, conn: Connection) -> bool:
        """Count it; it is dropped unheard only in a flood, since a refusal has to reach its client."""
        self._conns.add(conn)
        if not self._is_proxy(conn.peer):
            self._count(conn, sources.source_at(conn.peer))
        flood = self._sources[conn.source] > FLOOD * self.limits.source_connections if conn.source else False
        if flood or len(self._conns) > FLOOD * self.limits.connections:
            self.metrics.refusals["flood"] += 1
            return False
        return True

    def _is_proxy(self, peer: str) -> bool:
        proxies = self._options.proxies
        found = sources.address(peer) if proxies else None
        return found is not None and sources.is_among(found, proxies)

    def _count(self, conn: Connection, source: str) -> None:
        conn.source = source
        self._sources[source] += 1

    def seen(self, conn: Connection, glimpse: Glimpse) -> None:
        """Have the client seated."""
        conn.open(glimpse.proof)
        self._knock(conn, glimpse.door, glimpse.host, [glimpse.forwarded] if glimpse.forwarded else [])

    def asked(self, conn: Connection, request: Request) -> None:
        """Answer a page, or have the client seated."""
        try:
            door = read_path(request.path)
        except WireError as error:
            if "Upgrade" not in request.headers:
                self._page(conn, pages.bad_address(str(error)))
            elif self._open(conn, request):
                self._desk.refuse(conn, Refused(Code.BAD_ADDRESS))
            return
        if door is None:
            self._page(conn, self._response(request))
        elif self._open(conn, request):
            headers = request.headers
            host, forwarded = ",".join(headers.get_all("Host")), headers.get_all("X-Forwarded-For")
            headers.clear()  # the library holds on to the request, a third of what a connection costs
            self._knock(conn, door, host, forwarded)

    def _open(self, conn: Connection, request: Request) -> bool:
        status = conn.accept(request)
        if status != 101:
            self.metrics.http[str(status)] += 1
        return status == 101

    def _page(self, conn: Connection, response: Response) -> None:
        self.metrics.http[str(response.status_code)] += 1
        conn.answer(response)

    def _response(self, request: Request) -> Response:
        if request.method != "GET":
            return pages.not_allowed()
        match request.path.partition("?")[0]:
            case "/":
                return pages.about()
            case "/health":
                return pages.health("draining" if self.draining else None if self._store.home else "no store")
            case "/metrics":
                waiting = self._desk.rooms.waiting
                gauges = {"connections": len(self._conns), "draining": int(self.draining), "rooms_waiting": waiting}
                return pages.metrics(self.metrics.render(gauges | {"rooms_paired": len(self._desk.rooms) - waiting}))
            case _:
                return pages.not_found()

    def _knock(self, conn: Connection, door: Door, host: str, forwarded: list[str]) -> None:
        if not conn.source:
            peer = sources.address(conn.peer)
            if peer is not None:
                peer = sources.behind_proxies(peer, forwarded, self._options.proxies)
            self._count(conn, sources.source_of(peer) if peer is not None else "unknown")
        if self._sources[conn.source] > self.limits.source_connections:
            self._desk.refuse(conn, Refused(Code.CONNECTIONS, RETRY_FULL))
        elif len(self._conns) > self.limits.connections:
            self._desk.refuse(conn, Refused(Code.RELAY_FULL, RETRY_FULL))
        else:
            conn.stun_host = own_host(host)
            self._desk.seat(conn, door, not self.draining)

    def fumbled(self) -> None:
        """A connection came to no handshake."""
        self.metrics.refusals["handshake"] += 1

    def message(self, conn: Connection, data: bytes) -> None:
        """It sent a whole binary message."""
        self._desk.message(conn, data)

    def broke(self, conn: Connection, code: Code) -> None:
        """It broke a rule."""
        self._desk.broke(conn, code)

    def closed(self, conn: Connection, outcome: Outcome | None) -> None:
        """Its client closed, or it was lost."""
        self._desk.closed(conn, outcome)

    def blocked(self, conn: Connection, blocked: bool) -> None:
        """It does not take what is sent, or does so again."""
        self._desk.blocked(conn, blocked)

    def gone(self, conn: Connection) -> None:
        """The socket is closed."""
        if conn not in self._conns:
            return
        self._conns.remove(conn)
        if conn.source:
            left = self._sources.pop(conn.source) - 1
            if left:
                self._sources[conn.source] = left
        if conn.granted:
            self._store.depart(conn.source, conn.granted)
            conn.granted = ""
