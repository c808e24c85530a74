"""Counters of the relay in the Prometheus text format: how much, and how it ended; never who."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from signaling.wire import Code, Outcome

_HELP = {
    "connections": ("gauge", "Open connections."),
    "rooms_waiting": ("gauge", "Rooms with one player."),
    "rooms_paired": ("gauge", "Rooms with both players."),
    "draining": ("gauge", "1 while no new rooms are taken."),
    "joins_total": ("counter", "Seats given."),
    "pairings_total": ("counter", "Rooms in which both players met."),
    "messages_total": ("counter", "Messages received from clients."),
    "message_bytes_total": ("counter", "Bytes of these messages."),
    "turn_credentials_total": ("counter", "TURN credentials handed out."),
    "stun_replies_total": ("counter", "STUN binding requests answered."),
    "stun_dropped_total": ("counter", "STUN packets not answered: too many, or no binding request."),
    "refusals_total": ("counter", "Connections closed by the relay, by reason."),
    "outcomes_total": ("counter", "Introductions by what became of them, as the clients say on closing."),
    "http_total": ("counter", "Plain HTTP requests answered, by status."),
}


@dataclass(slots=True)
class Metrics:
    """What is counted while the relay runs."""

    joins: int = 0
    pairings: int = 0
    messages: int = 0
    message_bytes: int = 0
    turn_credentials: int = 0
    stun_replies: int = 0
    stun_dropped: int = 0
    refusals: Counter[str] = field(default_factory=Counter)
    outcomes: Counter[Outcome | None] = field(default_factory=Counter)  # None: the connection was lost
    http: Counter[str] = field(default_factory=Counter)

    def render(self, gauges: Mapping[str, int]) -> str:
        """The text of `/metrics`; `gauges` are the numbers of this moment by name."""
        return "\n".join(self._lines(gauges)) + "\n"

    def _lines(self, gauges: Mapping[str, int]) -> Iterator[str]:
        for name, (kind, text) in _HELP.items():
            full = f"p2pball_relay_{name}"
            yield f"# HELP {full} {text}"
            yield f"# TYPE {full} {kind}"
            match name:
                case "refusals_total":
                    reasons = [code.name.lower() for code in Code] + ["flood", "handshake"]
                    yield from (f'{full}{{reason="{reason}"}} {self.refusals[reason]}' for reason in reasons)
                case "outcomes_total":
                    for outcome in (*Outcome, None):
                        named = outcome.name.lower() if outcome is not None else "lost"
                        yield f'{full}{{outcome="{named}"}} {self.outcomes[outcome]}'
                case "http_total":
                    yield from (f'{full}{{status="{status}"}} {count}' for status, count in sorted(self.http.items()))
                case _ if kind == "gauge":
                    yield f"{full} {gauges[name]}"
                case _:
                    yield f"{full} {getattr(self, name.removesuffix('_total'))}"
