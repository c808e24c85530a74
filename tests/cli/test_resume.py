"""Games that `resume` cannot go on with: each is refused at once, with the reason and what to do."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from p2pball.clubhouse.games import GameFolder, GameInfo, create_game, games_dir, open_game, record_in
from p2pball.engine.terms import Seat
from tests.attacks.forging import again
from tests.cli.running import DICE, Here
from tests.duet import Duet, message

KEY = random.Random("duet-host").randbytes(32)


def kept(
    duet: Duet,
    home: Path,
    lines: int | None = None,
    *,
    resume_secret: bytes | None = bytes(32),
    opponent_key: str = "",
) -> GameFolder:
    """The host's folder of an online game, at home with its identity."""
    info = GameInfo(
        seat="host",
        kind="online",
        rules="dice",
        started="2026-11-30T20:15:00+00:00",
        relay="127.0.0.1:9",
        opponent_key=opponent_key,
    )
    with create_game(info, duet.secrets[Seat.HOST].master, resume_secret=resume_secret) as folder:
        folder.journal.append(duet.disk[Seat.HOST][:lines])
    (home / "identity.key").write_bytes(KEY)
    return folder


@pytest.mark.parametrize("lines", [0, 1])
def test_a_game_that_never_began(lines: int, home: Path, here: Here) -> None:
    folder = kept(Duet(DICE), home, lines)
    done = here("resume", folder.info.id, "--plain")
    assert done.code == 1
    assert "start it anew" in " ".join(done.err.split())


def test_a_record_that_is_gone(home: Path, here: Here) -> None:
    folder = kept(Duet(DICE), home, opponent_key="ab" * 32)
    folder.record.unlink()
    done = here("resume", folder.info.id, "--plain")
    assert done.code == 1
    assert f"{folder.record} has lost what was played" in " ".join(done.err.split())


@pytest.mark.parametrize("lines", [0, 1])
def test_a_game_against_the_computer_that_never_began(lines: int, home: Path, here: Here) -> None:
    assert here("play", "--innings", "1", "--auto", "rookie", "--json", "--name", "A").code == 0
    (path,) = games_dir().iterdir()
    record = record_in(path)
    record.write_bytes(b"".join(record.read_bytes().splitlines(keepends=True)[:lines]))
    done = here("resume", path.name, "--plain")
    assert done.code == 1
    assert "start it anew" in " ".join(done.err.split())


def test_a_game_that_a_cheat_has_ended(home: Path, here: Here) -> None:
    duet = Duet(DICE).play_at_random()
    frames = duet.disk[Seat.HOST]
    at, reveal = next((n, m) for n, m in enumerate(map(message, frames)) if m.type == "reveal" and m.seat == "guest")
    forged = again(duet.secrets[Seat.GUEST], reveal, lambda fields: fields["body"].update(nonce="ab" * 32))
    duet.disk[Seat.HOST] = [*frames[: at + 1], forged]
    folder = kept(duet, home)
    done = here("resume", folder.info.id, "--plain")
    assert done.code == 4
    said = " ".join(done.err.split())
    assert "equivocation by the guest" in said
    assert f"p2pball verify {folder.record}" in said


def test_a_record_with_a_line_that_its_seat_did_not_sign(home: Path, here: Here) -> None:
    duet = Duet(DICE).play_at_random()
    stranger = Duet(DICE, seed="other").secrets[Seat.GUEST]
    forged = again(stranger, message(duet.disk[Seat.HOST][3]), lambda _: None)
    duet.disk[Seat.HOST][3:] = [forged]
    folder = kept(duet, home)
    done = here("resume", folder.info.id, "--plain")
    assert done.code == 1
    assert f"{folder.record} is damaged" in " ".join(done.err.split())


def test_a_folder_without_its_secret(home: Path, here: Here) -> None:
    folder = kept(Duet(DICE), home, resume_secret=None)
    done = here("resume", folder.info.id, "--plain")
    assert done.code == 1
    assert f"{folder.path} lacks a secret" in " ".join(done.err.split())


def test_a_finished_game_that_is_played_elsewhere_waits_for_nobody(home: Path, here: Here) -> None:
    folder = kept(Duet(DICE).play_at_random(), home)
    with open_game(folder.info.id):
        done = here("resume", folder.info.id, "--plain")
    assert done.code == 1
    assert "waited for" not in done.err
    assert "playing this game right now" in " ".join(done.err.split())


def test_a_game_of_another_identity(home: Path, here: Here) -> None:
    folder = kept(Duet(DICE), home)
    (home / "identity.key").write_bytes(bytes(32))
    done = here("resume", folder.info.id, "--plain")
    assert done.code == 1
    assert "put that one back (identity.key)" in " ".join(done.err.split())
