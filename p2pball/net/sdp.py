"""Session descriptions: what is ours as a `Description`, and a partner's back as the text WebRTC wants (RFC 8839)."""

from __future__ import annotations

import re

from p2pball.protocol.meeting.letters import CANDIDATES, Candidate, Description

_TYPE_PREFERENCE = {"host": 126, "srflx": 100, "relay": 0}
_CANDIDATE = re.compile(r"candidate:\S+ 1 udp \d+ (\S+) (\d+) typ (host|srflx|relay)", re.IGNORECASE)


def describe(sdp: str) -> Description:
    """What matters of our own description; the SHA-256 fingerprint is enough, and the shortest."""
    lines = {}
    candidates = []
    for line in sdp.splitlines():
        name, _, value = line.removeprefix("a=").partition(":")
        if name == "candidate" and (match := _CANDIDATE.match(f"{name}:{value}")):
            candidates.append(Candidate(match[3], match[1], int(match[2])))
        elif name != "fingerprint" or value.startswith("sha-256 "):
            lines[name] = value
    # With more addresses than a letter holds, those that reach furthest stay.
    candidates.sort(key=lambda candidate: _TYPE_PREFERENCE[candidate.kind])
    fingerprint = bytes.fromhex(lines["fingerprint"].removeprefix("sha-256 ").replace(":", ""))
    return Description(
        lines["ice-ufrag"], lines["ice-pwd"], fingerprint, lines["setup"], tuple(candidates[:CANDIDATES])
    )


def render(description: Description, more_to_come: bool = False) -> str:
    """The text of a description; `more_to_come` leaves the list of addresses open, so that ICE does not give up."""
    fingerprint = description.fingerprint.hex(":").upper()
    lines = [
        "v=0",
        "o=- 0 0 IN IP4 0.0.0.0",
        "s=-",
        "t=0 0",
        "a=group:BUNDLE 0",
        "a=msid-semantic:WMS *",
        "m=application 9 UDP/DTLS/SCTP webrtc-datachannel",
        "c=IN IP4 0.0.0.0",
        "a=mid:0",
        "a=sctp-port:5000",
        "a=max-message-size:65536",
        *map(_candidate_line, range(len(description.candidates)), description.candidates),
        *([] if more_to_come else ["a=end-of-candidates"]),
        f"a=ice-ufrag:{description.ufrag}",
        f"a=ice-pwd:{description.password}",
        f"a=fingerprint:sha-256 {fingerprint}",
        f"a=setup:{description.setup}",
    ]
    return "".join(line + "\r\n" for line in lines)


def candidate_text(candidate: Candidate) -> str:
    """One candidate as it is told apart from a description."""
    return _candidate_line(CANDIDATES, candidate).removeprefix("a=candidate:")


def _candidate_line(index: int, candidate: Candidate) -> str:
    # RFC 8445, section 5.1.2.1; earlier addresses of a kind come first.
    priority = (_TYPE_PREFERENCE[candidate.kind] << 24) + ((65535 - index) << 8) + 255
    related = "" if candidate.kind == "host" else " raddr 0.0.0.0 rport 9"
    return f"a=candidate:{index} 1 udp {priority} {candidate.ip} {candidate.port} typ {candidate.kind}{related}"
