"""Two players in two processes and a relay in a third: the real thing on one machine."""

from __future__ import annotations

import asyncio
import json
import sys
from asyncio.subprocess import PIPE, Process


async def start(*arguments: str) -> Process:
    return await asyncio.create_subprocess_exec(sys.executable, "-m", *arguments, stdout=PIPE, stderr=PIPE)


async def test_two_processes_meet_through_a_relay_process(unused_tcp_port: int) -> None:
    relay = await start("signaling", "--host", "127.0.0.1", "--port", str(unused_tcp_port))
    url = f"ws://127.0.0.1:{unused_tcp_port}"
    processes = [relay]
    try:
        for _ in range(100):
            try:
                _, writer = await asyncio.open_connection("127.0.0.1", unused_tcp_port)
                writer.close()
                break
            except OSError:
                await asyncio.sleep(0.1)
        host = await start("tests.net.peer", "host", url)
        processes.append(host)
        assert host.stdout is not None
        code = json.loads(await asyncio.wait_for(host.stdout.readline(), 20))["code"]
        guest = await start("tests.net.peer", "join", url, code)
        processes.append(guest)
        results = await asyncio.wait_for(asyncio.gather(host.communicate(), guest.communicate()), 40)
        lines = [json.loads(out) for out, _ in results]
        assert [line["way"] for line in lines] == ["direct", "direct"]
        assert lines[0]["sas"] == lines[1]["sas"]
        assert [bytes.fromhex(line["peer"])[:1] for line in lines] == [b"g", b"h"]
        assert [host.returncode, guest.returncode] == [0, 0]
        assert all("Traceback" not in err.decode() for _, err in results)
    finally:
        for process in processes:
            if process.returncode is None:
                process.kill()
        await asyncio.gather(*(process.wait() for process in processes))
