"""What a test needs of the machine: it skips with the reason where that is missing, or fails where it must not be."""

import os
import shutil

import pytest


def missing(reason: str) -> None:
    """Skip, or fail when P2PBALL_REQUIRE_ALL=1 says that nothing may be missing."""
    if os.environ.get("P2PBALL_REQUIRE_ALL") == "1":
        pytest.fail(reason)
    pytest.skip(reason)


def program(name: str) -> str:
    """The path of a program."""
    found = shutil.which(name) or shutil.which(name, path="/usr/sbin:/usr/local/sbin")
    if found is None:
        missing(f"{name} is not installed")
    return str(found)


def root() -> None:
    """Network namespaces and the like."""
    if not hasattr(os, "geteuid") or os.geteuid() != 0:
        missing("this needs root")
