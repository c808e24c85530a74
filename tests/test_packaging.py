"""What is handed out: the sdist, the wheel built from it, its installation away from any checkout, the constraints."""

from __future__ import annotations

import ast
import hashlib
import importlib.metadata
import json
import os
import re
import shutil
import site
import subprocess
import sys
import tarfile
import tomllib
import venv
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.harness import ROOT
from tools.licences import closure

pytestmark = pytest.mark.xdist_group("packaging")

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
TABLES = ("cards.json", "cards_chance.bin", "dice.bin")
ELSEWHERE = (
    "tests/clubhouse/test_journal.py",
    "tests/engine/test_position.py",
    "tests/protocol/test_values.py",
    "tests/scorebook/test_golden.py",
    "tests/signaling/test_wire.py",
)
"""Tests that the installed wheel has to pass: disk, rules, protocol, words of whole games, the relay's language."""
PATIENCE = 300


def run(*command: str | Path, cwd: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a program to its end, without what an outer pytest or Python path would tell it."""
    bare = {k: v for k, v in os.environ.items() if not k.startswith(("PYTEST_", "PYTHON", "P2PBALL_", "COV_"))}
    words = [str(word) for word in command]
    return subprocess.run(words, cwd=cwd, env=bare | environment, capture_output=True, text=True, timeout=PATIENCE)


@dataclass(frozen=True)
class Handed:
    """What was built: the sdist's names and its unpacked folder, and the wheel made from that."""

    names: frozenset[str]
    source: Path
    wheel: Path


@pytest.fixture(scope="module")
def handed(tmp_path_factory: pytest.TempPathFactory) -> Handed:
    room = tmp_path_factory.mktemp("built")
    built = run(sys.executable, "-m", "hatchling", "build", "-t", "sdist", "-d", room, cwd=ROOT)
    assert built.returncode == 0, built.stderr
    (archive,) = room.glob("*.tar.gz")
    with tarfile.open(archive) as opened:
        opened.extractall(room, filter="data")
        names = frozenset(name.partition("/")[2] for name in opened.getnames())
    source = room / archive.name.removesuffix(".tar.gz")
    built = run(sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", room, cwd=source)
    assert built.returncode == 0, built.stderr
    (wheel,) = room.glob("*.whl")
    return Handed(names, source, wheel)


@dataclass(frozen=True)
class Installed:
    """A virtual environment that has the wheel, and a folder with the sdist's tests but not its packages."""

    bin: Path
    folder: Path

    def python(self, *words: str | Path, home: Path | None = None) -> subprocess.CompletedProcess[str]:
        """Run its Python in that folder."""
        return run(self.bin / "python", *words, cwd=self.folder, P2PBALL_HOME=str(home or self.folder / "home"))


@pytest.fixture(scope="module")
def installed(handed: Handed, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Installed]:
    room = tmp_path_factory.mktemp("installed")
    venv.create(room / "venv", symlinks=os.name != "nt")
    bin_ = room / "venv" / ("Scripts" if os.name == "nt" else "bin")
    pip = run(sys.executable, "-m", "pip", "--python", bin_ / "python", "install", "--no-deps", handed.wheel, cwd=room)
    assert pip.returncode == 0, pip.stderr
    # The dependencies are those of this interpreter. A folder named in a .pth file has its own .pth files ignored, so
    # that an editable install of the checkout does not come along.
    found = run(bin_ / "python", "-c", "import sysconfig; print(sysconfig.get_paths()['purelib'])", cwd=room)
    (Path(found.stdout.strip()) / "dependencies.pth").write_text("\n".join(site.getsitepackages()) + "\n")
    folder = room / "elsewhere"
    for part in ("tests", "tools", "docs"):
        shutil.copytree(handed.source / part, folder / part)
    shutil.copy(handed.source / "pyproject.toml", folder)  # how pytest is set up
    yield Installed(bin_, folder)
    shutil.rmtree(room)


def test_the_sdist_has_all_that_a_developer_needs(handed: Handed) -> None:
    tracked = run("git", "ls-files", cwd=ROOT).stdout.split("\n") if (ROOT / ".git").exists() else []
    missing = {name for name in tracked if name and (ROOT / name).exists()} - handed.names
    assert missing == set()
    for name in ("tests/__init__.py", "tools/licences.py", "docs/rules.md", "deploy/Caddyfile", "run.py", "LICENSE"):
        assert name in handed.names
    strange = {name for name in handed.names if name.startswith((".venv", ".bench", ".git/")) or "__pycache__" in name}
    assert strange == set()


def test_the_wheel_has_the_packages_tables_and_licence_and_nothing_else(handed: Handed) -> None:
    with zipfile.ZipFile(handed.wheel) as opened:
        names = set(opened.namelist())
    info = f"p2pball-{importlib.metadata.version('p2pball')}.dist-info"
    assert {name.partition("/")[0] for name in names} == {"p2pball", "signaling", info}
    wanted = {
        path.relative_to(ROOT).as_posix() for top in ("p2pball", "signaling") for path in ROOT.glob(f"{top}/**/*.py")
    }
    wanted |= {"p2pball/py.typed", *(f"p2pball/computer/data/{table}" for table in TABLES)}
    assert names == wanted | {
        f"{info}/{name}" for name in ("METADATA", "WHEEL", "RECORD", "entry_points.txt", "licenses/LICENSE")
    }


@pytest.mark.skipif(os.name == "nt", reason="the program that stands in is a script of the shell")
def test_run_py_starts_the_game_where_the_player_is(tmp_path: Path) -> None:
    programs, here = tmp_path / "venv" / "bin", tmp_path / "here"
    programs.mkdir(parents=True)
    here.mkdir()
    (programs / "p2pball").write_text('#!/bin/sh\npwd\necho "$@"\n')
    (programs / "p2pball").chmod(0o755)
    inputs = b"".join((ROOT / name).read_bytes() for name in ("pyproject.toml", "constraints.txt"))
    installed = hashlib.sha256(inputs + sys.version.encode()).hexdigest()
    (programs.parent / ".installed-play").write_text(installed)
    done = subprocess.run(
        [sys.executable, ROOT / "run.py", "verify", "record.p2pball"],
        cwd=here,
        env={**os.environ, "P2PBALL_VENV": str(programs.parent)},
        capture_output=True,
        text=True,
        check=True,
        timeout=PATIENCE,
    )
    assert done.stdout.splitlines() == [str(here.resolve()), "verify record.p2pball"]


def test_the_wheel_tells_what_it_needs(handed: Handed) -> None:
    with zipfile.ZipFile(handed.wheel) as opened:
        (name,) = (name for name in opened.namelist() if name.endswith("/METADATA"))
        text = opened.read(name).decode()
    assert "Requires-Python: >=3.11\n" in text
    assert "License-Expression: MIT\n" in text
    needed = {Requirement(line) for line in re.findall(r"^Requires-Dist: ([^;\n]+)$", text, re.MULTILINE)}
    assert needed == {Requirement(line) for line in PROJECT["dependencies"]}


def test_what_is_imported_is_declared() -> None:
    used: set[str] = set()
    for path in (*ROOT.glob("p2pball/**/*.py"), *ROOT.glob("signaling/**/*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                used |= {alias.name for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                used.add(node.module)
    tops = {name.partition(".")[0] for name in used} - sys.stdlib_module_names - {"p2pball", "signaling"}
    owners = importlib.metadata.packages_distributions()
    found = {canonicalize_name(owners[top][0]) for top in tops}
    optional = {"uvloop", "redis"}
    assert found == {canonicalize_name(Requirement(line).name) for line in PROJECT["dependencies"]} | optional
    assert optional <= PROJECT["optional-dependencies"].keys()


def test_the_installed_wheel_is_what_runs_there(installed: Installed) -> None:
    found = installed.python("-c", "import p2pball, signaling; print(p2pball.__file__); print(signaling.__file__)")
    assert found.returncode == 0, found.stderr
    places = [Path(line) for line in found.stdout.splitlines()]
    assert [place.is_relative_to(installed.bin.parent) for place in places] == [True, True]


def test_the_installed_wheel_passes_tests_from_another_folder(installed: Installed) -> None:
    tests = installed.python("-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", *ELSEWHERE)
    assert tests.returncode == 0, tests.stdout[-3000:] + tests.stderr[-3000:]


def test_every_way_to_start_it_works(installed: Installed) -> None:
    version = f"p2pball, version {importlib.metadata.version('p2pball')}\n"
    assert installed.python("-m", "p2pball", "--version").stdout == version
    assert run(installed.bin / "p2pball", "--version", cwd=installed.folder).stdout == version
    for command in ([installed.bin / "p2pball-relay"], [installed.bin / "python", "-m", "signaling"]):
        told = run(*command, "--help", cwd=installed.folder)
        assert (told.returncode, told.stdout.split()[:2]) == (0, ["Usage:", "p2pball-relay"])


def test_a_game_is_played_and_judged_with_the_installed_wheel(installed: Installed, tmp_path: Path) -> None:
    said = ("play", "--rules", "cards", "--innings", "1", "--auto", "all-star", "--seed", "7", "--json")
    played = installed.python("-m", "p2pball", *said, home=tmp_path)
    assert played.returncode == 0, played.stderr
    over = json.loads(played.stdout.splitlines()[-1])
    judged = installed.python("-m", "p2pball", "verify", over["file"], home=tmp_path)
    assert (judged.returncode, judged.stdout.split()[0]) == (0, "COMPLETE")


def test_the_constraints_are_names_and_versions_alone() -> None:
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    assert [line for line in lines if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._-]*==\d[A-Za-z0-9.]*", line)] == []
    names = [canonicalize_name(line.partition("==")[0]) for line in lines]
    assert names == sorted(set(names))


def test_every_dependency_is_constrained_and_installed_so() -> None:
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    wanted = {canonicalize_name(name): version for name, _, version in (line.partition("==") for line in lines)}
    needed = closure(("dev", "redis", "uvloop"))
    # Which extra is installed depends on the command of run.py; what is there has to be the version that is named.
    there = {name: found.version for name, found in needed.items() if found is not None}
    assert there == {name: wanted.get(name) for name in there}
    assert [name for name in needed if name not in wanted] == []


def test_the_installed_packages_fit_together() -> None:
    checked = run(sys.executable, "-m", "pip", "check", cwd=ROOT)
    assert checked.returncode == 0, checked.stdout
