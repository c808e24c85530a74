"""Golden games are played again and compared with what was written down."""

from __future__ import annotations

import difflib
from pathlib import Path

import pytest

from tests.golden import FOLDER, GAMES, transcript
from tests.golden import __main__ as remake


@pytest.mark.parametrize("name", GAMES)
def test_the_game_goes_as_it_did(name: str) -> None:
    written, now = (FOLDER / f"{name}.txt").read_text().splitlines(), transcript(name).splitlines()
    changes = list(difflib.unified_diff(written, now, "written down", "played again", n=2, lineterm=""))
    advice = "the engine behaves otherwise; if that is meant, raise RULES_VERSION and run python -m tests.golden"
    assert not changes, "\n".join([advice, *changes[:40]])


def test_no_file_is_left_over() -> None:
    assert {path.stem for path in FOLDER.glob("*.txt")} == set(GAMES)


def test_golden_games_show_every_kind_of_fact() -> None:
    written = "".join((FOLDER / f"{name}.txt").read_text() for name in GAMES)
    kinds = (
        "GameBegan HandsDealt HalfBegan BatterCameUp PitchChosen DiceRolled WindowHeld PinchHitterSent RunnerSent "
        "StealSettled CardsPlayed ContactRolled Play GameEnded"
    )
    for kind in kinds.split():
        assert f"\n  {kind}" in written
    for outcome in ("1B", "2B", "3B", "HR", "BB", "K", "FO", "PO", "GO", "DP", "WP"):
        assert f"Play outcome={outcome} " in written
    assert "joker=True" in written
    assert "RunnerSent slot=" in written
    assert "@king2" in written
    assert "@king3" in written


def test_a_changed_game_is_not_rewritten_under_the_same_rules_version(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(remake, "FOLDER", tmp_path)
    assert remake.main() == 0
    assert {path.stem for path in tmp_path.iterdir()} == set(GAMES)
    same, older = tmp_path / "dice-extra-innings.txt", tmp_path / "dice-nine-innings.txt"
    same.write_text(same.read_text().replace("first=1", "first=2"))
    older.write_text(older.read_text().replace("rules version 1", "rules version 0"))
    capsys.readouterr()
    assert remake.main() == 1
    said = capsys.readouterr()
    assert said.out == "dice-nine-innings: written\n"
    assert said.err == "dice-extra-innings: changed under the same rules version; raise RULES_VERSION first\n"
    assert "first=1" not in same.read_text()
