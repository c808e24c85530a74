"""What a game is to be: the choices of the command line and the screens, and the secrets made for them."""

from __future__ import annotations

import random
import secrets as entropy
from dataclasses import replace
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from p2pball.ballgame import Secrets
from p2pball.clubhouse.errors import BadSettings
from p2pball.clubhouse.settings import Settings
from p2pball.computer.levels import Level
from p2pball.engine.terms import Rules, Terms
from p2pball.errors import P2PBallError
from p2pball.frozen import frozen
from p2pball.scorebook.teams import KETTLE_POINT, RIVERBEND, Team, TeamError, team_from_toml

MAX_TEAM_FILE = 64 * 1024


class BadTeamFile(P2PBallError):
    """The team file cannot be used."""


@frozen
class Options:
    """A game as wanted; `seed` fixes keys, masters and the computer's choices, offline only."""

    terms: Terms
    name: str
    team: Team
    level: Level = Level.REGULAR
    seed: int | None = None
    pace: float = 0.0


@frozen
class Purse:
    """The secrets of one seat before they are bound to a game: private key, master and hello nonce, 32 bytes each."""

    key: Ed25519PrivateKey
    master: bytes
    nonce: bytes

    @property
    def public(self) -> bytes:
        """The public key, 32 bytes."""
        return self.key.public_key().public_bytes_raw()

    @property
    def secrets(self) -> Secrets:
        """What the ballgame needs of them."""
        return Secrets(self.key.sign, self.public, self.master)

    @classmethod
    def fresh(cls, key: Ed25519PrivateKey | None = None) -> Purse:
        """New secrets, for an identity or a new key."""
        return cls(key or Ed25519PrivateKey.generate(), entropy.token_bytes(32), entropy.token_bytes(32))

    @classmethod
    def seeded(cls, seed: int, seat: str) -> Purse:
        """The same secrets for the same seed: for tests and demonstrations, never online."""
        rng = random.Random(f"p2pball/{seed}/{seat}")  # noqa: S311 -- repeatable is what was asked for
        key, master, nonce = (rng.randbytes(32) for _ in range(3))
        return cls(Ed25519PrivateKey.from_private_bytes(key), master, nonce)

    def again(self) -> Purse:
        """Secrets for a rematch: the same key, all else new."""
        return Purse.fresh(self.key)


def load_team(path: str) -> Team:
    """The team of a TOML file; raises BadTeamFile."""
    try:
        with Path(path).open("rb") as file:
            data = file.read(MAX_TEAM_FILE)
    except OSError as error:
        raise BadTeamFile(f"The team file {path} cannot be read: {error.strerror}.") from None
    try:
        return team_from_toml(data.decode())
    except (TeamError, UnicodeDecodeError) as error:
        raise BadTeamFile(f"The team file {path} cannot be used: {error}.") from None


def kept_level(settings: Settings) -> Level:
    """The computer's level when none is asked for; raises BadSettings."""
    try:
        return Level(settings.level or Level.REGULAR)
    except ValueError:
        levels = ", ".join(level.value for level in Level)
        raise BadSettings(f"There is no level {settings.level!r}: level is one of {levels}.") from None


def default_team(*, first: bool) -> Team:
    """The team of whoever proposes the game, or of the other."""
    return RIVERBEND if first else KETTLE_POINT


def default_terms(rules: Rules, **changes: object) -> Terms:
    """The terms of a rule set when nobody says otherwise."""
    return replace(Terms(rules, innings=rules.default_innings), **changes)  # type: ignore[arg-type]  # Terms checks them
