"""The files of deploy/ in the programs they are for: HAProxy, Caddy, systemd, coturn, and what the image installs."""

import asyncio
import contextlib
import os
import re
import shutil
import ssl
import subprocess
import sys
from pathlib import Path

from websockets.asyncio.client import connect

from signaling.wire import Code, Door, Outcome, Paired, Role, room_path
from tests import needs
from tests.signaling.clients import WAIT, Seat, metric
from tests.signaling.cluster import free_port, redis_server, settled
from tests.signaling.program import process
from tests.signaling.ways import ask, binding, certificate

ROOT = Path(__file__).resolve().parent.parent.parent
DEPLOY = ROOT / "deploy"


def haproxy_config(folder: Path, port: int, relays: list[int]) -> Path:
    """The example with our ports and certificate in place of its own; nothing else is changed."""
    cert, key = certificate(folder)
    (folder / "relay.pem").write_bytes(cert.read_bytes() + key.read_bytes())
    text = (DEPLOY / "haproxy.cfg").read_text()
    for old, new in {
        "bind :443 ssl crt /etc/haproxy/relay.pem": f"bind 127.0.0.1:{port} ssl crt {folder}/relay.pem",
        "server one 127.0.0.1:8765": f"server one 127.0.0.1:{relays[0]}",
        "# server two 192.0.2.2:8765": f"server two 127.0.0.1:{relays[-1]}",
    }.items():
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    path = folder / "haproxy.cfg"
    path.write_text(text)
    return path


@contextlib.asynccontextmanager
async def haproxy(folder: Path, relays: list[int]):
    """A real HAProxy with the example's configuration; its port and what it takes to trust it."""
    program, port = needs.program("haproxy"), free_port()
    running = await asyncio.create_subprocess_exec(
        program, "-db", "-f", str(haproxy_config(folder, port, relays)), stdout=subprocess.DEVNULL
    )
    trust = ssl.create_default_context(cafile=str(folder / "cert.pem"))
    try:
        for _ in range(100):
            with contextlib.suppress(OSError):
                _, writer = await asyncio.open_connection("127.0.0.1", port)
                writer.close()
                break
            assert running.returncode is None, "haproxy ended"
            await asyncio.sleep(0.05)
        await asyncio.sleep(0.3)
        yield port, trust
    finally:
        running.kill()
        await running.wait()


async def knock(way, nameplate: str, role: Role, source: str = "127.0.0.1", **headers: str) -> Seat:
    port, trust = way
    return Seat(
        await asyncio.wait_for(
            connect(
                f"wss://localhost:{port}{room_path(Door(nameplate, role))}",
                ssl=trust,
                host="127.0.0.1",
                local_addr=(source, 0),
                proxy=None,
                additional_headers=headers,
            ),
            WAIT,
        )
    )


async def test_two_relays_behind_the_real_haproxy(tmp_path):
    needs.program("haproxy")
    options = ("--host", "127.0.0.1", "--port", "0", "--no-stun", "--proxy", "127.0.0.1")
    async with redis_server(tmp_path) as redis:
        shared = (*options, "--redis", redis.url)
        async with process(*shared) as one, process(*shared) as other, haproxy(tmp_path, [one.port, other.port]) as way:
            for number in range(8):
                seats = [await knock(way, f"{number:04}", role, f"127.0.0.{10 + number}") for role in Role]
                for seat in seats:
                    await seat.word()
                assert [isinstance(await seat.word(), Paired) for seat in seats] == [True, True]
                await seats[0].send(b"x" * 16384)
                assert await seats[1].data() == b"x" * 16384
                for seat in seats:
                    await seat.close(Outcome.DIRECT)
            # Both were used, and the two of a room met at one of them.
            joins = [await metric(relay.port, "joins_total") for relay in (one, other)]
            pairings = [await metric(relay.port, "pairings_total") for relay in (one, other)]
            assert sum(joins) == 16
            assert all(joins)
            assert joins == [2 * count for count in pairings]

            # Limits count the client, not the proxy, whatever the client claims.
            for number in range(10):
                liar = await knock(
                    way, f"9{number:03}", Role.GUEST, "127.0.0.2", **{"X-Forwarded-For": f"1.2.3.{number}"}
                )
                assert await liar.closed() == Code.NO_ROOM
            assert await (await knock(way, "9999", Role.GUEST, "127.0.0.2")).closed() == Code.FAILED_JOINS
            assert await (await knock(way, "9999", Role.GUEST, "127.0.0.3")).closed() == Code.NO_ROOM

            # The figures are not for the world.
            reader, writer = await asyncio.open_connection("127.0.0.1", way[0], ssl=way[1], server_hostname="localhost")
            writer.write(b"GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n")
            assert b" 403 " in await asyncio.wait_for(reader.readline(), WAIT)
            writer.close()

            # A relay that drains gets no new ones; the other takes them.
            one.process.terminate()

            async def taken_over():
                seat = await knock(way, f"{os.urandom(16).hex()}", Role.HOST, "127.0.0.4")
                with contextlib.suppress(Exception):
                    await seat.word()
                    await seat.close()
                    return one.process.returncode is not None
                return False

            await settled(taken_over)


