"""Where p2pball keeps its files: the platform's folders, or all below P2PBALL_HOME."""

from __future__ import annotations

import os
from pathlib import Path

from p2pball.clubhouse.disk import private_folder
from p2pball.clubhouse.errors import DiskError

VARIABLE = "P2PBALL_HOME"


def data_dir() -> Path:
    """The folder of games and identity, made private (0700) if it was not there; raises DiskError."""
    own = _own()
    if own is None:
        import platformdirs

        own = platformdirs.user_data_path("p2pball", appauthor=False)
    return private_folder(own)


def config_dir() -> Path:
    """The folder of the settings; it need not exist, for settings are mostly read. Raises DiskError."""
    own = _own()
    if own is None:
        import platformdirs

        own = platformdirs.user_config_path("p2pball", appauthor=False)
    return own


def _own() -> Path | None:
    """The folder that P2PBALL_HOME names; None when it is unset or empty."""
    named = os.environ.get(VARIABLE, "")
    if not named:
        return None
    try:
        return Path(named).expanduser().absolute()
    except RuntimeError:
        raise DiskError(
            f"{VARIABLE} is {named!r}, and there is no such home folder. Name a folder by its path."
        ) from None
