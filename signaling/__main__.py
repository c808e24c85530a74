"""`p2pball-relay` and `python -m signaling`: read what the operator wants and run a relay until it is told to stop."""

import asyncio
import gc
import ipaddress
import signal
import ssl
import sys
from collections.abc import Callable, Coroutine
from functools import partial
from pathlib import Path
from typing import Any

import click

from signaling import log
from signaling.ice import Ice
from signaling.limits import Limits
from signaling.options import Options
from signaling.server import FLOOD, Server
from signaling.sources import Network
from signaling.store import MemoryStore, Store, StoreError
from signaling.wire import PORT, is_ice_url

_YOUNG = 10_000
"""New objects after which Python looks for cycles among them. It finds little: seven a connection with asyncio."""


async def serve(options: Options, redis_url: str) -> None:
    """Run a relay until SIGTERM or SIGINT; then drain. A second signal ends it at once."""
    server = Server(options, _store(redis_url, options.limits))
    asyncio.get_running_loop().set_exception_handler(log.fault)
    told, again = asyncio.Event(), asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        _on_signal(number, lambda: again.set() if told.is_set() else told.set())
    await server.start()
    await told.wait()
    drain, hurry = asyncio.create_task(server.drain()), asyncio.create_task(again.wait())
    await asyncio.wait((drain, hurry), return_when=asyncio.FIRST_COMPLETED)
    drain.cancel()
    hurry.cancel()
    await server.stop()


def _allow_files(connections: int) -> None:
    # A socket is a file: the usual limit of 1,024 would end far below --max-connections.
    try:
        import resource
    except ImportError:  # Windows
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = FLOOD * connections + 100
    able = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    if able > soft:
        resource.setrlimit(resource.RLIMIT_NOFILE, (able, hard))
    if max(able, soft) < connections + 100:
        log.LOG.warning("few files", extra={"about": {"files": max(able, soft), "connections": connections}})


def _store(redis_url: str, limits: Limits) -> Store:
    if not redis_url:
        return MemoryStore(limits)
    try:
        from signaling.redis_store import RedisStore
    except ImportError as error:
        raise StoreError("The redis package is not installed: pip install 'p2pball[redis]'") from error
    try:
        return RedisStore(redis_url, limits)
    except ValueError as error:
        raise StoreError(f"This is no address of a Redis: {error}") from error


def _on_signal(number: signal.Signals, act: Callable[[], None]) -> None:
    loop = asyncio.get_running_loop()
    try:
        loop.add_signal_handler(number, act)
    except NotImplementedError:  # Windows
        signal.signal(number, lambda *_: loop.call_soon_threadsafe(act))


def _runner(name: str) -> Callable[[Coroutine[Any, Any, None]], None]:
    if name in ("auto", "uvloop"):
        try:
            import uvloop
        except ImportError as error:
            if name == "uvloop":
                raise click.UsageError("uvloop is not installed: pip install 'p2pball[uvloop]'") from error
        else:
            return partial(uvloop.run)
    return asyncio.run


class _NetworkType(click.ParamType[Network]):
    name = "network"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> Network:
        try:
            return ipaddress.ip_network(str(value), strict=False)
        except ValueError:
            self.fail(f"{value!r} is no address or network, like 10.0.0.0/8", param, ctx)


class _IceUrl(click.ParamType[str]):
    name = "url"

    def __init__(self, *schemes: str) -> None:
        self._schemes = schemes

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> str:
        url = str(value)
        if url.partition(":")[0] not in self._schemes or not is_ice_url(url):
            self.fail(f"{url!r} is none of {', '.join(f'{scheme}:HOST:PORT' for scheme in self._schemes)}", param, ctx)
        return url


