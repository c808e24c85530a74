"""Session descriptions: ours in brief, a partner's as text."""

from __future__ import annotations

from aiortc import RTCPeerConnection
from aiortc.sdp import SessionDescription
from hypothesis import given
from hypothesis import strategies as st

from p2pball.net.sdp import describe, render
from p2pball.protocol.meeting.letters import CANDIDATES, KINDS, SETUPS, Candidate, Description

ports = st.integers(1, 65535)
ips = st.one_of(st.ip_addresses(v=4), st.ip_addresses(v=6)).map(str)
candidates = st.lists(st.builds(Candidate, st.sampled_from(KINDS), ips, ports), max_size=CANDIDATES, unique=True)
ice_chars = st.text("abcXYZ019+/", min_size=22, max_size=30)
descriptions = st.builds(
    Description,
    ufrag=ice_chars,
    password=ice_chars,
    fingerprint=st.binary(min_size=32, max_size=32),
    setup=st.sampled_from(SETUPS),
    candidates=candidates.map(lambda found: tuple(sorted(found, key=lambda one: KINDS.index(one.kind)))),
)


@given(descriptions)
def test_what_is_rendered_describes_the_same_and_the_library_reads_it_so(description: Description) -> None:
    text = render(description)
    back = describe(text)
    assert (back.ufrag, back.password, back.fingerprint, back.setup) == (
        description.ufrag,
        description.password,
        description.fingerprint,
        description.setup,
    )
    assert set(back.candidates) == set(description.candidates)
    media = SessionDescription.parse(text).media[0]
    assert [(c.type, c.ip, c.port) for c in media.ice_candidates] == [
        (c.kind, c.ip, c.port) for c in description.candidates
    ]
    assert (media.ice.usernameFragment, media.ice.password) == (description.ufrag, description.password)
    assert media.dtls.fingerprints[0].value == description.fingerprint.hex(":").upper()
    assert media.ice_candidates_complete
    assert not SessionDescription.parse(render(description, more_to_come=True)).media[0].ice_candidates_complete


@given(descriptions)
def test_the_kinds_keep_their_order_of_preference(description: Description) -> None:
    found = SessionDescription.parse(render(description)).media[0].ice_candidates
    by_priority = sorted(found, key=lambda candidate: -candidate.priority)
    assert [KINDS.index(c.type) for c in by_priority] == sorted(KINDS.index(c.type) for c in found)
    assert len({c.priority for c in found}) == len(found)


async def test_the_librarys_own_description_is_read() -> None:
    peer = RTCPeerConnection()
    peer.createDataChannel("x")
    await peer.setLocalDescription(await peer.createOffer())
    own = describe(peer.localDescription.sdp)
    assert own.setup == "actpass"
    assert own.candidates
    assert len(own.fingerprint) == 32
    await peer.close()


def test_of_more_addresses_than_a_letter_holds_those_that_reach_furthest_stay() -> None:
    many = [Candidate("host", f"10.0.0.{n}", 1) for n in range(1, 60)]
    text = render(Description("u" * 4, "p" * 22, bytes(32), "active", (*many, Candidate("relay", "192.0.2.1", 5))))
    kept = describe(text).candidates
    assert len(kept) == CANDIDATES
    assert {c.kind for c in kept} == {"host", "relay"}
