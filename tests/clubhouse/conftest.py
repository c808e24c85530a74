"""A home of its own for every test, a disk that is too small, and one that can only be read."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests import needs

SMALL = 64 * 1024


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder that P2PBALL_HOME names."""
    folder = tmp_path / "home"
    monkeypatch.setenv("P2PBALL_HOME", str(folder))
    return folder


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A real file system of 64 KiB."""
    needs.root()
    folder = tmp_path / "disk"
    folder.mkdir()
    yield from _mounted(folder)


def _mounted(folder: Path) -> Iterator[Path]:
    made = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={SMALL}", "tmpfs", folder], capture_output=True, text=True, check=False
    )
    if made.returncode:
        needs.missing(f"a file system cannot be mounted here: {made.stderr.strip()}")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "-l", folder], check=True)


def grow(disk: Path) -> None:
    """From now on there is space enough."""
    subprocess.run(["mount", "-o", f"remount,size={64 * SMALL}", disk], check=True)


def make_read_only(disk: Path) -> None:
    """From now on the disk can only be read."""
    subprocess.run(["mount", "-o", "remount,ro", disk], check=True)
