"""Writes docs/licences.md from what the installed packages say of themselves: `python -m tools.licences`.

Needs the extras dev, redis and uvloop installed, as `run.py check` does it.
"""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Collection
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "licences.md"
BEGIN, END = "<!-- packages: begin -->", "<!-- packages: end -->"
GROUPS = (
    ("To play, or to run a relay", ()),
    ("Besides, for a faster or a larger relay (`uvloop`, `redis`)", ("uvloop", "redis")),
    ("Besides, to test and to develop (`test`, `dev`)", ("dev",)),
)
SHORT = {
    "Apache License, Version 2.0": "Apache-2.0",
    "Apache 2.0": "Apache-2.0",
    "Apache Software License": "Apache-2.0",
    "BSD 2-Clause License": "BSD-2-Clause",
    "MIT License": "MIT",
    "Mozilla Public License 2.0 (MPL 2.0)": "MPL-2.0",
    "GNU Lesser General Public License v3 (LGPLv3)": "LGPL-3.0",
    "GPL-3.0+": "GPL-3.0-or-later",
}
"""Licences as older packages write them, by the names of today."""
DOUBLE = {"uvloop": "MIT OR Apache-2.0"}
"""What a package says in two places and in part only in each."""


def closure(extras: Collection[str] = ()) -> dict[str, Distribution | None]:
    """Every package that p2pball needs with these extras, by name; None for one that is not installed here."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    lines = [*project["dependencies"], *(line for e in extras for line in project["optional-dependencies"][e])]
    found: dict[str, Distribution | None] = {}
    asked = [(Requirement(line), "") for line in lines]
    seen: set[tuple[str, frozenset[str]]] = set()
    while asked:
        need, extra = asked.pop()
        name = canonicalize_name(need.name)
        if (need.marker and not need.marker.evaluate({"extra": extra})) or (name, frozenset(need.extras)) in seen:
            continue
        seen.add((name, frozenset(need.extras)))
        if name == canonicalize_name(project["name"]):  # dev takes test along
            asked += [(Requirement(line), "") for e in need.extras for line in project["optional-dependencies"][e]]
            continue
        try:
            found[name] = distribution(name)
        except PackageNotFoundError:
            found[name] = None
            continue
        asked += [(Requirement(line), e) for line in found[name].requires or () for e in ("", *need.extras)]
    return dict(sorted(found.items()))


def licence(package: Distribution) -> str:
    """The licence as the package states it, in the one place or the other."""
    about = package.metadata
    short = (about.get("License") or "").strip()
    classes = [
        line.rpartition(" :: ")[2] for line in about.get_all("Classifier") or () if line.startswith("License ::")
    ]
    told = about.get("License-Expression") or (short if short and "\n" not in short else " AND ".join(classes))
    return DOUBLE.get(canonicalize_name(package.name), SHORT.get(told, told)) or "not stated"


def home(package: Distribution) -> str:
    """Where the package lives."""
    urls = [line.partition(", ")[::2] for line in package.metadata.get_all("Project-URL") or ()]
    named = {label.lower().replace("-", " "): url for label, url in urls}
    names = ("homepage", "home", "source", "source code", "repository", "github", "documentation")
    return next((named[name] for name in names if name in named), package.metadata.get("Home-page") or "")


def bundled(package: Distribution) -> list[str]:
    """Libraries of others that the wheel has put beside the package, by the names of their files."""
    files = [file.name for file in package.files or () if file.parts[0].endswith(".libs")]
    return sorted({re.split(r"[-.]", name)[0] for name in files}, key=str.lower)


def tables() -> str:
    """One table a group; a package stands in the first that needs it."""
    parts: list[str] = []
    before: set[str] = set()
    for title, extras in GROUPS:
        found = {name: package for name, package in closure(extras).items() if name not in before}
        before |= found.keys()
        absent = [name for name, package in found.items() if package is None]
        if absent:
            sys.exit(f"Not installed: {', '.join(absent)}. `python3 run.py check` installs everything.")
        lines = [f"## {title}", "", "| package | version | licence | bundles |", "| --- | --- | --- | --- |"]
        for name, package in found.items():
            assert package is not None
            link = f"[{name}]({home(package)})" if home(package) else name
            lines.append(f"| {link} | {package.version} | {licence(package)} | {', '.join(bundled(package))} |")
        parts.append("\n".join(lines))
    return "\n\n".join(parts)


def main() -> None:
    """Put the tables between the marks."""
    before, _, rest = PAGE.read_text(encoding="utf-8").partition(BEGIN)
    PAGE.write_text(f"{before}{BEGIN}\n\n{tables()}\n\n{END}{rest.partition(END)[2]}", encoding="utf-8")


if __name__ == "__main__":
    main()
