"""Who proposes what: a host's hello in words, and whether its key has been met before."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from p2pball.clubhouse.games import GameInfo, list_games
from p2pball.protocol.chat import clean
from p2pball.ui.fingerprint import fingerprint


def terms_lines(body: dict[str, Any]) -> list[str]:
    """A host's hello in words: who it is, and what is proposed."""
    terms, team = body["terms"], body["team"]
    extra = terms["extra_innings"]
    parts = [
        f"{terms['rules']}, {terms['innings']} inning{'s' * (terms['innings'] > 1)}",
        f"up to {extra} extra" if extra else "no extra innings",
        "walk-off" if terms["walk_off"] else "every half played out",
        {"coin": "home by coin", "host": "the host at home", "guest": "you at home"}[terms["home"]],
        f"{terms['clock']} seconds a choice" if terms["clock"] else "no clock",
    ]
    return [
        f"{clean(body['name'])} hosts with {clean(team['name'])} ({team['code']}).",
        f"Terms: {', '.join(parts)}.",
    ]


def acquaintance(hello: dict[str, Any], games: Iterable[GameInfo] | None = None) -> str:
    """Who a hello says it is, and whether its key has been met before, in `games` or all that there are."""
    met = sum(info.opponent_key == hello["key"] for info in (list_games() if games is None else games))
    known = f"you have met {met} time{'s' * (met > 1)} before" if met else "a new key, never met before"
    return f"{clean(hello['name'])} is the other player: key {fingerprint(hello['key'])}, {known}."