@click.command(
    context_settings={
        "auto_envvar_prefix": "P2PBALL_RELAY",
        "show_default": True,
        "help_option_names": ["-h", "--help"],
    }
)
@click.option("--host", default="::", help="Address to listen on; :: is every one, IPv4 too.")
@click.option("--port", type=click.IntRange(0, 65535), default=PORT, help="TCP port; 0 takes a free one.")
@click.option(
    "--cert", type=click.Path(exists=True, dir_okay=False, path_type=Path), help="TLS certificate chain (PEM)."
)
@click.option("--key", type=click.Path(exists=True, dir_okay=False, path_type=Path), help="Its private key (PEM).")
@click.option(
    "--proxy",
    "proxies",
    envvar="P2PBALL_RELAY_PROXY",
    multiple=True,
    type=_NetworkType(),
    help="Proxy whose X-Forwarded-For is believed.",
)
@click.option("--stun-port", type=click.IntRange(1, 65535), help="UDP port that answers STUN.  [default: as --port]")
@click.option("--no-stun", is_flag=True, help="Answer no STUN; for a relay that UDP does not reach.")
@click.option(
    "--stun-url",
    "stun_urls",
    envvar="P2PBALL_RELAY_STUN_URL",
    multiple=True,
    type=_IceUrl("stun"),
    help="STUN server to name to clients, stun:HOST:PORT.",
)
@click.option(
    "--redis",
    "redis_url",
    envvar="P2PBALL_RELAY_REDIS",
    default="",
    help="Redis or Valkey that several relays share, redis://HOST:PORT.",
)
@click.option(
    "--turn-url",
    "turn_urls",
    envvar="P2PBALL_RELAY_TURN_URL",
    multiple=True,
    type=_IceUrl("turn", "turns"),
    help="TURN server to name to clients.",
)
@click.option("--turn-secret", default="", help="Secret shared with the TURN server; better given by the variable.")
@click.option("--max-connections", type=click.IntRange(1), default=Limits().connections, help="Of this process.")
@click.option("--max-rooms", type=click.IntRange(1, 9000), default=Limits().rooms, help="Rooms that wait at a time.")
@click.option("--loop", type=click.Choice(["auto", "asyncio", "uvloop"]), default="auto", help="Event loop.")
def main(
    host: str,
    port: int,
    cert: Path | None,
    key: Path | None,
    proxies: tuple[Network, ...],
    stun_port: int | None,
    no_stun: bool,
    stun_urls: tuple[str, ...],
    redis_url: str,
    turn_urls: tuple[str, ...],
    turn_secret: str,
    max_connections: int,
    max_rooms: int,
    loop: str,
) -> None:
    """Run a p2pball relay: it introduces two players to each other and forgets them.

    Every option can be given as a variable, P2PBALL_RELAY_PORT for --port and so on.
    """
    if (cert is None) != (key is None):
        raise click.UsageError("--cert and --key go together")
    if bool(turn_urls) != bool(turn_secret):
        raise click.UsageError("--turn-url and --turn-secret go together")
    limits = Limits(connections=max_connections, rooms=max_rooms)
    ice = Ice(stun_urls=stun_urls, turn_urls=turn_urls, turn_secret=turn_secret)
    log.to(sys.stderr)
    _allow_files(max_connections)
    gc.set_threshold(_YOUNG)
    try:
        options = Options(host, port, limits, proxies, cert, key, None if no_stun else stun_port or 0, ice)
        _runner(loop)(serve(options, redis_url))
    except StoreError as error:
        raise click.ClickException(str(error)) from error
    except ssl.SSLError as error:
        why = error.reason or "one of the files does not hold it as PEM"
        raise click.ClickException(f"The certificate or key cannot be used: {why}") from error
    except OSError as error:
        where = error.filename or f"port {port}"
        raise click.ClickException(f"Cannot listen on {host} {where}: {error.strerror}") from error
    except UnicodeError as error:  # IDNA, before any name is looked up
        raise click.ClickException(f"{host!r} is no host name. Give an address or a name of this machine.") from error


if __name__ == "__main__":
    main(prog_name="p2pball-relay")
