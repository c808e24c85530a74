"""`python -m tests.golden`: write the golden games anew, after the rules version went up."""

from __future__ import annotations

import sys

from tests.golden import FOLDER, GAMES, transcript


def main() -> int:
    """Write every game; 1 when one changed under the same rules version, which is not written."""
    refused = 0
    for name in GAMES:
        path, text = FOLDER / f"{name}.txt", transcript(name)
        old = path.read_text() if path.exists() else ""
        if old == text:
            continue
        if old.split("\n", 1)[0] == text.split("\n", 1)[0]:
            print(f"{name}: changed under the same rules version; raise RULES_VERSION first", file=sys.stderr)
            refused += 1
            continue
        path.write_text(text)
        print(f"{name}: written")
    return int(refused > 0)


if __name__ == "__main__":
    sys.exit(main())
