"""`python -m tools.page_picture`: the picture of a game's page in the docs, made from a record by headless Chromium."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
RECORD = ROOT / "tests" / "records" / "dice-nine-innings.p2pball"
PICTURE = ROOT / "docs" / "pictures" / "page.png"
WIDTH, HEIGHT = 860, 1150


def main() -> None:
    """Write the page of a nine-inning game and photograph its upper part."""
    PICTURE.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as name:
        page = Path(name) / "page.html"
        show = [sys.executable, "-m", "p2pball", "show", str(RECORD), "--html", str(page)]
        subprocess.run(show, check=True, cwd=ROOT)
        command = ["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking"]
        command += ["--hide-scrollbars", f"--user-data-dir={name}/profile", f"--window-size={WIDTH},{HEIGHT}"]
        command += [f"--screenshot={PICTURE}", page.as_uri()]
        subprocess.run(command, check=True, capture_output=True, timeout=120)


if __name__ == "__main__":
    main()
