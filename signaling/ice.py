"""PURE: the STUN and TURN servers that the relay names to a pair, with TURN credentials of a few minutes."""

import base64
import hmac
import re
from dataclasses import dataclass

from signaling.wire import IceServer

_HOST = re.compile(r"(\[[0-9A-Fa-f:.]{2,45}\]|[0-9A-Za-z.-]{1,253})(:[0-9]{1,5})?", re.ASCII)


def own_host(header: str) -> str:
    """The name by which a client reached this relay, from its Host header; empty when it is none."""
    found = _HOST.fullmatch(header)
    return found[1] if found else ""


@dataclass(frozen=True, slots=True)
class Ice:
    """What is offered: the relay's own STUN port, STUN servers, TURN servers and the secret shared with them.

    The relay's own responder is named by the host that the client itself used.
    """

    stun_port: int | None = None
    stun_urls: tuple[str, ...] = ()
    turn_urls: tuple[str, ...] = ()
    turn_secret: str = ""

    @property
    def turn(self) -> bool:
        """Whether there is a TURN server to name."""
        return bool(self.turn_urls and self.turn_secret)

    def servers(self, host: str, turn: tuple[int, str] | None) -> tuple[IceServer, ...]:
        """The list for one client; `turn`: when its credentials expire (Unix seconds) and a random name for them."""
        stun = list(self.stun_urls)
        if self.stun_port and host:
            stun.insert(0, f"stun:{host}:{self.stun_port}")
        servers = [IceServer(tuple(stun[:4]))] if stun else []
        if turn is not None and self.turn:
            username = f"{turn[0]}:{turn[1]}"
            servers.append(IceServer(self.turn_urls[:4], username, credential(self.turn_secret, username)))
        return tuple(servers)


def credential(secret: str, username: str) -> str:
    """The password of TURN REST (draft-uberti-behave-turn-rest-00 2.2), as coturn checks it with `use-auth-secret`."""
    return base64.b64encode(hmac.digest(secret.encode(), username.encode(), "sha1")).decode()
