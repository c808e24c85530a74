"""What holds for every test: Hypothesis without deadlines, and in CI the same examples every time."""

import os

from hypothesis import settings

settings.register_profile("p2pball", deadline=None, derandomize=bool(os.environ.get("CI")))
settings.load_profile("p2pball")
