"""The relay's log: one JSON object a line, without address, nameplate or content."""

import asyncio
import json
import logging
import time
from typing import Any, TextIO

LOG = logging.getLogger("signaling")
"""What the relay has to say: `LOG.info("event", extra={"about": {...}})`."""

WEBSOCKETS = logging.getLogger("signaling.websockets")
"""Given to the WebSocket library, whose own lines are one a connection and quote requests: only its failures count."""
WEBSOCKETS.setLevel(logging.ERROR)


class JsonLines(logging.Formatter):
    """Time (UTC), level, event and what it is about."""

    def format(self, record: logging.LogRecord) -> str:
        """One line; an exception is named by its kind and place, since its text may quote a client."""
        at = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(record.created))
        said = {"at": at, "level": record.levelname.lower(), "event": record.getMessage()}
        said |= getattr(record, "about", {})
        if record.exc_info and record.exc_info[1] is not None:
            error, last = record.exc_info[1], record.exc_info[2]
            while last is not None and last.tb_next is not None:
                last = last.tb_next
            said |= {"error": type(error).__name__}
            if last is not None:
                said |= {"where": f"{last.tb_frame.f_code.co_filename.rpartition('/')[2]}:{last.tb_lineno}"}
        return json.dumps(said)


class _Once(logging.StreamHandler[TextIO]):
    """Keeps back a line that says what the last one said, to the second: when no files are left, asyncio tells of it
    four thousand times in one.
    """

    _last = ""

    def emit(self, record: logging.LogRecord) -> None:
        line = self.format(record)
        if line != self._last:
            self._last = line
            super().emit(record)


def to(stream: TextIO) -> None:
    """Write the log to a stream."""
    handler = _Once(stream)
    handler.setFormatter(JsonLines())
    LOG.handlers[:] = [handler]
    LOG.setLevel(logging.INFO)
    LOG.propagate = False


def fault(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """The event loop's exception handler: its own way of telling would name sockets and what they are connected to."""
    error = context.get("exception")
    LOG.error("fault", exc_info=error if isinstance(error, BaseException) else None)
