"""The pure modules of the relay do no I/O, read no clock, make no randomness and log nothing: not even by import."""

import subprocess
import sys

import pytest

PURE = ("closes", "directory", "effects", "far", "framing", "ice", "limits", "rooms", "sources", "wire")


@pytest.mark.parametrize("name", PURE)
def test_a_pure_module_brings_nothing_impure(name):
    program = f"""
import hmac, ipaddress, json, re, urllib.parse, dataclasses, enum, typing, sys  # what the library itself brings
before = set(sys.modules)
import signaling.{name}
impure = {{"asyncio", "logging", "random", "secrets", "select", "socket", "ssl", "threading", "websockets", "p2pball"}}
print(*sorted((set(sys.modules) - before) & impure))
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=30, check=True)
    assert done.stdout.split() == []
