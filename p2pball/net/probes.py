"""Single questions to STUN and TURN servers, in aioice's words, each under its own bound."""

from __future__ import annotations

import asyncio
import contextlib
import struct
from collections.abc import Sequence
from typing import Any

TRIES = 3
TRY_SECONDS = 0.6
TURN_SECONDS = 5.0


async def mapped_addresses(servers: Sequence[tuple[str, int]]) -> list[tuple[str, int] | None]:
    """How each STUN server sees one and the same socket of ours; None for a server that does not answer."""
    if not servers:
        return []
    loop = asyncio.get_running_loop()
    try:
        transport, asker = await loop.create_datagram_endpoint(_Asker, local_addr=("0.0.0.0", 0))  # noqa: S104 -- any way out
    except OSError:
        return [None for _ in servers]
    try:
        return [await asker.ask(server) for server in servers]
    finally:
        transport.close()


class _Asker(asyncio.DatagramProtocol):
    """One UDP socket, one question at a time."""

    def __init__(self) -> None:
        self._answers: asyncio.Queue[bytes] = asyncio.Queue(16)

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport: Any = transport

    def datagram_received(self, data: bytes, addr: tuple[Any, ...]) -> None:
        with contextlib.suppress(asyncio.QueueFull):
            self._answers.put_nowait(data)

    async def ask(self, server: tuple[str, int]) -> tuple[str, int] | None:
        """A binding request, sent again twice (RFC 8489, section 6.2.1, in small)."""
        from aioice import stun

        request = stun.Message(stun.Method.BINDING, stun.Class.REQUEST)
        for _ in range(TRIES):
            self._transport.sendto(bytes(request), server)
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(TRY_SECONDS):
                    while True:
                        with contextlib.suppress(ValueError, KeyError, struct.error):
                            answer = stun.parse_message(await self._answers.get())
                            if answer.transaction_id == request.transaction_id:
                                mapped: tuple[str, int] = answer.attributes["XOR-MAPPED-ADDRESS"]
                                return mapped
        return None


async def allocate(
    server: tuple[str, int], transport: str, username: str | None, password: str | None
) -> tuple[str, str]:
    """Ask a TURN server for an address and give it back at once: the address, and what was wrong; one is empty."""
    from aioice import stun, turn

    try:
        async with asyncio.timeout(TURN_SECONDS):
            endpoint, _ = await turn.create_turn_endpoint(
                asyncio.DatagramProtocol,
                server,
                username,
                password,
                ssl=transport == "tls",
                transport="udp" if transport == "udp" else "tcp",
            )
    except TimeoutError:
        return "", "no answer"
    except stun.TransactionFailed as error:
        code = error.response.error_code
        return "", "it refuses our credentials" if code in (401, 403) else f"it refuses, with error {code}"
    except (OSError, stun.TransactionError, ConnectionError) as error:
        return "", str(error).lower() or "no connection"
    endpoint.close()
    await asyncio.sleep(0.05)  # lets the goodbye out
    return endpoint.get_extra_info("sockname")[0], ""
