"""A relay inside the host's own process, for one LAN or where no relay is configured."""

from types import TracebackType
from typing import Self

from signaling.options import Options
from signaling.server import Server


class EmbeddedRelay:
    """`async with EmbeddedRelay(host="0.0.0.0", port=0) as relay`: a relay listens on `relay.port` meanwhile.

    A game that is resumed asks for the port it had before. Raises OSError when the port is not free.
    """

    def __init__(self, host: str = "0.0.0.0", port: int = 0) -> None:  # noqa: S104 -- the partner is on another machine
        self._options = Options(host=host, port=port)
        self._server: Server | None = None

    @property
    def port(self) -> int:
        """The TCP port."""
        if self._server is None:
            raise RuntimeError("the relay has not started")
        return self._server.port

    async def __aenter__(self) -> Self:
        self._server = Server(self._options)
        await self._server.start()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None:
        if self._server is not None:
            await self._server.stop()
