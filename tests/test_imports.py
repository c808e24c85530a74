"""The import law, checked in fresh interpreters: what a package loads when it is imported."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests import needs

ROOT = Path(__file__).resolve().parent.parent
PURE = (
    "p2pball.engine",
    "p2pball.protocol",
    "p2pball.ballgame",
    "p2pball.verify",
    "p2pball.computer",
    "p2pball.scorebook",
    "signaling.rooms",
    "signaling.wire",
)
FORBIDDEN = {
    "asyncio",
    "socket",
    "_socket",
    "ssl",
    "selectors",
    "subprocess",
    "multiprocessing",
    "threading",
    "logging",
    "random",
    "secrets",
    "time",
    "sqlite3",
    "numpy",
    "aiortc",
    "textual",
    "websockets",
    "click",
}
"""What no pure package may bring in: event loops, I/O, clocks, randomness, logs, and heavy libraries."""

SCRIPT = """
import json, sys
before = set(sys.modules)
import importlib
for name in {names!r}:
    importlib.import_module(name)
ours = [module for name, module in sys.modules.items() if name.split(".")[0] in ("p2pball", "signaling")]
used = set()
for value in [value for module in ours for value in vars(module).values()]:
    used.add(value.__name__ if isinstance(value, type(sys)) else getattr(value, "__module__", None))
print(json.dumps([sorted(set(sys.modules) - before), sorted(filter(None, used))]))
"""
"""What is newly in sys.modules, and what our own modules name: an interpreter has `time` before it starts."""


def modules(package: str) -> list[str]:
    """A package and every module in it that exists, by the file system; none when it does not exist."""
    path = ROOT / package.replace(".", "/")
    if path.with_suffix(".py").exists():
        return [package]
    files = path.rglob("*.py") if path.is_dir() else ()
    dotted = (".".join(file.relative_to(ROOT).with_suffix("").parts) for file in files)
    return sorted(name.removesuffix(".__init__") for name in dotted if not name.endswith("__main__"))


def loaded(names: list[str]) -> set[str]:
    """What a fresh interpreter loads for some modules, and the modules that ours took a name from."""
    run = subprocess.run(
        [sys.executable, "-c", SCRIPT.format(names=names)], cwd=ROOT, capture_output=True, text=True, timeout=60
    )
    assert run.returncode == 0, run.stderr
    new, used = json.loads(run.stdout)
    return {*new, *used}


def test_every_package_is_found() -> None:
    assert "p2pball.engine.ledger" in modules("p2pball.engine")
    assert modules("signaling.wire") == ["signaling.wire"]
    assert modules("p2pball.nowhere") == []
    assert {package for package in PURE if modules(package)} == set(PURE)


@pytest.mark.parametrize("package", PURE)
def test_pure_packages_load_no_io_clock_chance_or_log(package: str) -> None:
    assert not loaded(modules(package)) & FORBIDDEN


@pytest.mark.parametrize(("module", "takes"), [("p2pball.session", "asyncio"), ("signaling.server", "asyncio")])
def test_what_is_not_pure_shows(module: str, takes: str) -> None:
    assert takes in loaded([module])


def test_a_clock_that_is_there_already_shows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "signaling").mkdir()
    (tmp_path / "signaling" / "__init__.py").touch()
    (tmp_path / "signaling" / "late.py").write_text("from time import monotonic as now\n")
    monkeypatch.setattr(sys.modules[__name__], "ROOT", tmp_path)
    assert "time" in loaded(["signaling.late"])


def test_the_command_line_loads_nothing_heavy() -> None:
    heavy = {"aiortc", "textual", "numpy", "asyncio", "cryptography", "websockets", "sqlite3", "rich"}
    new = loaded(["p2pball.cli"])
    assert "click" in new
    assert not new & heavy


def test_the_contracts_are_kept() -> None:
    program = Path(sys.executable).with_name("lint-imports")
    if not program.exists():
        needs.program("lint-imports")
    run = subprocess.run([str(program), "--no-cache"], cwd=ROOT, capture_output=True, text=True, timeout=120)
    assert run.returncode == 0, run.stdout
    assert "0 broken" in run.stdout
