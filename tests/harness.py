"""What benches and campaigns share: finding the modules with a `run`, and the machine they ran on."""

from __future__ import annotations

import importlib
import json
import os
import platform
import re
from datetime import UTC, datetime
from pathlib import Path
from types import ModuleType
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
_RUN = re.compile(r"^def run\(", re.MULTILINE)


def names(folder: Path) -> list[str]:
    """The modules of a folder that define `run`, by name, a hyphen for an underscore; read, not imported."""
    found = (path for path in folder.glob("*.py") if not path.name.startswith("_"))
    return sorted(path.stem.replace("_", "-") for path in found if _RUN.search(path.read_text(encoding="utf-8")))


def write(path: Path, body: dict[str, Any]) -> None:
    """Write results as JSON, with the time and the machine they come from."""
    machine = {
        "when": datetime.now(UTC).isoformat(timespec="seconds"),
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.machine()}",
        "cores": os.cpu_count(),
    }
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({**body, "run": machine}, indent=2) + "\n", encoding="utf-8")


def module(package: str, name: str) -> ModuleType:
    """The module behind a name of `names`."""
    return importlib.import_module(f"{package}.{name.replace('-', '_')}")
