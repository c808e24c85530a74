"""The log: one JSON object a line, and nothing of a client in it, not even when something of ours breaks."""

import asyncio
import io
import json
import logging

import pytest

from signaling import log


@pytest.fixture
def lines():
    before = log.LOG.handlers[:], log.LOG.level, log.LOG.propagate
    stream = io.StringIO()
    log.to(stream)
    yield lambda: [json.loads(line) for line in stream.getvalue().splitlines()]
    log.LOG.handlers[:], log.LOG.level, log.LOG.propagate = before


def test_an_event_is_a_line_with_what_it_is_about(lines):
    log.LOG.info("listening", extra={"about": {"port": 8765}})
    (line,) = lines()
    assert line.pop("at").endswith("Z")
    assert line == {"level": "info", "event": "listening", "port": 8765}


async def test_a_fault_names_its_kind_and_place_and_never_its_text(lines):
    loop = asyncio.get_running_loop()
    before = loop.get_exception_handler()
    loop.set_exception_handler(log.fault)
    loop.call_soon(lambda: int("192.0.2.1 said: my words"))
    await asyncio.sleep(0.01)
    loop.call_exception_handler({"message": "accept from 192.0.2.1 failed"})
    loop.set_exception_handler(before)
    first, second = lines()
    assert (first["level"], first["event"], first["error"]) == ("error", "fault", "ValueError")
    assert first["where"].startswith("test_log.py:")
    assert second["event"] == "fault"
    assert "192.0.2.1" not in json.dumps([first, second])


def test_the_librarys_own_lines_are_not_taken(lines):
    log.WEBSOCKETS.info("connection open")
    log.WEBSOCKETS.debug("< GET /v1/room/1234")
    assert lines() == []
    assert not log.WEBSOCKETS.isEnabledFor(logging.INFO)


def test_the_same_line_is_not_told_a_thousand_times_a_second(lines):
    for _ in range(1000):  # as asyncio's server does when no files are left
        log.fault(None, {"message": "out of system resource", "exception": OSError(24, "Too many open files")})
    assert len(lines()) < 10
    log.LOG.info("another")
    assert lines()[-1]["event"] == "another"
