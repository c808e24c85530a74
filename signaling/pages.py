"""What the relay answers over plain HTTP: what it is, whether it is well, how it fares, and what went wrong."""

from email.utils import formatdate
from http import HTTPStatus

from websockets.datastructures import Headers
from websockets.http11 import Response

UNREADABLE = b"HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"
"""For what is no HTTP request at all."""

_ABOUT = """p2pball relay

Two players of p2pball find each other here: a WebSocket at /v1/room/NAMEPLATE introduces two seats to each other and
forwards a few sealed messages, which it cannot read and does not keep. The game itself goes directly between the two.

/health says whether this relay takes new rooms, /metrics how it fares.
"""


def about() -> Response:
    """`GET /`."""
    return _text(HTTPStatus.OK, _ABOUT)


def health(trouble: str | None) -> Response:
    """`GET /health`: 200, or 503 with the trouble in a word, so that a balancer sends nobody here."""
    return _text(HTTPStatus.OK, "ok\n") if trouble is None else _text(HTTPStatus.SERVICE_UNAVAILABLE, f"{trouble}\n")


def metrics(text: str) -> Response:
    """`GET /metrics`, in the Prometheus text format."""
    return _text(HTTPStatus.OK, text, "text/plain; version=0.0.4; charset=utf-8")


def not_found() -> Response:
    """Any other path."""
    return _text(HTTPStatus.NOT_FOUND, "There is nothing here.\n")


def not_allowed() -> Response:
    """Any other method."""
    response = _text(HTTPStatus.METHOD_NOT_ALLOWED, "Only GET is understood here.\n")
    response.headers["Allow"] = "GET"
    return response


def bad_address(why: str) -> Response:
    """A room addressed wrongly, by something that is no WebSocket client."""
    return _text(HTTPStatus.BAD_REQUEST, f"This is no room address: {why}.\n")


def too_large() -> Response:
    """More came before the request was whole than any client of ours sends."""
    return _text(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE, "The request is too large.\n")


def too_slow() -> Response:
    """The request did not come in time."""
    return _text(HTTPStatus.REQUEST_TIMEOUT, "The request took too long.\n")


def _text(status: HTTPStatus, text: str, kind: str = "text/plain; charset=utf-8") -> Response:
    body = text.encode()
    headers = Headers(
        [
            ("Date", formatdate(usegmt=True)),
            ("Connection", "close"),
            ("Content-Length", str(len(body))),
            ("Content-Type", kind),
            ("Cache-Control", "no-store"),
            ("X-Content-Type-Options", "nosniff"),
        ]
    )
    return Response(status.value, status.phrase, headers, body)
