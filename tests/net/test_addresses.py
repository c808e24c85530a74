"""Relay addresses as typed, own addresses, names."""

from __future__ import annotations

import ipaddress

import pytest

from p2pball.net.addresses import (
    LOOPBACK_TOO,
    host_addresses,
    is_private,
    lan_address,
    parse_target,
    relay_url,
    resolve,
)
from p2pball.net.errors import BadRelayAddress
from p2pball.protocol.meeting import BadCode, Code


@pytest.mark.parametrize(
    ("typed", "url"),
    [
        ("192.168.1.5:8765", "ws://192.168.1.5:8765"),
        ("192.168.1.5", "ws://192.168.1.5:8765"),
        ("10.0.0.1:80", "ws://10.0.0.1:80"),
        ("localhost:9000", "ws://localhost:9000"),
        ("living-room.local", "ws://living-room.local:8765"),
        ("[fd00::2]:8765", "ws://[fd00::2]:8765"),
        ("[2a00:1450::1]", "wss://[2a00:1450::1]"),
        ("relay.example.org", "wss://relay.example.org"),
        ("relay.example.org:8765", "wss://relay.example.org:8765"),
        ("ws://relay.example.org", "ws://relay.example.org"),
        ("wss://192.168.1.5:1/", "wss://192.168.1.5:1"),
        ("https://Relay.Example.org", "wss://relay.example.org"),
        (" 8.8.8.8 \n", "wss://8.8.8.8"),
    ],
)
def test_a_relay_without_a_scheme_is_ws_on_private_networks_and_wss_elsewhere(typed: str, url: str) -> None:
    assert relay_url(typed) == url
    assert relay_url(url) == url


@pytest.mark.parametrize(
    "typed",
    ["", "ftp://x", "host:port", "host:99999", "a b", "user@host", "wss://h/path", "h?x=1", "[::1", "://", "a\x1b[2J"],
)
def test_anything_else_is_no_relay(typed: str) -> None:
    with pytest.raises(BadRelayAddress, match=r"relay\.example\.org"):
        relay_url(typed)


def test_a_code_may_carry_its_relay() -> None:
    code = Code("4821", ("crisp", "wolf"))
    assert parse_target("4821-crisp-wolf") == (code, None)
    assert parse_target("4821-crisp-wolf@192.168.1.5:8765") == (code, "ws://192.168.1.5:8765")
    assert parse_target(" 4821-crisp-wolf@relay.example.org ") == (code, "wss://relay.example.org")
    with pytest.raises(BadCode):
        parse_target("4821-crisp-wulf@relay.example.org")
    with pytest.raises(BadRelayAddress):
        parse_target("4821-crisp-wolf@")


def test_the_loopback_is_an_address_only_when_tests_ask(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "127.0.0.1" in host_addresses()
    monkeypatch.delenv(LOOPBACK_TOO)
    assert not any(ipaddress.ip_address(address).is_loopback for address in host_addresses())
    assert all(ipaddress.ip_address(address).version == 4 for address in host_addresses(use_ipv6=False))
    assert all(ipaddress.ip_address(address).version == 6 for address in host_addresses(use_ipv4=False))


def test_the_address_for_the_lan_is_one_of_ours() -> None:
    assert lan_address() in host_addresses()


@pytest.mark.parametrize(
    ("host", "private"), [("127.0.0.1", True), ("fe80::1", True), ("nas", True), ("1.1.1.1", False)]
)
def test_private(host: str, private: bool) -> None:
    assert is_private(host) is private


async def test_names_are_resolved_to_ipv4_or_to_nothing() -> None:
    assert await resolve("localhost") == "127.0.0.1"
    assert await resolve("192.0.2.9") == "192.0.2.9"
    assert await resolve("no-such-name.invalid") is None
    assert await resolve("x" * 70 + ".invalid") is None
