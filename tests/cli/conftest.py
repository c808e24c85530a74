"""A home and the program for every test of a command."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.running import Here


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder that P2PBALL_HOME names."""
    folder = tmp_path / "home"
    monkeypatch.setenv("P2PBALL_HOME", str(folder))
    return folder


@pytest.fixture
def here(home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Here:
    """The program in this process."""
    return Here(monkeypatch, capsys)
