"""The values that messages carry: game id, chain, nonces, commitments and seeds (fair-play 3)."""

from __future__ import annotations

from typing import Any

from p2pball.protocol.encoding import H, M, canonical

HOST, GUEST = SEATS = ("host", "guest")
OTHER = {HOST: GUEST, GUEST: HOST}


def game_id(host_hello: bytes, guest_hello: bytes) -> bytes:
    """G, from the SHA-256 digests of both hellos' payloads."""
    return H("game", host_hello, guest_hello)


def genesis(game: bytes) -> bytes:
    """The first chain T of a game."""
    return H("genesis", game)


def round_nonce(master: bytes, game: bytes, n: int, seat: str, chain: bytes, action: Any) -> bytes:
    """The nonce r of a seat's round: derived, so that it can be found again after a crash."""
    return M(master, "round-nonce", game, n, seat, chain, canonical(action))


def commitment(nonce: bytes, game: bytes, n: int, seat: str, chain: bytes, action: Any) -> bytes:
    """The commitment C to an action, opened by its nonce."""
    return M(nonce, "commit", game, n, seat, chain, canonical(action))


Both = tuple[bytes, bytes]
"""One value of the host and one of the guest."""


def round_seed(game: bytes, n: int, chain: bytes, commitments: Both, nonces: Both) -> bytes:
    """The seed of a round's dice, once both have revealed."""
    return H("round-seed", game, n, chain, *commitments, *nonces)


def chain_after_round(
    chain: bytes, n: int, commitments: Both, nonces: Both, actions: tuple[Any, Any], position: str
) -> bytes:
    """The chain T after a completed round."""
    return H("round", chain, n, *commitments, *nonces, canonical(actions[0]), canonical(actions[1]), position)


def chain_after_move(chain: bytes, seat: str, move: Any, position: str) -> bytes:
    """The chain T after an open move."""
    return H("move", chain, seat, canonical(move), position)
