"""`python -m tests.bench NAME...`: run benches, print a line per figure, write JSON into .bench/."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from tests import harness
from tests.bench import Figure


def main() -> int:
    """Run the benches named; 1 when a bar was missed."""
    known = harness.names(Path(__file__).parent)
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument("names", nargs="+", choices=known, metavar="NAME", help=", ".join(known))
    parser.add_argument("--out", type=Path, default=harness.ROOT / ".bench", help="folder for NAME.json")
    options = parser.parse_args()
    missed = 0
    for name in options.names:
        figures: list[Figure] = harness.module("tests.bench", name).run()
        for figure in figures:
            print(f"{name:<10} {figure.line()}", flush=True)
        missed += sum(not figure.held for figure in figures)
        harness.write(options.out / f"{name}.json", {"bench": name, "figures": [f.to_json() for f in figures]})
    return int(missed > 0)


if __name__ == "__main__":
    sys.exit(main())
