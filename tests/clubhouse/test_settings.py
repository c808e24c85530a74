"""Settings: flags over variables over the file, and every mistake told with its place."""

from __future__ import annotations

from pathlib import Path

import pytest

from p2pball.clubhouse.errors import BadSettings, DiskError
from p2pball.clubhouse.settings import Settings, load, save, save_name, settings_file


def written(home: Path, text: str | bytes) -> Path:
    home.mkdir(exist_ok=True)
    file = home / "config.toml"
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    return file


def test_without_anything_the_defaults_hold(home: Path) -> None:
    assert load() == Settings()
    assert not (home / "config.toml").exists()


def test_flags_over_variables_over_the_file_over_the_kept_name(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    save_name("Kept")
    assert load().name == "Kept"
    file = written(home, 'name = "File"\nrelay = "file:1"\nlevel = "rookie"\nascii = true\nanimation = false\n')
    assert settings_file() == file
    assert load() == Settings(name="File", relay="file:1", level="rookie", ascii=True, animation=False)
    monkeypatch.setenv("P2PBALL_NAME", "Variable")
    monkeypatch.setenv("P2PBALL_ASCII", "no")
    monkeypatch.setenv("P2PBALL_TURN_ONLY", "1")
    assert load() == Settings(name="Variable", relay="file:1", level="rookie", animation=False, turn_only=True)
    flagged = load(name="Flag", turn_only=False, relay=None, level="")
    assert flagged == Settings(name="Flag", relay="file:1", animation=False)


def test_the_name_is_kept_as_it_is(home: Path) -> None:
    save_name("Žofie van der Ψ")
    assert load().name == "Žofie van der Ψ"
    save_name("Bo")
    assert load().name == "Bo"


def test_what_is_kept_leaves_the_rest_of_the_file_as_it_is(home: Path) -> None:
    file = written(home, '# mine\ntheme = "dark"\nname = "Vera"\n')
    save(theme="light", ascii=True)
    assert file.read_text() == '# mine\ntheme = "light"\nname = "Vera"\nascii = true\n'


@pytest.mark.parametrize("text", ["'theme' = 'dark'\n", 'name = """\ntheme = x"""\n'])
def test_a_file_that_cannot_be_changed_line_by_line_stays_as_it_is(text: str, home: Path) -> None:
    file = written(home, text)
    with pytest.raises(BadSettings, match="with an editor"):
        save(theme="light")
    assert file.read_text() == text


def test_what_is_no_toml_is_told_with_its_line(home: Path) -> None:
    written(home, 'name = "Vera"\nrelay = oops\n')
    with pytest.raises(BadSettings, match=r"config\.toml.*line 2"):
        load()
    written(home, b'name = "Vera"\n\nteam = "\xff"\n')
    with pytest.raises(BadSettings, match=r"Line 3 of .*UTF-8"):
        load()
    written(home, "name = " + "[" * 20_000)
    with pytest.raises(BadSettings, match="not valid TOML"):
        load()
    written(home, "#" * 70_000)
    with pytest.raises(DiskError, match="more than"):
        load()


def test_a_key_that_nobody_knows_is_told(home: Path) -> None:
    written(home, 'relai = "x"\n')
    with pytest.raises(BadSettings, match="Did you mean relay"):
        load()
    written(home, "[window]\nwidth = 3\n")
    with pytest.raises(BadSettings, match="There are name, team, relay"):
        load()


@pytest.mark.parametrize("line", ["ascii = 1", 'ascii = "yes"', "name = 3", "team = true", 'relay = ["a"]'])
def test_a_value_of_the_wrong_kind_is_told(home: Path, line: str) -> None:
    written(home, line)
    with pytest.raises(BadSettings, match=f"{line.split(maxsplit=1)[0]} must be"):
        load()


def test_a_variable_of_the_wrong_kind_is_told(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("P2PBALL_ASCII", "perhaps")
    with pytest.raises(BadSettings, match="P2PBALL_ASCII must be 1 or 0, not 'perhaps'"):
        load()


def test_a_folder_in_place_of_the_file_is_told(home: Path) -> None:
    (home / "config.toml").mkdir(parents=True)
    with pytest.raises(DiskError, match="Could not read the settings"):
        load()