def test_caddy_takes_the_example():
    program = needs.program("caddy")
    done = subprocess.run(
        [program, "validate", "--adapter", "caddyfile", "--config", DEPLOY / "Caddyfile"],
        capture_output=True,
        text=True,
        timeout=30,
    )
    assert done.returncode == 0, done.stderr


def test_systemd_takes_the_unit(tmp_path):
    program = needs.program("systemd-analyze")
    unit = (DEPLOY / "p2pball-relay.service").read_text()
    (tmp_path / "p2pball-relay.service").write_text(unit.replace("/opt/p2pball/bin/p2pball-relay", sys.executable))
    done = subprocess.run(
        [program, "verify", "--man=no", tmp_path / "p2pball-relay.service"], capture_output=True, text=True, timeout=60
    )
    complaints = [line for line in done.stderr.splitlines() if "p2pball" in line]
    assert not complaints, complaints
    done = subprocess.run(
        [program, "security", "--offline=true", "--threshold=20", tmp_path / "p2pball-relay.service"],
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 0, done.stdout[-300:]  # an exposure of 2.0 of 10 at most


async def test_coturn_takes_the_example_and_it_lets_nobody_into_the_own_network(tmp_path):
    program = needs.program("turnserver")
    port = free_port()
    text = (DEPLOY / "turnserver.conf").read_text().replace("listening-port=3478", f"listening-port={port}")
    log = tmp_path / "turn.log"
    own = f"pidfile={tmp_path}/pid\nuserdb={tmp_path}/db\nlog-file={log}\nsimple-log\n"
    (tmp_path / "turnserver.conf").write_text(f"{text}\n{own}")
    running = await asyncio.create_subprocess_exec(
        program, "-c", str(tmp_path / "turnserver.conf"), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )

    async def listens():
        return bool((await ask(port, binding()))[0])

    try:
        await settled(listens)
    finally:
        running.kill()
        await running.wait()
    said = log.read_text()
    for network in ("10.0.0.0", "127.0.0.0", "169.254.0.0", "192.168.0.0"):
        assert f"Black listing: {network}" in said
    assert "Unknown" not in said
    assert "Bad" not in said


def test_the_image_installs_what_the_relay_imports():
    """The image leaves out what only the game needs: no other distribution may be imported."""
    listed = re.search(r"pip install [^\n]*-c constraints.txt ([\w \[\]]+)", (DEPLOY / "Dockerfile").read_text())
    assert listed is not None
    wanted = set(listed[1].split()) | {"dns", "ifaddr", "signaling"}  # aioice brings the two in the middle
    program = f"""
import sys
class Others:
    def find_spec(self, name, path=None, target=None):
        top = name.partition(".")[0]
        if top not in {wanted!r} and top not in sys.stdlib_module_names and not top.startswith("_"):
            raise ImportError(name)
sys.meta_path.insert(0, Others())
import signaling.__main__, signaling.stun, signaling.redis_store, uvloop
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, cwd=ROOT)
    assert done.returncode == 0, done.stderr


def test_the_dockerfile_is_sound():
    """What a linter would look for, where there is no engine to build with; with one, it is built."""
    text = (DEPLOY / "Dockerfile").read_text()
    steps = [line.split(None, 1) for line in re.sub(r"\\\n\s*", " ", text).splitlines() if line and line[0] not in "# "]
    words = [word for word, _ in steps]
    assert words.count("FROM") == 2
    assert all(":" in rest and ":latest" not in rest for word, rest in steps if word == "FROM")
    assert not {"ADD", "MAINTAINER"} & set(words)
    assert words.index("USER") < words.index("ENTRYPOINT")
    assert dict(steps)["USER"].split(":")[0] not in ("root", "0")
    assert dict(steps)["ENTRYPOINT"].startswith("[")
    assert "EXPOSE" in words
    for copied in re.findall(r"^COPY (?!--from)(.+) \S+$", text, re.MULTILINE):
        for path in copied.split():
            assert (ROOT / path).exists(), path
    engine = shutil.which("docker")
    if engine and subprocess.run([engine, "info"], capture_output=True, timeout=20).returncode == 0:
        built = subprocess.run(
            [engine, "build", "-q", "-f", DEPLOY / "Dockerfile", ROOT], capture_output=True, text=True, timeout=600
        )
        assert built.returncode == 0, built.stderr
