"""Whom a connection counts as: address forms, IPv6 networks, forwarded headers of proxies and of liars."""

from ipaddress import ip_address, ip_network

import pytest
from hypothesis import given
from hypothesis import strategies as st

from signaling.sources import Source, Window, address, behind_proxies, source_at, source_of

PROXIES = (ip_network("10.0.0.0/8"), ip_network("fd00::/8"))


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("192.0.2.1", "192.0.2.1"),
        (" 192.0.2.1 ", "192.0.2.1"),
        ("192.0.2.1:443", "192.0.2.1"),
        ("::ffff:192.0.2.1", "192.0.2.1"),
        ("2001:db8::1", "2001:db8::1"),
        ("[2001:db8::1]:443", "2001:db8::1"),
        ('"[2001:db8::1]"', "2001:db8::1"),
        ("fe80::1%eth0", "fe80::1"),
    ],
)
def test_addresses_are_read_in_every_form(text, found):
    assert address(text) == ip_address(found)


@pytest.mark.parametrize("text", ["", "unknown", "_hidden", "1.2.3", "1.2.3.4.5", "::1::2", "[", "evil\n1.2.3.4"])
def test_what_is_no_address_is_none(text):
    assert address(text) is None


def test_limits_count_ipv4_by_address_and_ipv6_by_network():
    assert source_of(ip_address("192.0.2.1")) == "192.0.2.1"
    assert source_of(ip_address("2001:db8:1:2::1")) == source_of(ip_address("2001:db8:1:2:ffff::9"))
    assert source_of(ip_address("2001:db8:1:2::1")) != source_of(ip_address("2001:db8:1:3::1"))


@pytest.mark.parametrize(
    ("peer", "forwarded", "found"),
    [
        ("192.0.2.1", ["203.0.113.9"], "192.0.2.1"),  # no proxy of ours: its header is worth nothing
        ("10.0.0.1", ["203.0.113.9"], "203.0.113.9"),
        ("10.0.0.1", ["6.6.6.6, 203.0.113.9"], "203.0.113.9"),  # the left was the client's own claim
        ("10.0.0.1", ["6.6.6.6", "203.0.113.9"], "203.0.113.9"),
        ("10.0.0.1", ["6.6.6.6, 203.0.113.9, 10.0.0.2"], "203.0.113.9"),  # two proxies of ours
        ("10.0.0.1", ["10.0.0.7, 203.0.113.9"], "203.0.113.9"),
        ("10.0.0.1", ["203.0.113.9, nonsense"], "10.0.0.1"),
        ("10.0.0.1", [""], "10.0.0.1"),
        ("10.0.0.1", [], "10.0.0.1"),
        ("fd00::1", ["2001:db8::5"], "2001:db8::5"),
    ],
)
def test_forwarded_addresses_are_believed_from_the_right_and_from_our_proxies_only(peer, forwarded, found):
    assert behind_proxies(ip_address(peer), forwarded, PROXIES) == ip_address(found)


def test_a_window_opens_with_the_first_and_closes_after_its_length():
    window = Window()
    for moment in range(3):
        assert window.full(3, 100.0 + moment) is None
        window.add(60, 100.0 + moment)
    assert window.full(3, 102.0) == 58
    assert window.full(3, 159.9) == 1
    assert window.full(3, 160.0) is None
    window.add(60, 160.0)
    assert window.count == 1


@given(st.lists(st.floats(0, 1000), max_size=200).map(sorted), st.integers(1, 5))
def test_no_window_lets_more_through_than_its_limit(moments, limit):
    window, passed = Window(), []
    for now in moments:
        if window.full(limit, now) is None:
            window.add(60, now)
            passed.append(now)
    # A window starts anew with its first event, so any 60 seconds touch two windows at most.
    assert all(sum(start <= now < start + 60 for now in passed) <= 2 * limit for start in passed)


def test_a_source_is_remembered_as_long_as_it_can_be_refused():
    source = Source()
    assert source.forgettable(0)
    source.failed.add(60, 0)
    assert not source.forgettable(59)
    assert source.forgettable(60)
    source.rooms = 1
    assert not source.forgettable(60)


@pytest.mark.parametrize(
    ("peer", "source"),
    [
        ("192.0.2.1", "192.0.2.1"),
        ("::ffff:192.0.2.1", "192.0.2.1"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("", "unknown"),
    ],
)
def test_the_other_end_of_a_socket_counts_by_its_address_as_any_other(peer, source):
    assert source_at(peer) == source
