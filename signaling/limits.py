"""PURE: the numbers that keep the relay small, with the defaults of connection.md section 2."""

from dataclasses import dataclass, fields

from signaling.wire import MESSAGE_BYTES

HANDSHAKE_BYTES = 8 * 1024
"""What a client may send before its request is whole."""

PINGS = 64
"""Pings a client may send between two of ours."""

LINGER = 5.0
"""Seconds a closed connection may take to go, so that the close code is not lost with unread data (RFC 6455 7.1.1)."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Times in seconds, sizes in bytes, counts a source being an IPv4 address or an IPv6 /64 network."""

    message_bytes: int = MESSAGE_BYTES
    messages: int = 64  # a side, in the life of a room
    total_bytes: int = 256 * 1024  # a side, in the life of a room
    kept: int = 16  # messages held for a seat that is not there
    handshake: float = 10
    waiting: float = 600
    silent: float = 120
    ping: float = 20  # a ping unanswered when the next is due ends the connection
    away: float = 30  # how long the seat of a lost connection is kept
    leave: float = 10  # how long one stays after the other left, and a pair after the relay was told to stop
    window: float = 60
    joins: int = 30  # a source and window
    failed_joins: int = 10  # a source and window
    source_connections: int = 8
    source_rooms: int = 3  # waiting
    connections: int = 10_000  # of one process
    rooms: int = 2_000  # waiting, of the whole relay: a fifth of all nameplates of four digits
    turn_window: float = 600
    turn: int = 20  # credentials a source and turn window
    turn_life: float = 600  # of a credential, at most
    stun: int = 10  # binding requests a source and second
    stun_all: int = 1_000  # binding requests a second

    def __post_init__(self) -> None:
        """Refuse numbers that would make the relay useless. Raises ValueError."""
        for field in fields(self):
            if not getattr(self, field.name) > 0:
                raise ValueError(f"{field.name} must be more than nothing")
        if self.message_bytes >= 1 << 16:  # what a frame of ours can say
            raise ValueError("message_bytes is less than 64 KiB")
        if self.turn_life > 600:  # connection.md 2: ten minutes at most
            raise ValueError("turn_life is 600 seconds at most")
