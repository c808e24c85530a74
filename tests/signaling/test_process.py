"""The relay as a program of its own: options and variables, signals, logs, and what it says when it cannot start."""

import asyncio
import json
import os
import signal
import socket
import sys
from pathlib import Path

import pytest

from signaling.__main__ import main
from signaling.wire import Code, Door, Left, Outcome, Role
from tests.signaling.clients import WAIT, get, pair, refused, sit
from tests.signaling.program import process


async def fails(*args: str, **variables: str) -> tuple[int, str]:
    started = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "signaling", *args), stderr=asyncio.subprocess.PIPE, env=os.environ | variables
    )
    try:
        _, said = await asyncio.wait_for(started.communicate(), WAIT)
    finally:
        if started.returncode is None:
            started.kill()
            await started.wait()
    return started.returncode or 0, said.decode()


async def test_sigterm_drains():
    async with process("--host", "127.0.0.1", "--port", "0") as relay:
        waiting = await sit(relay.port, "0001", Role.HOST)
        host, guest = await pair(relay.port)
        relay.process.send_signal(signal.SIGTERM)
        assert await waiting.closed() == Code.DRAINING
        assert (await get(relay.port, "/health"))[0] == 503
        assert await refused(relay.port, Door("0002", Role.HOST)) == Code.DRAINING
        await guest.send(b"still here")
        assert await host.data() == b"still here"
        await guest.close(Outcome.DIRECT)
        assert await host.word() == Left(Outcome.DIRECT)
        await host.close(Outcome.DIRECT)
        assert await relay.end() == 0
        assert [line["event"] for line in relay.log] == ["listening", "draining", "stopped"]


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
async def test_a_second_signal_ends_it_at_once(number):
    async with process("--port", "0", "--loop", "asyncio") as relay:
        host, _ = await pair(relay.port)
        relay.process.send_signal(number)
        assert (await relay.line())["event"] == "draining"
        relay.process.send_signal(number)
        assert await host.closed() == Code.DRAINING
        assert await relay.end() == 0


async def test_variables_stand_for_options():
    async with process(P2PBALL_RELAY_PORT="0", P2PBALL_RELAY_HOST="127.0.0.1", P2PBALL_RELAY_MAX_ROOMS="1") as relay:
        await sit(relay.port, "0001", Role.HOST)
        assert await refused(relay.port, Door("0002", Role.HOST)) == Code.RELAY_ROOMS


def test_every_option_has_help_and_a_variable_of_its_name_and_stands_in_the_docs():
    docs = (Path(__file__).resolve().parent.parent.parent / "docs" / "relay.md").read_text()
    for option in main.params:
        (flag,) = option.opts
        assert option.help
        assert option.help.endswith((".", "]"))
        assert f"`{flag}`" in docs, flag
        name = option.envvar or f"P2PBALL_RELAY_{option.name.upper()}"
        assert name == "P2PBALL_RELAY_" + flag.removeprefix("--").replace("-", "_").upper()


async def test_the_variables_of_the_docs_offer_turn_to_a_pair_behind_a_proxy():
    variables = {
        "P2PBALL_RELAY_PORT": "0",
        "P2PBALL_RELAY_PROXY": "127.0.0.1 ::1",
        "P2PBALL_RELAY_TURN_SECRET": "secret",
        "P2PBALL_RELAY_TURN_URL": "turn:t.example:3478?transport=udp turn:t.example:3478?transport=tcp",
    }
    async with process(**variables) as relay:
        seats = []
        for role, client in ((Role.HOST, "192.0.2.1"), (Role.GUEST, "192.0.2.2")):
            seats.append(await sit(relay.port, "1234", role, additional_headers={"X-Forwarded-For": client}))
        own, turn = (await seats[0].word()).ice
        assert own.urls == (f"stun:127.0.0.1:{relay.port}",)
        assert turn.urls == tuple(variables["P2PBALL_RELAY_TURN_URL"].split())


async def test_nothing_of_a_client_is_logged():
    async with process("--host", "127.0.0.1", "--port", "0") as relay:
        host, guest = await pair(relay.port, "7395")
        await guest.ws.send("text is refused")
        await guest.closed()
        await host.close()
        _, writer = await asyncio.open_connection("127.0.0.1", relay.port)
        writer.write(b"GET /secret-path HTTP/1.1\r\nHost: x\r\n\r\n\x00\xff")
        await asyncio.sleep(0.1)
        writer.close()
        relay.process.send_signal(signal.SIGTERM)
        assert await relay.end() == 0
        logged = json.dumps(relay.log)
        for word in ("127.0.0.1", "7395", host.token, guest.token, "secret", "refused"):
            assert word not in logged


async def test_what_keeps_it_from_starting_is_a_sentence(tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        code, said = await fails("--host", "127.0.0.1", "--port", port)
        assert (code, "Traceback" in said) == (1, False)
        assert f"Cannot listen on 127.0.0.1 port {port}" in said
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as taken:
        taken.bind(("127.0.0.1", 0))
        port = str(taken.getsockname()[1])
        code, said = await fails("--host", "127.0.0.1", "--port", "0", "--stun-port", port)
        assert (code, "Traceback" in said) == (1, False)
        assert f"Cannot listen on 127.0.0.1 UDP port {port}" in said
    code, said = await fails("--host", "a..b", "--port", "0")
    assert (code, "Traceback" in said) == (1, False)
    assert "'a..b' is no host name" in said
    junk = tmp_path / "junk.pem"
    junk.write_text("no certificate")
    code, said = await fails("--port", "0", "--cert", str(junk), "--key", str(junk))
    assert (code, "Traceback" in said) == (1, False)
    assert "The certificate or key cannot be used: one of the files does not hold it as PEM" in said


async def test_wrong_use_is_a_sentence(tmp_path):
    junk = tmp_path / "junk.pem"
    junk.write_text("no certificate")
    wrong = (
        ["--cert", str(junk)],
        ["--turn-url", "turn:x"],
        ["--proxy", "somewhere"],
        ["--port", "99999"],
        ["--turn-url", "http://x", "--turn-secret", "s"],
    )
    for code, said in await asyncio.gather(*(fails("--port", "0", *arguments) for arguments in wrong)):
        assert (code, "Traceback" in said) == (2, False)
        assert "Error:" in said
