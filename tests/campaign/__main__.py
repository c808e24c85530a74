"""`python -m tests.campaign NAME`: run the cases of a campaign and print how many held.

A campaign is a module of this folder with `run(cases: int, seed: int) -> Tally`, and `CASES`
when its full form is another number than 100. The same seed makes the same cases.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

from tests import harness
from tests.campaign import Tally


def main() -> int:
    """Run one campaign; 1 when a case failed or none was run."""
    known = harness.names(Path(__file__).parent)
    parser = argparse.ArgumentParser(prog="python -m tests.campaign", description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("name", choices=known, metavar="NAME", help=", ".join(known))
    parser.add_argument("--cases", type=int, help="how many cases (default: the campaign's full form)")
    parser.add_argument("--seed", type=int, default=1, help="what the cases are made from (default 1)")
    parser.add_argument("--json", type=Path, help="where the result goes (default .campaign/NAME.json)")
    options = parser.parse_args()
    campaign = harness.module("tests.campaign", options.name)
    cases = getattr(campaign, "CASES", 100) if options.cases is None else options.cases
    started = time.monotonic()
    tally: Tally = campaign.run(cases, options.seed)
    seconds = round(time.monotonic() - started, 1)
    for failure in tally.failures:
        print(f"{options.name}: FAILED {failure}")
    print(f"{options.name}: {tally.held} of {tally.cases} held (seed {options.seed}, {seconds} s)")
    path = options.json or harness.ROOT / ".campaign" / f"{options.name}.json"
    harness.write(path, {"campaign": options.name, "seed": options.seed, "seconds": seconds, **tally.to_json()})
    return int(bool(tally.failures) or not tally.cases)


if __name__ == "__main__":
    sys.exit(main())
