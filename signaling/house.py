"""What a connection needs of the server it belongs to."""

from typing import TYPE_CHECKING, Protocol

from websockets.http11 import Request

from signaling.glance import Glimpse
from signaling.limits import Limits
from signaling.wire import Code, Outcome

if TYPE_CHECKING:
    from signaling.connection import Connection


class House(Protocol):
    """The server, as its connections know it."""

    limits: Limits
    buffer: memoryview
    """Read into by every connection: what is read is parsed before the next read."""

    def now(self) -> float:
        """The clock of all deadlines."""

    def arrived(self, conn: "Connection") -> bool:
        """A connection came in; False to drop it at once."""

    def seen(self, conn: "Connection", glimpse: Glimpse) -> None:
        """It asks for a seat, as most do."""

    def asked(self, conn: "Connection", request: Request) -> None:
        """It sent a whole request of any other kind."""

    def fumbled(self) -> None:
        """A connection came to no handshake: too slow, too large, or none at all."""

    def message(self, conn: "Connection", data: bytes) -> None:
        """It sent a whole binary message."""

    def broke(self, conn: "Connection", code: Code) -> None:
        """It broke a rule; the connection is still open unless the library closed it for the same reason."""

    def closed(self, conn: "Connection", outcome: Outcome | None) -> None:
        """Its client closed with that outcome, or it was lost (None)."""

    def blocked(self, conn: "Connection", blocked: bool) -> None:
        """It does not take what is sent, or does so again."""

    def gone(self, conn: "Connection") -> None:
        """The socket is closed."""
