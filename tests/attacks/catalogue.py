"""Every attack by a forged message, by the section of fair-play that it breaks."""

from __future__ import annotations

from tests.attacks import forms, hands, moves, orders, rounds
from tests.attacks.scene import Attack

ATTACKS: list[Attack] = [*forms.ATTACKS, *orders.ATTACKS, *rounds.ATTACKS, *moves.ATTACKS, *hands.ATTACKS]
