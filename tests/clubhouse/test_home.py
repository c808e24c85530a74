"""Where the files are: the platform's folders, or all below one."""

from __future__ import annotations

import stat
import sys
from pathlib import Path

import pytest

from p2pball.clubhouse.errors import DiskError
from p2pball.clubhouse.home import config_dir, data_dir


def test_one_variable_moves_everything(home: Path) -> None:
    assert data_dir() == home
    assert config_dir() == home
    assert stat.S_IMODE(home.stat().st_mode) == 0o700


@pytest.mark.skipif(sys.platform != "linux", reason="the folders of other platforms are others")
def test_without_it_the_platform_decides(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("P2PBALL_HOME", "")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    assert data_dir() == tmp_path / "data" / "p2pball"
    assert data_dir().is_dir()
    assert config_dir() == tmp_path / "config" / "p2pball"
    assert not config_dir().exists()


def test_a_home_may_be_named_by_a_tilde(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("P2PBALL_HOME", "~/ball")
    assert data_dir() == tmp_path / "ball"


def test_a_home_of_nobody_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("P2PBALL_HOME", "~nobody-of-that-name/ball")
    with pytest.raises(DiskError, match="no such home folder"):
        data_dir()


def test_a_file_in_the_way_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("P2PBALL_HOME", str(tmp_path / "file"))
    with pytest.raises(DiskError, match="file where a folder belongs"):
        data_dir()
