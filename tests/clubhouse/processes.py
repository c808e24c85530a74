"""Other processes of the same program, for what only two processes can show."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PATIENCE = 30


def start(code: str, **options: object) -> subprocess.Popen[str]:
    """Python with this code, its streams in pipes."""
    pipe = subprocess.PIPE
    return subprocess.Popen(  # type: ignore[call-overload,no-any-return]
        [sys.executable, "-c", code], cwd=ROOT, stdin=pipe, stdout=pipe, stderr=pipe, text=True, **options
    )


def run(code: str) -> subprocess.CompletedProcess[str]:
    """Run Python with this code to its end."""
    return subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=PATIENCE, check=False
    )
