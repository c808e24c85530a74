"""The glue between socket and WebSocket library: any cut of the bytes has the same effect, and no bytes break it."""

import pytest

from tests.signaling import glue


@pytest.mark.parametrize("batch", range(8))
async def test_streams_cut_and_broken_in_every_way(batch):
    for seed in range(batch * 50, batch * 50 + 50):
        try:
            await glue.fuzz(seed)
        except AssertionError as error:
            raise AssertionError(f"seed {seed}") from error
