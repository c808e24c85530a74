#!/usr/bin/env python3
"""From a fresh checkout to a game, or to the tests, in one command; needs Python 3.11 and nothing else.

python3 run.py                 play (any p2pball command and options may follow)
python3 run.py test [ARGS]     the whole test suite (ARGS go to pytest)
python3 run.py check           format, lint, types, import contracts, tests with branch coverage
python3 run.py format          write the format instead of checking it
"""

import hashlib
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent
VENV = Path(os.environ.get("P2PBALL_VENV", ROOT / ".venv"))
BIN = VENV / ("Scripts" if os.name == "nt" else "bin")
SPREAD = ["-n", "auto", "--dist", "loadgroup"]  # over all cores; tests of one group stay together
PURE = (
    "p2pball/engine/*,p2pball/protocol/*,p2pball/game.py,p2pball/ballgame.py,"
    "signaling/closes.py,signaling/directory.py,signaling/effects.py,signaling/far.py,signaling/ice.py,"
    "signaling/limits.py,signaling/rooms.py,signaling/sources.py,signaling/wire.py"
)


def environment(extra: str) -> None:
    """A virtual environment with the project installed, made or renewed only when its inputs changed."""
    inputs = b"".join((ROOT / name).read_bytes() for name in ("pyproject.toml", "constraints.txt"))
    mark, wanted = VENV / f".installed-{extra or 'play'}", hashlib.sha256(inputs + sys.version.encode()).hexdigest()
    if mark.exists() and mark.read_text() == wanted:
        return
    print(f"Setting up {VENV} (once)...", file=sys.stderr)
    made = subprocess.run([sys.executable, "-m", "venv", str(VENV)])
    if made.returncode:
        sys.exit("Python could not make a virtual environment. On Debian and Ubuntu: apt install python3-venv")
    pip = [str(BIN / "python"), "-m", "pip", "install", "-q", "--disable-pip-version-check"]
    target = f"{ROOT}[{extra}]" if extra else str(ROOT)
    if subprocess.run([*pip, "-c", str(ROOT / "constraints.txt"), "-e", target]).returncode:
        sys.exit("The packages could not be installed: is there a way to the package index from here?")
    mark.write_text(wanted)
    if not extra:
        print("Done. Where you read `p2pball COMMAND`, type `python3 run.py COMMAND` here.", file=sys.stderr)


def call(*command: str, cwd: Path | None = ROOT) -> int:
    """Run a program of the virtual environment, in the checkout unless told where; its exit code."""
    try:
        return subprocess.run([str(BIN / command[0]), *command[1:]], cwd=cwd).returncode
    except KeyboardInterrupt:
        return 130


def check() -> int:
    """Every gate in turn; stops at the first that fails."""
    tests = ["pytest", *SPREAD, "--cov", "--cov-report="]
    gates = (
        ["ruff", "format", "--check", "."],
        ["ruff", "check", "."],
        ["mypy"],
        ["lint-imports"],
        tests,
        ["coverage", "report", "--skip-covered"],
        ["coverage", "report", "--include", PURE, "--fail-under=100"],
    )
    return next((code for gate in gates if (code := call(*gate))), 0)


def main() -> int:
    """Dispatch; anything that is no word of this script is a p2pball command."""
    if sys.version_info < (3, 11):  # noqa: UP036 -- the very check that tells an older Python so
        sys.exit(f"p2pball needs Python 3.11 or newer; this is {sys.version.split()[0]}.")
    word, *rest = sys.argv[1:] or ["play"]
    if word == "test":
        environment("test")
        return call("python", "-m", "pytest", *(rest or SPREAD))
    if word in ("check", "format"):
        environment("dev")
        return check() if word == "check" else call("ruff", "format", ".") or call("ruff", "check", "--fix", ".")
    environment("")
    return call("p2pball", word, *rest, cwd=None)  # where the player is: files are named from there


if __name__ == "__main__":
    sys.exit(main())
