"""What carries the frames of a meeting before there is a link."""

from __future__ import annotations

from typing import Protocol


class MailEnded(Exception):
    """No further frame can come; `given_up` when the other said that it wants no link any more."""

    given_up = False


class Mail(Protocol):
    """A relay's room, or lines pasted by hand."""

    async def send(self, frame: bytes) -> None:
        """Hand a frame on; what is lost under way is this mail's own business."""
        ...

    async def receive(self) -> bytes:
        """The other's next frame. Raises MailEnded."""
        ...
