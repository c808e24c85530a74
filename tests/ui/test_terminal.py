"""The full screen in real pseudo-terminals: whatever ends it, the exit code is right and the terminal as it was.

The short form of the campaign `screens`: one case of every kind.
"""

from __future__ import annotations

import sys

import pytest

from tests.campaign import screens

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there are no pseudo-terminals here")


@pytest.mark.parametrize("kind", screens.KINDS)
def test_a_case_of_the_campaign(kind: str) -> None:
    screens.play(kind, "short")
