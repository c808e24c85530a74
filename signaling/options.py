"""What an operator decides about a relay."""

from dataclasses import dataclass, field
from pathlib import Path

from signaling.ice import Ice
from signaling.limits import Limits
from signaling.sources import Network
from signaling.wire import PORT


@dataclass(frozen=True, slots=True)
class Options:
    """Where to listen and what to offer; without `cert` and `key` a proxy does the TLS, if any."""

    host: str = "::"  # every address, IPv4 too
    port: int = PORT
    limits: Limits = field(default_factory=Limits)
    proxies: tuple[Network, ...] = ()  # whose X-Forwarded-For is believed
    cert: Path | None = None
    key: Path | None = None
    stun_port: int | None = None  # UDP; 0 is the same number as the TCP port
    ice: Ice = field(default_factory=Ice)
